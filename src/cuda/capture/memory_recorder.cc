#include "cuda/capture/memory_recorder.h"

namespace heddle::cuda {
namespace {

bool is_contiguous(const RegionPlace& at, const CopyRegion& region) {
  const std::uint64_t slice = region.width * region.height;
  return (region.height == 1 || at.pitch == region.width) &&
         (region.depth == 1 || at.slice_bytes == slice);
}

}  // namespace

MemoryRecorder::MemoryRecorder(exec::GlobalMemory& memory, RecordSink& sink)
    : memory_(memory), sink_(sink), host_(memory, sink) {
  memory_.allocations().set_observer(this);
}
MemoryRecorder::~MemoryRecorder() { memory_.allocations().set_observer(nullptr); }

std::span<const std::uint8_t> MemoryRecorder::data_of(const RegionPlace& from,
                                                      const CopyRegion& region, bool on_host) {
  const auto at = [&](Address address) {
    return on_host ? reinterpret_cast<const std::uint8_t*>(address.value) : memory_.host(address);
  };
  if (is_contiguous(from, region))
    return {at(from.base), region.width * region.height * region.depth};
  gathered_.clear();
  for (std::uint64_t z = 0; z < region.depth; ++z)
    for (std::uint64_t y = 0; y < region.height; ++y) {
      const std::uint8_t* const row = at(from.row(y, z));
      gathered_.insert(gathered_.end(), row, row + region.width);
    }
  return gathered_;
}

void MemoryRecorder::transfer_begins(const Transfer& transfer) {
  RegionPlace to = transfer.to, from = transfer.from;
  const CopyRegion& region = transfer.region;
  bool reaches_to = transfer.to_device, reaches_from = transfer.from_device;
  if (!reaches_to)
    if (const auto shared = host_.on_device(to, region)) to = *shared, reaches_to = true;
  if (!reaches_from)
    if (const auto shared = host_.on_device(from, region)) from = *shared, reaches_from = true;
  if (reaches_from) host_.compare_part(from, region, true);
  if (reaches_to) host_.compare_part(to, region, true);
  if (reaches_to && reaches_from) {
    CopyMemory copy{to, from, region, transfer.to_device, transfer.from_device, 0};
    if (copy.from_device && !copy.to_device) {
      const auto data = data_of(from, region, false);
      copy.hash = hash_of(data.data(), data.size());
    }
    sink_.add_effect(copy);
  } else if (reaches_to) {
    const auto data = data_of(from, region, true);
    sink_.add_effect(
        WriteMemory{to, region, sink_.store(data.data(), data.size()), transfer.to_device});
  } else if (transfer.from_device) {
    const auto data = data_of(from, region, false);
    sink_.add_effect(ReadMemory{from, region, hash_of(data.data(), data.size())});
  }
}

void MemoryRecorder::transfer_ended(const Transfer& transfer) {
  const auto to = transfer.to_device ? std::optional(transfer.to)
                                     : host_.on_device(transfer.to, transfer.region);
  if (to) host_.compare_part(*to, transfer.region, false);
}

void MemoryRecorder::transfer_begins(const FillMemory& fill) {
  host_.compare_part(fill.to, fill.region, true);
  sink_.add_effect(fill);
}

void MemoryRecorder::transfer_ended(const FillMemory& fill) {
  host_.compare_part(fill.to, fill.region, false);
}

void MemoryRecorder::allocated(const exec::Allocation& allocation, Address address) {
  if (in_device_) return;
  using Kind = AllocateMemory::Kind;
  AllocateMemory record{allocation.variable ? Kind::variable : Kind::device, address,
                        allocation.bytes, 0, allocation.what};
  if (allocation.shared_with_host || allocation.adopted) {
    record.kind = allocation.adopted ? Kind::adopted : Kind::shared;
    record.offset = address - allocation.base;
    record.bytes -= record.offset;
    host_.add(allocation, allocation.adopted ? reinterpret_cast<std::uint64_t>(allocation.adopted)
                                             : allocation.base.value);
  }
  sink_.add_effect(record);
}

void MemoryRecorder::freed(Address base) {
  host_.remove(base);
  if (!in_device_) sink_.add_effect(FreeMemory{base});
}

void MemoryRecorder::host_address_accepted(Address address, std::uint64_t bytes,
                                           std::uint64_t host) {
  sink_.add_effect(AcceptHostAddress{address, bytes, Address{host}});
}

void MemoryRecorder::change_mapping(const ChangeMapping& change) {
  if (!in_device_) sink_.add_effect(change);
}
void MemoryRecorder::reserved(Address base, std::uint64_t bytes, std::uint64_t align) {
  change_mapping({ChangeMapping::Act::reserve, base, bytes, align, 0, 0});
}
void MemoryRecorder::released(Address base, std::uint64_t bytes) {
  change_mapping({ChangeMapping::Act::release, base, bytes, 0, 0, 0});
}
void MemoryRecorder::created(std::uint64_t place, std::uint64_t bytes) {
  change_mapping({ChangeMapping::Act::create, {}, bytes, 0, place, 0});
}
void MemoryRecorder::ended(std::uint64_t place) {
  change_mapping({ChangeMapping::Act::end, {}, 0, 0, place, 0});
}
void MemoryRecorder::mapped(Address base, std::uint64_t bytes, std::uint64_t place,
                            std::uint64_t offset) {
  change_mapping({ChangeMapping::Act::map, base, bytes, 0, place, offset});
}
void MemoryRecorder::unmapped(Address base, std::uint64_t bytes) {
  change_mapping({ChangeMapping::Act::unmap, base, bytes, 0, 0, 0});
}
void MemoryRecorder::allowed(Address base, std::uint64_t bytes, bool access) {
  change_mapping(
      {access ? ChangeMapping::Act::allow : ChangeMapping::Act::forbid, base, bytes, 0, 0, 0});
}

void MemoryRecorder::written(Address address, std::uint64_t bytes) {
  if (!host_.contains(address)) sink_.add_write(address, memory_.host(address), bytes);
}

}  // namespace heddle::cuda
