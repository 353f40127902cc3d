# The manual page and the completions: the program prints them from its tables, the build keeps them in share/.
set(partan_share ${PROJECT_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${partan_share})

# partan_document(FILE FOLDER words...): `partan help words...` makes FILE, which is installed in FOLDER.
function(partan_document file folder)
  add_custom_command(OUTPUT ${partan_share}/${file} COMMAND partan help ${ARGN} > ${partan_share}/${file}
    DEPENDS partan VERBATIM)
  set_property(TARGET partan_documents APPEND PROPERTY SOURCES ${partan_share}/${file})
  install(FILES ${partan_share}/${file} DESTINATION ${folder})
endfunction()

add_custom_target(partan_documents ALL)
partan_document(partan.1 ${CMAKE_INSTALL_MANDIR}/man1 --man)
partan_document(partan ${CMAKE_INSTALL_DATADIR}/bash-completion/completions --completions bash)
partan_document(_partan ${CMAKE_INSTALL_DATADIR}/zsh/site-functions --completions zsh)
partan_document(partan.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d --completions fish)
