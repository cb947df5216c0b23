# What `cmake --install` puts where, and what CPack makes of it. scripts/package makes and tries the packages.
include(GNUInstallDirs)

foreach(program paceline paceline-agent paceline-server paceline-worker paceline-workbench)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})  # side by side: they find each other there
  endif()
endforeach()

# Manual pages, completion and the schema come from the programs themselves, as they are built; pages of section 7 from the manual's chapters.
if(TARGET paceline-worker)
  install(CODE "
    file(REMOVE_RECURSE \"${PROJECT_BINARY_DIR}/share\")
    execute_process(COMMAND \"${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/paceline\" __share \"${PROJECT_BINARY_DIR}/share\" \"${PROJECT_SOURCE_DIR}/resources/manual\" COMMAND_ERROR_IS_FATAL ANY)")
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR})
endif()

set(here ${PROJECT_SOURCE_DIR}/resources)
set(desktop_id org.paceline.workbench)  # as app/ui/desktop_notices.h has it
install(FILES ${here}/icons/paceline.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps RENAME ${desktop_id}.svg)
install(FILES ${here}/install/${desktop_id}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${here}/install/${desktop_id}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${here}/manual ${here}/recipes DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
list(TRANSFORM PACELINE_PRESETS PREPEND ${here}/presets/ OUTPUT_VARIABLE presets)
list(TRANSFORM presets APPEND .json)
install(FILES ${presets} DESTINATION ${CMAKE_INSTALL_DATADIR}/paceline/templates)

set(CPACK_PACKAGE_NAME paceline)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR Paceline)
set(CPACK_PACKAGE_CONTACT "Paceline developers <developers@paceline.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "workbench for experiments in distributed training on unequal machines")
set(CPACK_PACKAGE_DESCRIPTION "Sets up, runs, watches and compares distributed training by ESync, SSGD, ASGD, DGS, Grouping SGD, ECL-ISVR and others,
on hosts behind SSH or Slurm, on this computer, or in virtual time.")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS fonts-dejavu-core)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openssh-client, dataset-fashion-mnist")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-torch, texlive-latex-base")
include(CPack)
