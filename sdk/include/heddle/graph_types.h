// Graphs and stream capture.
// Included by driver_types.h.
#pragma once

typedef struct cudaGraphExecUpdateResultInfo_st {
  enum cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;
typedef struct cudaGraphEdgeData_st {
  unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;
struct cudaKernelNodeParams {
  void* func;
  dim3 gridDim, blockDim;
  unsigned int sharedMemBytes;
  void **kernelParams, **extra;
};
struct cudaMemsetParams {
  void* dst;
  size_t pitch;
  unsigned int value, elementSize;
  size_t width, height;
};
struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void* userData;
};
struct cudaMemcpyNodeParams {
  int flags, reserved[3];
  struct cudaMemcpy3DParms copyParams;
};
struct cudaChildGraphNodeParams {
  cudaGraph_t graph;
  int ownership;
};

typedef unsigned long long cudaGraphConditionalHandle;
struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  enum cudaGraphConditionalNodeType type;
  unsigned int size;
  cudaGraph_t* phGraph_out;
};
// Newer names of the same layouts.
#ifdef __cplusplus
using cudaKernelNodeParamsV2 = cudaKernelNodeParams;
using cudaMemsetParamsV2 = cudaMemsetParams;
using cudaHostNodeParamsV2 = cudaHostNodeParams;
using cudaMemAllocNodeParamsV2 = cudaMemAllocNodeParams;
struct cudaGraphNodeParams {
  enum cudaGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    cudaKernelNodeParamsV2 kernel;
    cudaMemcpyNodeParams memcpy;
    cudaMemsetParamsV2 memset;
    cudaHostNodeParamsV2 host;
    cudaChildGraphNodeParams graph;
    cudaEventWaitNodeParams eventWait;
    cudaEventRecordNodeParams eventRecord;
    cudaMemAllocNodeParamsV2 alloc;
    cudaMemFreeNodeParams free;
    cudaConditionalNodeParams conditional;
  };
  long long reserved2;
};
static_assert(sizeof(cudaGraphNodeParams) == 256, "as compiled programs have it");
#endif
