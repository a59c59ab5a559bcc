# The CUDA runtime and driver as one library, with the names and symbol versions of CUDA 11, 12 and
# 13: programs that were linked with NVIDIA's library run with it.
include_guard(GLOBAL)

find_library(HEDDLE_LZ4 NAMES lz4 REQUIRED)

set(sources "")
foreach(folder fatbin objects capture process operations graph runtime driver)
  file(GLOB folder_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/cuda/${folder}/*.cc)
  list(APPEND sources ${folder_sources})
  # The two APIs use the same names for their helpers, so each is a unit.
  set(unit ${folder})
  if(folder MATCHES "^(fatbin|objects|capture)$")
    set(unit objects)
  elseif(folder MATCHES "^(process|operations|graph)$")
    set(unit process)
  endif()
  set_source_files_properties(${folder_sources} PROPERTIES UNITY_GROUP ${unit})
endforeach()
list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/src/cuda/capture/capture_file.cc
     ${CMAKE_SOURCE_DIR}/src/cuda/capture/record_checker.cc)
add_library(heddle_cuda OBJECT ${sources})
target_link_libraries(heddle_cuda PUBLIC heddle_core cuda_headers ${HEDDLE_ZSTD} ${HEDDLE_LZ4})
# Its calls run once per call of a program, not once per cycle.
target_compile_options(heddle_cuda PRIVATE ${HEDDLE_COLD_FLAGS})
set_target_properties(heddle_cuda PROPERTIES
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON UNITY_BUILD_MODE GROUP)
set(cuda_objects $<TARGET_OBJECTS:heddle_cuda> $<TARGET_OBJECTS:heddle_capture_file>)

# Symbol versions exist only in the shared library; the tests link heddle_cuda.
set(abi_folder ${CMAKE_SOURCE_DIR}/src/cuda/abi)
set(keep_static_objects ${abi_folder}/keep_static_objects.cc)
set(keeping -Wl,--wrap=__cxa_atexit -Wl,--wrap=__cxa_thread_atexit)
add_library(cudart SHARED ${cuda_objects} ${abi_folder}/versions.cc ${keep_static_objects})
target_link_libraries(cudart PRIVATE heddle_core cuda_headers ${HEDDLE_ZSTD} ${HEDDLE_LZ4} ${CMAKE_DL_LIBS})
set_target_properties(cudart PROPERTIES
  VERSION 13 SOVERSION 13 LINK_DEPENDS ${abi_folder}/exports.map)
set_source_files_properties(${abi_folder}/versions.cc PROPERTIES COMPILE_OPTIONS "-fno-lto")
target_link_options(cudart PRIVATE -Wl,--version-script=${abi_folder}/exports.map
  -Wl,--exclude-libs,ALL -Wl,--no-undefined -Wl,-Bsymbolic ${keeping}
  -Wl,-z,nodelete)  # its threads and exit handlers outlive a dlclose()
# Runs a captured or traced program, or described kernels, in place of a program.
add_executable(heddle-replay ${CMAKE_SOURCE_DIR}/src/cuda/replay/main.cc
  ${CMAKE_SOURCE_DIR}/src/cuda/replay/trace_player.cc
  ${CMAKE_SOURCE_DIR}/src/cuda/replay/kernel_host.cc
  ${cuda_objects} $<TARGET_OBJECTS:heddle_kernel_files> ${keep_static_objects})
target_link_options(heddle-replay PRIVATE ${keeping})
target_link_libraries(heddle-replay PRIVATE
  heddle_cuda heddle_core ${HEDDLE_ZSTD} ${HEDDLE_LZ4} ${CMAKE_DL_LIBS})
set_target_properties(heddle-replay PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/heddle)

# The other file names that programs and linkers use.
set(runtime_names libcudart.so.12 libcudart.so.11.0 libcuda.so.1 libcuda.so)
foreach(name IN LISTS runtime_names)
  add_custom_command(TARGET cudart POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E create_symlink libcudart.so.13
            ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${name} VERBATIM)
endforeach()
