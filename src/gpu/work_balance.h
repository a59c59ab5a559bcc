// Which thread does what: the homes of SMs and parts of the memory side, from the time that each took lately. An SM is busy or waits
// for memory for some tens of windows, so a look at the last few tells about the next; but only what evens out much is moved, for caches
// must follow. Nothing that is simulated depends on homes.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::gpu {

class WorkBalance {
 public:
  // Items 0 .. sms - 1 are SMs, sms the networks, the rest partitions of the memory side.
  WorkBalance(std::uint32_t sms, std::uint32_t partitions, std::uint32_t threads, bool share_always);

  std::uint32_t home(std::uint32_t item) const { return homes_[item]; }
  // By the thread that did the item.
  void took(std::uint32_t item, std::uint64_t ticks) { costs_[item].ticks += ticks < kMostTicks ? ticks : kMostTicks; }
  // Whether windows hold enough work lately to be shared.
  bool worth_sharing() const { return worth_sharing_; }
  // Between windows. shared_ticks: how long the threads took together; 0 when one did it alone.
  void window_done(std::uint64_t shared_ticks) {
    if (threads_ == 1) return;
    ++windows_;
    shared_ticks_ += shared_ticks;
    const bool impatient = shared_ticks_ > kPatience;
    if (impatient || windows_ % kWindowsPerLook == 0) look();
    if (impatient || windows_ % kWindowsPerWeighing == 0) weigh();
  }

 private:
  static constexpr std::uint64_t kMostTicks = 200'000;  // whoever takes longer was interrupted
  static constexpr std::uint64_t kWindowsPerLook = 8, kWindowsPerWeighing = 32, kWindowsPerMemory = 256;
  // Ticks of work in a window from which on sharing pays: a little over 10 microseconds at usual clocks.
  static constexpr std::uint64_t kWorthTicks = 28'000;
  static constexpr std::uint64_t kPatience = 64 * kMostTicks;  // of shared windows between two weighings
  static constexpr std::uint32_t kShortPause = 4, kLongPause = 1024;
  struct alignas(64) Cost { std::uint64_t ticks = 0; };

  void weigh();
  void look();
  void even_out(std::uint64_t share);
  void settle_memory();

  std::uint32_t sms_, threads_;
  std::vector<std::uint32_t> homes_;
  std::vector<Cost> costs_;                        // since the last look
  std::vector<std::uint64_t> ticks_, long_ticks_;  // of the windows before that look; since the memory side was settled
  std::vector<std::uint64_t> loads_;               // of each thread in the windows before the last look
  std::uint64_t windows_ = 0;
  std::uint64_t looked_at_ = 0, shared_ticks_ = 0;  // since the last weighing: of all items; of windows that threads shared
  std::uint32_t pause_ = kShortPause, pausing_ = 0;  // weighings without sharing: the next time, and from now on
  bool share_always_, worth_sharing_;
};

}  // namespace heddle::gpu
