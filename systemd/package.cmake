# Debian packages: `cpack -G DEB` in a release build folder makes one package a component. Needs dpkg-dev.
#   tabled          daemon, tablectl, unit, rules, manual pages, samples
#   tabled-clients  narrator, lights, display
#   tabled-web      dashboard
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "tabled maintainers <maintainers@tabled.example>")
set(CPACK_PACKAGE_VENDOR tabled)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "game table that knows the rules")
set(CPACK_COMPONENTS_ALL tabled clients web)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
# The unit names the program by its final path: the prefix is the real one, the staging folder is DESTDIR.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/systemd/package/stage.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(CMAKE_CROSSCOMPILING)
    set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${TABLED_DEB_ARCH})
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF) # the libraries are not installed here: tests/arm64 names them
endif()

set(CPACK_DEBIAN_TABLED_PACKAGE_NAME tabled)
set(CPACK_COMPONENT_TABLED_DESCRIPTION "The daemon of a smart game table: it reads NFC-tagged tiles and number
tokens through drivers, holds every move against the rules of the game,
tells displays, lamps and a speaking narrator over MQTT what happens next,
serves a REST API, and never gives a hidden card away.

Games: the One Night family, Not Alone, Battle Sheep, Elfenland, Alien Hunt.")
set(CPACK_DEBIAN_TABLED_PACKAGE_RECOMMENDS "mosquitto, tabled-web, tabled-clients")
set(CPACK_DEBIAN_TABLED_PACKAGE_SUGGESTS "pcscd")
set(CPACK_DEBIAN_TABLED_PACKAGE_CONTROL_EXTRA "${CMAKE_SOURCE_DIR}/systemd/package/postinst;${CMAKE_SOURCE_DIR}/systemd/package/prerm;${CMAKE_SOURCE_DIR}/systemd/package/postrm")

set(CPACK_DEBIAN_CLIENTS_PACKAGE_NAME tabled-clients)
set(CPACK_COMPONENT_CLIENTS_DESCRIPTION "Clients of tabled, the game table that knows the rules: a narrator that
speaks, a driver of lamps, and a display for a screen at the table. They
hear over MQTT what everybody at the table may know, and nothing else.")
set(CPACK_DEBIAN_CLIENTS_PACKAGE_RECOMMENDS "tabled, espeak-ng-data, fonts-noto-cjk")

set(CPACK_DEBIAN_WEB_PACKAGE_NAME tabled-web)
set(CPACK_DEBIAN_WEB_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_WEB_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_WEB_DESCRIPTION "Pages that tabled, the game table that knows the rules, serves to browsers:
the table with its pieces, a new game, the people, the readers, the story of
an evening.")
set(CPACK_DEBIAN_WEB_PACKAGE_DEPENDS tabled)
include(CPack)
