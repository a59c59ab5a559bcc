// State of a device for the code that runs on it, beyond one launch: the heap of malloc, printed
// text and warnings that are not shown yet.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/types.h"

namespace heddle::isa {
struct Kernel;
}

namespace heddle::exec {

// Best fit in one range of device addresses, in units of 16 bytes. Adjacent holes are merged.
class DeviceHeap {
 public:
  static constexpr std::uint64_t kAlign = 16;

  bool exists() const { return bytes_ != 0; }
  void begin(std::uint64_t base, std::uint64_t bytes);
  // 0 when no hole is large enough.
  std::uint64_t allocate(std::uint64_t bytes);
  // False when `address` is not the start of a live block.
  bool free(std::uint64_t address);
  std::uint64_t used_bytes() const { return used_; }

  struct State {
    std::uint64_t base = 0, bytes = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks;  // base and bytes, by base
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      archive(self.base, self.bytes, self.blocks);
    }
  };
  State state() const { return {base_, bytes_, {blocks_.begin(), blocks_.end()}}; }
  // Of a heap that does not exist yet. False when the blocks are not inside the range, in order.
  bool restore(const State& state);

 private:
  void add_hole(std::uint64_t base, std::uint64_t bytes);
  void remove_hole(std::uint64_t base, std::uint64_t bytes);

  std::uint64_t base_ = 0, bytes_ = 0, used_ = 0;
  std::map<std::uint64_t, std::uint64_t> blocks_, holes_;         // bytes by base
  std::set<std::pair<std::uint64_t, std::uint64_t>> hole_sizes_;  // (bytes, base)
};

// Text that waits until the host takes it. Beyond the limit the oldest lines are dropped, as in
// CUDA's printf buffer.
class PrintRing {
 public:
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  void append(const std::string& text);
  std::string take();
  // Bytes dropped since the last call.
  std::size_t take_lost() { return std::exchange(lost_, 0); }

 private:
  void trim();
  std::string text_;
  std::size_t limit_ = std::size_t{1} << 20, lost_ = 0;
};

// The program that launches kernels. It runs at the same time as a kernel only in threads other
// than the one in whose CUDA call the kernel runs.
struct HostSide {
  std::function<void(const std::string&)> warn;  // prints a warning about a running launch
  // True when another thread of the program may write to memory that warps read. Without it: true.
  std::function<bool()> has_threads;
};

class DeviceRuntime;

// What a kernel does that is no fault. Shown once per kernel and place; kNoPc: once per kernel.
struct LaunchWarning {
  const isa::Kernel* kernel = nullptr;
  Pc place = kNoPc;
  std::string text;  // without the end of its last line
};

struct DeviceServices {
  DeviceHeap heap;
  PrintRing printed;
  std::vector<LaunchWarning> warnings;
  HostSide host;
  DeviceRuntime* runtime = nullptr;  // null: kernels cannot call it
};

}  // namespace heddle::exec
