// Which thread does what: the homes of SMs and parts of the memory side, from the time that each
// took lately. An SM is busy or waits for memory for some tens of windows, so a look at the last
// few tells about the next; but only what evens out much is moved, for caches must follow. Nothing
// that is simulated depends on homes.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::gpu {

class WorkBalance {
 public:
  // Items 0 .. sms - 1 are SMs, sms the networks, the rest partitions of the memory side.
  WorkBalance(std::uint32_t sms, std::uint32_t partitions, std::uint32_t threads,
              bool share_always);

  std::uint32_t home(std::uint32_t item) const { return homes_[item]; }
  // By the thread that did the item.
  void took(std::uint32_t item, std::uint64_t ticks) {
    costs_[item].ticks += ticks < kMostTicks ? ticks : kMostTicks;
  }
  // Whether windows hold enough work lately to be shared.
  bool worth_sharing() const { return worth_sharing_; }
  // Between windows. shared_ticks: how long the threads took together; 0 when one did it alone.
  void window_done(std::uint64_t shared_ticks) {
    if (threads_ == 1) return;
    ++windows_;
    shared_ticks_ += shared_ticks;
    if (windows_ - looked_ == kWindowsPerLook || shared_ticks_ > kPatience) look();
  }

 private:
  static constexpr std::uint64_t kMostTicks = 200'000;  // whoever takes longer was interrupted
  static constexpr std::uint64_t kWindowsPerLook = 8, kLooksPerMemory = 32;
  // Ticks of work in a window from which on sharing pays: a little over 10 microseconds at usual
  // clocks.
  static constexpr std::uint64_t kWorthTicks = 28'000;
  // Ticks, some 25 milliseconds, in which sharing has to pay, and that it rests otherwise, the
  // first and at most the last time.
  static constexpr std::uint64_t kTrial = 1u << 26, kShortPause = kTrial, kLongPause = kTrial << 6;
  static constexpr std::uint64_t kPatience = 64 * kMostTicks;  // with what is lost within a trial
  struct alignas(64) Cost {
    std::uint64_t ticks = 0;
  };
  struct Trial {
    std::uint64_t work = 0, together = 0;
  };  // ticks of all items; of the windows that did them

  void look();
  void weigh(std::uint64_t work, std::uint64_t windows);
  void even_out(std::uint64_t share);
  void settle_memory();

  std::uint32_t sms_, threads_;
  std::vector<std::uint32_t> homes_;
  std::vector<Cost> costs_;  // since the last look
  std::vector<std::uint64_t> ticks_,
      long_ticks_;  // of the windows before that look; since the memory side was settled
  std::vector<std::uint64_t> loads_;  // of each thread in the windows before the last look
  std::uint64_t windows_ = 0, looked_ = 0,
                looks_ = 0;         // looked_: how many windows there were at the last look
  std::uint64_t shared_ticks_ = 0;  // since then
  std::uint64_t window_ticks_ = 0;  // work in a window lately
  Trial trial_;
  std::uint64_t pause_ = kShortPause,
                pausing_ = 0;  // ticks of work without sharing: the next time, and from now on
  bool share_always_, worth_sharing_;
};

}  // namespace heddle::gpu
