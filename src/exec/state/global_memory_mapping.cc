// Reserved address ranges, created memory, and mappings between them.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/diagnostics.h"
#include "exec/state/global_memory.h"

namespace heddle::exec {
namespace {

bool whole(std::uint64_t bytes) { return bytes != 0 && bytes % kMappedPageBytes == 0; }

[[noreturn]] void cannot_map() {
  throw UserError(std::string("cannot map device memory: ") + std::strerror(errno));
}

}  // namespace

PhysicalMemory::~PhysicalMemory() { owner_.end(*this); }

Address GlobalMemory::reserve(std::uint64_t bytes, std::uint64_t align) {
  if (!whole(bytes) || bytes > shared_bytes_ || (align & (align - 1)) != 0) return Address{0};
  const Heap::Block block = shared_.take(bytes, std::max(align, kMappedPageBytes));
  if (block.base) reserved_.emplace(block.base, bytes);
  if (block.base && observer_) observer_->reserved(Address{block.base}, bytes, align);
  return Address{block.base};
}

bool GlobalMemory::release(Address base, std::uint64_t bytes) {
  const auto found = reserved_.find(base.value);
  if (found == reserved_.end() || found->second != bytes) return false;
  const auto inside = mapped_.lower_bound(base.value);
  if (inside != mapped_.end() && inside->first < base.value + bytes) return false;
  reserved_.erase(found);
  shared_.give_back(base.value, bytes);
  if (observer_) observer_->released(base, bytes);
  return true;
}

std::shared_ptr<PhysicalMemory> GlobalMemory::create(std::uint64_t bytes) {
  if (!whole(bytes) || bytes > capacity_ - std::min(used_, capacity_)) return nullptr;
  if (physical_file_ < 0) {
    physical_file_ = memfd_create("heddle mapped memory", MFD_CLOEXEC);
    if (physical_file_ < 0 ||
        ftruncate(physical_file_,
                  static_cast<off_t>(kPlacesPerByte * (capacity_ + kMappedPageBytes))) != 0)
      cannot_map();
  }
  const Heap::Block block = physical_.take(bytes, kMappedPageBytes);
  if (!block.base) return nullptr;
  used_ += bytes;
  const std::uint64_t place = block.base - kHeapBase;
  if (observer_) observer_->created(place, bytes);
  return std::make_shared<PhysicalMemory>(*this, place, bytes);
}

void GlobalMemory::end(const PhysicalMemory& memory) {
  used_ -= memory.bytes_;
  fallocate(physical_file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
            static_cast<off_t>(memory.place_), static_cast<off_t>(memory.bytes_));
  physical_.give_back(kHeapBase + memory.place_, memory.bytes_);
  if (observer_) observer_->ended(memory.place_);
}

bool GlobalMemory::map(Address base, std::uint64_t bytes,
                       const std::shared_ptr<PhysicalMemory>& memory, std::uint64_t offset) {
  if (!whole(bytes) || base.value % kMappedPageBytes != 0 || offset % kMappedPageBytes != 0 ||
      offset > memory->bytes_ || bytes > memory->bytes_ - offset)
    return false;
  auto around = reserved_.upper_bound(base.value);
  if (around == reserved_.begin() ||
      (--around, base.value - around->first + bytes > around->second))
    return false;
  const auto next = mapped_.lower_bound(base.value);
  if (next != mapped_.end() && next->first < base.value + bytes) return false;
  if (next != mapped_.begin() &&
      std::prev(next)->first + std::prev(next)->second.bytes > base.value)
    return false;
  const auto place = static_cast<off_t>(memory->place_ + offset);
  if (mmap(host(base), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, physical_file_,
           place) == MAP_FAILED)
    cannot_map();
  mapped_.emplace(base.value, Mapping{bytes, memory, false});
  if (observer_) observer_->mapped(base, bytes, memory->place_, offset);
  return true;
}

// The whole mappings that fill [base, base + bytes) exactly; an empty range when they do not.
std::pair<GlobalMemory::Mappings::iterator, GlobalMemory::Mappings::iterator>
GlobalMemory::mappings_that_fill(Address base, std::uint64_t bytes) {
  const auto first = mapped_.find(base.value);
  auto last = first;
  for (std::uint64_t at = base.value; at != base.value + bytes; at += last->second.bytes, ++last) {
    if (last == mapped_.end() || last->first != at || last->second.bytes > base.value + bytes - at)
      return {first, first};
  }
  return {first, last};
}

void GlobalMemory::open_or_close(std::uint64_t base, Mapping& mapping, bool access) {
  if (mapping.access == access) return;
  mapping.access = access;
  ++generation_;
  shared_.mark(base, access ? mapping.bytes : 0, mapping.bytes);
  if (access)
    live_.emplace(base, Allocation{Address{base}, mapping.bytes, "mapped memory", false, nullptr,
                                   true, false, generation_});
  else
    live_.erase(base);
}

bool GlobalMemory::unmap(Address base, std::uint64_t bytes) {
  const auto [first, last] = mappings_that_fill(base, bytes);
  if (first == last) return false;
  for (auto it = first; it != last; ++it) open_or_close(it->first, it->second, false);
  constexpr int kAnew = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (mmap(host(base), bytes, PROT_READ | PROT_WRITE, kAnew, -1, 0) == MAP_FAILED) cannot_map();
  mapped_.erase(first, last);
  if (observer_) observer_->unmapped(base, bytes);
  return true;
}

bool GlobalMemory::allow(Address base, std::uint64_t bytes, bool access) {
  const auto [first, last] = mappings_that_fill(base, bytes);
  for (auto it = first; it != last; ++it) open_or_close(it->first, it->second, access);
  if (first != last && observer_) observer_->allowed(base, bytes, access);
  return first != last;
}

GlobalMemory::Mapping GlobalMemory::mapping(Address address) const {
  auto it = mapped_.upper_bound(address.value);
  if (it == mapped_.begin()) return {};
  --it;
  return address.value - it->first < it->second.bytes ? it->second : Mapping{};
}

}  // namespace heddle::exec
