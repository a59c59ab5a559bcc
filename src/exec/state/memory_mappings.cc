#include "exec/state/memory_mappings.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/diagnostics.h"
#include "base/round_up.h"

namespace heddle::exec {
namespace {

bool whole(std::uint64_t bytes) { return bytes != 0 && bytes % kMappedPageBytes == 0; }

[[noreturn]] void cannot_map() {
  throw UserError(std::string("cannot map device memory: ") + std::strerror(errno));
}

}  // namespace

PhysicalMemory::~PhysicalMemory() { owner_.end(*this); }

MemoryMappings::MemoryMappings(const DeviceImage& image, Heap& addresses, Allocations& allocations)
    : image_(image),
      addresses_(addresses),
      allocations_(allocations),
      places_(kHeapBase,
              kPlacesPerByte * round_up(allocations.capacity_bytes(), kMappedPageBytes)) {}

MemoryMappings::~MemoryMappings() {
  mapped_.clear();  // it may be the last owner of memory
  if (file_ >= 0) close(file_);
}

Address MemoryMappings::reserve(std::uint64_t bytes, std::uint64_t align) {
  if (!whole(bytes) || bytes > image_.shared_bytes() || (align & (align - 1)) != 0)
    return Address{0};
  const Heap::Block block = addresses_.take(bytes, std::max(align, kMappedPageBytes));
  if (!block.base) return Address{0};
  const Address base{block.base};
  reserved_.emplace(base.value, bytes);
  if (MappingObserver* o = allocations_.observer()) o->reserved(base, bytes, align);
  return base;
}

bool MemoryMappings::release(Address base, std::uint64_t bytes) {
  const auto found = reserved_.find(base.value);
  if (found == reserved_.end() || found->second != bytes) return false;
  const auto inside = mapped_.lower_bound(base.value);
  if (inside != mapped_.end() && inside->first < base.value + bytes) return false;
  reserved_.erase(found);
  addresses_.give_back(base.value, bytes);
  if (MappingObserver* o = allocations_.observer()) o->released(base, bytes);
  return true;
}

std::shared_ptr<PhysicalMemory> MemoryMappings::create(std::uint64_t bytes) {
  if (!whole(bytes) || !allocations_.has_room_for(bytes)) return nullptr;
  if (file_ < 0) {
    file_ = memfd_create("heddle mapped memory", MFD_CLOEXEC);
    if (file_ < 0 ||
        ftruncate(file_, static_cast<off_t>(kPlacesPerByte * (allocations_.capacity_bytes() +
                                                              kMappedPageBytes))) != 0)
      cannot_map();
  }
  const Heap::Block block = places_.take(bytes, kMappedPageBytes);
  if (!block.base) return nullptr;
  allocations_.charge(bytes);
  const std::uint64_t place = block.base - kHeapBase;
  if (MappingObserver* o = allocations_.observer()) o->created(place, bytes);
  return std::make_shared<PhysicalMemory>(*this, place, bytes);
}

void MemoryMappings::end(const PhysicalMemory& memory) {
  allocations_.refund(memory.bytes());
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(memory.place()),
            static_cast<off_t>(memory.bytes()));
  places_.give_back(kHeapBase + memory.place(), memory.bytes());
  if (MappingObserver* o = allocations_.observer()) o->ended(memory.place());
}

bool MemoryMappings::map(Address base, std::uint64_t bytes,
                         const std::shared_ptr<PhysicalMemory>& memory, std::uint64_t offset) {
  if (!whole(bytes) || base.value % kMappedPageBytes != 0 || offset % kMappedPageBytes != 0 ||
      offset > memory->bytes() || bytes > memory->bytes() - offset)
    return false;
  const Reservation around = reservation(base);
  if (around.bytes == 0 || base.value - around.base.value + bytes > around.bytes) return false;
  const auto next = mapped_.lower_bound(base.value);
  if (next != mapped_.end() && next->first < base.value + bytes) return false;
  if (next != mapped_.begin() &&
      std::prev(next)->first + std::prev(next)->second.bytes > base.value)
    return false;
  const auto place = static_cast<off_t>(memory->place() + offset);
  if (mmap(image_.host(base), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_,
           place) == MAP_FAILED)
    cannot_map();
  mapped_.emplace(base.value, Mapping{bytes, memory, false});
  if (MappingObserver* o = allocations_.observer()) o->mapped(base, bytes, memory->place(), offset);
  return true;
}

// The whole mappings that fill [base, base + bytes) exactly; an empty range when they do not.
std::pair<MemoryMappings::ByBase::iterator, MemoryMappings::ByBase::iterator>
MemoryMappings::mappings_that_fill(Address base, std::uint64_t bytes) {
  const auto first = mapped_.find(base.value);
  auto last = first;
  for (std::uint64_t at = base.value; at != base.value + bytes; at += last->second.bytes, ++last) {
    if (last == mapped_.end() || last->first != at || last->second.bytes > base.value + bytes - at)
      return {first, first};
  }
  return {first, last};
}

void MemoryMappings::open_or_close(std::uint64_t base, Mapping& mapping, bool access) {
  if (mapping.access == access) return;
  mapping.access = access;
  addresses_.mark(base, access ? mapping.bytes : 0, mapping.bytes);
  if (access)
    allocations_.add(
        {.base = Address{base}, .bytes = mapping.bytes, .what = "mapped memory", .mapped = true});
  else
    allocations_.remove(Address{base});
}

bool MemoryMappings::unmap(Address base, std::uint64_t bytes) {
  const auto [first, last] = mappings_that_fill(base, bytes);
  if (first == last) return false;
  for (auto it = first; it != last; ++it) open_or_close(it->first, it->second, false);
  constexpr int kAnew = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (mmap(image_.host(base), bytes, PROT_READ | PROT_WRITE, kAnew, -1, 0) == MAP_FAILED)
    cannot_map();
  mapped_.erase(first, last);
  if (MappingObserver* o = allocations_.observer()) o->unmapped(base, bytes);
  return true;
}

bool MemoryMappings::allow(Address base, std::uint64_t bytes, bool access) {
  const auto [first, last] = mappings_that_fill(base, bytes);
  for (auto it = first; it != last; ++it) open_or_close(it->first, it->second, access);
  if (first == last) return false;
  if (MappingObserver* o = allocations_.observer()) o->allowed(base, bytes, access);
  return true;
}

MemoryMappings::Mapping MemoryMappings::find(Address address) const {
  auto it = mapped_.upper_bound(address.value);
  if (it == mapped_.begin()) return {};
  --it;
  return address.value - it->first < it->second.bytes ? it->second : Mapping{};
}

MemoryMappings::Reservation MemoryMappings::reservation(Address address) const {
  const auto after = reserved_.upper_bound(address.value);
  if (after == reserved_.begin()) return {};
  const auto& [base, bytes] = *std::prev(after);
  return address.value - base < bytes ? Reservation{Address{base}, bytes} : Reservation{};
}

}  // namespace heddle::exec
