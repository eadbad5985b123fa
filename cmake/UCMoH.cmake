# Two helpers, so that every CMakeLists.txt of the tree stays a list of files.

# A static library of the project. Objects are position independent: the plugin links the same archives as the tools.
# MLIR itself is always the shared libMLIR: static MLIR archives in a plugin would duplicate its type ids.
function(ucmoh_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# A tool in bin/, linked against the shared libLLVM and, unless WITHOUT_MLIR is given, libMLIR.
function(ucmoh_add_tool name)
  cmake_parse_arguments(ARG "WITHOUT_MLIR" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  if(NOT ARG_WITHOUT_MLIR)
    list(APPEND ARG_LINK MLIR)
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINK} LLVM)
  set_property(GLOBAL APPEND PROPERTY UCMOH_TOOLS ${name})
endfunction()

# A GoogleTest program, known to ctest under its own name.
function(ucmoh_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main MLIR LLVM)
  add_test(NAME ${name} COMMAND ${name})
  # What ucmoh-probe installed on this machine is nothing that tests may depend on.
  set_tests_properties(${name} PROPERTIES ENVIRONMENT XDG_DATA_HOME=${CMAKE_BINARY_DIR}/test/data-home)
endfunction()
