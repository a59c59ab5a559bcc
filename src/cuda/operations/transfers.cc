#include "cuda/operations/transfers.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "base/address_layout.h"
#include "base/checked.h"
#include "base/host_pages.h"
#include "exec/check/checker.h"

namespace heddle::cuda {
namespace {

enum class Place { host, device };

// Calls f(y, z) for every row; stops at the first that returns false.
template <class F>
bool every_row(const Rows& rows, F&& f) {
  for (std::size_t z = 0; z < rows.depth; ++z) {
    for (std::size_t y = 0; y < rows.height; ++y)
      if (!f(y, z)) return false;
  }
  return true;
}

template <class Pointer>
bool valid_on_device(Session& session, const char* call, const char* act, const Side<Pointer>& side,
                     const Rows& rows) {
  const auto& memory = session.device().memory();
  return every_row(rows, [&](std::size_t y, std::size_t z) {
    const Address address = device_address(side.row(y, z));
    if (memory.valid(address, rows.width)) return true;
    // The first byte outside: the address itself, or the end of its allocation.
    const exec::Allocation* const inside = memory.find(address);
    const Address outside = inside ? inside->base + inside->bytes : address;
    explain(call, fmt::format("cannot {} {} bytes at device address {:#x}: {:#x} is {}", act,
                              rows.width, address.value, outside.value, memory.describe(outside)));
    return false;
  });
}

// Host memory may lie at addresses of the device: what it shares with the host, and what the host
// has mapped there itself. Pointers elsewhere are the program's own matter.
template <class Pointer>
bool valid_on_host(Session& session, const char* call, const char* act, const Side<Pointer>& side,
                   const Rows& rows) {
  if (!side.base) return false;
  const auto& memory = session.device().memory();
  const auto at_device = [&](Address a) {
    return memory.in_image(a, 1) || (a.value >= kConstantsBase && a.value < kHeapBase);
  };
  return every_row(rows, [&](std::size_t y, std::size_t z) {
    const Address address = device_address(side.row(y, z));
    if (!at_device(address) && !at_device(address + (rows.width - 1))) return true;
    const exec::Allocation* const inside = memory.find(address);
    if (inside ? inside->shared_with_host && memory.valid(address, rows.width)
               : is_mapped_in_host(address.value, rows.width))
      return true;
    const Address outside =
        inside && inside->shared_with_host ? inside->base + inside->bytes : address;
    explain(call,
            fmt::format("cannot {} {} bytes of host memory at {:#x}: the device address "
                        "{:#x} is {}",
                        act, rows.width, address.value, outside.value, memory.describe(outside)));
    return false;
  });
}

// With unified addresses the kind is a hint, as drivers take it: device memory may stand where the
// kind says host, and registered host memory where it says device.
std::optional<Place> place(Session& session, const void* pointer, cudaMemcpyKind kind,
                           bool target) {
  const auto& memory = session.device().memory();
  const Address address = device_address(pointer);
  const exec::Allocation* const allocation =
      memory.valid(address, 1) ? memory.find(address) : nullptr;
  switch (kind) {
    case cudaMemcpyHostToHost: return Place::host;
    case cudaMemcpyHostToDevice:
    case cudaMemcpyDeviceToHost:
      if (target == (kind == cudaMemcpyHostToDevice)) break;
      return allocation && !allocation->shared_with_host ? Place::device : Place::host;
    case cudaMemcpyDeviceToDevice: break;
    case cudaMemcpyDefault: return allocation ? Place::device : Place::host;
    default: return std::nullopt;
  }
  return !allocation && session.memory.host.find(pointer).block ? Place::host : Place::device;
}

void notify_checker(Session& session, const std::uint8_t* target, const std::uint8_t* source,
                    bool from_device, std::size_t bytes) {
  exec::Checker* const checker = session.device().checker();
  if (!checker) return;
  if (from_device)
    checker->copied(device_address(target), device_address(source), bytes);
  else
    checker->written(device_address(target), bytes);
}

// The work of a copy engine. host: the side of the host; both or none: no engine copies.
std::optional<gpu::CopyRequest> transfer_of(Session& session, const void* host_target,
                                            const void* host_source, const Rows& rows) {
  if (!host_target == !host_source) return std::nullopt;
  const HostBlock* const block =
      session.memory.host.find(host_target ? host_target : host_source).block;
  using Direction = gpu::CopyRequest::Direction;
  return gpu::CopyRequest{host_target ? Direction::from_device : Direction::to_device,
                          std::uint64_t{rows.width} * rows.height * rows.depth,
                          !block || block->kind == HostBlock::Kind::managed};
}

template <class Pointer>
RegionPlace placement_of(const Side<Pointer>& side) {
  return {device_address(side.base), side.pitch, side.slice_bytes};
}
CopyRegion region_of(const Rows& rows) { return {rows.width, rows.height, rows.depth}; }

// Calls move(y, z) for every row of the copy or fill, which the recorder sees before and after.
template <class Transferred, class Move>
void move_recorded(Session& session, const Transferred& what, const Rows& rows, Move&& move) {
  Recorder* const recorder = session.recorder();
  if (recorder) recorder->memory().transfer_begins(what);
  every_row(rows, [&](std::size_t y, std::size_t z) { return move(y, z), true; });
  if (recorder) recorder->memory().transfer_ended(what);
}

bool too_narrow(const Rows& rows, std::size_t pitch) {
  return rows.height > 1 && pitch < rows.width;
}

}  // namespace

cudaError_t copy(Session& session, const char* call, const Target& to, const Source& from,
                 const Rows& rows, cudaMemcpyKind kind, Act act) {
  const auto to_place = place(session, to.base, kind, true),
             from_place = place(session, from.base, kind, false);
  if (!to_place || !from_place) return cudaErrorInvalidMemcpyDirection;
  if (rows.empty()) return cudaSuccess;
  if (too_narrow(rows, to.pitch) || too_narrow(rows, from.pitch)) return cudaErrorInvalidPitchValue;
  const bool to_device = *to_place == Place::device, from_device = *from_place == Place::device;
  const bool readable = from_device ? valid_on_device(session, call, "read", from, rows)
                                    : valid_on_host(session, call, "read", from, rows);
  if (!readable) return cudaErrorInvalidValue;
  const bool writable = to_device ? valid_on_device(session, call, "write", to, rows)
                                  : valid_on_host(session, call, "write", to, rows);
  if (!writable) return cudaErrorInvalidValue;
  if (act == Act::check) return cudaSuccess;

  session.streams.copied =
      transfer_of(session, to_device ? nullptr : to.base, from_device ? nullptr : from.base, rows);
  const Transfer transfer{placement_of(to), placement_of(from), region_of(rows), to_device,
                          from_device};
  auto& memory = session.device().memory();
  move_recorded(session, transfer, rows, [&](std::size_t y, std::size_t z) {
    std::uint8_t* const target = to.row(y, z);
    const std::uint8_t* const source = from.row(y, z);
    std::memmove(to_device ? memory.host(device_address(target)) : target,
                 from_device ? memory.host(device_address(source)) : source, rows.width);
    if (to_device) notify_checker(session, target, source, from_device, rows.width);
    if (to_device && !from_device)
      session.device().copied_to_device(device_address(target), rows.width);
    if (from_device && !to_device)
      session.device().copied_from_device(device_address(source), rows.width);
  });
  return cudaSuccess;
}

cudaError_t fill(Session& session, const char* call, const Target& given, const Rows& rows,
                 unsigned value, unsigned element_bytes, Act act) {
  auto& memory = session.device().memory();
  Target to = given;
  to.base = static_cast<std::uint8_t*>(
      device_pointer(memory.allocations().on_device(device_address(given.base))));
  if (rows.empty()) return cudaSuccess;
  if (too_narrow(rows, to.pitch)) return cudaErrorInvalidPitchValue;
  if (!valid_on_device(session, call, "set", to, rows)) return cudaErrorInvalidValue;
  if (act == Act::check) return cudaSuccess;
  const FillMemory recorded{placement_of(to), region_of(rows), value, element_bytes};
  move_recorded(session, recorded, rows, [&](std::size_t y, std::size_t z) {
    std::uint8_t* const row = memory.host(device_address(to.row(y, z)));
    notify_checker(session, to.row(y, z), nullptr, false, rows.width);
    if (element_bytes == 1) std::memset(row, static_cast<int>(value), rows.width);
    for (std::size_t x = 0; element_bytes > 1 && x < rows.width; x += element_bytes)
      std::memcpy(row + x, &value, element_bytes);
  });
  return cudaSuccess;
}

namespace {

// One side of a copy between arrays and pointers.
struct Corner {
  std::uint8_t* base = nullptr;
  std::size_t pitch = 0, slice_bytes = 0;
  bool array = false, valid = true;
};

Corner corner(const Arrays& arrays, cudaArray_t handle, const cudaPitchedPtr& pointer,
              const cudaPos& at, const cudaExtent& extent, std::size_t element_bytes) {
  if (!handle) {
    const std::size_t slice = pointer.pitch * (pointer.ysize ? pointer.ysize : extent.height);
    return {static_cast<std::uint8_t*>(pointer.ptr) + at.z * slice + at.y * pointer.pitch + at.x,
            pointer.pitch, slice};
  }
  const Array* const found = arrays.find(handle);
  if (!found) return {nullptr, 0, 0, true, false};
  const Array& array = *found;
  const auto inside = [](std::size_t first, std::size_t count, std::uint64_t end) {
    return first <= end && count <= end - first;
  };
  if (!inside(at.x, extent.width, array.image.width) ||
      !inside(at.y, extent.height, array.rows()) || !inside(at.z, extent.depth, array.slices())) {
    return {nullptr, 0, 0, true, false};
  }
  const Address first = array.image.base + (at.z * array.image.slice_bytes +
                                            at.y * array.image.pitch_bytes + at.x * element_bytes);
  return {static_cast<std::uint8_t*>(device_pointer(first)), array.image.pitch_bytes,
          array.image.slice_bytes, true};
}

std::size_t element_bytes_of(const Arrays& arrays, cudaArray_t handle) {
  const Array* const array = arrays.find(handle);
  return array ? array->image.format.bytes() : 0;
}

// An array is always device memory. The kind says where the pointer on the other side points.
cudaMemcpyKind kind_of(const cudaMemcpy3DParms& p) {
  if (p.srcArray && p.dstArray) return cudaMemcpyDeviceToDevice;
  if (p.srcArray && p.kind == cudaMemcpyHostToHost) return cudaMemcpyDeviceToHost;
  if (p.dstArray && p.kind == cudaMemcpyHostToHost) return cudaMemcpyHostToDevice;
  return p.kind;
}

std::size_t element_bytes_of(const Arrays& arrays, const cudaMemcpy3DParms& p) {
  return std::max(
      {element_bytes_of(arrays, p.srcArray), element_bytes_of(arrays, p.dstArray), std::size_t{1}});
}

bool is_pageable(Session& session, const void* pointer) {
  return pointer && !session.device().memory().valid(device_address(pointer), 1) &&
         !session.memory.host.find(pointer).block;
}

// Reads the source of a copy, which is pageable host memory, now.
void stage(const Arrays& arrays, cudaMemcpy3DParms& p, Operation& operation) {
  const std::size_t width = p.extent.width * element_bytes_of(arrays, p);
  const Corner from = corner(arrays, nullptr, p.srcPtr, p.srcPos, p.extent, 1);
  const Rows rows{width, p.extent.height, p.extent.depth};
  auto bytes = std::make_shared<std::vector<std::uint8_t>>();
  bytes->reserve(width * rows.height * rows.depth);
  every_row(rows, [&](std::size_t y, std::size_t z) {
    const std::uint8_t* const row = from.base + z * from.slice_bytes + y * from.pitch;
    bytes->insert(bytes->end(), row, row + width);
    return true;
  });
  p.srcPos = {};
  p.srcPtr = {bytes->data(), width, width, rows.height};
  operation.staged = std::move(bytes);
}

}  // namespace

cudaError_t copy_3d(Session& session, const char* call, const cudaMemcpy3DParms& p, Act act) {
  const Arrays& arrays = session.memory.arrays;
  if (p.srcArray && p.dstArray &&
      element_bytes_of(arrays, p.srcArray) != element_bytes_of(arrays, p.dstArray))
    return cudaErrorInvalidValue;
  const std::size_t element = element_bytes_of(arrays, p);
  const Corner from = corner(arrays, p.srcArray, p.srcPtr, p.srcPos, p.extent, element);
  const Corner to = corner(arrays, p.dstArray, p.dstPtr, p.dstPos, p.extent, element);
  if (!from.valid || !to.valid) {
    explain(call, "the copy exceeds a CUDA array, or the array does not exist");
    return cudaErrorInvalidValue;
  }
  return copy(session, call, {to.base, to.pitch, to.slice_bytes},
              {from.base, from.pitch, from.slice_bytes},
              {p.extent.width * element, p.extent.height, p.extent.depth}, kind_of(p), act);
}

cudaMemcpy3DParms linear_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms p{};
  p.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  p.dstPtr = {to, bytes, bytes, 1};
  p.extent = {bytes, 1, 1};
  p.kind = kind;
  return p;
}

Operation copy_operation(const char* call, const cudaMemcpy3DParms& p) {
  Operation operation;
  operation.type = cudaGraphNodeTypeMemcpy;
  operation.copy = p;
  operation.run = [call, p](Session& session) { return copy_3d(session, call, p); };
  return operation;
}

cudaError_t submit_copy(Session& session, const char* call, const cudaMemcpy3DParms& p,
                        IssueTarget at) {
  session.show_printed();
  if (!session.streams.all.exists(at.stream)) return cudaErrorInvalidResourceHandle;
  if (session.streams.all.capture_of(at.stream))
    return submit(session, at, copy_operation(call, p));
  if (session.streams.run_at_once() && session.streams.idle() && !session.device().times_copies())
    return copy_3d(session, call, p);
  if (const cudaError_t error = copy_3d(session, call, p, Act::check); error != cudaSuccess)
    return error;
  if (!p.dstArray && is_pageable(session, p.dstPtr.ptr)) at.host_waits = true;
  Operation operation;
  cudaMemcpy3DParms staged = p;
  if (!at.host_waits && !p.srcArray && is_pageable(session, p.srcPtr.ptr))
    stage(session.memory.arrays, staged, operation);
  operation.type = cudaGraphNodeTypeMemcpy;
  operation.run = [call, staged](Session& later) { return copy_3d(later, call, staged); };
  return submit(session, at, std::move(operation));
}

std::optional<std::uint64_t> row_bytes(const cudaMemsetParams& p) {
  return (Checked(p.width) * p.elementSize).value();
}

namespace {

cudaError_t described_fill(Session& session, const char* call, const cudaMemsetParams& p, Act act) {
  const std::optional<std::uint64_t> width = row_bytes(p);
  if (!width) return cudaErrorInvalidValue;
  return fill(session, call, {static_cast<std::uint8_t*>(p.dst), p.pitch, 0}, {*width, p.height},
              p.value, p.elementSize, act);
}

}  // namespace

Operation fill_operation(const char* call, const cudaMemsetParams& p) {
  Operation operation;
  operation.type = cudaGraphNodeTypeMemset;
  operation.fill = p;
  operation.run = [call, p](Session& session) {
    return described_fill(session, call, p, Act::perform);
  };
  return operation;
}

cudaError_t submit_fill(Session& session, const char* call, const cudaMemsetParams& p,
                        IssueTarget at) {
  if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4) return cudaErrorInvalidValue;
  if (!session.streams.all.capture_of(at.stream)) {
    const cudaError_t error = described_fill(session, call, p, Act::check);
    if (error != cudaSuccess) return error;
  }
  // The host may read this memory after the call.
  at.host_waits &= session.memory.host.find(p.dst).block != nullptr;
  return submit(session, at, fill_operation(call, p));
}

cudaError_t allocate_device(Session& session, void** pointer, std::size_t bytes, const char* call) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  auto& memory = session.device().memory();
  if (bytes > memory.capacity_bytes()) return cudaErrorMemoryAllocation;
  const Address address = memory.allocate(bytes, session.memory.name_allocation(call));
  if (address == Address{0}) return cudaErrorMemoryAllocation;
  session.notify_allocation(address, bytes);
  *pointer = device_pointer(address);
  return cudaSuccess;
}

}  // namespace heddle::cuda
