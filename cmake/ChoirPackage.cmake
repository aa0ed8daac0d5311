# `cpack -G DEB` (make package): one package with all that `cmake --install` lays down.

install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN Doxyfile EXCLUDE)
if(CHOIR_PAGE)
  install(FILES ${PROJECT_SOURCE_DIR}/choir/report/page/bundle/LICENSES.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}
          RENAME page-licenses.txt)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/datasets/digits.npz DESTINATION ${CMAKE_INSTALL_DATADIR}/choir/datasets)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/demo DESTINATION ${CMAKE_INSTALL_DATADIR}/choir/tools)

# choir_printed_file(choir.1 share/man/man1 man): what `choir man` prints is installed as share/man/man1/choir.1
function(choir_printed_file name folder)
  set(file ${PROJECT_BINARY_DIR}/printed/${folder}/${name})
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/printed/${folder}
    COMMAND $<TARGET_FILE:choir> ${ARGN} > ${file}
    DEPENDS choir VERBATIM)
  set_property(GLOBAL APPEND PROPERTY CHOIR_PRINTED_FILES ${file})
  install(FILES ${file} DESTINATION ${folder})
endfunction()
choir_printed_file(choir.1 ${CMAKE_INSTALL_MANDIR}/man1 man)
choir_printed_file(choir ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
choir_printed_file(_choir ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions completion zsh)
choir_printed_file(choir.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completion fish)
get_property(printed GLOBAL PROPERTY CHOIR_PRINTED_FILES)
add_custom_target(printed_files ALL DEPENDS ${printed})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The choir developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# To compile against the headers and static libraries.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "libeigen3-dev, libspectra-dev, libopenblas-pthread-dev, liblapacke-dev, libtbb-dev, libsleef-dev, libfmt-dev, nlohmann-json3-dev, openmpi-bin")
include(CPack)
