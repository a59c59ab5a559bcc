#include "cuda/capture/memory_recorder.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace heddle::cuda {
namespace {

constexpr std::uint64_t kDevicePageBytes = 4096;
constexpr std::uint64_t kWordBytes = 4;  // the smallest unit that host and device share safely

// The bytes from the first to the last one of a region.
std::uint64_t span_of(const Placement& at, const Region& region) {
  return at.row(region.height - 1, region.depth - 1) - at.base + region.width;
}

bool is_contiguous(const Placement& at, const Region& region) {
  const std::uint64_t slice = region.width * region.height;
  return (region.height == 1 || at.pitch == region.width) &&
         (region.depth == 1 || at.slice_bytes == slice);
}

}  // namespace

MemoryRecorder::MemoryRecorder(exec::GlobalMemory& memory, RecordSink& sink)
    : memory_(memory), sink_(sink) {
  memory_.set_observer(this);
}
MemoryRecorder::~MemoryRecorder() { memory_.set_observer(nullptr); }

void MemoryRecorder::kernels_begin() {
  compare_all(true);
  kernels_run_ = true;
}
void MemoryRecorder::kernels_ended() {
  if (kernels_run_) compare_all(false);
  kernels_run_ = false;
}
void MemoryRecorder::host_function_begins() { compare_all(!kernels_run_); }
void MemoryRecorder::host_function_ended() { compare_all(true); }

MemoryRecorder::Shared* MemoryRecorder::shared_at(Address address) {
  const auto after = shared_.upper_bound(address.value);
  if (after == shared_.begin()) return nullptr;
  Shared& shared = std::prev(after)->second;
  return address - shared.allocation.base < shared.allocation.bytes ? &shared : nullptr;
}

std::optional<Placement> MemoryRecorder::on_device(const Placement& host, const Region& region) {
  for (const auto& [base, shared] : shared_) {
    const std::uint64_t offset = host.base.value - shared.host;
    if (offset >= shared.allocation.bytes ||
        span_of(host, region) > shared.allocation.bytes - offset)
      continue;
    return Placement{Address{base} + offset, host.pitch, host.slice_bytes};
  }
  return std::nullopt;
}

std::span<const std::uint8_t> MemoryRecorder::data_of(const Placement& from, const Region& region,
                                                      bool on_host) {
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

void MemoryRecorder::add_write(Address to, const std::uint8_t* data, std::uint64_t bytes) {
  sink_.add_effect(WriteMemory{{to, bytes, bytes}, {bytes, 1, 1}, sink_.store(data, bytes), false});
}

void MemoryRecorder::record_run(Address first, std::uint8_t* known, std::uint64_t bytes) {
  const std::uint8_t* const now = memory_.host(first);
  add_write(first, now, bytes);
  std::memcpy(known, now, bytes);
}

void MemoryRecorder::record_words(Address first, std::uint8_t* known, std::uint64_t bytes) {
  const std::uint8_t* const now = memory_.host(first);
  const auto differs = [&](std::uint64_t at) {
    return std::memcmp(now + at, known + at, std::min(kWordBytes, bytes - at)) != 0;
  };
  for (std::uint64_t at = 0; at < bytes;) {
    if (!differs(at)) {
      at += kWordBytes;
      continue;
    }
    const std::uint64_t begin = at;
    while (at < bytes && differs(at)) at += kWordBytes;
    record_run(first + begin, known + begin, std::min(at, bytes) - begin);
  }
}

void MemoryRecorder::compare(Shared& shared, Address first, std::uint64_t bytes, bool record) {
  std::uint64_t run = 0;  // changed bytes before `at` that are not recorded yet
  std::uint64_t at = 0;
  std::uint8_t* const known = shared.known.data() + (first - shared.allocation.base);
  const auto end_run = [&] {
    if (run > 0) record_run(first + (at - run), known + (at - run), run);
    run = 0;
  };
  while (at < bytes) {
    const std::uint64_t size =
        std::min(bytes - at, kDevicePageBytes - (first.value + at) % kDevicePageBytes);
    const std::uint8_t* const now = memory_.host(first + at);
    if (std::memcmp(now, known + at, size) == 0) {
      end_run();
    } else if (!record) {
      std::memcpy(known + at, now, size);
    } else if (words_) {
      record_words(first + at, known + at, size);
    } else {
      run += size;
    }
    at += size;
    if (run >= kDataChunkBytes) end_run();
  }
  end_run();
}

void MemoryRecorder::compare_all(bool record) {
  for (auto& [base, shared] : shared_)
    memory_.for_each_touched(shared.allocation, [&](Address first, std::uint64_t bytes) {
      compare(shared, first, bytes, record);
    });
}

void MemoryRecorder::compare_part(const Placement& at, const Region& region, bool record) {
  Shared* const shared = kernels_run_ ? nullptr : shared_at(at.base);
  if (!shared) return;
  const std::uint64_t left = shared->allocation.bytes - (at.base - shared->allocation.base);
  compare(*shared, at.base, std::min(left, span_of(at, region)), record);
}

void MemoryRecorder::transfer_begins(const Transfer& transfer) {
  Placement to = transfer.to, from = transfer.from;
  const Region& region = transfer.region;
  bool reaches_to = transfer.to_device, reaches_from = transfer.from_device;
  if (!reaches_to)
    if (const auto shared = on_device(to, region)) to = *shared, reaches_to = true;
  if (!reaches_from)
    if (const auto shared = on_device(from, region)) from = *shared, reaches_from = true;
  if (reaches_from) compare_part(from, region, true);
  if (reaches_to) compare_part(to, region, true);
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
  const auto to =
      transfer.to_device ? std::optional(transfer.to) : on_device(transfer.to, transfer.region);
  if (to) compare_part(*to, transfer.region, false);
}

void MemoryRecorder::transfer_begins(const FillMemory& fill) {
  compare_part(fill.to, fill.region, true);
  sink_.add_effect(fill);
}

void MemoryRecorder::transfer_ended(const FillMemory& fill) {
  compare_part(fill.to, fill.region, false);
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
    const std::uint64_t host = allocation.adopted
                                   ? reinterpret_cast<std::uint64_t>(allocation.adopted)
                                   : allocation.base.value;
    shared_.erase(allocation.base.value);
    Shared& shared = shared_[allocation.base.value];
    shared.host = host;
    shared.allocation = allocation;
    shared.known.reserve(allocation.bytes);
  }
  sink_.add_effect(record);
}

void MemoryRecorder::freed(Address base) {
  shared_.erase(base.value);
  if (!in_device_) sink_.add_effect(FreeMemory{base});
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
  if (!shared_at(address)) add_write(address, memory_.host(address), bytes);
}

}  // namespace heddle::cuda
