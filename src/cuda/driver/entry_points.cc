// The addresses of calls by name. Where a signature has changed, the version of CUDA that the
// program asks for decides.
#include <algorithm>
#include <array>
#include <string_view>

#include <dlfcn.h>

#include "cuda/driver/driver.h"

namespace {

struct Signature {
  std::string_view call;
  int since;         // version of CUDA
  const char* name;  // that exports it
};

// From cudaTypedefs.h; newer signatures of a call first. Older ones have the call's own name.
// cuCtxGetDevice_v2 and cuCtxSynchronize_v2 of CUDA 13 are absent: their second parameter, a
// context, decides nothing here, and numba takes every name with _v2 for the signature of CUDA 4.
constexpr std::array kSignatures{
    Signature{"cuCtxCreate", 12050, "cuCtxCreate_v4"},
    Signature{"cuCtxCreate", 11040, "cuCtxCreate_v3"},
    Signature{"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
    Signature{"cuGraphAddDependencies", 12030, "cuGraphAddDependencies_v2"},
    Signature{"cuGraphAddNode", 12030, "cuGraphAddNode_v2"},
    Signature{"cuGraphExecUpdate", 12000, "cuGraphExecUpdate_v2"},
    Signature{"cuGraphGetEdges", 12030, "cuGraphGetEdges_v2"},
    Signature{"cuGraphInstantiate", 11000, "cuGraphInstantiate_v2"},
    Signature{"cuGraphNodeGetDependencies", 12030, "cuGraphNodeGetDependencies_v2"},
    Signature{"cuGraphNodeGetDependentNodes", 12030, "cuGraphNodeGetDependentNodes_v2"},
    Signature{"cuGraphRemoveDependencies", 12030, "cuGraphRemoveDependencies_v2"},
    Signature{"cuMemAdvise", 12020, "cuMemAdvise_v2"},
    Signature{"cuMemPrefetchAsync", 12020, "cuMemPrefetchAsync_v2"},
    Signature{"cuMemcpy3DBatchAsync", 13000, "cuMemcpy3DBatchAsync_v2"},
    Signature{"cuMemcpyBatchAsync", 13000, "cuMemcpyBatchAsync_v2"},
    Signature{"cuStreamBatchMemOp", 11070, "cuStreamBatchMemOp_v2"},
    Signature{"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"},
    Signature{"cuStreamGetCaptureInfo", 11030, "cuStreamGetCaptureInfo_v2"},
    Signature{"cuStreamUpdateCaptureDependencies", 12030, "cuStreamUpdateCaptureDependencies_v2"},
    Signature{"cuStreamWaitValue32", 11070, "cuStreamWaitValue32_v2"},
    Signature{"cuStreamWaitValue64", 11070, "cuStreamWaitValue64_v2"},
    Signature{"cuStreamWriteValue32", 11070, "cuStreamWriteValue32_v2"},
    Signature{"cuStreamWriteValue64", 11070, "cuStreamWriteValue64_v2"},
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
      std::find_if(kSignatures.begin(), kSignatures.end(),
                   [&](const Signature& s) { return s.call == call && version >= s.since; });
  *function = address_of(newer == kSignatures.end() ? symbol : newer->name);
  const bool later = std::any_of(kSignatures.begin(), kSignatures.end(),
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
