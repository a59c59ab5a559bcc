// Structures of the runtime API that only refused calls use, or that no call uses.
// Included by driver_types.h.
#pragma once

struct cudaExternalMemoryMipmappedArrayDesc {
  unsigned long long offset;
  struct cudaChannelFormatDesc formatDesc;
  struct cudaExtent extent;
  unsigned int flags, numLevels, reserved[16];
};
typedef struct CUgraphDeviceUpdatableNode_st* cudaGraphDeviceNode_t;
struct cudaGraphKernelNodeUpdate {
  cudaGraphDeviceNode_t node;
  enum cudaGraphKernelNodeField field;
  union {
    dim3 gridDim;
    struct {
      const void* pValue;
      size_t offset, size;
    } param;
    unsigned int isEnabled;
  } updateData;
};
typedef struct cudaAsyncCallbackEntry* cudaAsyncCallbackHandle_t;
typedef void (*cudaAsyncCallback)(cudaAsyncNotificationInfo_t*, void*, cudaAsyncCallbackHandle_t);
typedef struct CUlogsCallbackEntry_st* cudaLogsCallbackHandle;
typedef unsigned int cudaLogIterator;
typedef void (*cudaLogsCallback_t)(void*, cudaLogLevel, char*, size_t);
