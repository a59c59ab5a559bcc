// Modules: loading, and their kernels and variables.
#include <chrono>
#include <string>

#include "cuda/driver/driver.h"
#include "cuda/driver/files.h"
#include "cuda/driver/module_image.h"
#include "cuda/operations/launches.h"

using namespace heddle::cuda;

namespace {

using Module = Registry::Binary;

// Loads the texts of an image. The logs and the time of the options are written.
CUresult load(CUmodule* module, const void* image, std::size_t bytes, const std::string& name,
              const JitOptions& options) {
  if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = CUDA_ERROR_INVALID_IMAGE;
  const CUresult called = driver([&] {
    return api([&](Session& session) {
      session.device();
      const auto begin = std::chrono::steady_clock::now();
      options.write_empty_sizes();
      try {
        if (bytes == 0 || *static_cast<const char*>(image) == 0)
          throw heddle::UserError(name + ": the image is empty");
        result = CUDA_ERROR_NO_BINARY_FOR_GPU;
        const std::string cubin = image_cubin(session, image, bytes);
        std::vector<std::string> texts;
        if (cubin.empty()) texts = image_texts(session, image, bytes);
        result = cubin.empty() ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_NO_BINARY_FOR_GPU;
        const Module* const made = cubin.empty()
                                       ? session.program().add_module(std::move(texts), name)
                                       : session.program().add_machine_code(cubin, name);
        driver_state().modules.insert(made);
        *module = reinterpret_cast<CUmodule>(const_cast<Module*>(made));
        result = CUDA_SUCCESS;
      } catch (const heddle::UserError& mistake) {
        explain("cuModuleLoad", mistake.what());
        options.write_error(mistake.what());
      }
      const std::chrono::duration<double, std::milli> taken =
          std::chrono::steady_clock::now() - begin;
      options.write_wall_time(taken.count());
      return cudaSuccess;
    });
  });
  return called == CUDA_SUCCESS ? result : called;
}

CUresult load_file(CUmodule* module, const char* path, const JitOptions& options) {
  if (!path) return CUDA_ERROR_INVALID_VALUE;
  const auto bytes = file_bytes(path);
  return bytes ? load(module, bytes->data(), bytes->size(), path, options)
               : CUDA_ERROR_FILE_NOT_FOUND;
}

// Calls work(session, module) when the module is loaded; a missing name is CUDA_ERROR_NOT_FOUND.
template <class Work>
CUresult with_module(const void* handle, Work&& work) {
  return driver([&] {
    return api([&](Session& session) {
      const auto* const module = static_cast<const Module*>(handle);
      if (!driver_state().modules.contains(module)) return cudaErrorInvalidResourceHandle;
      return work(session, module) ? cudaSuccess : cudaErrorSymbolNotFound;
    });
  });
}

CUresult find_kernel(const void* module, const char* name, void** kernel) {
  if (!kernel || !name) return CUDA_ERROR_INVALID_VALUE;
  return with_module(module, [&](Session& session, const Module* m) {
    *kernel = const_cast<heddle::isa::Kernel*>(session.program().kernel_named(m, name));
    return *kernel != nullptr;
  });
}

CUresult find_variable(const void* module, const char* name, CUdeviceptr* address, size_t* bytes) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  return with_module(module, [&](Session& session, const Module* m) {
    const auto variable = session.program().variable_named(m, name);
    if (!variable) return false;
    if (address) *address = variable->address.value;
    if (bytes) *bytes = variable->bytes;
    return true;
  });
}

}  // namespace

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count,
                            CUjit_option* names, void** values) {
  if (count > 0 && (!names || !values)) return CUDA_ERROR_INVALID_VALUE;
  return load(module, image, kUnknownBytes, "module (PTX)", {count, names, values});
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
CUresult cuModuleLoad(CUmodule* module, const char* path) { return load_file(module, path, {}); }
CUresult cuModuleUnload(CUmodule module) {
  return driver([&] {
    return api_when_idle([&](Session&) {
      return driver_state().modules.erase(reinterpret_cast<const Module*>(module))
                 ? cudaSuccess
                 : cudaErrorInvalidResourceHandle;
    });
  });
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return find_kernel(module, name, reinterpret_cast<void**>(function));
}
CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return find_variable(module, name, address, bytes);
}
CUresult cuModuleGetLoadingMode(int* mode) {
  if (mode) *mode = 2;  // lazy
  return mode ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option* names,
                           void** values, unsigned count, CUlibraryOption*, void**, unsigned) {
  return cuModuleLoadDataEx(reinterpret_cast<CUmodule*>(library), image, count, names, values);
}
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* names,
                               void** values, unsigned count, CUlibraryOption*, void**, unsigned) {
  if (count > 0 && (!names || !values)) return CUDA_ERROR_INVALID_VALUE;
  return load_file(reinterpret_cast<CUmodule*>(library), path, {count, names, values});
}
CUresult cuLibraryUnload(CUlibrary library) {
  return cuModuleUnload(reinterpret_cast<CUmodule>(library));
}
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  if (module) *module = reinterpret_cast<CUmodule>(library);
  return module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return find_kernel(library, name, reinterpret_cast<void**>(kernel));
}
CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary library,
                            const char* name) {
  return find_variable(library, name, address, bytes);
}
CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* bytes, CUlibrary library,
                             const char* name) {
  return find_variable(library, name, address, bytes);
}
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  if (function) *function = reinterpret_cast<CUfunction>(kernel);
  return function && kernel ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
