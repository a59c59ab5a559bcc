// The addresses of calls by name. Where a signature has changed, the version of CUDA that the
// program asks for decides.
#include <algorithm>
#include <iterator>
#include <string_view>

#include <dlfcn.h>

#include "cuda/driver/driver.h"

namespace {

struct Signature {
  std::string_view call;
  int since;         // version of CUDA
  const char* name;  // that exports it
};

// Older ones have the call's own name.
constexpr Signature kSignatures[] = {
#define HEDDLE_SIGNATURE(call, since, name) Signature{#call, since, #name},
#include "cuda/driver/signatures.inc"
#undef HEDDLE_SIGNATURE
};

// In this library only.
void* address_of(const char* name) {
  if (!std::string_view(name).starts_with("cu")) return nullptr;
  Dl_info self{};
  ::dladdr(reinterpret_cast<const void*>(&cuInit), &self);
  void* const library = ::dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  void* const found = ::dlsym(library ? library : RTLD_DEFAULT, name);
  if (library) ::dlclose(library);
  return found;
}

}  // namespace

// Streams that are a thread's own behave as the default stream, so the flags decide nothing.
CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, cuuint64_t,
                             CUdriverProcAddressQueryResult* status) {
  if (!symbol || !function) return CUDA_ERROR_INVALID_VALUE;
  const std::string_view call = symbol;
  const auto* const newer =
      std::find_if(std::begin(kSignatures), std::end(kSignatures),
                   [&](const Signature& s) { return s.call == call && version >= s.since; });
  *function = address_of(newer == std::end(kSignatures) ? symbol : newer->name);
  const bool later = std::any_of(std::begin(kSignatures), std::end(kSignatures),
                                 [&](const Signature& s) { return s.call == call; });
  if (status)
    *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS
              : later   ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                        : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
#undef cuGetProcAddress  // up to CUDA 11
CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}
