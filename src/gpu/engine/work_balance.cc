#include "gpu/engine/work_balance.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heddle::gpu {

WorkBalance::WorkBalance(std::uint32_t sms, std::uint32_t partitions, std::uint32_t threads,
                         bool share_always)
    : sms_(sms),
      threads_(threads),
      homes_(sms + 1 + partitions),
      costs_(sms + 1 + partitions),
      ticks_(costs_.size()),
      long_ticks_(costs_.size()),
      loads_(threads),
      share_always_(share_always),
      worth_sharing_(share_always) {
  for (std::uint32_t i = 0; i < sms; ++i) homes_[i] = i % threads;
  // The memory system belongs to thread 0 until its work exceeds a thread's share.
  if (!share_always) return;
  for (std::uint32_t i = 0; i < partitions; ++i) homes_[sms + 1 + i] = i % threads;
}

void WorkBalance::balance() {
  std::fill(loads_.begin(), loads_.end(), 0);
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    ticks_[i] = std::exchange(costs_[i].ticks, 0);
    long_ticks_[i] += ticks_[i];
    loads_[homes_[i]] += ticks_[i];
  }
  const std::uint64_t work = std::accumulate(loads_.begin(), loads_.end(), std::uint64_t{0});
  decide_sharing(work, windows_ - std::exchange(balanced_, windows_));
  if (++balances_ % kBalancesPerMemory == 0) assign_partitions();
  move_sms(work / threads_);
}

// Shared work takes longer, because data moves between cores, so the threshold for shared windows
// is higher. When the threads together take about as long as one would, because other processes use
// the cores, one thread works alone for a while, each time for longer.
void WorkBalance::decide_sharing(std::uint64_t work, std::uint64_t windows) {
  window_ticks_ = window_ticks_ ? (3 * window_ticks_ + work / windows) / 4 : work / windows;
  pausing_ -= std::min(pausing_, work);
  if (const std::uint64_t together = std::exchange(shared_ticks_, 0)) {
    trial_.work += work;
    trial_.together += together;
    const std::uint64_t bearable = trial_.work / 10 * 9,
                        over = trial_.together > kTrial ? 0 : kMaxLoss;
    if (trial_.together > bearable + over) {
      pausing_ = pause_;
      pause_ = std::min(2 * pause_, kLongPause);
      trial_ = {};
    } else if (over == 0) {
      pause_ = kShortPause;
      trial_ = {};
    }
  }
  const bool much = window_ticks_ > (worth_sharing_ ? kMinSharedTicks * 5 / 4 : kMinSharedTicks);
  worth_sharing_ = share_always_ || (much && pausing_ == 0);
}

// Moves SMs from the thread with the most work to the one with the least until the difference is a
// tenth of a share. The SM that reduces the difference most moves first.
void WorkBalance::move_sms(std::uint64_t share) {
  for (;;) {
    const auto [least, most] = std::minmax_element(loads_.begin(), loads_.end());
    const std::uint64_t gap = *most - *least;
    if (gap <= share / 10) return;
    std::uint64_t best = 0;
    std::uint32_t moving = sms_;
    for (std::uint32_t i = 0; i < sms_; ++i) {
      if (homes_[i] != most - loads_.begin() || ticks_[i] >= gap / 5 * 4) continue;
      const std::uint64_t gain = std::min(ticks_[i], gap - ticks_[i]);
      if (gain > best) best = gain, moving = i;
    }
    if (moving == sms_) return;
    homes_[moving] = static_cast<std::uint32_t>(least - loads_.begin());
    *most -= ticks_[moving];
    *least += ticks_[moving];
  }
}

// Keeps the partitions together, from thread 0 on, which also runs the networks and the work
// between windows. The partitions wait for the request network and the reply network waits for
// them, so a thread gets only as many as fit into its share beside the networks.
void WorkBalance::assign_partitions() {
  const std::uint64_t share =
      std::accumulate(long_ticks_.begin(), long_ticks_.end(), std::uint64_t{0}) / threads_;
  const std::uint64_t networks = long_ticks_[sms_];
  const std::uint64_t partitions =
      std::accumulate(long_ticks_.begin() + sms_ + 1, long_ticks_.end(), std::uint64_t{0});
  const std::uint64_t most =
      std::max(share > networks ? share - networks : 0, partitions / threads_);
  std::uint64_t here = 0;
  std::uint32_t thread = networks + partitions / threads_ > share && threads_ > 1 ? 1 : 0;
  for (std::size_t i = sms_ + 1; i < long_ticks_.size(); ++i) {
    if (here && here + long_ticks_[i] > most && thread + 1 < threads_) ++thread, here = 0;
    here += long_ticks_[i];
    loads_[homes_[i]] -= ticks_[i];
    loads_[homes_[i] = thread] += ticks_[i];
  }
  std::fill(long_ticks_.begin(), long_ticks_.end(), 0);
}

}  // namespace heddle::gpu
