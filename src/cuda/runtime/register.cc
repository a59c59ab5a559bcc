// Compiled objects call these functions before main to register their device code, kernels and
// variables. Nothing is parsed here and no device is created: a program that does not use CUDA runs
// without one.
#include "cuda/process/api_call.h"

using namespace heddle::cuda;

namespace {

const Registry::Binary* binary_of(void** handle) {
  return reinterpret_cast<const Registry::Binary*>(handle);
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  return guarded([&](Session& session) {
    auto& binary =
        session.registry.binaries.emplace_back(static_cast<const FatBinaryWrapper*>(wrapper));
    return reinterpret_cast<void**>(&binary);
  });
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
// Compiled objects call this before they access a __managed__ variable. Without such variables no
// device is needed.
char __cudaInitModule(void**) {
  guarded([](Session& session) {
    if (!session.registry.managed.empty()) session.program().place_managed();
  });
  return 1;
}

void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* name, int,
                            void*, void*, void*, void*, int*) {
  guarded([&](Session& session) {
    session.registry.kernels[host_function] = {binary_of(handle), name, 0};
  });
}
void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* name, int,
                       size_t bytes, int, int) {
  guarded([&](Session& session) {
    session.registry.variables[host_variable] = {binary_of(handle), name, bytes};
  });
}
void __cudaRegisterManagedVar(void** handle, void** host_pointer, char*, const char* name, int,
                              size_t bytes, int, int) {
  guarded([&](Session& session) {
    session.registry.managed.push_back({binary_of(handle), host_pointer, name});
    session.registry.variables[host_pointer] = {binary_of(handle), name, bytes};
  });
}
// `bytes` of a reference: 1 if it reads integers as normalized fractions.
void __cudaRegisterTexture(void** handle, const void* host, const void**, const char* name, int,
                           int normalized, int) {
  guarded([&](Session& session) {
    session.registry.textures[host] = {binary_of(handle), name, normalized ? std::size_t{1} : 0};
  });
}
void __cudaRegisterSurface(void** handle, const void* host, const void**, const char* name, int,
                           int) {
  guarded(
      [&](Session& session) { session.registry.textures[host] = {binary_of(handle), name, 0}; });
}

}  // extern "C"
#pragma GCC visibility pop
