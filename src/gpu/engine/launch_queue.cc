#include "gpu/engine/launch_queue.h"

#include <algorithm>
#include <utility>

namespace heddle::gpu {

void LaunchQueue::add(QueuedKernel kernel) {
  if (!kernel.nested) return insert(std::move(kernel));
  const Cycle at = kernel.earliest;
  later_.emplace(at, std::move(kernel));
}

void LaunchQueue::insert(QueuedKernel kernel) {
  const auto place =
      std::upper_bound(waiting_.begin(), waiting_.end(), kernel.priority,
                       [](int priority, const QueuedKernel& k) { return priority < k.priority; });
  waiting_.insert(place, std::move(kernel));
}

QueuedKernel LaunchQueue::take_front() {
  QueuedKernel first = std::move(waiting_.front());
  waiting_.erase(waiting_.begin());
  return first;
}

Cycle LaunchQueue::next_release() const {
  return later_.empty() ? Cycle::never() : later_.begin()->first;
}

void LaunchQueue::release(Cycle end) {
  while (!later_.empty() && later_.begin()->first < end)
    insert(std::move(later_.extract(later_.begin()).mapped()));
}

std::vector<std::vector<std::uint64_t>> LaunchQueue::take_nested(std::size_t programs) {
  std::vector<std::vector<std::uint64_t>> numbers(programs);
  const auto take = [&](const QueuedKernel& kernel) {
    if (kernel.nested) numbers[kernel.result.program].push_back(kernel.launch_number);
    return kernel.nested;
  };
  for (const auto& [cycle, kernel] : later_) take(kernel);
  later_.clear();
  std::erase_if(waiting_, take);
  for (auto& of_program : numbers) std::sort(of_program.begin(), of_program.end());
  return numbers;
}

}  // namespace heddle::gpu
