# The CUDA runtime as a library under CUDA 13's name and symbol version, so that programs linked against NVIDIA's start with ours.
include_guard(GLOBAL)

find_library(HEDDLE_ZSTD NAMES zstd REQUIRED)
find_library(HEDDLE_LZ4 NAMES lz4 REQUIRED)

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/cuda/runtime/*.cc)
add_library(heddle_cuda OBJECT ${sources})
target_link_libraries(heddle_cuda PUBLIC heddle_core ${HEDDLE_ZSTD} ${HEDDLE_LZ4})
target_include_directories(heddle_cuda SYSTEM PUBLIC ${CMAKE_SOURCE_DIR}/src/cuda/include)
set_target_properties(heddle_cuda PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)

add_library(cudart SHARED $<TARGET_OBJECTS:heddle_cuda>)
target_link_libraries(cudart PRIVATE heddle_core ${HEDDLE_ZSTD} ${HEDDLE_LZ4})
set_target_properties(cudart PROPERTIES VERSION 13 SOVERSION 13 LINK_DEPENDS ${CMAKE_SOURCE_DIR}/src/cuda/runtime/exports.map)
target_link_options(cudart PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/src/cuda/runtime/exports.map -Wl,--exclude-libs,ALL
  -Wl,--no-undefined -Wl,-Bsymbolic)
