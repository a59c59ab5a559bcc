# Included by a folder whose sources clang compiles, which heddle cc needs in any case: the rooms of
# src/CMakeLists.txt, and tests and benchmarks, for which it takes half of gcc's time without
# optimization. CMake has one compiler per language, so the variables of the folder are set. The
# objects link with those of gcc.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  find_program(HEDDLE_CLANG_CXX NAMES clang++-19 REQUIRED)
  set(CMAKE_CXX_COMPILER ${HEDDLE_CLANG_CXX})
  set(CMAKE_CXX_COMPILER_ID Clang)
  set(CMAKE_CXX_COMPILER_VERSION 19)
  set(CMAKE_CXX_COMPILER_FRONTEND_VARIANT GNU)
  include(Compiler/Clang-CXX)  # the options for dependencies and precompiled headers
endif()
