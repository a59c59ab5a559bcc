// What compiled objects call before main to say which device code, kernels and variables they hold. Nothing is parsed here, and no
// device is built: a program that never uses CUDA runs without one.
#include "cuda/runtime/api.h"

using namespace heddle::cuda;

namespace {

const Registry::Binary* binary_of(void** handle) { return reinterpret_cast<const Registry::Binary*>(handle); }

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  return guarded([&](Session& session) {
    auto& binary = session.registry.binaries.emplace_back(static_cast<const FatBinaryWrapper*>(wrapper));
    return reinterpret_cast<void**>(&binary);
  });
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }

void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* name, int, void*, void*, void*, void*, int*) {
  guarded([&](Session& session) { session.registry.kernels[host_function] = {binary_of(handle), name, 0}; });
}
void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* name, int, size_t bytes, int, int) {
  guarded([&](Session& session) { session.registry.variables[host_variable] = {binary_of(handle), name, bytes}; });
}
void __cudaRegisterManagedVar(void**, void**, char*, const char* name, int, size_t, int, int) {
  guarded([&](Session&) {
    throw heddle::UserError(std::string("__managed__ variable ") + name + " is not supported: use __device__ and cudaMemcpyToSymbol");
  });
}
// Texture and surface references: the kernels that use them are refused when their PTX is read.
void __cudaRegisterTexture(void**, const void*, const void**, const char*, int, int, int) {}
void __cudaRegisterSurface(void**, const void*, const void**, const char*, int, int) {}

}  // extern "C"
#pragma GCC visibility pop
