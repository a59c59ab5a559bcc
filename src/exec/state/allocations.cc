#include "exec/state/allocations.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/address_layout.h"

namespace heddle::exec {
namespace {

constexpr std::uint64_t kNullBytes = 4096;  // of an object that a null pointer stands for

std::string bytes_text(std::uint64_t n) {
  return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}

const Allocation* containing(const Allocations::ByBase& blocks, std::uint64_t address) {
  auto it = blocks.upper_bound(address);
  if (it == blocks.begin()) return nullptr;
  --it;
  return address - it->first < it->second.bytes ? &it->second : nullptr;
}

}  // namespace

std::string name_with_place(const Allocation& a) {
  return fmt::format("{} (0x{:x}, {} bytes)", a.what, a.base.value, a.bytes);
}

const Allocation& Allocations::add(Allocation allocation) {
  allocation.id = ++generation_;
  const std::uint64_t base = allocation.base.value;
  return live_.emplace(base, std::move(allocation)).first->second;
}

bool Allocations::accept_host_address(Address address, std::uint64_t bytes, std::uint64_t host) {
  const Allocation* const whole = find(address);
  if (address_in_space(host) == host || !whole || bytes > whole->bytes - (address - whole->base))
    return false;
  ++generation_;
  of_host_.insert_or_assign(host, HostRange{bytes, address});
  if (observer_) observer_->host_address_accepted(address, bytes, host);
  return true;
}

Address Allocations::translate(Address address) const {
  const auto after = of_host_.upper_bound(address.value);
  if (after == of_host_.begin()) return address;
  const auto& [first, range] = *std::prev(after);
  return address.value - first < range.bytes ? range.device + (address.value - first) : address;
}

void Allocations::remove(Address base) {
  ++generation_;
  live_.erase(base.value);
}

void Allocations::retire(Address base) {
  const auto it = live_.find(base.value);
  std::erase_if(of_host_,
                [&](const auto& range) { return range.second.device - base < it->second.bytes; });
  freed_.insert_or_assign(base.value, std::move(it->second));
  live_.erase(it);
  ++generation_;
}

void Allocations::forget_freed(Address base, std::uint64_t bytes) {
  freed_.erase(freed_.lower_bound(base.value), freed_.lower_bound(base.value + bytes));
}

const Allocation* Allocations::find(Address address) const {
  return containing(live_, address.value);
}

const Allocation* Allocations::find_freed(Address address) const {
  return containing(freed_, address.value);
}

bool Allocations::any_live_in(std::uint64_t first, std::uint64_t end) const {
  const auto after = live_.lower_bound(end);
  return after != live_.begin() && std::prev(after)->first + std::prev(after)->second.bytes > first;
}

bool Allocations::reach_host() const {
  return std::any_of(live_.begin(), live_.end(),
                     [](const auto& a) { return a.second.is_of_host(); });
}

std::string Allocations::describe(Address address) const {
  if (const Allocation* a = find(on_device(address)))
    return bytes_text(on_device(address).value - a->base.value) + " into " + name_with_place(*a);
  if (const Allocation* a = find_freed(address))
    return bytes_text(address.value - a->base.value) + " into freed " + name_with_place(*a);
  if (const auto after = of_host_.upper_bound(address.value); after != of_host_.begin()) {
    const auto& [first, range] = *std::prev(after);
    const std::uint64_t past = address.value - (first + range.bytes);
    if (past < kNullBytes)
      return bytes_text(past) + " after the end of " + name_with_place(*find(range.device));
  }
  for (const auto& [base, a] : live_)
    if (a.adopted && address.value - reinterpret_cast<std::uint64_t>(a.adopted) < a.bytes)
      return "the host's address of " + name_with_place(a) +
             "; cudaHostGetDevicePointer returns the device's";
  if (address.value == 0) return "a null pointer";
  if (address.value < kNullBytes) return bytes_text(address.value) + " into a null pointer";
  if (live_.empty()) return "nothing is allocated";
  const auto after = live_.upper_bound(address.value);
  const Allocation* below = after == live_.begin() ? nullptr : &std::prev(after)->second;
  const Allocation* above = after == live_.end() ? nullptr : &after->second;
  const std::uint64_t past =
      below ? address.value - (below->base.value + below->bytes) : ~std::uint64_t{0};
  const std::uint64_t before = above ? above->base.value - address.value : ~std::uint64_t{0};
  if (below && past <= before)
    return bytes_text(past) + " after the end of " + name_with_place(*below);
  return bytes_text(before) + " before the start of " + name_with_place(*above);
}

}  // namespace heddle::exec
