// Libraries that both APIs load at run time. The handle of a library is its module; the handle of a
// kernel is the address of the kernel.

#include "cuda/driver/driver.h"
#include "cuda_runtime_api.h"

using namespace heddle::cuda;

namespace {

using heddle::isa::Kernel;
using Module = Registry::Binary;

// Calls work with a loaded library.
template <class Work>
cudaError_t with_library(const void* handle, Work&& work) {
  return api([&](Session& session) {
    const auto* const module = static_cast<const Module*>(handle);
    return driver_state().modules.contains(module) ? work(session, module)
                                                   : cudaErrorInvalidResourceHandle;
  });
}
// Calls of the runtime initialize the driver.
cudaError_t started(CUresult result) { return answer(static_cast<cudaError_t>(result)); }

cudaError_t count_kernels(const void* library, unsigned* count) {
  if (!count) return answer(cudaErrorInvalidValue);
  return with_library(library, [&](Session& session, const Module* module) {
    *count = static_cast<unsigned>(session.program().kernel_names(module).size());
    return cudaSuccess;
  });
}
cudaError_t list_kernels(const void* library, unsigned most, void** kernels) {
  if (!kernels || most == 0) return answer(cudaErrorInvalidValue);
  return with_library(library, [&](Session& session, const Module* module) {
    for (const std::string& name : session.program().kernel_names(module)) {
      if (most-- == 0) break;
      *kernels++ = const_cast<Kernel*>(session.program().kernel_named(module, name));
    }
    return cudaSuccess;
  });
}
cudaError_t find_library(const void* kernel, void** library) {
  if (!kernel || !library) return answer(cudaErrorInvalidValue);
  return api([&](Session& session) {
    *library = const_cast<Module*>(session.program().module_of(static_cast<const Kernel*>(kernel)));
    return *library ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t find_parameter(const void* function, std::size_t index, std::size_t* offset,
                           std::size_t* bytes) {
  return api([&](Session& session) {
    const Kernel* const kernel = session.program().kernel(function);
    if (!kernel) return cudaErrorInvalidResourceHandle;
    if (!offset || index >= kernel->parameters.size()) return cudaErrorInvalidValue;
    *offset = kernel->parameters[index].offset;
    if (bytes) *bytes = kernel->parameters[index].bytes;
    return cudaSuccess;
  });
}
cudaError_t is_kernel(const void* function) {
  return api([&](Session& session) {
    return session.program().kernel(function) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
// The driver's handle for any of the runtime's handles of a kernel.
cudaError_t driver_handle(void** handle, const void* function) {
  if (!handle) return answer(cudaErrorInvalidValue);
  return api([&](Session& session) {
    *handle = const_cast<Kernel*>(session.program().kernel(function));
    return *handle ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}

}  // namespace

CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return driver([&] { return count_kernels(library, count); });
}
CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned most, CUlibrary library) {
  return driver([&] { return list_kernels(library, most, reinterpret_cast<void**>(kernels)); });
}
CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return driver([&] { return count_kernels(module, count); });
}
CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned most, CUmodule module) {
  return driver([&] { return list_kernels(module, most, reinterpret_cast<void**>(functions)); });
}
CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
  return driver([&] { return find_library(kernel, reinterpret_cast<void**>(library)); });
}
CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return driver([&] { return find_library(function, reinterpret_cast<void**>(module)); });
}
CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return cuFuncGetName(name, reinterpret_cast<CUfunction>(kernel));
}
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice) {
  return cuFuncSetCacheConfig(reinterpret_cast<CUfunction>(kernel), config);
}
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* bytes) {
  return driver([&] { return find_parameter(kernel, index, offset, bytes); });
}
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* bytes) {
  return driver([&] { return find_parameter(function, index, offset, bytes); });
}
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  if (!state) return CUDA_ERROR_INVALID_VALUE;
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return driver([&] { return is_kernel(function); });
}
CUresult cuFuncLoad(CUfunction function) {
  return driver([&] { return is_kernel(function); });
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* options,
                                void** values, unsigned count, cudaLibraryOption*, void**,
                                unsigned) {
  if (!library || !code) return answer(cudaErrorInvalidValue);
  cuInit(0);
  return started(cuModuleLoadDataEx(reinterpret_cast<CUmodule*>(library), code, count,
                                    reinterpret_cast<CUjit_option*>(options), values));
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path,
                                    cudaJitOption* options, void** values, unsigned count,
                                    cudaLibraryOption*, void**, unsigned) {
  if (!library || !path) return answer(cudaErrorInvalidValue);
  cuInit(0);
  return started(cuLibraryLoadFromFile(reinterpret_cast<CUlibrary*>(library), path,
                                       reinterpret_cast<CUjit_option*>(options), values, count,
                                       nullptr, nullptr, 0));
}
cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return started(cuModuleUnload(reinterpret_cast<CUmodule>(library)));
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return started(cuLibraryGetKernel(kernel, library, name));
}
cudaError_t cudaLibraryGetGlobal(void** address, size_t* bytes, cudaLibrary_t library,
                                 const char* name) {
  return started(cuLibraryGetGlobal(reinterpret_cast<CUdeviceptr*>(address), bytes, library, name));
}
cudaError_t cudaLibraryGetManaged(void** address, size_t* bytes, cudaLibrary_t library,
                                  const char* name) {
  return started(
      cuLibraryGetManaged(reinterpret_cast<CUdeviceptr*>(address), bytes, library, name));
}
cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
  return count_kernels(library, count);
}
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned most,
                                        cudaLibrary_t library) {
  return list_kernels(library, most, reinterpret_cast<void**>(kernels));
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int device) {
  return device == 0 ? cudaFuncSetAttribute(kernel, attribute, value)
                     : answer(cudaErrorInvalidDevice);
}
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  return driver_handle(reinterpret_cast<void**>(function), symbol);
}
cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset,
                                 size_t* bytes) {
  return find_parameter(function, index, offset, bytes);
}
