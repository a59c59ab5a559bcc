#include "gpu/work_balance.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heddle::gpu {

WorkBalance::WorkBalance(std::uint32_t sms, std::uint32_t memory_parts, std::uint32_t threads, bool share_always)
    : sms_(sms),
      threads_(threads),
      homes_(sms + memory_parts),
      costs_(sms + memory_parts),
      share_always_(share_always),
      worth_sharing_(share_always) {
  for (std::uint32_t i = 0; i < sms; ++i) homes_[i] = i % threads;
}

// Shared work takes longer, for what it needs comes from other cores; so it must be more to stay shared.
void WorkBalance::weigh() {
  std::uint64_t sum = 0;
  for (const Cost& cost : costs_) sum += cost.ticks;
  const std::uint64_t ticks = (sum - std::exchange(weighed_, sum)) / kWindowsPerWeighing;
  worth_sharing_ = share_always_ || ticks > (worth_sharing_ ? kWorthTicks * 5 / 4 : kWorthTicks);
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

// The memory side stays together, from thread 0 on, which works between windows too. SMs stay where they are as far as
// their thread's share allows; the others go where there is most room, the largest first.
void WorkBalance::settle(const std::vector<std::uint64_t>& ticks, std::uint64_t share) {
  std::vector<std::uint64_t> loads(threads_);
  std::uint32_t thread = 0;
  for (std::size_t i = sms_; i < ticks.size(); ++i) {
    if (loads[thread] && loads[thread] + ticks[i] > share && thread + 1 < threads_) ++thread;
    homes_[i] = thread;
    loads[thread] += ticks[i];
  }
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

}  // namespace heddle::gpu
