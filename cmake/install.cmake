# What `cmake --install` lays down: header, libraries, command line with its man page and completions, and what other
# builds need to find them (pkg-config file and CMake package).

include(CMakePackageConfigHelpers)

install(DIRECTORY include/partan DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS partan_shared EXPORT partan-shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS partan_static EXPORT partan-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The CMake package. The static library's dependencies are its users' dependencies too, so it has its own export.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/partan)
foreach(kind shared static)
  install(EXPORT partan-${kind} NAMESPACE partan:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(cmake/partanConfig.cmake.in partanConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(partanConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/partanConfig.cmake ${PROJECT_BINARY_DIR}/partanConfigVersion.cmake
  DESTINATION ${package_dir})

# The pkg-config files find their prefix from their own place, so that the tree can be moved.
file(RELATIVE_PATH partan_pc_prefix /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
string(REGEX REPLACE "/$" "" partan_pc_prefix "${partan_pc_prefix}")
set(partan_pc_bzip2 -lbz2) # which has no pkg-config file everywhere
if(PARTAN_MATRIX)
  set(partan_pc_arpack ", arpack")
endif()
if(PARTAN_THREADS)
  set(partan_pc_threads "-pthread ")
endif()
foreach(name partan partan-static)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(TARGET partan)
  install(TARGETS partan RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The build runs the program for these, so it must be one that runs here, and quietly.
  if(NOT PARTAN_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    include(cmake/documents.cmake)
  endif()
endif()
