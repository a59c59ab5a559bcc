# `cpack -G DEB` in the build folder, after the target `installation`: heddle_VERSION_amd64.deb for
# Debian 12. Heddle's tree is /usr/lib/heddle, as LLVM's is /usr/lib/llvm-19: its libcudart.so and
# libcuda.so must not be found by programs that want NVIDIA's. debian/layout.cmake adds what belongs
# elsewhere.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VENDOR "The Heddle authors")
set(CPACK_PACKAGE_CONTACT "The Heddle authors <heddle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-level GPU simulator that runs CUDA programs")
set(CPACK_PACKAGE_DESCRIPTION "Heddle runs CUDA programs without a GPU and without a CUDA toolkit,
on a GPU that it simulates cycle by cycle, and compares warp schedulers,
CTA schedulers and share policies.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr/lib/heddle)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
# heddle cc compiles and links with clang; libclc is needed only to build Heddle.
# heddle --plot FILE.pdf calls rsvg-convert.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, librsvg2-bin")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, libthrust-dev, libcub-dev, bash-completion")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "python3-pandas, python3-matplotlib, cmake, g++, make, libomp-19-dev")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/cmake/debian/prerm)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/debian/layout.cmake)
set(CPACK_HEDDLE_SOURCE_DIR ${CMAKE_SOURCE_DIR})
include(CPack)
