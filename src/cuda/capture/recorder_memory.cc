// Memory that the host writes without a call, and data of copies.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "cuda/capture/recorder.h"

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

Recorder::Shared* Recorder::shared_at(Address address) {
  const auto after = shared_.upper_bound(address.value);
  if (after == shared_.begin()) return nullptr;
  Shared& shared = std::prev(after)->second;
  return address - shared.allocation.base < shared.allocation.bytes ? &shared : nullptr;
}

std::optional<Placement> Recorder::on_device(const Placement& host, const Region& region) {
  for (const auto& [base, shared] : shared_) {
    const std::uint64_t offset = host.base.value - shared.host;
    if (offset >= shared.allocation.bytes ||
        span_of(host, region) > shared.allocation.bytes - offset)
      continue;
    return Placement{Address{base} + offset, host.pitch, host.slice_bytes};
  }
  return std::nullopt;
}

std::span<const std::uint8_t> Recorder::data_of(const Placement& from, const Region& region,
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

void Recorder::add_write(Address to, const std::uint8_t* data, std::uint64_t bytes) {
  add_effect(WriteMemory{{to, bytes, bytes}, {bytes, 1, 1}, writer_.store(data, bytes), false});
}

void Recorder::record_run(Address first, std::uint8_t* known, std::uint64_t bytes) {
  const std::uint8_t* const now = memory_.host(first);
  add_write(first, now, bytes);
  std::memcpy(known, now, bytes);
}

void Recorder::record_words(Address first, std::uint8_t* known, std::uint64_t bytes) {
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

void Recorder::compare(Shared& shared, Address first, std::uint64_t bytes, bool record) {
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

void Recorder::compare_all(bool record) {
  for (auto& [base, shared] : shared_)
    memory_.for_each_touched(shared.allocation, [&](Address first, std::uint64_t bytes) {
      compare(shared, first, bytes, record);
    });
}

void Recorder::compare_part(const Placement& at, const Region& region, bool record) {
  Shared* const shared = device_runs_ ? nullptr : shared_at(at.base);
  if (!shared) return;
  const std::uint64_t left = shared->allocation.bytes - (at.base - shared->allocation.base);
  compare(*shared, at.base, std::min(left, span_of(at, region)), record);
}

}  // namespace heddle::cuda
