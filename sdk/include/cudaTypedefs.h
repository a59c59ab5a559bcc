// Types of pointers to the driver's functions, for cuGetProcAddress: PFN_, the function's name, and
// the CUDA version in which the function became what it is. Without a version: the newest.
#pragma once

#include "cuda.h"

#if defined(__cplusplus)
#include "heddle/driver_versions.h"
typedef CUresult (*PFN_cuCtxCreate_v3020)(CUcontext*, unsigned int, CUdevice_v1);
typedef CUresult (*PFN_cuCtxCreate_v11040)(CUcontext*, CUexecAffinityParam*, int, unsigned int,
                                           CUdevice_v1);
typedef CUresult (*PFN_cuCtxCreate_v12050)(CUcontext*, CUctxCreateParams*, unsigned int, CUdevice);
typedef PFN_cuCtxCreate_v12050 PFN_cuCtxCreate;
typedef CUresult (*PFN_cuDeviceGetUuid_v9020)(CUuuid*, CUdevice_v1);
typedef CUresult (*PFN_cuGetProcAddress_v11030)(const char*, void**, int, cuuint64_t);
typedef CUresult (*PFN_cuGetProcAddress_v12000)(const char*, void**, int, cuuint64_t,
                                                CUdriverProcAddressQueryResult*);
typedef PFN_cuGetProcAddress_v12000 PFN_cuGetProcAddress;
typedef CUresult (*PFN_cuGraphAddDependencies_v10000)(CUgraph, const CUgraphNode*,
                                                      const CUgraphNode*, size_t);
typedef CUresult (*PFN_cuGraphAddNode_v12020)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                              CUgraphNodeParams*);
typedef CUresult (*PFN_cuGraphExecUpdate_v10020)(CUgraphExec, CUgraph, CUgraphNode*,
                                                 CUgraphExecUpdateResult*);
typedef CUresult (*PFN_cuGraphGetEdges_v10000)(CUgraph, CUgraphNode*, CUgraphNode*, size_t*);
typedef CUresult (*PFN_cuGraphNodeGetDependencies_v10000)(CUgraphNode, CUgraphNode*, size_t*);
typedef CUresult (*PFN_cuGraphNodeGetDependentNodes_v10000)(CUgraphNode, CUgraphNode*, size_t*);
typedef CUresult (*PFN_cuGraphRemoveDependencies_v10000)(CUgraph, const CUgraphNode*,
                                                         const CUgraphNode*, size_t);
typedef CUresult (*PFN_cuMemAdvise_v8000)(CUdeviceptr_v2, size_t, CUmem_advise, CUdevice_v1);
typedef CUresult (*PFN_cuMemPrefetchAsync_v8000)(CUdeviceptr_v2, size_t, CUdevice_v1, CUstream);
typedef CUresult (*PFN_cuMemcpy3DBatchAsync_v12080)(size_t, CUDA_MEMCPY3D_BATCH_OP_v1*, size_t*,
                                                    unsigned long long, CUstream);
typedef CUresult (*PFN_cuMemcpyBatchAsync_v12080)(CUdeviceptr_v2*, CUdeviceptr_v2*, size_t*, size_t,
                                                  CUmemcpyAttributes_v1*, size_t*, size_t, size_t*,
                                                  CUstream);
typedef CUresult (*PFN_cuStreamBatchMemOp_v8000)(CUstream, unsigned int, CUstreamBatchMemOpParams*,
                                                 unsigned int);
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v10010)(CUstream, CUstreamCaptureStatus*,
                                                      cuuint64_t*);
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v11030)(CUstream, CUstreamCaptureStatus*, cuuint64_t*,
                                                      CUgraph*, const CUgraphNode**, size_t*);
typedef CUresult (*PFN_cuStreamGetCtx_v9020)(CUstream, CUcontext*);
typedef CUresult (*PFN_cuStreamUpdateCaptureDependencies_v11030)(CUstream, CUgraphNode*, size_t,
                                                                 unsigned int);
typedef CUresult (*PFN_cuStreamWaitValue32_v8000)(CUstream, CUdeviceptr_v2, cuuint32_t,
                                                  unsigned int);
typedef CUresult (*PFN_cuStreamWaitValue64_v9000)(CUstream, CUdeviceptr_v2, cuuint64_t,
                                                  unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue32_v8000)(CUstream, CUdeviceptr_v2, cuuint32_t,
                                                   unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue64_v9000)(CUstream, CUdeviceptr_v2, cuuint64_t,
                                                   unsigned int);
#endif
