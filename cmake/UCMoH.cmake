# Helpers, so that every CMakeLists.txt of the tree stays a list of files.

# Headers that most files of a kind read, parsed once for all of them: target_precompile_headers in a target of its own.
# docs/how-to/build.md has what it brings.
function(ucmoh_add_headers name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  llvm_update_compile_flags(${name})
  target_precompile_headers(${name} PRIVATE ${ARG_UNPARSED_ARGUMENTS})
  # No times of headers inside: the same headers are the same result, which ccache can find.
  target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# Sets the options that all targets have in common. A directory names its precompiled headers by UCMOH_HEADERS.
# Everything is position independent by LLVM's own flags (-fPIC); a program's -fPIE would be other options than the
# headers have.
function(ucmoh_set_compile_options name)
  llvm_update_compile_flags(${name})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  if(UCMOH_HEADERS)
    target_precompile_headers(${name} REUSE_FROM ${UCMOH_HEADERS})
  endif()
endfunction()

# A static library of the project. Objects are position independent: the plugin links the same archives as the tools.
# MLIR itself is always the shared libMLIR: static MLIR archives in a plugin would duplicate its type ids.
function(ucmoh_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  ucmoh_set_compile_options(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY UCMOH_LIBRARIES ${name})
endfunction()

# A tool in bin/, linked against the shared libLLVM and, unless WITHOUT_MLIR is given, libMLIR.
function(ucmoh_add_tool name)
  cmake_parse_arguments(ARG "WITHOUT_MLIR" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  if(NOT ARG_WITHOUT_MLIR)
    list(APPEND ARG_LINK MLIR)
  endif()
  ucmoh_set_compile_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} LLVM)
  set_property(GLOBAL APPEND PROPERTY UCMOH_TOOLS ${name})
endfunction()

# A GoogleTest program, known to ctest under its own name.
function(ucmoh_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  ucmoh_set_compile_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main MLIR LLVM)
  add_test(NAME ${name} COMMAND ${name})
  # What ucmoh-probe installed on this machine is nothing that tests may depend on.
  set_tests_properties(${name} PROPERTIES ENVIRONMENT XDG_DATA_HOME=${CMAKE_BINARY_DIR}/test/data-home)
endfunction()
