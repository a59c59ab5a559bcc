# Runs between the installation into cpack's temporary folder and the packaging: links and files of
# the Debian package outside /usr/lib/heddle.
find_program(shlibdeps dpkg-shlibdeps)
if(NOT shlibdeps)
  message(FATAL_ERROR "cpack -G DEB needs dpkg-shlibdeps, which computes the dependencies; "
    "install the package dpkg-dev")
endif()
set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(own ${usr}/lib/heddle)
foreach(folder bin share/man share/bash-completion share/zsh/vendor-completions share/doc/heddle
    lib/cmake/Heddle)
  file(MAKE_DIRECTORY ${usr}/${folder})
endforeach()

file(CREATE_LINK ../lib/heddle/bin/heddle ${usr}/bin/heddle SYMBOLIC)
file(RENAME ${own}/share/bash-completion/completions ${usr}/share/bash-completion/completions)
file(RENAME ${own}/share/zsh/site-functions/_heddle ${usr}/share/zsh/vendor-completions/_heddle)
file(RENAME ${own}/share/man/man1 ${usr}/share/man/man1)
file(REMOVE_RECURSE ${own}/share/bash-completion ${own}/share/zsh ${own}/share/man)
file(GLOB pages ${usr}/share/man/man1/*.1)
execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)

configure_file(${CPACK_HEDDLE_SOURCE_DIR}/LICENSE ${usr}/share/doc/heddle/copyright COPYONLY)
# dpkg-parsechangelog reads `changelog`, people read NEWS.
configure_file(${CPACK_HEDDLE_SOURCE_DIR}/CHANGELOG.md ${usr}/share/doc/heddle/NEWS COPYONLY)
file(STRINGS ${CPACK_HEDDLE_SOURCE_DIR}/CITATION.cff released REGEX "^date-released: ")
string(REPLACE "date-released: " "" released "${released}")
execute_process(COMMAND env LC_ALL=C date --utc --rfc-email --date=${released}
  OUTPUT_VARIABLE released OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${usr}/share/doc/heddle/changelog
  "heddle (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
  "  * NEWS.gz says what is new.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${released}\n")
execute_process(COMMAND gzip -9n ${usr}/share/doc/heddle/NEWS ${usr}/share/doc/heddle/changelog
  COMMAND_ERROR_IS_FATAL ANY)

# cpack strips targets of CMake only.
set(libnvvm ${own}/lib/heddle/toolkit/nvvm/lib64/libnvvm.so.4)
file(GLOB_RECURSE programs ${own}/share/heddle/programs/*)
execute_process(COMMAND strip --strip-unneeded ${libnvvm} ${programs} COMMAND_ERROR_IS_FATAL ANY)
file(CHMOD ${libnvvm} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

# Two libraries are only names that linkers look for, and the authors have no common address.
file(MAKE_DIRECTORY ${usr}/share/lintian/overrides)
file(WRITE ${usr}/share/lintian/overrides/heddle
  "heddle: unpack-message-for-deb-data ar failed for *libcudart_static.a\n"
  "heddle: no-code-sections *libcudadevrt.a*\n"
  "heddle: bogus-mail-host *\nheddle: bogus-mail-host-in-debian-changelog *\n")

# find_package(Heddle) looks in /usr/lib/cmake.
foreach(name HeddleConfig HeddleConfigVersion)
  file(WRITE ${usr}/lib/cmake/Heddle/${name}.cmake
    "include(\${CMAKE_CURRENT_LIST_DIR}/../../heddle/lib/cmake/Heddle/${name}.cmake)\n")
endforeach()

file(GLOB package ${own}/share/heddle/python/heddle)
if(package)
  file(MAKE_DIRECTORY ${usr}/lib/python3/dist-packages)
  file(CREATE_LINK ../../heddle/share/heddle/python/heddle
    ${usr}/lib/python3/dist-packages/heddle SYMBOLIC)
endif()
