#include "exec/state/global_memory.h"

#include <cstring>

#include "base/round_up.h"

namespace heddle::exec {

GlobalMemory::GlobalMemory(std::uint64_t capacity_bytes)
    : image_(capacity_bytes),
      allocations_(round_up(capacity_bytes, kAllocationAlign)),
      heap_(kHeapBase, allocations_.capacity_bytes()),
      pages_(image_),
      mappings_(image_, pages_.heap(), allocations_) {}

GlobalMemory::~GlobalMemory() {
  for (const auto& [base, allocation] : live()) pages_.hide_from_host(allocation);
  allocations_.set_observer(nullptr);
}

Heap::Block GlobalMemory::take_block(std::uint64_t bytes) {
  if (bytes == 0 || bytes > capacity_bytes()) return {};
  const std::uint64_t size = round_up(bytes + apart_, kAllocationAlign);
  const Heap::Block block = heap_.take(size);
  if (block.base || kept_.empty()) return block;
  for (const auto& [base, kept] : kept_) heap_.give_back(base, kept);
  kept_.clear();
  return heap_.take(size);
}

Address GlobalMemory::allocate(std::uint64_t bytes, std::string what) {
  return add_block(heap_, take_block(bytes), bytes, std::move(what), false);
}

Address GlobalMemory::allocate_variable(std::uint64_t bytes, std::string what) {
  return add_block(heap_, take_block(bytes), bytes, std::move(what), true);
}

Address GlobalMemory::allocate_constant(std::uint64_t bytes, std::string what) {
  if (bytes == 0 || bytes > kConstantsBytes) return Address{0};
  const std::uint64_t size = round_up(bytes + apart_, kAllocationAlign);
  const Heap::Block block = heap_.take(size, kAllocationAlign, kShortPointerEnd);
  return block.base ? add_block(heap_, block, bytes, std::move(what), true)
                    : add_block(constants_, constants_.take(size), bytes, std::move(what), true);
}

Address GlobalMemory::add_block(Heap& heap, const Heap::Block& block, std::uint64_t bytes,
                                std::string what, bool variable) {
  if (!block.base) return Address{0};
  const std::uint64_t size = round_up(bytes + apart_, kAllocationAlign);
  const Address base{block.base};
  if (!block.fresh) std::memset(host(base), 0, bytes);
  heap.mark(block.base, bytes, size);
  if (&heap == &heap_) allocations_.charge(round_up(bytes, kAllocationAlign));
  const Allocation& added = allocations_.add(
      {.base = base, .bytes = bytes, .what = std::move(what), .variable = variable});
  if (MappingObserver* observer = allocations_.observer()) observer->allocated(added, base);
  allocations_.forget_freed(base, size);
  return base;
}

Address GlobalMemory::allocate_shared(std::uint64_t bytes, std::string what) {
  const SharedPages::Range pages = pages_.take(bytes);
  if (pages.base == Address{0}) return Address{0};
  pages_.show_to_host(pages);
  return add_shared(
      {.base = pages.base, .bytes = bytes, .what = std::move(what), .shared_with_host = true},
      pages);
}

Address GlobalMemory::adopt_detached(std::uint64_t offset, std::uint64_t bytes, std::string what) {
  if (bytes > image_.shared_bytes()) return Address{0};
  const SharedPages::Range pages = pages_.take(offset + bytes);
  if (pages.base == Address{0}) return Address{0};
  return add_shared({.base = pages.base,
                     .bytes = offset + bytes,
                     .what = std::move(what),
                     .adopted = host(pages.base)},
                    pages, offset);
}

Address GlobalMemory::adopt(void* at_host, std::uint64_t bytes, std::string what) {
  const auto first = reinterpret_cast<std::uint64_t>(at_host), offset = first % kHostPageBytes;
  auto* const original = reinterpret_cast<std::uint8_t*>(first - offset);
  const SharedPages::Range pages = pages_.take(offset + bytes);
  if (pages.base == Address{0} || !pages_.replace(pages, original)) return Address{0};
  return add_shared(
      {.base = pages.base, .bytes = offset + bytes, .what = std::move(what), .adopted = original},
      pages, offset);
}

Address GlobalMemory::add_shared(Allocation allocation, const SharedPages::Range& pages,
                                 std::uint64_t offset) {
  pages_.heap().mark(pages.base.value, allocation.bytes, pages.bytes);
  const Allocation& added = allocations_.add(std::move(allocation));
  const Address address = pages.base + offset;
  if (MappingObserver* observer = allocations_.observer()) observer->allocated(added, address);
  return address;
}

bool GlobalMemory::free(Address base) {
  const auto it = live().find(base.value);
  if (it == live().end() || it->second.mapped || it->second.variable) return false;
  const Allocation& freed = it->second;
  const std::uint64_t size = round_up(freed.bytes + apart_, kAllocationAlign);
  if (freed.is_of_host()) {
    pages_.release(freed);
  } else {
    allocations_.refund(round_up(freed.bytes, kAllocationAlign));
    if (apart_)
      heap_.mark(base.value, 0, size), kept_.emplace_back(base.value, size);
    else
      heap_.give_back(base.value, size);
  }
  allocations_.retire(base);
  if (MappingObserver* observer = allocations_.observer()) observer->freed(base);
  return true;
}

bool GlobalMemory::valid(Address address, std::uint64_t bytes) const {
  const std::uint64_t within = address.value % kAllocationAlign;
  if (is_inside(within, bytes, heap_with(address).live_in_granule(address.value))) return true;
  if (bytes <= kAllocationAlign - within) return false;
  // Continues in the next granule, which may belong to another allocation. Adjacent mappings are
  // one memory.
  for (const Allocation* a = find(address); a; a = find(address)) {
    const std::uint64_t rest = a->bytes - (address.value - a->base.value);
    if (bytes <= rest) return true;
    if (!a->mapped) return false;
    address = address + rest;
    bytes -= rest;
  }
  return false;
}

bool GlobalMemory::is_mapped_page(std::uint64_t page) const {
  const std::uint64_t first = page * kMappedPageBytes, end = first + kMappedPageBytes;
  return end == kHeapBase ? !live().empty() : allocations_.any_live_in(first, end);
}

bool GlobalMemory::in_mapped_page(Address address, std::uint64_t bytes) const {
  const std::uint64_t last = address.value + bytes - 1;
  return last < image_.end() && is_mapped_page(address.value / kMappedPageBytes) &&
         is_mapped_page(last / kMappedPageBytes) && !was_freed(address) &&
         !was_freed(Address{last});
}

bool GlobalMemory::was_freed(Address address) const {
  return !find(address) && allocations_.find_freed(address);
}

std::string GlobalMemory::describe(Address address) const {
  const MemoryMappings::Reservation around = mappings_.reservation(address);
  if (around.bytes == 0 || find(address) || was_freed(address))
    return allocations_.describe(address);
  return "inside " + name_with_place({around.base, around.bytes, "reserved addresses"}) +
         " without memory or access";
}

}  // namespace heddle::exec
