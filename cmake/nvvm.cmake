# The libnvvm.so of the toolkit folder, for programs that generate kernels when they run.
include_guard(GLOBAL)

file(GLOB nvvm_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/cuda/nvvm/*.cc)
add_library(nvvm SHARED ${nvvm_sources})
target_link_libraries(nvvm PRIVATE heddle_flags ${CMAKE_DL_LIBS})
target_compile_options(nvvm PRIVATE ${HEDDLE_COLD_FLAGS})
target_link_options(nvvm PRIVATE
  -Wl,--version-script=${CMAKE_SOURCE_DIR}/src/cuda/nvvm/exports.map -Wl,--no-undefined)
set_target_properties(nvvm PROPERTIES VERSION 4 SOVERSION 4
  LIBRARY_OUTPUT_DIRECTORY ${toolkit}/nvvm/lib64)
add_dependencies(cudart nvvm)
