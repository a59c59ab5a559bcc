// The part of the CUDA driver API that the runners need, from the machine's libcuda.so.1.
#pragma once

#include <dlfcn.h>

#include <cstring>
#include <stdexcept>
#include <string>

namespace heddle::conformance {

struct Driver {
  using Handle = void*;
  using Pointer = unsigned long long;
  int (*init)(unsigned) = nullptr;
  int (*device_get)(int*, int) = nullptr;
  int (*device_name)(char*, int, int) = nullptr;
  int (*driver_version)(int*) = nullptr;
  int (*device_attribute)(int*, int, int) = nullptr;
  int (*context_create)(Handle*, unsigned, int) = nullptr;
  int (*module_load)(Handle*, const void*) = nullptr;
  int (*module_unload)(Handle) = nullptr;
  int (*function_get)(Handle*, Handle, const char*) = nullptr;
  int (*allocate)(Pointer*, std::size_t) = nullptr;
  int (*to_device)(Pointer, const void*, std::size_t) = nullptr;
  int (*to_host)(void*, Pointer, std::size_t) = nullptr;
  int (*launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                Handle, void**, void**) = nullptr;
  int (*synchronize)() = nullptr;
  int (*free)(Pointer) = nullptr;
  // Images: structures and handles of cuda.h.
  int (*array_create)(Handle*, const void*) = nullptr;
  int (*array_destroy)(Handle) = nullptr;
  int (*levels_create)(Handle*, const void*, unsigned) = nullptr;
  int (*levels_get)(Handle*, Handle, unsigned) = nullptr;
  int (*levels_destroy)(Handle) = nullptr;
  int (*copy)(const void*) = nullptr;
  int (*texture_create)(Pointer*, const void*, const void*, const void*) = nullptr;
  int (*texture_destroy)(Pointer) = nullptr;
  int (*surface_create)(Pointer*, const void*) = nullptr;
  int (*surface_destroy)(Pointer) = nullptr;

  Driver() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) throw std::runtime_error(std::string("no CUDA driver: ") + dlerror());
    const auto find = [&](auto& function, const char* name) {
      void* symbol = dlsym(library, name);
      if (!symbol) throw std::runtime_error(std::string("the CUDA driver has no ") + name);
      std::memcpy(&function, &symbol, sizeof function);
    };
    find(init, "cuInit"), find(device_get, "cuDeviceGet"), find(device_name, "cuDeviceGetName");
    find(driver_version, "cuDriverGetVersion"), find(device_attribute, "cuDeviceGetAttribute"),
        find(context_create, "cuCtxCreate_v2");
    find(module_load, "cuModuleLoadData"), find(module_unload, "cuModuleUnload"),
        find(function_get, "cuModuleGetFunction");
    find(allocate, "cuMemAlloc_v2"), find(to_device, "cuMemcpyHtoD_v2"),
        find(to_host, "cuMemcpyDtoH_v2");
    find(launch, "cuLaunchKernel"), find(synchronize, "cuCtxSynchronize"),
        find(free, "cuMemFree_v2");
    find(array_create, "cuArray3DCreate_v2"), find(array_destroy, "cuArrayDestroy"),
        find(copy, "cuMemcpy3D_v2");
    find(levels_create, "cuMipmappedArrayCreate"), find(levels_get, "cuMipmappedArrayGetLevel"),
        find(levels_destroy, "cuMipmappedArrayDestroy");
    find(texture_create, "cuTexObjectCreate"), find(texture_destroy, "cuTexObjectDestroy");
    find(surface_create, "cuSurfObjectCreate"), find(surface_destroy, "cuSurfObjectDestroy");
  }
};

inline void check(int code, const std::string& what) {
  if (code != 0) throw std::runtime_error(what + " fails with CUDA error " + std::to_string(code));
}

}  // namespace heddle::conformance
