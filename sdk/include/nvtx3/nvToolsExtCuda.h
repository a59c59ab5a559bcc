// Names for devices, contexts, streams and events. Without a tool they have no effect.
#pragma once

#include "cuda.h"
#include "nvtx3/nvToolsExt.h"

static inline void nvtxNameCuDeviceA(CUdevice object, const char* name) {
  (void)object, (void)name;
}
#define nvtxNameCuDevice nvtxNameCuDeviceA
static inline void nvtxNameCuContextA(CUcontext object, const char* name) {
  (void)object, (void)name;
}
#define nvtxNameCuContext nvtxNameCuContextA
static inline void nvtxNameCuStreamA(CUstream object, const char* name) {
  (void)object, (void)name;
}
#define nvtxNameCuStream nvtxNameCuStreamA
static inline void nvtxNameCuEventA(CUevent object, const char* name) { (void)object, (void)name; }
#define nvtxNameCuEvent nvtxNameCuEventA
