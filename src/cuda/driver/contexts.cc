// Contexts: which exist, and which is current to the calling thread. All of them use the one device
// and its memory.
#include "cuda/driver/driver.h"

using namespace heddle::cuda;

namespace {

constexpr unsigned kApiVersion = 3020;

ContextHandle handle_of_context(CUcontext context) {
  return reinterpret_cast<ContextHandle>(context);
}
CUcontext context_of(ContextHandle handle) { return reinterpret_cast<CUcontext>(handle); }

// Calls work(session, contexts of the calling thread).
template <class Work>
CUresult with_contexts(Work&& work) {
  return driver([&] {
    return api([&](Session& session) -> cudaError_t {
      return static_cast<cudaError_t>(work(session, calling_thread().contexts));
    });
  });
}

// The same with the context that is current.
template <class Work>
CUresult with_current(Work&& work) {
  return with_contexts([&](Session& session, const ContextStack& stack) {
    return stack.current() ? work(session, stack.current()) : CUDA_ERROR_INVALID_CONTEXT;
  });
}

template <class T>
CUresult answer_current(T* where, T value) {
  return with_current([&](Session&, ContextHandle) {
    if (!where) return CUDA_ERROR_INVALID_VALUE;
    *where = value;
    return CUDA_SUCCESS;
  });
}
CUresult need_current() {
  return with_current([](Session&, ContextHandle) { return CUDA_SUCCESS; });
}

template <class Work>
CUresult with_primary(CUdevice device, Work&& work) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return with_contexts([&](Session& session, const ContextStack&) { return work(session); });
}

CUresult create_context(CUcontext* context, unsigned flags, CUdevice device) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return with_contexts([&](Session& session, ContextStack& stack) {
    session.device();
    const ContextHandle made = session.new_handle();
    if (!stack.push(made)) return CUDA_ERROR_OUT_OF_MEMORY;
    session.contexts.add(made, flags);
    *context = context_of(made);
    return CUDA_SUCCESS;
  });
}

// The given context, or the current one.
template <class T>
CUresult describe(CUcontext context, T* where, T (*value)(ContextHandle)) {
  return with_contexts([&](Session& session, const ContextStack& stack) {
    const ContextHandle handle = context ? handle_of_context(context) : stack.current();
    if (!where) return CUDA_ERROR_INVALID_VALUE;
    if (!session.contexts.exists(handle)) return CUDA_ERROR_INVALID_CONTEXT;
    *where = value(handle);
    return CUDA_SUCCESS;
  });
}

}  // namespace

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return with_primary(device, [&](Session& session) {
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    session.device();
    session.contexts.retain_primary();
    *context = context_of(Contexts::kPrimary);
    return CUDA_SUCCESS;
  });
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return with_primary(device, [](Session& session) {
    return session.contexts.release_primary() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
  });
}
CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return with_primary(device, [](Session& session) {
    session.contexts.reset_primary();
    return CUDA_SUCCESS;
  });
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return driver([&] { return cudaSetDeviceFlags(flags); });
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return with_primary(device, [&](Session& session) {
    if (flags) *flags = session.launches.settings.flags;
    if (active) *active = session.contexts.primary_active();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
  return create_context(context, flags, device);
}
CUresult cuCtxCreate_v3(CUcontext* context, void*, int, unsigned flags, CUdevice device) {
  return create_context(context, flags, device);
}
CUresult cuCtxCreate_v4(CUcontext* context, void*, unsigned flags, CUdevice device) {
  return create_context(context, flags, device);
}
CUresult cuCtxDestroy(CUcontext context) {
  return with_contexts([&](Session& session, ContextStack& stack) {
    if (!session.contexts.destroy(handle_of_context(context))) return CUDA_ERROR_INVALID_CONTEXT;
    stack.remove(handle_of_context(context));
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxDetach(CUcontext context) { return cuCtxDestroy(context); }
CUresult cuCtxAttach(CUcontext* context, unsigned) { return cuCtxGetCurrent(context); }
CUresult cuCtxPushCurrent(CUcontext context) {
  return with_contexts([&](Session& session, ContextStack& stack) {
    if (!session.contexts.exists(handle_of_context(context))) return CUDA_ERROR_INVALID_CONTEXT;
    return stack.push(handle_of_context(context)) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  });
}
CUresult cuCtxPopCurrent(CUcontext* context) {
  return with_contexts([&](Session&, ContextStack& stack) {
    const ContextHandle popped = stack.pop();
    if (popped == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (context) *context = context_of(popped);
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxSetCurrent(CUcontext context) {
  return with_contexts([&](Session& session, ContextStack& stack) {
    if (context && !session.contexts.exists(handle_of_context(context)))
      return CUDA_ERROR_INVALID_CONTEXT;
    stack.pop();
    if (context) stack.push(handle_of_context(context));
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  return with_contexts([&](Session&, const ContextStack& stack) {
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    *context = context_of(stack.current());
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetDevice(CUdevice* device) { return answer_current(device, 0); }
CUresult cuCtxGetFlags(unsigned* flags) {
  return with_current([&](Session& session, ContextHandle current) {
    if (!flags) return CUDA_ERROR_INVALID_VALUE;
    const unsigned* const own = session.contexts.flags(current);
    *flags = own ? *own : session.launches.settings.flags;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxSetFlags(unsigned flags) {
  return with_current([&](Session& session, ContextHandle current) {
    unsigned* const own = session.contexts.flags(current);
    (own ? *own : session.launches.settings.flags) = flags;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  return describe<unsigned long long>(
      context, id, [](ContextHandle handle) -> unsigned long long { return handle; });
}
CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  return describe<unsigned>(context, version, [](ContextHandle) { return kApiVersion; });
}
CUresult cuCtxSetCacheConfig(CUfunc_cache) { return need_current(); }
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return answer_current(config, CU_FUNC_CACHE_PREFER_NONE);
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig) { return need_current(); }
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return answer_current(config, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE);
}
CUresult cuCtxEnablePeerAccess(CUcontext, unsigned) { return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED; }
CUresult cuCtxDisablePeerAccess(CUcontext) { return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED; }

// A default stream belongs to the context that is current.
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return with_contexts([&](Session& session, const ContextStack& stack) {
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    if (!session.streams.all.exists(stream)) return CUDA_ERROR_INVALID_HANDLE;
    const Stream* const known = session.streams.all.find(stream);
    const ContextHandle of_stream = known && known->context ? known->context : stack.current();
    if (of_stream == 0) return CUDA_ERROR_INVALID_CONTEXT;
    *context = context_of(of_stream);
    return CUDA_SUCCESS;
  });
}
