// Accesses that have issued and have not acted. Entries are reused; a handle is valid until it is
// released.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::exec {

template <class Entry>
class EntryPool {
 public:
  std::uint32_t take() {
    if (free_.empty()) {
      entries_.emplace_back();
      return static_cast<std::uint32_t>(entries_.size() - 1);
    }
    const std::uint32_t handle = free_.back();
    free_.pop_back();
    return handle;
  }
  Entry& operator[](std::uint32_t handle) { return entries_[handle]; }
  void release(std::uint32_t handle) { free_.push_back(handle); }
  std::size_t pending() const { return entries_.size() - free_.size(); }
  std::size_t size() const { return entries_.size(); }

 private:
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
};

}  // namespace heddle::exec
