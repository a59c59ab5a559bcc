# Included by a folder of tests or benchmarks: its sources are compiled by clang, which heddle cc
# needs in any case and which takes half of gcc's time without optimization. CMake has one compiler
# per language, so the variables of the folder are set. The objects link with those of gcc.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  find_program(HEDDLE_TEST_COMPILER NAMES clang++-19 DOC "compiles tests and benchmarks" REQUIRED)
  set(CMAKE_CXX_COMPILER ${HEDDLE_TEST_COMPILER})
  set(CMAKE_CXX_COMPILER_ID Clang)
  set(CMAKE_CXX_COMPILER_VERSION 19)
  set(CMAKE_CXX_COMPILER_FRONTEND_VARIANT GNU)
  include(Compiler/Clang-CXX)  # the options for dependencies and precompiled headers
  # gcc reports the warnings of the simulator's headers.
  include_directories(SYSTEM ${CMAKE_SOURCE_DIR}/src)
endif()
