// Calls that programs are known to make and that Heddle does not have. They exist so that such a program links and starts, and is
// told what is missing when it gets there.
#include "cuda/runtime/api.h"

namespace {

[[noreturn]] void refuse(const char* call) {
  heddle::cuda::guarded([&](heddle::cuda::Session&) {
    throw heddle::UserError(std::string(call) + " is not supported: the simulated GPU has no textures, surfaces, graphs, cooperative launches or "
                                                "sharing with other devices, processes and graphics");
  });
  std::abort();
}

}  // namespace

#define HEDDLE_REFUSED(name) extern "C" __attribute__((visibility("default"))) int name() { refuse(#name); }

HEDDLE_REFUSED(cudaLaunchCooperativeKernel)
HEDDLE_REFUSED(cudaLaunchKernelExC)

HEDDLE_REFUSED(cudaArrayGetInfo)
HEDDLE_REFUSED(cudaBindSurfaceToArray)
HEDDLE_REFUSED(cudaBindTexture)
HEDDLE_REFUSED(cudaBindTexture2D)
HEDDLE_REFUSED(cudaBindTextureToArray)
HEDDLE_REFUSED(cudaCreateChannelDesc)
HEDDLE_REFUSED(cudaCreateSurfaceObject)
HEDDLE_REFUSED(cudaCreateTextureObject)
HEDDLE_REFUSED(cudaDestroySurfaceObject)
HEDDLE_REFUSED(cudaDestroyTextureObject)
HEDDLE_REFUSED(cudaFreeArray)
HEDDLE_REFUSED(cudaFreeMipmappedArray)
HEDDLE_REFUSED(cudaGetChannelDesc)
HEDDLE_REFUSED(cudaGetMipmappedArrayLevel)
HEDDLE_REFUSED(cudaMalloc3DArray)
HEDDLE_REFUSED(cudaMallocArray)
HEDDLE_REFUSED(cudaMallocMipmappedArray)
HEDDLE_REFUSED(cudaMemcpy2DArrayToArray)
HEDDLE_REFUSED(cudaMemcpy2DFromArray)
HEDDLE_REFUSED(cudaMemcpy2DToArray)
HEDDLE_REFUSED(cudaMemcpy2DToArrayAsync)
HEDDLE_REFUSED(cudaMemcpyFromArray)
HEDDLE_REFUSED(cudaMemcpyToArray)
HEDDLE_REFUSED(cudaUnbindTexture)

HEDDLE_REFUSED(cudaDeviceGetGraphMemAttribute)
HEDDLE_REFUSED(cudaDeviceGraphMemTrim)
HEDDLE_REFUSED(cudaGraphAddHostNode)
HEDDLE_REFUSED(cudaGraphAddKernelNode)
HEDDLE_REFUSED(cudaGraphAddMemAllocNode)
HEDDLE_REFUSED(cudaGraphAddMemFreeNode)
HEDDLE_REFUSED(cudaGraphAddMemcpyNode)
HEDDLE_REFUSED(cudaGraphAddMemcpyNode1D)
HEDDLE_REFUSED(cudaGraphAddMemsetNode)
HEDDLE_REFUSED(cudaGraphAddNode)
HEDDLE_REFUSED(cudaGraphClone)
HEDDLE_REFUSED(cudaGraphConditionalHandleCreate)
HEDDLE_REFUSED(cudaGraphCreate)
HEDDLE_REFUSED(cudaGraphDestroy)
HEDDLE_REFUSED(cudaGraphExecDestroy)
HEDDLE_REFUSED(cudaGraphExecKernelNodeSetParams)
HEDDLE_REFUSED(cudaGraphExecUpdate)
HEDDLE_REFUSED(cudaGraphGetNodes)
HEDDLE_REFUSED(cudaGraphInstantiate)
HEDDLE_REFUSED(cudaGraphInstantiateWithFlags)
HEDDLE_REFUSED(cudaGraphLaunch)
HEDDLE_REFUSED(cudaGraphUpload)
HEDDLE_REFUSED(cudaStreamBeginCapture)
HEDDLE_REFUSED(cudaStreamBeginCaptureToGraph)
HEDDLE_REFUSED(cudaStreamEndCapture)
HEDDLE_REFUSED(cudaStreamGetCaptureInfo)
HEDDLE_REFUSED(cudaStreamSetAttribute)
HEDDLE_REFUSED(cudaStreamUpdateCaptureDependencies)

HEDDLE_REFUSED(cudaDeviceGetDefaultMemPool)
HEDDLE_REFUSED(cudaMemPoolCreate)
HEDDLE_REFUSED(cudaMemPoolDestroy)
HEDDLE_REFUSED(cudaMemPoolExportPointer)
HEDDLE_REFUSED(cudaMemPoolExportToShareableHandle)
HEDDLE_REFUSED(cudaMemPoolGetAccess)
HEDDLE_REFUSED(cudaMemPoolImportFromShareableHandle)
HEDDLE_REFUSED(cudaMemPoolImportPointer)
HEDDLE_REFUSED(cudaMemPoolSetAccess)
HEDDLE_REFUSED(cudaMemPoolSetAttribute)

HEDDLE_REFUSED(cudaDestroyExternalMemory)
HEDDLE_REFUSED(cudaDestroyExternalSemaphore)
HEDDLE_REFUSED(cudaExternalMemoryGetMappedBuffer)
HEDDLE_REFUSED(cudaExternalMemoryGetMappedMipmappedArray)
HEDDLE_REFUSED(cudaGLMapBufferObject)
HEDDLE_REFUSED(cudaGLRegisterBufferObject)
HEDDLE_REFUSED(cudaGLSetGLDevice)
HEDDLE_REFUSED(cudaGLUnmapBufferObject)
HEDDLE_REFUSED(cudaGLUnregisterBufferObject)
HEDDLE_REFUSED(cudaGraphicsGLRegisterBuffer)
HEDDLE_REFUSED(cudaGraphicsGLRegisterImage)
HEDDLE_REFUSED(cudaGraphicsMapResources)
HEDDLE_REFUSED(cudaGraphicsResourceGetMappedPointer)
HEDDLE_REFUSED(cudaGraphicsResourceSetMapFlags)
HEDDLE_REFUSED(cudaGraphicsSubResourceGetMappedArray)
HEDDLE_REFUSED(cudaGraphicsUnmapResources)
HEDDLE_REFUSED(cudaGraphicsUnregisterResource)
HEDDLE_REFUSED(cudaImportExternalMemory)
HEDDLE_REFUSED(cudaImportExternalSemaphore)
HEDDLE_REFUSED(cudaIpcCloseMemHandle)
HEDDLE_REFUSED(cudaIpcGetEventHandle)
HEDDLE_REFUSED(cudaIpcGetMemHandle)
HEDDLE_REFUSED(cudaIpcOpenEventHandle)
HEDDLE_REFUSED(cudaIpcOpenMemHandle)
HEDDLE_REFUSED(cudaSignalExternalSemaphoresAsync)
HEDDLE_REFUSED(cudaWaitExternalSemaphoresAsync)
