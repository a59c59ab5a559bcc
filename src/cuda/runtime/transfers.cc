#include "cuda/runtime/transfers.h"

#include <cstring>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace heddle::cuda {
namespace {

enum class Place { host, device };

// Calls f(y, z) for every row; stops at the first that returns false.
template <class F>
bool every_row(const Rows& rows, F&& f) {
  for (std::size_t z = 0; z < rows.depth; ++z) {
    for (std::size_t y = 0; y < rows.height; ++y) if (!f(y, z)) return false;
  }
  return true;
}

template <class Pointer>
bool valid_on_device(Session& session, const char* call, const char* act, const Side<Pointer>& side, const Rows& rows) {
  const auto& memory = session.device().memory();
  return every_row(rows, [&](std::size_t y, std::size_t z) {
    const Address address = device_address(side.row(y, z));
    if (memory.valid(address, rows.width)) return true;
    // Names the first byte outside: the address itself, or where its allocation ends.
    const exec::Allocation* const inside = memory.find(address);
    const Address outside = inside ? inside->base + inside->bytes : address;
    explain(call, fmt::format("cannot {} {} bytes at device address {:#x}: {:#x} is {}", act, rows.width, address.value, outside.value,
                              memory.describe(outside)));
    return false;
  });
}

bool valid_on_host(Session& session, const char* call, const char* act, const void* pointer) {
  if (!pointer) return false;
  const auto& memory = session.device().memory();
  const Address address = device_address(pointer);
  if (!memory.valid(address, 1)) return true;
  explain(call, fmt::format("cannot {} host memory at {:#x}: this is a device address ({})", act, address.value, memory.describe(address)));
  return false;
}

std::optional<Place> place(Session& session, const void* pointer, cudaMemcpyKind kind, bool target) {
  switch (kind) {
    case cudaMemcpyHostToHost: return Place::host;
    case cudaMemcpyHostToDevice: return target ? Place::device : Place::host;
    case cudaMemcpyDeviceToHost: return target ? Place::host : Place::device;
    case cudaMemcpyDeviceToDevice: return Place::device;
    case cudaMemcpyDefault: return session.device().memory().valid(device_address(pointer), 1) ? Place::device : Place::host;
  }
  return std::nullopt;
}

bool too_narrow(const Rows& rows, std::size_t pitch) { return rows.height > 1 && pitch < rows.width; }

}  // namespace

cudaError_t copy(Session& session, const char* call, const Target& to, const Source& from, const Rows& rows, cudaMemcpyKind kind) {
  const auto to_place = place(session, to.base, kind, true), from_place = place(session, from.base, kind, false);
  if (!to_place || !from_place) return cudaErrorInvalidMemcpyDirection;
  if (rows.empty()) return cudaSuccess;
  if (too_narrow(rows, to.pitch) || too_narrow(rows, from.pitch)) return cudaErrorInvalidPitchValue;
  const bool to_device = *to_place == Place::device, from_device = *from_place == Place::device;
  const bool readable = from_device ? valid_on_device(session, call, "read", from, rows) : valid_on_host(session, call, "read", from.base);
  if (!readable) return cudaErrorInvalidValue;
  const bool writable = to_device ? valid_on_device(session, call, "write", to, rows) : valid_on_host(session, call, "write", to.base);
  if (!writable) return cudaErrorInvalidValue;

  auto& memory = session.device().memory();
  every_row(rows, [&](std::size_t y, std::size_t z) {
    std::uint8_t* const target = to.row(y, z);
    const std::uint8_t* const source = from.row(y, z);
    std::memmove(to_device ? memory.host(device_address(target)) : target, from_device ? memory.host(device_address(source)) : source,
                 rows.width);
    if (to_device && !from_device) session.device().copied_to_device(device_address(target), rows.width);
    return true;
  });
  return cudaSuccess;
}

cudaError_t fill(Session& session, const char* call, const Target& to, const Rows& rows, int value) {
  if (rows.empty()) return cudaSuccess;
  if (too_narrow(rows, to.pitch)) return cudaErrorInvalidPitchValue;
  if (!valid_on_device(session, call, "set", to, rows)) return cudaErrorInvalidValue;
  auto& memory = session.device().memory();
  every_row(rows, [&](std::size_t y, std::size_t z) {
    std::memset(memory.host(device_address(to.row(y, z))), value, rows.width);
    return true;
  });
  return cudaSuccess;
}

}  // namespace heddle::cuda
