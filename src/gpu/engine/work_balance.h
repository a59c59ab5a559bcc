// Assigns SMs and parts of the memory system to threads, their homes, from the time that each took
// in the last windows. An SM is busy or waits for memory for some tens of windows, so the last few
// predict the next few. Only large imbalances are corrected, because the caches have to follow.
// Homes change no simulated result.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::gpu {

class WorkBalance {
 public:
  // Items 0 .. sms - 1 are SMs, item sms is the networks, the others are memory partitions.
  WorkBalance(std::uint32_t sms, std::uint32_t partitions, std::uint32_t threads,
              bool share_always);

  std::uint32_t home(std::uint32_t item) const { return homes_[item]; }
  // Called by the thread that ran the item.
  void add_ticks(std::uint32_t item, std::uint64_t ticks) {
    costs_[item].ticks += ticks < kMaxTicks ? ticks : kMaxTicks;
  }
  // The last windows had enough work to be shared.
  bool worth_sharing() const { return worth_sharing_; }
  // Between windows. shared_ticks: the duration of the window; 0 when one thread ran it.
  void window_done(std::uint64_t shared_ticks) {
    if (threads_ == 1) return;
    ++windows_;
    shared_ticks_ += shared_ticks;
    if (windows_ - balanced_ == kWindowsPerBalance || shared_ticks_ > kMaxLoss) balance();
  }

 private:
  static constexpr std::uint64_t kMaxTicks = 200'000;  // an item that takes longer was interrupted
  static constexpr std::uint64_t kWindowsPerBalance = 8, kBalancesPerMemory = 32;
  // Ticks of work in a window from which sharing saves time: a little over 10 microseconds.
  static constexpr std::uint64_t kMinSharedTicks = 28'000;
  // Ticks. Sharing has to save time within a trial, some 25 milliseconds; otherwise it is suspended
  // for a pause, which doubles from the shortest to the longest.
  static constexpr std::uint64_t kTrial = 1u << 26, kShortPause = kTrial, kLongPause = kTrial << 6;
  static constexpr std::uint64_t kMaxLoss = 64 * kMaxTicks;  // the loss that a trial accepts
  struct alignas(64) Cost {
    std::uint64_t ticks = 0;
  };
  struct Trial {
    std::uint64_t work = 0, together = 0;  // ticks of all items; of the windows that ran them
  };

  void balance();
  void decide_sharing(std::uint64_t work, std::uint64_t windows);
  void move_sms(std::uint64_t share);
  void assign_partitions();

  std::uint32_t sms_, threads_;
  std::vector<std::uint32_t> homes_;
  std::vector<Cost> costs_;                   // of each item since the last balance
  std::vector<std::uint64_t> ticks_;          // of each item in the interval before that
  std::vector<std::uint64_t> long_ticks_;     // of each item since partitions were assigned
  std::vector<std::uint64_t> loads_;          // of each thread in the interval before
  std::uint64_t windows_ = 0, balanced_ = 0;  // so far; at the last balance
  std::uint64_t balances_ = 0;
  std::uint64_t shared_ticks_ = 0;  // since the last balance
  std::uint64_t window_ticks_ = 0;  // work of a window, a moving average
  Trial trial_;
  // Ticks of work without sharing: in the next pause, and left of the current one.
  std::uint64_t pause_ = kShortPause, pausing_ = 0;
  bool share_always_, worth_sharing_;
};

}  // namespace heddle::gpu
