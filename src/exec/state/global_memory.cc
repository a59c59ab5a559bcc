#include "exec/state/global_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/diagnostics.h"
#include "base/round_up.h"

namespace heddle::exec {
namespace {

constexpr std::uint64_t kNullBytes = 4096;  // of an object that a null pointer stands for

constexpr std::uint64_t kPageBytes = 4096;

std::string named(const Allocation& a) {
  char text[64];
  std::snprintf(text, sizeof text, " (0x%llx, %llu bytes)",
                static_cast<unsigned long long>(a.base.value),
                static_cast<unsigned long long>(a.bytes));
  return a.what + text;
}

std::string bytes_text(std::uint64_t n) {
  return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}

// The block of `blocks` that contains the address, or null.
const Allocation* containing(const std::map<std::uint64_t, Allocation>& blocks,
                             std::uint64_t address) {
  auto it = blocks.upper_bound(address);
  if (it == blocks.begin()) return nullptr;
  --it;
  return address - it->first < it->second.bytes ? &it->second : nullptr;
}

std::uint64_t possible(std::uint64_t capacity_bytes) {
  if (capacity_bytes <= kMaxMemoryBytes) return capacity_bytes;
  throw UserError("a device cannot have " + bytes_text(capacity_bytes) + " of memory; at most " +
                  bytes_text(kMaxMemoryBytes));
}

}  // namespace

GlobalMemory::GlobalMemory(std::uint64_t capacity_bytes)
    : capacity_(round_up(possible(capacity_bytes), kAllocationAlign)),
      shared_base_(kHeapBase + round_up(capacity_, kPageBytes) + kPageBytes),
      heap_(kHeapBase, capacity_),
      shared_(shared_base_, kSharedHeapBytes),
      physical_(kHeapBase, kPlacesPerByte * round_up(capacity_, kMappedPageBytes)) {
  reserve_image();
  if (shared_bytes_ < kSharedHeapBytes) shared_ = Heap(shared_base_, shared_bytes_);
}

// The image needs no guard pages: every access is checked first.
void GlobalMemory::reserve_image() {
  for (;; shared_bytes_ /= 2) {
    void* image = mmap(nullptr, image_bytes(), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (image != MAP_FAILED) {
      madvise(image, image_bytes(), MADV_HUGEPAGE);  // a hint: warps access many pages alternately
      image_ = static_cast<std::uint8_t*>(image) + (kHeapBase - kConstantsBase);
      return;
    }
    if (shared_bytes_ <= kLeastSharedHeapBytes)
      throw UserError("cannot reserve " + bytes_text(capacity_) +
                      " of address space for device memory");
  }
}

GlobalMemory::~GlobalMemory() {
  for (const auto& [base, allocation] : live_) {
    if (allocation.shared_with_host && !detached_)
      munmap(reinterpret_cast<void*>(base), round_up(allocation.bytes, kPageBytes));
  }
  observer_ = nullptr;
  munmap(image_ - (kHeapBase - kConstantsBase), image_bytes());
  if (shared_file_ >= 0) close(shared_file_);
  mapped_.clear();
  if (physical_file_ >= 0) close(physical_file_);
}

Heap::Block GlobalMemory::take_block(std::uint64_t bytes) {
  if (bytes == 0 || bytes > capacity_) return {};
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
  if (&heap == &heap_) used_ += round_up(bytes, kAllocationAlign);
  ++generation_;
  const auto live = live_.emplace(block.base, Allocation{base, bytes, std::move(what)}).first;
  live->second.variable = variable;
  live->second.id = generation_;
  if (observer_) observer_->allocated(live->second, base);
  for (auto it = freed_.lower_bound(block.base);
       it != freed_.end() && it->first < block.base + size;)
    it = freed_.erase(it);
  return base;
}

GlobalMemory::Pages GlobalMemory::take_pages(std::uint64_t bytes) {
  if (bytes == 0 || bytes > shared_bytes_) return {};
  if (shared_file_ < 0 && !detached_) {
    shared_file_ = memfd_create("heddle device memory", MFD_CLOEXEC);
    if (shared_file_ < 0 || ftruncate(shared_file_, static_cast<off_t>(shared_bytes_)) != 0) {
      throw UserError(std::string("cannot make memory that host and device share: ") +
                      std::strerror(errno));
    }
  }
  const std::uint64_t size = round_up(bytes, kPageBytes);
  return {Address{shared_.take(size, kPageBytes).base}, size};
}

// The pages become part of the image and are visible at `host`.
void GlobalMemory::map_pages(const Pages& pages, void* at_host, bool replace) {
  const auto offset = static_cast<off_t>(pages.base.value - shared_base_);
  const int how = MAP_SHARED | (replace ? MAP_FIXED : MAP_FIXED_NOREPLACE);
  const bool mapped =
      mmap(host(pages.base), pages.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
           shared_file_, offset) != MAP_FAILED &&
      mmap(at_host, pages.bytes, PROT_READ | PROT_WRITE, how, shared_file_, offset) == at_host;
  if (!mapped)
    throw UserError(std::string("cannot share memory between host and device: ") +
                    std::strerror(errno));
}

Address GlobalMemory::allocate_shared(std::uint64_t bytes, std::string what) {
  const Pages pages = take_pages(bytes);
  if (pages.base == Address{0}) return Address{0};
  if (!detached_) map_pages(pages, reinterpret_cast<void*>(pages.base.value), false);
  return add_shared(pages, bytes, std::move(what), true, nullptr);
}

Address GlobalMemory::add_shared(const Pages& pages, std::uint64_t bytes, std::string what,
                                 bool shared_with_host, std::uint8_t* adopted,
                                 std::uint64_t offset) {
  shared_.mark(pages.base.value, bytes, pages.bytes);
  ++generation_;
  const auto live = live_
                        .emplace(pages.base.value, Allocation{pages.base, bytes, std::move(what),
                                                              shared_with_host, adopted})
                        .first;
  live->second.id = generation_;
  if (observer_) observer_->allocated(live->second, pages.base + offset);
  return pages.base + offset;
}

Address GlobalMemory::adopt_detached(std::uint64_t offset, std::uint64_t bytes, std::string what) {
  if (bytes > shared_bytes_) return Address{0};
  const Pages pages = take_pages(offset + bytes);
  if (pages.base == Address{0}) return Address{0};
  return add_shared(pages, offset + bytes, std::move(what), false, host(pages.base), offset);
}

bool GlobalMemory::next_touched(std::uint64_t& at, std::uint64_t end, std::uint64_t& bytes) const {
  if (at >= end || shared_file_ < 0) return false;
  const off_t data = lseek(shared_file_, static_cast<off_t>(at - shared_base_), SEEK_DATA);
  if (data < 0) return false;
  at = shared_base_ + static_cast<std::uint64_t>(data);
  if (at >= end) return false;
  const auto hole = static_cast<std::uint64_t>(lseek(shared_file_, data, SEEK_HOLE));
  bytes = std::min(shared_base_ + hole, end) - at;
  return true;
}

Address GlobalMemory::adopt(void* at_host, std::uint64_t bytes, std::string what) {
  const auto first = reinterpret_cast<std::uint64_t>(at_host),
             page = first / kPageBytes * kPageBytes;
  const Pages pages = take_pages(first - page + bytes);
  if (pages.base == Address{0}) return Address{0};
  const auto offset = static_cast<off_t>(pages.base.value - shared_base_);
  auto* const original = reinterpret_cast<std::uint8_t*>(page);
  for (std::uint64_t done = 0; done < pages.bytes;) {
    const ssize_t wrote = pwrite(shared_file_, original + done, pages.bytes - done,
                                 offset + static_cast<off_t>(done));
    if (wrote <= 0) {
      shared_.give_back(pages.base.value, pages.bytes);
      return Address{0};  // part of the range is not host memory
    }
    done += static_cast<std::uint64_t>(wrote);
  }
  map_pages(pages, original, true);
  return add_shared(pages, first - page + bytes, std::move(what), false, original, first - page);
}

// The host keeps adopted pages; others are unmapped for host and device.
void GlobalMemory::release_pages(const Allocation& allocation, std::uint64_t size) {
  if (!allocation.adopted) {
    if (detached_) {
      madvise(host(allocation.base), size, MADV_DONTNEED);  // zeros
    } else {
      munmap(reinterpret_cast<void*>(allocation.base.value), size);
      fallocate(shared_file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                static_cast<off_t>(allocation.base.value - shared_base_), static_cast<off_t>(size));
    }
    shared_.give_back(allocation.base.value, size);
  } else {
    shared_.mark(allocation.base.value, 0,
                 size);  // the address range stays reserved: the host still uses its pages
  }
}

bool GlobalMemory::free(Address base) {
  const auto it = live_.find(base.value);
  if (it == live_.end() || it->second.mapped || it->second.variable) return false;
  ++generation_;
  if (it->second.shared_with_host || it->second.adopted) {
    release_pages(it->second, round_up(it->second.bytes, kPageBytes));
  } else {
    const std::uint64_t size = round_up(it->second.bytes + apart_, kAllocationAlign);
    used_ -= round_up(it->second.bytes, kAllocationAlign);
    if (apart_)
      heap_.mark(base.value, 0, size), kept_.emplace_back(base.value, size);
    else
      heap_.give_back(base.value, size);
  }
  freed_.insert_or_assign(base.value, std::move(it->second));
  live_.erase(it);
  if (observer_) observer_->freed(base);
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

bool GlobalMemory::maps_page(std::uint64_t page) const {
  const std::uint64_t first = page * kMappedPageBytes, end = first + kMappedPageBytes;
  if (end == kHeapBase) return !live_.empty();
  const auto after = live_.lower_bound(end);
  return after != live_.begin() && std::prev(after)->first + std::prev(after)->second.bytes > first;
}

bool GlobalMemory::in_mapped_page(Address address, std::uint64_t bytes) const {
  const std::uint64_t last = address.value + bytes - 1;
  return last < shared_base_ + shared_bytes_ && maps_page(address.value / kMappedPageBytes) &&
         maps_page(last / kMappedPageBytes) && !was_freed(address) && !was_freed(Address{last});
}

bool GlobalMemory::was_freed(Address address) const {
  return !find(address) && containing(freed_, address.value);
}
bool GlobalMemory::reaches_host() const {
  return std::any_of(live_.begin(), live_.end(),
                     [](const auto& a) { return a.second.shared_with_host || a.second.adopted; });
}

const Allocation* GlobalMemory::find(Address address) const {
  return containing(live_, address.value);
}

std::string GlobalMemory::describe(Address address) const {
  if (const Allocation* a = find(address))
    return bytes_text(address.value - a->base.value) + " into " + named(*a);
  if (const Allocation* a = containing(freed_, address.value))
    return bytes_text(address.value - a->base.value) + " into freed " + named(*a);
  if (auto it = reserved_.upper_bound(address.value); it != reserved_.begin()) {
    const auto& [base, bytes] = *--it;
    if (address.value - base < bytes)
      return "inside " + named({Address{base}, bytes, "reserved addresses"}) +
             " without memory or access";
  }
  if (address.value == 0) return "a null pointer";
  if (address.value < kNullBytes) return bytes_text(address.value) + " into a null pointer";
  if (live_.empty()) return "nothing is allocated";
  const auto after = live_.upper_bound(address.value);
  const Allocation* below = after == live_.begin() ? nullptr : &std::prev(after)->second;
  const Allocation* above = after == live_.end() ? nullptr : &after->second;
  const std::uint64_t past =
      below ? address.value - (below->base.value + below->bytes) : ~std::uint64_t{0};
  const std::uint64_t before = above ? above->base.value - address.value : ~std::uint64_t{0};
  if (below && past <= before) return bytes_text(past) + " after the end of " + named(*below);
  return bytes_text(before) + " before the start of " + named(*above);
}

}  // namespace heddle::exec
