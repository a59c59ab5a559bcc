// Hints about managed memory. They are stored and returned; nothing that is simulated depends on
// them.
#include <algorithm>

#include "base/host_pages.h"
#include "cuda/process/api_call.h"

using namespace heddle::cuda;

namespace {

int place_of(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice ? location.id : ManagedHints::kHost;
}

bool is_place(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice
             ? location.id == 0
             : location.type >= cudaMemLocationTypeHost &&
                   location.type <= cudaMemLocationTypeHostNumaCurrent;
}

// CUDA before 13 names a device by its number.
cudaMemLocation location_of(int device) {
  return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
          device == cudaCpuDeviceId ? 0 : device};
}

// A device address that belongs to no allocation, and where the host has no memory of its own.
bool is_unallocated(Session& session, const void* pointer) {
  const auto& memory = session.device().memory();
  const heddle::Address address = device_address(pointer);
  return memory.in_image(address, 1) && !memory.find(address) &&
         !heddle::is_mapped_in_host(address.value, 1);
}

// Hints about host memory that is not managed are accepted: on some systems devices access all of
// the host's memory. Device addresses must be allocated.
template <class Store>
cudaError_t hint(const void* pointer, const cudaMemLocation& location, Store&& store) {
  return api([&](Session& session) {
    if (!pointer || is_unallocated(session, pointer)) return cudaErrorInvalidValue;
    if (!is_place(location)) return cudaErrorInvalidDevice;
    return store(session.memory.host.hints, reinterpret_cast<std::uint64_t>(pointer));
  });
}

cudaError_t advise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                   const cudaMemLocation& location) {
  return hint(pointer, location, [&](ManagedHints& hints, std::uint64_t begin) {
    RangeValues& accesses =
        place_of(location) == ManagedHints::kHost ? hints.host_accesses : hints.device_accesses;
    switch (advice) {
      case cudaMemAdviseSetReadMostly: hints.read_mostly.set(begin, bytes, 1); break;
      case cudaMemAdviseUnsetReadMostly: hints.read_mostly.set(begin, bytes, 0); break;
      case cudaMemAdviseSetPreferredLocation:
        hints.preferred.set(begin, bytes, place_of(location));
        break;
      case cudaMemAdviseUnsetPreferredLocation:
        hints.preferred.set(begin, bytes, ManagedHints::kNone);
        break;
      case cudaMemAdviseSetAccessedBy: accesses.set(begin, bytes, 1); break;
      case cudaMemAdviseUnsetAccessedBy: accesses.set(begin, bytes, 0); break;
      default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t prefetch(const void* pointer, std::size_t bytes, const cudaMemLocation& location) {
  return hint(pointer, location, [&](ManagedHints& hints, std::uint64_t begin) {
    return hints.last_prefetch.set(begin, bytes, place_of(location)), cudaSuccess;
  });
}

int type_of(int place) {
  return place == ManagedHints::kNone   ? cudaMemLocationTypeInvalid
         : place == ManagedHints::kHost ? cudaMemLocationTypeHost
                                        : cudaMemLocationTypeDevice;
}

// Writes the attribute's values, at most `room` of them.
cudaError_t answer_range(const ManagedHints& hints, cudaMemRangeAttribute attribute,
                         std::uint64_t begin, std::size_t bytes, int* answers, std::size_t room) {
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      answers[0] = hints.read_mostly.of_all(begin, bytes);
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
      answers[0] = hints.preferred.of_all(begin, bytes);
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
      answers[0] = hints.last_prefetch.of_all(begin, bytes);
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationType:
      answers[0] = type_of(hints.preferred.of_all(begin, bytes));
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationId:
      answers[0] = std::max(0, hints.preferred.of_all(begin, bytes));
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      answers[0] = type_of(hints.last_prefetch.of_all(begin, bytes));
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationId:
      answers[0] = std::max(0, hints.last_prefetch.of_all(begin, bytes));
      return cudaSuccess;
    case cudaMemRangeAttributeAccessedBy: {
      std::fill_n(answers, room, cudaInvalidDeviceId);
      std::size_t at = 0;
      if (hints.device_accesses.of_all(begin, bytes)) answers[at++] = 0;
      if (hints.host_accesses.of_all(begin, bytes) && at < room) answers[at++] = cudaCpuDeviceId;
      return cudaSuccess;
    }
    default: return cudaErrorInvalidValue;
  }
}

}  // namespace

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned, cudaStream_t) {
  return prefetch(pointer, bytes, location);
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return advise(pointer, bytes, advice, location);
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, size_t, unsigned) {
  return api([&](Session& session) {
    return pointer && !is_unallocated(session, pointer) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes) {
  return api([&](Session& session) {
    const HostBlock* const block = session.memory.host.find(pointer).block;
    if (!data || data_bytes < sizeof(int) || data_bytes % sizeof(int) != 0 || !block ||
        block->kind != HostBlock::Kind::managed)
      return cudaErrorInvalidValue;
    return answer_range(session.memory.host.hints, attribute,
                        reinterpret_cast<std::uint64_t>(pointer), bytes, static_cast<int*>(data),
                        data_bytes / sizeof(int));
  });
}
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* data_bytes,
                                      cudaMemRangeAttribute* attributes, size_t count,
                                      const void* pointer, size_t bytes) {
  if (!data || !data_bytes || !attributes || count == 0) return answer(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) {
    if (const cudaError_t error =
            cudaMemRangeGetAttribute(data[i], data_bytes[i], attributes[i], pointer, bytes);
        error != cudaSuccess)
      return error;
  }
  return cudaSuccess;
}

#pragma GCC visibility push(default)
extern "C" {
cudaError_t heddle_cudaMemPrefetchAsync_12(const void* pointer, size_t bytes, int device,
                                           cudaStream_t) {
  return prefetch(pointer, bytes, location_of(device));
}
cudaError_t heddle_cudaMemAdvise_12(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                    int device) {
  return advise(pointer, bytes, advice, location_of(device));
}
}
#pragma GCC visibility pop
