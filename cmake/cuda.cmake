# CUDA: heddle cc with its headers and device mathematics, and the runtime library.
foreach(piece cuda_headers cuda_compile cuda_runtime)
  if(EXISTS ${CMAKE_SOURCE_DIR}/cmake/${piece}.cmake)
    include(cmake/${piece}.cmake)
  endif()
endforeach()
