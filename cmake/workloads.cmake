# The ten CUDA programs, compiled by Heddle itself: build/workloads/NAME.
set(HEDDLE_WORKLOADS vecadd matmul spmv_scalar spmv_vector bfs kmeans streamcluster laplace3d
    reduction blackscholes)
# Microbenchmarks, from workloads/micro: build/workloads/micro/NAME.
set(HEDDLE_MICRO latency memory capacity throughput)
# Access patterns, each alone, from workloads/patterns: build/workloads/patterns/NAME.
set(HEDDLE_PATTERNS row_walk row_walk_dropout broadcast_centre z_sweep stream bank_stream
    long_short_mix few_ctas unit_imbalance barrier_loop tiled_product)
set(HEDDLE_WORKLOADS_DIR ${CMAKE_BINARY_DIR}/workloads)

if(TARGET heddle)
  set(HEDDLE_COMPILER heddle)
  if(TARGET cudart)
    list(APPEND HEDDLE_COMPILER cudart)
  endif()
  file(GLOB device_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/cuda/sdk/include/*
       ${CMAKE_SOURCE_DIR}/src/cuda/sdk/include/*/* ${CMAKE_SOURCE_DIR}/src/cuda/sdk/device/*)
  list(FILTER device_headers EXCLUDE REGEX "/include/[a-z]+$")
  foreach(name IN LISTS HEDDLE_WORKLOADS)
    set(source ${CMAKE_SOURCE_DIR}/workloads/${name}.cu)
    set(program ${HEDDLE_WORKLOADS_DIR}/${name})
    add_custom_command(OUTPUT ${program}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${HEDDLE_WORKLOADS_DIR}
      COMMAND $<TARGET_FILE:heddle> cc -O2 -o ${program} ${source}
      DEPENDS ${HEDDLE_COMPILER} ${device_math} ${source}
        ${CMAKE_SOURCE_DIR}/workloads/common.h ${CMAKE_SOURCE_DIR}/workloads/csr.h ${device_headers}
      COMMENT "heddle cc ${name}.cu" VERBATIM)
    list(APPEND workload_programs ${program})
  endforeach()
  foreach(name IN LISTS HEDDLE_MICRO)
    set(source ${CMAKE_SOURCE_DIR}/workloads/micro/${name}.cu)
    set(program ${HEDDLE_WORKLOADS_DIR}/micro/${name})
    add_custom_command(OUTPUT ${program}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${HEDDLE_WORKLOADS_DIR}/micro
      COMMAND $<TARGET_FILE:heddle> cc -O2 -o ${program} ${source}
      DEPENDS ${HEDDLE_COMPILER} ${device_math} ${source}
        ${CMAKE_SOURCE_DIR}/workloads/micro/micro.h ${CMAKE_SOURCE_DIR}/workloads/common.h
        ${device_headers}
      COMMENT "heddle cc micro/${name}.cu" VERBATIM)
    list(APPEND workload_programs ${program})
  endforeach()
  foreach(name IN LISTS HEDDLE_PATTERNS)
    set(source ${CMAKE_SOURCE_DIR}/workloads/patterns/${name}.cu)
    set(program ${HEDDLE_WORKLOADS_DIR}/patterns/${name})
    add_custom_command(OUTPUT ${program}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${HEDDLE_WORKLOADS_DIR}/patterns
      COMMAND $<TARGET_FILE:heddle> cc -O2 -o ${program} ${source}
      DEPENDS ${HEDDLE_COMPILER} ${device_math} ${source}
        ${CMAKE_SOURCE_DIR}/workloads/common.h ${device_headers}
      COMMENT "heddle cc patterns/${name}.cu" VERBATIM)
    list(APPEND workload_programs ${program})
  endforeach()
  add_custom_target(workloads ALL DEPENDS ${workload_programs})
endif()
