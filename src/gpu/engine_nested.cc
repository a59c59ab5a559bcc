// Launches from kernels: when they reach the hardware, and when their callers continue.
#include <algorithm>

#include "base/demangle.h"
#include "gpu/engine.h"

namespace heddle::gpu {

// Nested launches whose time comes in the next window. An idle GPU skips the time until then.
void Engine::queue_nested(Cycle until) {
  if (later_.empty()) return;
  if (running_.empty() && queued_.empty())
    now_ = std::max(now_, std::min(later_.begin()->first, until));
  const Cycle end = now_ + spec_.network.window();
  while (!later_.empty() && later_.begin()->first < end)
    queue(std::move(later_.extract(later_.begin()).mapped()));
}

void Engine::set_nested(std::uint32_t program, NestedLaunches* nested) {
  if (program >= nested_.size()) nested_.resize(program + 1);
  nested_[program] = nested;
}

NestedLaunches* Engine::nested_of(const QueuedKernel& kernel) const {
  const std::size_t program = kernel.result.program;
  return program < nested_.size() ? nested_[program] : nullptr;
}

void Engine::serve_device_calls() {
  bool any = false;
  for (NestedLaunches* const nested : nested_) {
    if (!nested || !nested->has_calls()) continue;
    nested->serve_calls();
    any = true;
  }
  if (any) resume_callers();
}

void Engine::resume_callers() {
  for (NestedLaunches* const nested : nested_) {
    if (!nested) continue;
    for (const std::size_t i : nested->take_resumed()) {
      run_sm(i, now_);
      sms_[i]->resume_calls();
      update_progress(i);
      wake_cycle_[i] = now_;
    }
  }
}

// Nested launches that have not started will run without timing.
void Engine::return_unstarted() {
  std::vector<std::vector<std::uint64_t>> numbers(nested_.size());
  const auto take = [&](const QueuedKernel& kernel) {
    if (kernel.nested) numbers[kernel.result.program].push_back(kernel.launch_number);
    return kernel.nested;
  };
  for (const auto& [cycle, kernel] : later_) take(kernel);
  later_.clear();
  std::erase_if(queued_, take);
  for (std::size_t i = 0; i < nested_.size(); ++i) {
    std::sort(numbers[i].begin(), numbers[i].end());
    if (nested_[i]) nested_[i]->stop_timing(numbers[i]);
  }
}

// Nested launches without CTAs on an SM, for the diagnosis of a hang.
std::string Engine::describe_unstarted() const {
  std::string names;
  const auto add = [&](const QueuedKernel& kernel) {
    if (!kernel.nested) return;
    names += (names.empty() ? "" : ", ") + plain_name(kernel.launch.kernel->name) + " (launch " +
             std::to_string(kernel.launch_number) + ")";
  };
  for (const auto& k : running_)
    if (k->ctas_placed == 0) add(*k);
  for (const QueuedKernel& kernel : queued_) add(kernel);
  if (names.empty()) return {};
  return "\n  Launched by kernels and not started: " + names +
         ". CTAs that wait in cudaDeviceSynchronize keep their place on the SM; a GPU swaps them "
         "out.";
}

}  // namespace heddle::gpu
