// Calls of the driver API that Heddle refuses with CUDA_ERROR_NOT_SUPPORTED. Included by cuda.h.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuDeviceGetLuid(char*, unsigned int*, CUdevice);
CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t*, CUarray_format, unsigned int, CUdevice);
CUresult cuDeviceGetHostAtomicCapabilities(unsigned int*, const CUatomicOperation*, unsigned int,
                                           CUdevice);
CUresult cuDeviceGetNvSciSyncAttributes(void*, CUdevice, int);
CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget,
                                    CUflushGPUDirectRDMAWritesScope);
CUresult cuCtxResetPersistingL2Cache(void);
CUresult cuCtxGetExecAffinity(CUexecAffinityParam*, CUexecAffinityType);
CUresult cuCtxRecordEvent(CUcontext, CUevent);
CUresult cuCtxWaitEvent(CUcontext, CUevent);
CUresult cuLibraryGetUnifiedFunction(void**, CUlibrary, const char*);
CUresult cuDeviceRegisterAsyncNotification(CUdevice, CUasyncCallback, void*,
                                           CUasyncCallbackHandle*);
CUresult cuDeviceUnregisterAsyncNotification(CUdevice, CUasyncCallbackHandle);
CUresult cuIpcGetEventHandle(CUipcEventHandle*, CUevent);
CUresult cuIpcOpenEventHandle(CUevent*, CUipcEventHandle);
CUresult cuIpcGetMemHandle(CUipcMemHandle*, CUdeviceptr);
CUresult cuIpcCloseMemHandle(CUdeviceptr);
CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUarray);
CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUmipmappedArray);
CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUarray, CUdevice);
CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUmipmappedArray,
                                               CUdevice);
CUresult cuArrayGetPlane(CUarray*, CUarray, unsigned int);
CUresult cuMemGetHandleForAddressRange(void*, CUdeviceptr, size_t, CUmemRangeHandleType,
                                       unsigned long long);
CUresult cuMemBatchDecompressAsync(CUmemDecompressParams*, size_t, unsigned int, size_t*, CUstream);
CUresult cuMemMapArrayAsync(CUarrayMapInfo*, unsigned int, CUstream);
CUresult cuMemExportToShareableHandle(void*, CUmemGenericAllocationHandle,
                                      CUmemAllocationHandleType, unsigned long long);
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle*, void*,
                                        CUmemAllocationHandleType);
CUresult cuMemGetDefaultMemPool(CUmemoryPool*, CUmemLocation*, CUmemAllocationType);
CUresult cuMemGetMemPool(CUmemoryPool*, CUmemLocation*, CUmemAllocationType);
CUresult cuMemSetMemPool(CUmemLocation*, CUmemAllocationType, CUmemoryPool);
CUresult cuMemPoolExportToShareableHandle(void*, CUmemoryPool, CUmemAllocationHandleType,
                                          unsigned long long);
CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool*, void*, CUmemAllocationHandleType,
                                            unsigned long long);
CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData*, CUdeviceptr);
CUresult cuMemPoolImportPointer(CUdeviceptr*, CUmemoryPool, CUmemPoolPtrExportData*);
CUresult cuMulticastCreate(CUmemGenericAllocationHandle*, const CUmulticastObjectProp*);
CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle, CUdevice);
CUresult cuMulticastBindMem(CUmemGenericAllocationHandle, size_t, CUmemGenericAllocationHandle,
                            size_t, size_t, unsigned long long);
CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle, size_t, CUdeviceptr, size_t,
                             unsigned long long);
CUresult cuMulticastUnbind(CUmemGenericAllocationHandle, CUdevice, size_t, size_t);
CUresult cuMulticastGetGranularity(size_t*, const CUmulticastObjectProp*,
                                   CUmulticastGranularity_flags);
CUresult cuMemPrefetchBatchAsync(CUdeviceptr*, size_t*, size_t, CUmemLocation*, size_t*, size_t,
                                 unsigned long long, CUstream);
CUresult cuMemDiscardBatchAsync(CUdeviceptr*, size_t*, size_t, unsigned long long, CUstream);
CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr*, size_t*, size_t, CUmemLocation*, size_t*,
                                           size_t, unsigned long long, CUstream);
CUresult cuImportExternalMemory(CUexternalMemory*, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC*);
CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr*, CUexternalMemory,
                                         const CUDA_EXTERNAL_MEMORY_BUFFER_DESC*);
CUresult cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray*, CUexternalMemory,
                                                 const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC*);
CUresult cuDestroyExternalMemory(CUexternalMemory);
CUresult cuImportExternalSemaphore(CUexternalSemaphore*,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC*);
CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore*,
                                         const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS*, unsigned int,
                                         CUstream);
CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore*,
                                       const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS*, unsigned int,
                                       CUstream);
CUresult cuDestroyExternalSemaphore(CUexternalSemaphore);
CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS*, unsigned int, unsigned int);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode, CUDA_MEMCPY3D*);
CUresult cuGraphAddExternalSemaphoresSignalNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                                const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS*);
CUresult cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode,
                                                      CUDA_EXT_SEM_SIGNAL_NODE_PARAMS*);
CUresult cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode,
                                                      const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS*);
CUresult cuGraphAddExternalSemaphoresWaitNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                              const CUDA_EXT_SEM_WAIT_NODE_PARAMS*);
CUresult cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS*);
CUresult cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode,
                                                    const CUDA_EXT_SEM_WAIT_NODE_PARAMS*);
CUresult cuGraphAddBatchMemOpNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS*);
CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode, CUDA_BATCH_MEM_OP_NODE_PARAMS*);
CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS*);
CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec, CUgraphNode,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS*);
CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec, CUgraphNode,
                                                          const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS*);
CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec, CUgraphNode,
                                                        const CUDA_EXT_SEM_WAIT_NODE_PARAMS*);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int*, int*, CUfunction, CUoccupancyB2DSize,
                                                   size_t, int, unsigned int);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t*, CUfunction, int, int);
CUresult cuOccupancyMaxPotentialClusterSize(int*, CUfunction, const CUlaunchConfig*);
CUresult cuOccupancyMaxActiveClusters(int*, CUfunction, const CUlaunchConfig*);
CUresult cuTexRefSetMaxAnisotropy(CUtexref, unsigned int);
CUresult cuTexRefSetBorderColor(CUtexref, float*);
CUresult cuTexRefGetArray(CUarray*, CUtexref);
CUresult cuTexRefGetMipmappedArray(CUmipmappedArray*, CUtexref);
CUresult cuTexRefGetAddressMode(CUaddress_mode*, CUtexref, int);
CUresult cuTexRefGetFilterMode(CUfilter_mode*, CUtexref);
CUresult cuTexRefGetFormat(CUarray_format*, int*, CUtexref);
CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode*, CUtexref);
CUresult cuTexRefGetMipmapLevelBias(float*, CUtexref);
CUresult cuTexRefGetMipmapLevelClamp(float*, float*, CUtexref);
CUresult cuTexRefGetMaxAnisotropy(int*, CUtexref);
CUresult cuTexRefGetBorderColor(float*, CUtexref);
CUresult cuTexRefGetFlags(unsigned int*, CUtexref);
CUresult cuTexRefCreate(CUtexref*);
CUresult cuTexRefDestroy(CUtexref);
CUresult cuSurfRefGetArray(CUarray*, CUsurfref);
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC*, CUtexObject);
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC*, CUtexObject);
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC*, CUtexObject);
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC*, CUsurfObject);
CUresult cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                                const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
CUresult cuTensorMapEncodeIm2col(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                 const cuuint64_t*, const cuuint64_t*, const int*, const int*,
                                 cuuint32_t, cuuint32_t, const cuuint32_t*, CUtensorMapInterleave,
                                 CUtensorMapSwizzle, CUtensorMapL2promotion,
                                 CUtensorMapFloatOOBfill);
CUresult cuTensorMapEncodeIm2colWide(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                     const cuuint64_t*, const cuuint64_t*, int, int, cuuint32_t,
                                     cuuint32_t, const cuuint32_t*, CUtensorMapInterleave,
                                     CUtensorMapIm2ColWideMode, CUtensorMapSwizzle,
                                     CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
CUresult cuTensorMapReplaceAddress(CUtensorMap*, void*);
CUresult cuDeviceGetP2PAtomicCapabilities(unsigned int*, const CUatomicOperation*, unsigned int,
                                          CUdevice, CUdevice);
CUresult cuGraphicsUnregisterResource(CUgraphicsResource);
CUresult cuGraphicsSubResourceGetMappedArray(CUarray*, CUgraphicsResource, unsigned int,
                                             unsigned int);
CUresult cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray*, CUgraphicsResource);
CUresult cuGraphicsMapResources(unsigned int, CUgraphicsResource*, CUstream);
CUresult cuGraphicsUnmapResources(unsigned int, CUgraphicsResource*, CUstream);
CUresult cuCoredumpGetAttribute(CUcoredumpSettings, void*, size_t*);
CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings, void*, size_t*);
CUresult cuCoredumpSetAttribute(CUcoredumpSettings, void*, size_t*);
CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings, void*, size_t*);
CUresult cuGetExportTable(const void**, const CUuuid*);
CUresult cuGreenCtxCreate(CUgreenCtx*, CUdevResourceDesc, CUdevice, unsigned int);
CUresult cuGreenCtxDestroy(CUgreenCtx);
CUresult cuCtxFromGreenCtx(CUcontext*, CUgreenCtx);
CUresult cuDeviceGetDevResource(CUdevice, CUdevResource*, CUdevResourceType);
CUresult cuCtxGetDevResource(CUcontext, CUdevResource*, CUdevResourceType);
CUresult cuGreenCtxGetDevResource(CUgreenCtx, CUdevResource*, CUdevResourceType);
CUresult cuDevSmResourceSplitByCount(CUdevResource*, unsigned int*, const CUdevResource*,
                                     CUdevResource*, unsigned int, unsigned int);
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc*, CUdevResource*, unsigned int);
CUresult cuGreenCtxRecordEvent(CUgreenCtx, CUevent);
CUresult cuGreenCtxWaitEvent(CUgreenCtx, CUevent);
CUresult cuStreamGetGreenCtx(CUstream, CUgreenCtx*);
CUresult cuGreenCtxStreamCreate(CUstream*, CUgreenCtx, unsigned int, int);
CUresult cuGreenCtxGetId(CUgreenCtx, unsigned long long*);
CUresult cuLogsRegisterCallback(CUlogsCallback, void*, CUlogsCallbackHandle*);
CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle);
CUresult cuLogsCurrent(CUlogIterator*, unsigned int);
CUresult cuLogsDumpToFile(CUlogIterator*, const char*, unsigned int);
CUresult cuLogsDumpToMemory(CUlogIterator*, char*, size_t*, unsigned int);
CUresult cuCheckpointProcessGetRestoreThreadId(int, int*);
CUresult cuCheckpointProcessGetState(int, CUprocessState*);
CUresult cuCheckpointProcessLock(int, CUcheckpointLockArgs*);
CUresult cuCheckpointProcessCheckpoint(int, CUcheckpointCheckpointArgs*);
CUresult cuCheckpointProcessRestore(int, CUcheckpointRestoreArgs*);
CUresult cuCheckpointProcessUnlock(int, CUcheckpointUnlockArgs*);
CUresult cuIpcOpenMemHandle_v2(CUdeviceptr*, CUipcMemHandle, unsigned int);
CUresult cuMemcpy3DBatchAsync_v2(size_t, CUDA_MEMCPY3D_BATCH_OP*, unsigned long long, CUstream);
CUresult cuStreamWaitValue32_v2(CUstream, CUdeviceptr, cuuint32_t, unsigned int);
CUresult cuStreamWaitValue64_v2(CUstream, CUdeviceptr, cuuint64_t, unsigned int);
CUresult cuStreamWriteValue32_v2(CUstream, CUdeviceptr, cuuint32_t, unsigned int);
CUresult cuStreamWriteValue64_v2(CUstream, CUdeviceptr, cuuint64_t, unsigned int);
CUresult cuStreamBatchMemOp_v2(CUstream, unsigned int, CUstreamBatchMemOpParams*, unsigned int);
CUresult cuTexRefGetAddress_v2(CUdeviceptr*, CUtexref);
CUresult cuGraphicsResourceGetMappedPointer_v2(CUdeviceptr*, size_t*, CUgraphicsResource);
CUresult cuGraphicsResourceSetMapFlags_v2(CUgraphicsResource, unsigned int);
#ifdef __cplusplus
}
#endif

#define cuIpcOpenMemHandle cuIpcOpenMemHandle_v2
#define cuMemcpy3DBatchAsync cuMemcpy3DBatchAsync_v2
#define cuStreamWaitValue32 cuStreamWaitValue32_v2
#define cuStreamWaitValue64 cuStreamWaitValue64_v2
#define cuStreamWriteValue32 cuStreamWriteValue32_v2
#define cuStreamWriteValue64 cuStreamWriteValue64_v2
#define cuStreamBatchMemOp cuStreamBatchMemOp_v2
#define cuTexRefGetAddress cuTexRefGetAddress_v2
#define cuGraphicsResourceGetMappedPointer cuGraphicsResourceGetMappedPointer_v2
#define cuGraphicsResourceSetMapFlags cuGraphicsResourceSetMapFlags_v2
