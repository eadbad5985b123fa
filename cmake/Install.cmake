# `cmake --install` and CPack take these: tools, plugin, headers, libraries with a CMake package, targets, weights,
# Python. Tests and research are not built yet where this is included. What needs LibTorch stays in the build tree,
# since that lies in a virtual environment.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/UCMoH)
get_property(tools GLOBAL PROPERTY UCMOH_TOOLS)
get_property(libraries GLOBAL PROPERTY UCMOH_LIBRARIES)
list(REMOVE_ITEM tools ucmoh-train)
list(REMOVE_ITEM libraries UCMoHTraining)

# Where LLVM lies.
set_target_properties(${tools} UCMoHPlugin UCMoHC PROPERTIES INSTALL_RPATH ${LLVM_LIBRARY_DIR})
install(TARGETS ${tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS UCMoHPlugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

foreach(library ${libraries})
  target_compile_features(${library} INTERFACE cxx_std_17)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} INTERFACE $<INSTALL_INTERFACE:MLIR> $<INSTALL_INTERFACE:LLVM>)
endforeach()
target_include_directories(UCMoHC INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS UCMoHC EXPORT UCMoHTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ${libraries} EXPORT UCMoHTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT UCMoHTargets DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/UCMoHConfig.cmake.in ${CMAKE_BINARY_DIR}/UCMoHConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/UCMoHConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/UCMoHConfig.cmake ${CMAKE_BINARY_DIR}/UCMoHConfigVersion.cmake
  DESTINATION ${package_dir})

foreach(root ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  install(DIRECTORY ${root}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.td" PATTERN "*.h.inc"
    PATTERN "Training" EXCLUDE PATTERN "CMakeFiles" EXCLUDE)
endforeach()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/targets ${CMAKE_SOURCE_DIR}/models ${CMAKE_SOURCE_DIR}/python
  DESTINATION ${CMAKE_INSTALL_DATADIR}/ucmoh PATTERN "__pycache__" EXCLUDE)

# The Debian package: `cpack -G DEB`.
set(CPACK_PACKAGE_CONTACT "The UCMoH authors <ucmoh@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# That finds libLLVM by a link of the development package, and says nothing.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libllvm${LLVM_VERSION_MAJOR}, libmlir-${LLVM_VERSION_MAJOR}")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-${LLVM_VERSION_MAJOR}, lld-${LLVM_VERSION_MAJOR}")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libmlir-${LLVM_VERSION_MAJOR}-dev, libsqlite3-dev, qemu-user-static")
set(CPACK_STRIP_FILES ON)
include(CPack)
