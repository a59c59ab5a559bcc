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
configure_file(${CPACK_HEDDLE_SOURCE_DIR}/CHANGELOG.md ${usr}/share/doc/heddle/changelog COPYONLY)
execute_process(COMMAND gzip -9n ${usr}/share/doc/heddle/changelog COMMAND_ERROR_IS_FATAL ANY)

# find_package(Heddle) looks in /usr/lib/cmake.
foreach(name HeddleConfig HeddleConfigVersion)
  file(WRITE ${usr}/lib/cmake/Heddle/${name}.cmake
    "include(/usr/lib/heddle/lib/cmake/Heddle/${name}.cmake)\n")
endforeach()

file(GLOB package ${own}/share/heddle/python/heddle)
if(package)
  file(MAKE_DIRECTORY ${usr}/lib/python3/dist-packages)
  file(CREATE_LINK ../../heddle/share/heddle/python/heddle
    ${usr}/lib/python3/dist-packages/heddle SYMBOLIC)
endif()
