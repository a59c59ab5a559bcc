// Launches from device code. They are declared because headers use them in functions that are never
// called. A kernel that calls one is an error. cuda_runtime.h includes the other content of this
// header.
#pragma once
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)
extern "C" {
__device__ void* cudaGetParameterBuffer(size_t /*alignment*/, size_t /*bytes*/);
__device__ cudaError_t cudaLaunchDevice(void* /*kernel*/, void* /*parameters*/, dim3 /*grid*/,
                                        dim3 /*block*/, unsigned int /*shared_bytes*/,
                                        cudaStream_t);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance();
}
#endif
