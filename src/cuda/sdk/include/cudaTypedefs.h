// Types of pointers to the driver's functions, for cuGetProcAddress.
#pragma once

#include "cuda.h"

#define HEDDLE_POINTER(name) typedef decltype(&name) PFN_##name
#if defined(__cplusplus)
HEDDLE_POINTER(cuInit);
HEDDLE_POINTER(cuDriverGetVersion);
HEDDLE_POINTER(cuDeviceGet);
HEDDLE_POINTER(cuDeviceGetCount);
HEDDLE_POINTER(cuDeviceGetName);
HEDDLE_POINTER(cuDeviceGetAttribute);
HEDDLE_POINTER(cuDeviceTotalMem);
typedef CUresult (*PFN_cuCtxCreate)(CUcontext*, unsigned, CUdevice);
HEDDLE_POINTER(cuCtxDestroy);
HEDDLE_POINTER(cuCtxGetCurrent);
HEDDLE_POINTER(cuCtxSetCurrent);
HEDDLE_POINTER(cuCtxSynchronize);
HEDDLE_POINTER(cuModuleLoad);
HEDDLE_POINTER(cuModuleLoadData);
HEDDLE_POINTER(cuModuleUnload);
HEDDLE_POINTER(cuModuleGetFunction);
HEDDLE_POINTER(cuModuleGetGlobal);
HEDDLE_POINTER(cuMemAlloc);
HEDDLE_POINTER(cuMemFree);
HEDDLE_POINTER(cuMemGetInfo);
HEDDLE_POINTER(cuMemcpyHtoD);
HEDDLE_POINTER(cuMemcpyDtoH);
HEDDLE_POINTER(cuMemcpyDtoD);
HEDDLE_POINTER(cuMemsetD8);
HEDDLE_POINTER(cuMemsetD32);
HEDDLE_POINTER(cuLaunchKernel);
HEDDLE_POINTER(cuStreamCreate);
HEDDLE_POINTER(cuStreamSynchronize);
HEDDLE_POINTER(cuStreamDestroy);
HEDDLE_POINTER(cuEventCreate);
HEDDLE_POINTER(cuEventRecord);
HEDDLE_POINTER(cuEventSynchronize);
HEDDLE_POINTER(cuEventElapsedTime);
HEDDLE_POINTER(cuEventDestroy);
HEDDLE_POINTER(cuFuncGetAttribute);
HEDDLE_POINTER(cuOccupancyMaxActiveBlocksPerMultiprocessor);
#endif
#undef HEDDLE_POINTER
