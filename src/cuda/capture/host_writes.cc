#include "cuda/capture/host_writes.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace heddle::cuda {
namespace {

constexpr std::uint64_t kDevicePageBytes = 4096;
constexpr std::uint64_t kWordBytes = 4;  // the smallest unit that host and device share safely

// The bytes from the first to the last one of a region.
std::uint64_t span_of(const RegionPlace& at, const CopyRegion& region) {
  return at.row(region.height - 1, region.depth - 1) - at.base + region.width;
}

}  // namespace

void HostWrites::add(const exec::Allocation& allocation, std::uint64_t host) {
  remove(allocation.base);
  Shared& shared = shared_[allocation.base.value];
  shared.host = host;
  shared.allocation = allocation;
  shared.known.reserve(allocation.bytes);
}

void HostWrites::kernels_begin() {
  compare_all(true);
  kernels_run_ = true;
}

void HostWrites::kernels_ended() {
  if (kernels_run_) compare_all(false);
  kernels_run_ = false;
}

HostWrites::Shared* HostWrites::shared_at(Address address) {
  const auto after = shared_.upper_bound(address.value);
  if (after == shared_.begin()) return nullptr;
  Shared& shared = std::prev(after)->second;
  return address - shared.allocation.base < shared.allocation.bytes ? &shared : nullptr;
}

std::optional<RegionPlace> HostWrites::on_device(const RegionPlace& host,
                                                 const CopyRegion& region) const {
  for (const auto& [base, shared] : shared_) {
    const std::uint64_t offset = host.base.value - shared.host;
    if (offset >= shared.allocation.bytes ||
        span_of(host, region) > shared.allocation.bytes - offset)
      continue;
    return RegionPlace{Address{base} + offset, host.pitch, host.slice_bytes};
  }
  return std::nullopt;
}

void HostWrites::record_run(Address first, std::uint8_t* known, std::uint64_t bytes) {
  const std::uint8_t* const now = memory_.host(first);
  sink_.add_write(first, now, bytes);
  std::memcpy(known, now, bytes);
}

void HostWrites::record_words(Address first, std::uint8_t* known, std::uint64_t bytes) {
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

void HostWrites::compare(Shared& shared, Address first, std::uint64_t bytes, bool record) {
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

void HostWrites::compare_all(bool record) {
  for (auto& [base, shared] : shared_)
    memory_.shared_pages().for_each_touched(
        shared.allocation,
        [&](Address first, std::uint64_t bytes) { compare(shared, first, bytes, record); });
}

void HostWrites::compare_part(const RegionPlace& at, const CopyRegion& region, bool record) {
  Shared* const shared = kernels_run_ ? nullptr : shared_at(at.base);
  if (!shared) return;
  const std::uint64_t left = shared->allocation.bytes - (at.base - shared->allocation.base);
  compare(*shared, at.base, std::min(left, span_of(at, region)), record);
}

}  // namespace heddle::cuda
