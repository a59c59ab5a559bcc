#include "cuda/objects/error_names.h"

#include <algorithm>
#include <array>

namespace heddle::cuda {
namespace {

constexpr const char* kUnknown = "unrecognized error code";

struct ErrorText {
  cudaError_t code;
  const char* name;
  const char* text;  // as CUDA words it where programs can read it
};

#define HEDDLE_ERROR(name, text) \
  ErrorText { name, #name, text }
constexpr std::array kErrors{
    HEDDLE_ERROR(cudaSuccess, "no error"),
    HEDDLE_ERROR(cudaErrorInvalidValue, "invalid argument"),
    HEDDLE_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    HEDDLE_ERROR(cudaErrorInitializationError, "initialization error"),
    HEDDLE_ERROR(cudaErrorCudartUnloading, "driver shutting down"),
    HEDDLE_ERROR(cudaErrorProfilerDisabled, "profiler disabled by an external tool"),
    HEDDLE_ERROR(cudaErrorProfilerNotInitialized, "the profiler is not initialized"),
    HEDDLE_ERROR(cudaErrorProfilerAlreadyStarted, "profiler already started"),
    HEDDLE_ERROR(cudaErrorProfilerAlreadyStopped, "profiler already stopped"),
    HEDDLE_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    HEDDLE_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    HEDDLE_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    HEDDLE_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    HEDDLE_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    HEDDLE_ERROR(cudaErrorInvalidTexture, "invalid texture reference"),
    HEDDLE_ERROR(cudaErrorInvalidTextureBinding, "texture is not bound to a pointer"),
    HEDDLE_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    HEDDLE_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    HEDDLE_ERROR(cudaErrorAddressOfConstant, "invalid address of constant"),
    HEDDLE_ERROR(cudaErrorTextureFetchFailed, "fetch from texture failed"),
    HEDDLE_ERROR(cudaErrorTextureNotBound, "cannot fetch from a texture that is not bound"),
    HEDDLE_ERROR(cudaErrorSynchronizationError, "incorrect use of __syncthreads()"),
    HEDDLE_ERROR(cudaErrorInvalidFilterSetting, "linear filtering needs a floating-point texture"),
    HEDDLE_ERROR(cudaErrorInvalidNormSetting, "normalized reads are not supported for this type"),
    HEDDLE_ERROR(cudaErrorMixedDeviceExecution,
                 "device emulation and device execution cannot be mixed"),
    HEDDLE_ERROR(cudaErrorNotYetImplemented, "feature not yet implemented"),
    HEDDLE_ERROR(cudaErrorMemoryValueTooLarge, "memory size or pointer too large for 32 bits"),
    HEDDLE_ERROR(cudaErrorStubLibrary, "CUDA driver is a stub library"),
    HEDDLE_ERROR(cudaErrorInsufficientDriver,
                 "CUDA driver version is insufficient for CUDA runtime version"),
    HEDDLE_ERROR(cudaErrorCallRequiresNewerDriver,
                 "API call is not supported in the installed CUDA driver"),
    HEDDLE_ERROR(cudaErrorInvalidSurface, "invalid surface reference"),
    HEDDLE_ERROR(cudaErrorDuplicateVariableName, "duplicate variable name"),
    HEDDLE_ERROR(cudaErrorDuplicateTextureName, "duplicate texture name"),
    HEDDLE_ERROR(cudaErrorDuplicateSurfaceName, "duplicate surface name"),
    HEDDLE_ERROR(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    HEDDLE_ERROR(cudaErrorIncompatibleDriverContext, "incompatible driver context"),
    HEDDLE_ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    HEDDLE_ERROR(cudaErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    HEDDLE_ERROR(cudaErrorLaunchMaxDepthExceeded, "launches are nested too deep"),
    HEDDLE_ERROR(cudaErrorLaunchFileScopedTex, "a kernel uses file-scoped textures"),
    HEDDLE_ERROR(cudaErrorLaunchFileScopedSurf, "a kernel uses file-scoped surfaces"),
    HEDDLE_ERROR(cudaErrorSyncDepthExceeded, "device-side synchronization is nested too deep"),
    HEDDLE_ERROR(cudaErrorLaunchPendingCountExceeded, "too many device-side launches are pending"),
    HEDDLE_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    HEDDLE_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    HEDDLE_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    HEDDLE_ERROR(cudaErrorDeviceNotLicensed, "device doesn't have valid Grid license"),
    HEDDLE_ERROR(cudaErrorSoftwareValidityNotEstablished, "software integrity checks failed"),
    HEDDLE_ERROR(cudaErrorStartupFailure, "startup failure in cuda runtime"),
    HEDDLE_ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    HEDDLE_ERROR(cudaErrorDeviceUninitialized, "invalid device context"),
    HEDDLE_ERROR(cudaErrorMapBufferObjectFailed, "mapping of buffer object failed"),
    HEDDLE_ERROR(cudaErrorUnmapBufferObjectFailed, "unmapping of buffer object failed"),
    HEDDLE_ERROR(cudaErrorArrayIsMapped, "array is mapped"),
    HEDDLE_ERROR(cudaErrorAlreadyMapped, "resource already mapped"),
    HEDDLE_ERROR(cudaErrorNoKernelImageForDevice,
                 "no kernel image is available for execution on the device"),
    HEDDLE_ERROR(cudaErrorAlreadyAcquired, "resource already acquired"),
    HEDDLE_ERROR(cudaErrorNotMapped, "resource not mapped"),
    HEDDLE_ERROR(cudaErrorNotMappedAsArray, "resource not mapped as array"),
    HEDDLE_ERROR(cudaErrorNotMappedAsPointer, "resource not mapped as pointer"),
    HEDDLE_ERROR(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"),
    HEDDLE_ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    HEDDLE_ERROR(cudaErrorDeviceAlreadyInUse, "another thread uses the device exclusively"),
    HEDDLE_ERROR(cudaErrorPeerAccessUnsupported, "no peer access between these devices"),
    HEDDLE_ERROR(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    HEDDLE_ERROR(cudaErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    HEDDLE_ERROR(cudaErrorNvlinkUncorrectable, "uncorrectable NVLink error"),
    HEDDLE_ERROR(cudaErrorJitCompilerNotFound, "PTX JIT compiler library not found"),
    HEDDLE_ERROR(cudaErrorUnsupportedPtxVersion, "PTX of an unsupported version"),
    HEDDLE_ERROR(cudaErrorJitCompilationDisabled, "PTX JIT compilation was disabled"),
    HEDDLE_ERROR(cudaErrorUnsupportedExecAffinity, "unsupported execution affinity"),
    HEDDLE_ERROR(cudaErrorUnsupportedDevSideSync, "PTX calls cudaDeviceSynchronize on the device"),
    HEDDLE_ERROR(cudaErrorContained, "invalid access to peer memory"),
    HEDDLE_ERROR(cudaErrorInvalidSource, "device kernel image is invalid"),
    HEDDLE_ERROR(cudaErrorFileNotFound, "file not found"),
    HEDDLE_ERROR(cudaErrorSharedObjectSymbolNotFound, "a shared object lacks a symbol"),
    HEDDLE_ERROR(cudaErrorSharedObjectInitFailed, "a shared object cannot be initialized"),
    HEDDLE_ERROR(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    HEDDLE_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    HEDDLE_ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    HEDDLE_ERROR(cudaErrorLossyQuery, "the query would lose information"),
    HEDDLE_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    HEDDLE_ERROR(cudaErrorNotReady, "device not ready"),
    HEDDLE_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    HEDDLE_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    HEDDLE_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    HEDDLE_ERROR(cudaErrorLaunchIncompatibleTexturing,
                 "the kernel uses an incompatible texturing mode"),
    HEDDLE_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    HEDDLE_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    HEDDLE_ERROR(cudaErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    HEDDLE_ERROR(cudaErrorContextIsDestroyed, "context is destroyed"),
    HEDDLE_ERROR(cudaErrorAssert, "device-side assert triggered"),
    HEDDLE_ERROR(cudaErrorTooManyPeers, "peer mapping resources exhausted"),
    HEDDLE_ERROR(cudaErrorHostMemoryAlreadyRegistered, "the memory is already registered"),
    HEDDLE_ERROR(cudaErrorHostMemoryNotRegistered, "the memory is not registered"),
    HEDDLE_ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    HEDDLE_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    HEDDLE_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    HEDDLE_ERROR(cudaErrorInvalidAddressSpace, "operation not supported on this address space"),
    HEDDLE_ERROR(cudaErrorInvalidPc, "invalid program counter"),
    HEDDLE_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    HEDDLE_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    HEDDLE_ERROR(cudaErrorTensorMemoryLeak, "tensor memory not completely freed"),
    HEDDLE_ERROR(cudaErrorNotPermitted, "operation not permitted"),
    HEDDLE_ERROR(cudaErrorNotSupported, "operation not supported"),
    HEDDLE_ERROR(cudaErrorSystemNotReady, "system not yet initialized"),
    HEDDLE_ERROR(cudaErrorSystemDriverMismatch, "driver and runtime do not fit each other"),
    HEDDLE_ERROR(cudaErrorCompatNotSupportedOnDevice,
                 "forward compatibility is not supported on this device"),
    HEDDLE_ERROR(cudaErrorMpsConnectionFailed, "cannot connect to the MPS server"),
    HEDDLE_ERROR(cudaErrorMpsRpcFailure, "MPS remote call failed"),
    HEDDLE_ERROR(cudaErrorMpsServerNotReady, "MPS server is not ready"),
    HEDDLE_ERROR(cudaErrorMpsMaxClientsReached, "too many MPS clients"),
    HEDDLE_ERROR(cudaErrorMpsMaxConnectionsReached, "too many MPS connections"),
    HEDDLE_ERROR(cudaErrorMpsClientTerminated, "MPS client was terminated"),
    HEDDLE_ERROR(cudaErrorCdpNotSupported,
                 "dynamic parallelism is not supported in this configuration"),
    HEDDLE_ERROR(cudaErrorCdpVersionMismatch,
                 "versions of dynamic parallelism do not fit each other"),
    HEDDLE_ERROR(cudaErrorStreamCaptureUnsupported,
                 "operation not permitted when stream is capturing"),
    HEDDLE_ERROR(cudaErrorStreamCaptureInvalidated, "an earlier error invalidated the capture"),
    HEDDLE_ERROR(cudaErrorStreamCaptureMerge, "capture sequences would merge"),
    HEDDLE_ERROR(cudaErrorStreamCaptureUnmatched,
                 "a capture must end in the stream in which it began"),
    HEDDLE_ERROR(cudaErrorStreamCaptureUnjoined, "the capture has unjoined work"),
    HEDDLE_ERROR(cudaErrorStreamCaptureIsolation, "a capture cannot depend on uncaptured work"),
    HEDDLE_ERROR(cudaErrorStreamCaptureImplicit, "the legacy stream cannot depend on a capture"),
    HEDDLE_ERROR(cudaErrorCapturedEvent, "the event was recorded in a capture"),
    HEDDLE_ERROR(cudaErrorStreamCaptureWrongThread, "a capture can only be ended by its thread"),
    HEDDLE_ERROR(cudaErrorTimeout, "wait operation timed out"),
    HEDDLE_ERROR(cudaErrorGraphExecUpdateFailure, "the graph cannot be updated in this way"),
    HEDDLE_ERROR(cudaErrorExternalDevice, "an external device failed"),
    HEDDLE_ERROR(cudaErrorInvalidClusterSize, "wrong cluster configuration"),
    HEDDLE_ERROR(cudaErrorFunctionNotLoaded, "the function is not loaded"),
    HEDDLE_ERROR(cudaErrorInvalidResourceType, "a resource has the wrong type for the operation"),
    HEDDLE_ERROR(cudaErrorInvalidResourceConfiguration,
                 "a resource has the wrong configuration for the operation"),
    HEDDLE_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef HEDDLE_ERROR

const ErrorText* find(cudaError_t code) {
  const auto found = std::find_if(kErrors.begin(), kErrors.end(),
                                  [&](const ErrorText& e) { return e.code == code; });
  return found == kErrors.end() ? nullptr : &*found;
}

}  // namespace

const char* error_name(cudaError_t error) {
  const ErrorText* const found = find(error);
  return found ? found->name : kUnknown;
}

const char* error_text(cudaError_t error) {
  const ErrorText* const found = find(error);
  return found ? found->text : kUnknown;
}

}  // namespace heddle::cuda
