# The ten CUDA programs, compiled by Heddle itself: build/workloads/NAME.
set(HEDDLE_WORKLOADS vecadd matmul spmv_scalar spmv_vector bfs kmeans streamcluster laplace3d
    reduction blackscholes)
# The eight programs of the CTA mapping paper, from workloads/ctamap: build/workloads/ctamap/NAME.
set(HEDDLE_CTAMAP micro_bench matmul conv demosaic imregionmax tr mum lps)
# Programs of the benchmark suites that the papers use, from workloads/SUITE:
# build/workloads/SUITE/NAME.
set(HEDDLE_SUITES rodinia/backprop rodinia/btree rodinia/cfd rodinia/hotspot rodinia/leukocyte
    rodinia/lud rodinia/nearest_neighbor rodinia/nw rodinia/particlefilter rodinia/pathfinder
    rodinia/srad parboil/fft parboil/lbm parboil/mri_q parboil/sad parboil/spmv_jds parboil/stencil
    sdk/asian_option sdk/binomial_options sdk/estimate_pi sdk/estimate_pi_inline sdk/fdtd3d
    sdk/quasirandom sdk/scalar_product sdk/scan ispass/aes ispass/cp ispass/lib ispass/lps ispass/nn
    ispass/nqu ispass/ray ispass/sto polybench/convolution3d polybench/mm3 tango/resnet ccws/gc
    ccws/memcached)
# Microbenchmarks, from workloads/micro: build/workloads/micro/NAME.
set(HEDDLE_MICRO latency memory capacity throughput)
# Access patterns, each alone, from workloads/patterns: build/workloads/patterns/NAME.
set(HEDDLE_PATTERNS row_walk row_walk_dropout broadcast_centre z_sweep stream bank_stream
    long_short_mix few_ctas unit_imbalance barrier_loop tiled_product)
set(HEDDLE_WORKLOADS_DIR ${CMAKE_BINARY_DIR}/workloads)

# Compiles workloads/NAME.cu; the other arguments are the headers of workloads/ that it may include.
function(heddle_workload name)
  set(source ${CMAKE_SOURCE_DIR}/workloads/${name}.cu)
  set(program ${HEDDLE_WORKLOADS_DIR}/${name})
  list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/workloads/)
  cmake_path(GET program PARENT_PATH folder)
  add_custom_command(OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND $<TARGET_FILE:heddle> cc -O2 -o ${program} ${source}
    DEPENDS ${HEDDLE_COMPILER} ${device_math} ${source} ${CMAKE_SOURCE_DIR}/workloads/common.h
      ${ARGN} ${cuda_header_files}
    COMMENT "heddle cc ${name}.cu" VERBATIM)
  set(workload_programs ${workload_programs} ${program} PARENT_SCOPE)
endfunction()

if(TARGET heddle)
  set(HEDDLE_COMPILER heddle)
  if(TARGET cudart)
    list(APPEND HEDDLE_COMPILER cudart)
  endif()
  foreach(name IN LISTS HEDDLE_WORKLOADS)
    heddle_workload(${name} csr.h laplace3d.h texture.h)
  endforeach()
  foreach(name IN LISTS HEDDLE_CTAMAP)
    heddle_workload(ctamap/${name} laplace3d.h ctamap/image.h ctamap/suffix_tree.h)
  endforeach()
  foreach(name IN LISTS HEDDLE_SUITES)
    heddle_workload(${name} laplace3d.h texture.h sdk/xorwow.h)
  endforeach()
  foreach(name IN LISTS HEDDLE_MICRO)
    heddle_workload(micro/${name} micro/micro.h)
  endforeach()
  foreach(name IN LISTS HEDDLE_PATTERNS)
    heddle_workload(patterns/${name})
  endforeach()
  add_custom_target(workloads ALL DEPENDS ${workload_programs})
endif()
