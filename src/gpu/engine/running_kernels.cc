#include "gpu/engine/running_kernels.h"

#include <algorithm>
#include <utility>

namespace heddle::gpu {

RunningKernels::RunningKernels(std::uint32_t most, std::uint32_t programs)
    : programs_(programs), by_number_(std::max(1u, most)) {}

// The smallest free number, except that a launch takes the number of its program where it is free,
// and the numbers of other programs last. So programs that run one kernel at a time keep their
// numbers: K1 of "K0=gto,K1=lrr" is program 1.
int RunningKernels::free_number(std::uint32_t program) const {
  const auto free_from = [&](std::size_t first) {
    const auto begin = by_number_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto free = std::find(begin, by_number_.end(), nullptr);
    return free == by_number_.end() ? -1 : static_cast<int>(free - by_number_.begin());
  };
  if (program < by_number_.size() && !by_number_[program]) return static_cast<int>(program);
  const int beyond = programs_ < by_number_.size() ? free_from(programs_) : -1;
  return beyond >= 0 ? beyond : free_from(0);
}

void RunningKernels::add(std::unique_ptr<RunningKernel> kernel) {
  RunningKernel*& place = by_number_[static_cast<std::size_t>(kernel->number)];
  check_invariant(!place, "a launch began under the number of a running launch");
  place = kernel.get();
  const auto after =
      std::upper_bound(list_.begin(), list_.end(), kernel->priority,
                       [](int priority, const auto& other) { return priority < other->priority; });
  list_.insert(after, std::move(kernel));
}

std::unique_ptr<RunningKernel> RunningKernels::remove(std::size_t i) {
  std::unique_ptr<RunningKernel> kernel = std::move(list_[i]);
  list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(i));
  by_number_[static_cast<std::size_t>(kernel->number)] = nullptr;
  return kernel;
}

std::vector<std::unique_ptr<RunningKernel>> RunningKernels::remove_all() {
  std::fill(by_number_.begin(), by_number_.end(), nullptr);
  return std::exchange(list_, {});
}

Cycle RunningKernels::first_start() const {
  Cycle first = Cycle::never();
  for (const auto& k : list_) first = std::min(first, k->launch_cycle);
  return first;
}

bool RunningKernels::of_several_programs() const {
  return std::any_of(list_.begin(), list_.end(),
                     [&](const auto& k) { return program_of(*k) != program_of(front()); });
}

}  // namespace heddle::gpu
