#include "mem/crossbar.h"

#include <algorithm>

namespace heddle::mem {

Crossbar::Crossbar(std::uint32_t inputs, std::uint32_t outputs, const config::NetworkSpec& spec)
    : multiple_grants_(spec.multiple_grants && spec.packet_gap == 0),
      buffer_flits_(spec.buffer_flits * spec.virtual_channels),
      rounds_(std::max(spec.internal_speedup, 1u)),
      flits_per_output_(std::max(spec.output_speedup, 1u)),
      gap_(spec.packet_gap),
      flit_steps_(spec.topology == config::Topology::local_crossbar || rounds_ == 1 ? 0 : rounds_),
      outputs_(outputs) {
  if (inputs > kMaxPorts || outputs > kMaxPorts)
    throw UserError("a network has at most 192 ports on either side");
  inputs_.reserve(inputs);
  for (std::uint32_t i = 0; i < inputs; ++i)
    inputs_.push_back({BoundedQueue<Flight>(buffer_flits_ + 1)});
}

void Crossbar::push(std::uint64_t cycle, std::uint32_t input, std::uint32_t output,
                    std::uint32_t handle, std::uint32_t flits) {
  Input& in = inputs_[input];
  const std::uint64_t now = cycle * rounds_;
  std::uint64_t arrival = 0;
  if (flit_steps_) {
    arrival = std::max(now, in.next_flit);
    in.next_flit = arrival + std::uint64_t{flits} * flit_steps_;
  }
  in.queue.push(
      {arrival, handle, static_cast<std::uint16_t>(output), static_cast<std::uint16_t>(flits)});
  in.flits += flits;
  ++packets_inside_;
  if (in.queue.size() > 1) return;
  if (const std::uint64_t first = std::max(in.free_at, arrival); first > now)
    compete_at(first, input);
  else
    compete(input);
}

void Crossbar::compete(std::uint32_t input) {
  const std::uint32_t output = inputs_[input].queue.front().output;
  outputs_[output].wanted_by.set(input);
  busy_outputs_.set(output);
}

void Crossbar::compete_at(std::uint64_t step, std::uint32_t input) {
  competing_later_[step % kSteps].set(input);
}

}  // namespace heddle::mem
