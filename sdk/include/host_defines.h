// The CUDA keywords. In C and C++ files they are empty.
#pragma once
#define __HOST_DEFINES_H__

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// Aligned to a page: the runtime maps the host's variable to the device (decision 032).
#define __managed__ __attribute__((device, aligned(4096)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// Clang does not know these attributes; heddle cc reads the annotations.
#define __cluster_dims__(...) __attribute__((annotate("heddle_cluster_dims", __VA_ARGS__)))
#define __maxnreg__(...) __attribute__((annotate("heddle_maxnreg", __VA_ARGS__)))
#define __grid_constant__ __attribute__((annotate("heddle_grid_constant")))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __grid_constant__
#endif

// __noinline__ is a keyword in clang's CUDA mode. libstdc++ uses the word in attributes, so a macro
// would break it.
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __nv_pure__
#define __no_return__ __attribute__((noreturn))
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDART_DEVICE __device__
