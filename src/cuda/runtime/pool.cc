// Stream-ordered allocation from memory pools. Memory is allocated in the call, because the program
// gets its address there; it is freed when the stream reaches the call (cudaFreeAsync).
#include <cstring>

#include "cuda/graph/allocations.h"
#include "cuda/operations/transfers.h"

using namespace heddle::cuda;

namespace {

cudaError_t return_pool(cudaMemPool_t* into, int device, bool standard) {
  return api([&](Session& session) {
    if (!into) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *into = standard ? Pools::default_pool() : session.memory.pools.current();
    return cudaSuccess;
  });
}

template <class Work>
cudaError_t with_pool(cudaMemPool_t handle, Work&& work) {
  return api([&](Session& session) {
    Pool* const pool = session.memory.pools.find(handle);
    return pool ? work(session, *pool) : cudaErrorInvalidValue;
  });
}

cudaError_t allocate_from(Session& session, cudaMemPool_t handle, void** pointer, std::size_t bytes,
                          cudaStream_t stream, const char* call) {
  const Pool* const pool = session.memory.pools.find(handle);
  if (!pool || !pointer) return cudaErrorInvalidValue;
  if (!session.streams.all.exists(stream)) return cudaErrorInvalidResourceHandle;
  if (session.streams.all.capture_of(stream))
    return capture_allocation(session, stream, pointer, bytes);
  if (pool->max_bytes && bytes > pool->max_bytes - std::min(pool->memory.used, pool->max_bytes))
    return cudaErrorMemoryAllocation;
  const cudaError_t error = allocate_device(session, pointer, bytes, call);
  if (error == cudaSuccess && *pointer)
    session.memory.pools.count_allocation(handle, *pointer, bytes);
  return error;
}

bool is_reuse(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute < cudaMemPoolAttrReleaseThreshold;
}

template <class T>
T read(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

std::uint64_t figure(const Pool& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold: return pool.release_threshold;
    case cudaMemPoolAttrReservedMemCurrent: return pool.memory.reserved;
    case cudaMemPoolAttrReservedMemHigh: return pool.memory.max_reserved;
    case cudaMemPoolAttrUsedMemCurrent: return pool.memory.used;
    default: return pool.memory.max_used;
  }
}

}  // namespace

cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  return api([&](Session& session) {
    return allocate_from(session, session.memory.pools.current(), pointer, size, stream,
                         "cudaMallocAsync");
  });
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return api([&](Session& session) {
    return allocate_from(session, pool, pointer, size, stream, "cudaMallocFromPoolAsync");
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return return_pool(pool, device, true);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return return_pool(pool, device, false);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (device != 0) return answer(cudaErrorInvalidDevice);
  return api([&](Session& session) {
    return session.memory.pools.make_current(pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* p) {
  return api([&](Session& session) {
    if (!pool || !p) return cudaErrorInvalidValue;
    session.device();
    const std::uintptr_t handle = session.new_handle();
    session.memory.pools.create(handle, p->maxSize);
    *pool = reinterpret_cast<cudaMemPool_t>(handle);
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return api([&](Session& session) {
    return session.memory.pools.destroy(pool) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep) {
  return with_pool(handle,
                   [&](Session&, Pool& pool) { return pool.memory.trim(keep), cudaSuccess; });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return with_pool(handle, [&](Session&, Pool& pool) {
    if (!value) return cudaErrorInvalidValue;
    if (is_reuse(attribute)) return pool.reuse[attribute] = read<int>(value), cudaSuccess;
    const auto number = read<std::uint64_t>(value);
    if (attribute == cudaMemPoolAttrReleaseThreshold)
      return pool.release_threshold = number, cudaSuccess;
    // Maxima can only be reset.
    if (number != 0) return cudaErrorInvalidValue;
    if (attribute == cudaMemPoolAttrReservedMemHigh)
      return pool.memory.max_reserved = pool.memory.reserved, cudaSuccess;
    if (attribute == cudaMemPoolAttrUsedMemHigh)
      return pool.memory.max_used = pool.memory.used, cudaSuccess;
    return cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return with_pool(handle, [&](Session&, const Pool& pool) {
    if (!value || attribute < cudaMemPoolReuseFollowEventDependencies ||
        attribute > cudaMemPoolAttrUsedMemHigh)
      return cudaErrorInvalidValue;
    if (is_reuse(attribute)) {
      const auto set = pool.reuse.find(attribute);
      const int answer = set == pool.reuse.end() ? 1 : set->second;
      std::memcpy(value, &answer, sizeof answer);
    } else {
      const std::uint64_t answer = figure(pool, attribute);
      std::memcpy(value, &answer, sizeof answer);
    }
    return cudaSuccess;
  });
}
// There is one GPU, which can access all its pools.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc*, size_t) {
  return with_pool(handle, [](Session&, Pool&) { return cudaSuccess; });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle,
                                 cudaMemLocation*) {
  return with_pool(handle, [&](Session&, Pool&) {
    if (flags) *flags = cudaMemAccessFlagsProtReadWrite;
    return flags ? cudaSuccess : cudaErrorInvalidValue;
  });
}
