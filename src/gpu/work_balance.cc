#include "gpu/work_balance.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heddle::gpu {

WorkBalance::WorkBalance(std::uint32_t sms, std::uint32_t partitions, std::uint32_t threads, bool share_always)
    : sms_(sms),
      threads_(threads),
      homes_(sms + 1 + partitions),
      costs_(sms + 1 + partitions),
      share_always_(share_always),
      worth_sharing_(share_always) {
  for (std::uint32_t i = 0; i < sms; ++i) homes_[i] = i % threads;
  if (!share_always) return;  // the memory side is one thread's until it is known to be too much for it
  for (std::uint32_t i = 0; i < partitions; ++i) homes_[sms + 1 + i] = i % threads;
}

// Shared work takes longer, for what it needs comes from other cores; so it must be more to stay shared. Where the threads together
// take about as long as one would, because others use the cores, one works alone for a while, each time for longer.
void WorkBalance::weigh() {
  std::uint64_t sum = 0;
  for (const Cost& cost : costs_) sum += cost.ticks;
  const std::uint64_t work = sum - std::exchange(weighed_, sum), together = std::exchange(shared_ticks_, 0);
  if (together > work / 10 * 9) {
    pausing_ = pause_;
    pause_ = std::min(2 * pause_, kLongPause);
  } else if (together > 0) {
    pause_ = kShortPause;
  }
  const bool much = work / kWindowsPerWeighing > (worth_sharing_ ? kWorthTicks * 5 / 4 : kWorthTicks);
  worth_sharing_ = share_always_ || (much && pausing_ == 0);
  if (pausing_ > 0) --pausing_;
}

void WorkBalance::look() {
  std::vector<std::uint64_t> ticks(costs_.size()), loads(threads_);
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    ticks[i] = std::exchange(costs_[i].ticks, 0);
    loads[homes_[i]] += ticks[i];
  }
  weighed_ = 0;
  const std::uint64_t share = std::accumulate(loads.begin(), loads.end(), std::uint64_t{0}) / threads_;
  if (*std::max_element(loads.begin(), loads.end()) > share + share / 16) settle(ticks, share);
}

// SMs stay where they are as far as their thread's share allows; the others go where there is most room, the largest first.
void WorkBalance::settle(const std::vector<std::uint64_t>& ticks, std::uint64_t share) {
  std::vector<std::uint64_t> loads(threads_);
  settle_memory(ticks, share, loads);
  std::vector<std::uint32_t> order(sms_), moving;
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return ticks[a] > ticks[b]; });
  for (const std::uint32_t i : order) {
    if (loads[homes_[i]] + ticks[i] <= share + ticks[i] / 4) loads[homes_[i]] += ticks[i];
    else moving.push_back(i);
  }
  for (const std::uint32_t i : moving) {
    homes_[i] = static_cast<std::uint32_t>(std::min_element(loads.begin(), loads.end()) - loads.begin());
    loads[homes_[i]] += ticks[i];
  }
}

// The memory side stays together, from thread 0 on, which drives the networks and works between windows too. But partitions wait for one
// network and the other waits for them, so of no thread's share they take more than the networks leave.
void WorkBalance::settle_memory(const std::vector<std::uint64_t>& ticks, std::uint64_t share, std::vector<std::uint64_t>& loads) {
  const std::uint64_t networks = ticks[sms_];
  const std::uint64_t partitions = std::accumulate(ticks.begin() + sms_ + 1, ticks.end(), std::uint64_t{0});
  const std::uint64_t most = std::max(share > networks ? share - networks : 0, partitions / threads_);
  loads[0] = networks;
  std::uint64_t here = 0;
  std::uint32_t thread = networks + partitions / threads_ > share && threads_ > 1 ? 1 : 0;
  for (std::size_t i = sms_ + 1; i < ticks.size(); ++i) {
    if (here && here + ticks[i] > most && thread + 1 < threads_) ++thread, here = 0;
    homes_[i] = thread;
    here += ticks[i];
    loads[thread] += ticks[i];
  }
}

}  // namespace heddle::gpu
