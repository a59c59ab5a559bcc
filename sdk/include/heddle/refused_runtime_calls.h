// Calls of the runtime API that Heddle refuses with cudaErrorNotSupported. Included by
// cuda_runtime_api.h.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t*, const struct cudaChannelFormatDesc*, int);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*);
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned int);
cudaError_t cudaIpcCloseMemHandle(void*);
cudaError_t cudaDeviceRegisterAsyncNotification(int, cudaAsyncCallback, void*,
                                                cudaAsyncCallbackHandle_t*);
cudaError_t cudaDeviceUnregisterAsyncNotification(int, cudaAsyncCallbackHandle_t);
cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int*, const enum cudaAtomicOperation*,
                                                unsigned int, int);
cudaError_t cudaDeviceGetNvSciSyncAttributes(void*, int, int);
cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int*, const enum cudaAtomicOperation*,
                                               unsigned int, int, int);
cudaError_t cudaImportExternalMemory(cudaExternalMemory_t*,
                                     const struct cudaExternalMemoryHandleDesc*);
cudaError_t cudaExternalMemoryGetMappedBuffer(void**, cudaExternalMemory_t,
                                              const struct cudaExternalMemoryBufferDesc*);
cudaError_t cudaExternalMemoryGetMappedMipmappedArray(
    cudaMipmappedArray_t*, cudaExternalMemory_t,
    const struct cudaExternalMemoryMipmappedArrayDesc*);
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t);
cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t*,
                                        const struct cudaExternalSemaphoreHandleDesc*);
cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t*,
                                              const struct cudaExternalSemaphoreSignalParams*,
                                              unsigned int, cudaStream_t);
cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t*,
                                            const struct cudaExternalSemaphoreWaitParams*,
                                            unsigned int, cudaStream_t);
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int*, const void*, const cudaLaunchConfig_t*);
cudaError_t cudaOccupancyMaxActiveClusters(int*, const void*, const cudaLaunchConfig_t*);
cudaError_t cudaArrayGetPlane(cudaArray_t*, cudaArray_t, unsigned int);
cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements*, cudaArray_t, int);
cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements*,
                                                    cudaMipmappedArray_t, int);
cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties*, cudaArray_t);
cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties*,
                                                  cudaMipmappedArray_t);
cudaError_t cudaMemcpy3DBatchAsync(size_t, struct cudaMemcpy3DBatchOp*, unsigned long long,
                                   cudaStream_t);
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t*, struct cudaMemLocation*,
                                     enum cudaMemAllocationType);
cudaError_t cudaMemGetMemPool(cudaMemPool_t*, struct cudaMemLocation*, enum cudaMemAllocationType);
cudaError_t cudaMemSetMemPool(struct cudaMemLocation*, enum cudaMemAllocationType, cudaMemPool_t);
cudaError_t cudaMemPoolExportToShareableHandle(void*, cudaMemPool_t,
                                               enum cudaMemAllocationHandleType, unsigned int);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t*, void*,
                                                 enum cudaMemAllocationHandleType, unsigned int);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData*, void*);
cudaError_t cudaMemPoolImportPointer(void**, cudaMemPool_t, struct cudaMemPoolPtrExportData*);
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t, unsigned int);
cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t*, cudaStream_t);
cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t*, cudaStream_t);
cudaError_t cudaGraphicsResourceGetMappedPointer(void**, size_t*, cudaGraphicsResource_t);
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t*, cudaGraphicsResource_t,
                                                  unsigned int, unsigned int);
cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t*,
                                                        cudaGraphicsResource_t);
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc*, cudaTextureObject_t);
cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t, void*, cudaLogsCallbackHandle*);
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle);
cudaError_t cudaLogsCurrent(cudaLogIterator*, unsigned int);
cudaError_t cudaLogsDumpToFile(cudaLogIterator*, const char*, unsigned int);
cudaError_t cudaLogsDumpToMemory(cudaLogIterator*, char*, size_t*, unsigned int);
cudaError_t cudaGraphAddExternalSemaphoresSignalNode(
    cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
    const struct cudaExternalSemaphoreSignalNodeParams*);
cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(
    cudaGraphNode_t, struct cudaExternalSemaphoreSignalNodeParams*);
cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(
    cudaGraphNode_t, const struct cudaExternalSemaphoreSignalNodeParams*);
cudaError_t cudaGraphAddExternalSemaphoresWaitNode(
    cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
    const struct cudaExternalSemaphoreWaitNodeParams*);
cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(
    cudaGraphNode_t, struct cudaExternalSemaphoreWaitNodeParams*);
cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(
    cudaGraphNode_t, const struct cudaExternalSemaphoreWaitNodeParams*);
cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(
    cudaGraphExec_t, cudaGraphNode_t, const struct cudaExternalSemaphoreSignalNodeParams*);
cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(
    cudaGraphExec_t, cudaGraphNode_t, const struct cudaExternalSemaphoreWaitNodeParams*);
cudaError_t cudaLibraryGetUnifiedFunction(void**, cudaLibrary_t, const char*);
cudaError_t cudaGetExportTable(const void**, const cudaUUID_t*);
#ifdef __cplusplus
}
#endif
