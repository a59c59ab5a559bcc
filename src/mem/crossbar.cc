#include "mem/crossbar.h"

#include <algorithm>

namespace heddle::mem {

Crossbar::Crossbar(std::uint32_t inputs, std::uint32_t outputs, const config::NetworkSpec& spec)
    : multiple_grants_(spec.multiple_grants),
      buffer_flits_(spec.buffer_flits * spec.virtual_channels),
      rounds_(std::max(spec.internal_speedup, 1u)),
      flits_per_output_(std::max(spec.output_speedup, 1u)),
      gap_(spec.packet_gap),
      outputs_(outputs),
      pauses_(inputs) {
  if (inputs > kMaxPorts || outputs > kMaxPorts)
    throw UserError("a network has at most 192 ports on either side");
  inputs_.reserve(inputs);
  for (std::uint32_t i = 0; i < inputs; ++i)
    inputs_.push_back({BoundedQueue<Flight>(buffer_flits_ + 1), 0});
}

void Crossbar::push(std::uint32_t input, std::uint32_t output, std::uint32_t handle,
                    std::uint32_t flits) {
  Input& in = inputs_[input];
  in.queue.push({handle, static_cast<std::uint16_t>(output), static_cast<std::uint16_t>(flits)});
  in.flits += flits;
  ++packets_inside_;
  if (in.queue.size() == 1 && !(gap_ && paused_.test(input))) compete(input);
}

void Crossbar::compete(std::uint32_t input) {
  const std::uint32_t output = inputs_[input].queue.front().output;
  outputs_[output].wanted_by.set(input);
  busy_outputs_.set(output);
}

// The ports of a packet whose tail has moved are idle for the gap.
void Crossbar::pause(std::uint32_t input, Output& output) {
  output.free_at = cycle_ + 1 + gap_;
  pauses_.push({cycle_ + 1 + gap_, input});
  paused_.set(input);
}

void Crossbar::end_pauses() {
  while (!pauses_.empty() && pauses_.front().until <= cycle_) {
    const std::uint32_t input = pauses_.pop().input;
    paused_.reset(input);
    if (!inputs_[input].queue.empty()) compete(input);
  }
}

}  // namespace heddle::mem
