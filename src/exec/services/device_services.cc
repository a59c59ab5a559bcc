#include "exec/services/device_services.h"

#include <algorithm>
#include <iterator>
namespace heddle::exec {

void DeviceHeap::begin(std::uint64_t base, std::uint64_t bytes) {
  base_ = base;
  bytes_ = bytes / kAlign * kAlign;
  if (bytes_) add_hole(base, bytes_);
}

bool DeviceHeap::restore(const State& state) {
  base_ = state.base;
  bytes_ = state.bytes;
  std::uint64_t at = base_;
  const std::uint64_t end = base_ + bytes_;
  for (const auto& [base, bytes] : state.blocks) {
    if (base < at || base > end || bytes == 0 || bytes > end - base) return false;
    if (base > at) add_hole(at, base - at);
    blocks_.emplace(base, bytes);
    used_ += bytes;
    at = base + bytes;
  }
  if (at < end) add_hole(at, end - at);
  return true;
}

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes) {
  if (bytes > bytes_) return 0;
  const std::uint64_t size = std::max<std::uint64_t>(1, (bytes + kAlign - 1) / kAlign) * kAlign;
  const auto fitting = hole_sizes_.lower_bound({size, 0});
  if (fitting == hole_sizes_.end()) return 0;
  const auto [hole, base] = *fitting;
  remove_hole(base, hole);
  if (hole > size) add_hole(base + size, hole - size);
  blocks_.emplace(base, size);
  used_ += size;
  return base;
}

bool DeviceHeap::free(std::uint64_t address) {
  const auto block = blocks_.find(address);
  if (block == blocks_.end()) return false;
  std::uint64_t base = address, bytes = block->second;
  used_ -= bytes;
  blocks_.erase(block);
  if (const auto next = holes_.find(base + bytes); next != holes_.end()) {
    const auto [first, size] = *next;
    remove_hole(first, size);
    bytes += size;
  }
  const auto after = holes_.lower_bound(base);
  if (after != holes_.begin()) {
    const auto [first, size] = *std::prev(after);
    if (first + size == base) {
      remove_hole(first, size);
      base = first;
      bytes += size;
    }
  }
  add_hole(base, bytes);
  return true;
}

void DeviceHeap::add_hole(std::uint64_t base, std::uint64_t bytes) {
  holes_.emplace(base, bytes);
  hole_sizes_.emplace(bytes, base);
}

void DeviceHeap::remove_hole(std::uint64_t base, std::uint64_t bytes) {
  holes_.erase(base);
  hole_sizes_.erase({bytes, base});
}

void PrintRing::append(const std::string& text) {
  text_ += text;
  // Trims at twice the limit, so that each byte is moved once.
  if (text_.size() <= 2 * limit_) return;
  trim();
}

void PrintRing::trim() {
  if (text_.size() <= limit_) return;
  const std::size_t line = text_.find('\n', text_.size() - limit_ - 1);
  const std::size_t gone = line == std::string::npos ? text_.size() - limit_ : line + 1;
  text_.erase(0, gone);
  lost_ += gone;
}

std::string PrintRing::take() {
  trim();
  return std::exchange(text_, {});
}

}  // namespace heddle::exec
