// Names for devices, contexts, streams and events. Without a tool they have no effect.
#pragma once

#include "cuda_runtime_api.h"
#include "nvtx3/nvToolsExt.h"

static inline void nvtxNameCudaDeviceA(int object, const char* name) { (void)object, (void)name; }
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
static inline void nvtxNameCudaStreamA(cudaStream_t object, const char* name) {
  (void)object, (void)name;
}
#define nvtxNameCudaStream nvtxNameCudaStreamA
static inline void nvtxNameCudaEventA(cudaEvent_t object, const char* name) {
  (void)object, (void)name;
}
#define nvtxNameCudaEvent nvtxNameCudaEventA
