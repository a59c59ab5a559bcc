// Handles and constants of the driver API. The headers included below add enumerations and
// structures; cuda.h declares the calls.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../driver_types.h"
#include "driver_enumerations.h"

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUexecAffinityParam_st {
  CUexecAffinityType type;
  union {
    struct {
      unsigned int val;
    } smCount;
  } param;
} CUexecAffinityParam;
typedef struct CUctxCigParam_st {
  int sharedDataType;
  void* sharedData;
} CUctxCigParam;
typedef struct CUctxCreateParams_st {
  CUexecAffinityParam* execAffinityParams;
  int numExecAffinityParams;
  CUctxCigParam* cigParams;
} CUctxCreateParams;
typedef struct CUgraph_st* CUgraph;
typedef struct CUgraphNode_st* CUgraphNode;
typedef struct CUgraphExec_st* CUgraphExec;
typedef struct CUlib_st* CUlibrary;
typedef struct CUfunc_st* CUfunction;
typedef struct CUkern_st* CUkernel;
typedef struct CUarray_st* CUarray;
typedef struct CUmipmappedArray_st* CUmipmappedArray;
typedef struct CUtexref_st* CUtexref;
typedef struct CUsurfref_st* CUsurfref;
typedef struct CUevent_st* CUevent;
typedef struct CUstream_st* CUstream;
typedef struct CUlinkState_st* CUlinkState;
typedef struct CUmemPoolHandle_st* CUmemoryPool;
typedef struct CUextSemaphore_st* CUexternalSemaphore;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef cudaGraphConditionalHandle CUgraphConditionalHandle;
typedef struct CUuserObject_st* CUuserObject;
typedef size_t (*CUoccupancyB2DSize)(int blockSize);
typedef void (*CUhostFn)(void* userData);

#define CU_DEVICE_CPU ((CUdevice) - 1)
#define CU_DEVICE_INVALID ((CUdevice) - 2)
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_LAUNCH_PARAM_END ((void*)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void*)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void*)0x02)

#include "driver_structures.h"

#include "shared_driver_structures.h"

#include "further_driver_structures.h"
