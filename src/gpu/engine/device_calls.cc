#include "gpu/engine/device_calls.h"

namespace heddle::gpu {

void DeviceCalls::set_program(std::uint32_t program, NestedLaunches* nested) {
  if (program >= programs_.size()) programs_.resize(program + 1);
  programs_[program] = nested;
}

void DeviceCalls::serve() {
  bool any = false;
  for (NestedLaunches* const nested : programs_) {
    if (!nested || !nested->has_calls()) continue;
    nested->serve_calls();
    any = true;
  }
  if (any) resume_callers();
}

void DeviceCalls::resume_callers() {
  for (NestedLaunches* const nested : programs_) {
    if (!nested) continue;
    for (const std::size_t i : nested->take_resumed())
      clock_.change(i, [&] { hardware_.sm(i).resume_calls(); });
  }
}

void DeviceCalls::ctas_ended(const QueuedKernel& kernel) {
  const std::size_t program = kernel.result.program;
  if (program < programs_.size() && programs_[program])
    programs_[program]->ctas_ended(kernel.launch_number);
}

void DeviceCalls::stop_timing(LaunchQueue& queue) {
  const auto numbers = queue.take_nested(programs_.size());
  for (std::size_t i = 0; i < programs_.size(); ++i)
    if (programs_[i]) programs_[i]->stop_timing(numbers[i]);
}

}  // namespace heddle::gpu
