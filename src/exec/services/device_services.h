// What a device keeps for the code that runs on it, beyond one launch: the heap of malloc, what was
// printed and not shown yet, and the launch's first load that a GPU lets pass although it is out of
// bounds.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace heddle::exec {

// Best fit in one range of device addresses, 16 bytes at a time; holes that touch become one.
class DeviceHeap {
 public:
  static constexpr std::uint64_t kAlign = 16;

  bool exists() const { return bytes_ != 0; }
  void begin(std::uint64_t base, std::uint64_t bytes);
  // 0 when there is no room.
  std::uint64_t allocate(std::uint64_t bytes);
  // False when `address` is not the start of a live block.
  bool free(std::uint64_t address);
  std::uint64_t used_bytes() const { return used_; }

 private:
  void add_hole(std::uint64_t base, std::uint64_t bytes);
  void remove_hole(std::uint64_t base, std::uint64_t bytes);

  std::uint64_t bytes_ = 0, used_ = 0;
  std::map<std::uint64_t, std::uint64_t> blocks_, holes_;         // bytes by base
  std::set<std::pair<std::uint64_t, std::uint64_t>> hole_sizes_;  // (bytes, base)
};

// Text that waits until the host asks for it. It holds so much and no more: what came first is lost
// first, in whole lines, as in CUDA's ring.
class PrintRing {
 public:
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  void append(const std::string& text);
  std::string take();
  // Bytes lost since the last call.
  std::size_t take_lost() { return std::exchange(lost_, 0); }

 private:
  void trim();
  std::string text_;
  std::size_t limit_ = std::size_t{1} << 20, lost_ = 0;
};

// The program that launches: it runs beside its kernels only in threads of its own, since a launch
// returns when its kernel has ended.
struct HostSide {
  std::function<void(const std::string&)>
      suspect;  // is told when a launch seems to hang and that is not proven
  std::function<bool()>
      has_threads;  // that can write to memory which warps wait for; unknown: as if it had
};

struct DeviceServices {
  DeviceHeap heap;
  PrintRing printed;
  std::string stray;  // as a fault would be told
  HostSide host;
};

}  // namespace heddle::exec
