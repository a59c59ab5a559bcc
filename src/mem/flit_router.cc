#include "mem/flit_router.h"

#include "base/diagnostics.h"

namespace heddle::mem {

FlitRouter::FlitRouter(std::uint32_t inputs, std::uint32_t outputs, const config::NetworkSpec& spec)
    : injection_flits_(spec.injection_flits),
      boundary_flits_(spec.slice_flits - spec.buffer_flits),
      inputs_(inputs, Input(injection_flits_ + spec.buffer_flits, spec.buffer_flits)),
      outputs_(outputs, Output(spec.slice_flits + 1, spec.buffer_flits)) {}

void FlitRouter::push(std::uint32_t input, const Packet& packet) {
  Input& in = inputs_[input];
  in.packets.push(packet);
  in.waiting += packet.flits;
  injecting_.set(input);
  ++packets_;
}

std::uint32_t FlitRouter::pop(std::uint32_t output) {
  Output& out = outputs_[output];
  const Packet packet = out.packets.pop();
  out.boundary -= packet.flits;
  if (--out.complete == 0) arrived_.reset(output);
  --packets_;
  ++stats_.packets;
  return packet.handle;
}

// A flit of each ejection buffer moves to the boundary buffer.
void FlitRouter::eject() {
  IndexSet& on_link = at(on_output_link_, 0);
  on_link.for_each([&](std::uint32_t o) { ++outputs_[o].ejected; });
  ejecting_ |= on_link;
  on_link = {};
  IndexSet& credits = at(output_credits_, kLink);
  ejecting_.for_each([&](std::uint32_t o) {
    Output& out = outputs_[o];
    if (out.boundary == boundary_flits_) return;
    ++out.boundary;
    credits.set(o);
    if (++out.partial == out.packets[out.complete].flits) {
      out.partial = 0;
      ++out.complete;
      arrived_.set(o);
    }
    if (--out.ejected == 0) ejecting_.reset(o);
  });
}

void FlitRouter::request(std::uint32_t input) {
  Input& in = inputs_[input];
  const std::uint32_t output = in.packets.front().output;
  in.routed = true;
  outputs_[output].requested_by.set(input);
  requested_.set(output);
}

// Flits and credits arrive at the router, and free outputs get a packet.
void FlitRouter::allocate() {
  IndexSet& on_link = at(on_input_link_, 0);
  on_link.for_each([&](std::uint32_t i) {
    ++inputs_[i].buffered;
    if (!inputs_[i].routed) request(i);
  });
  on_link = {};
  IndexSet& credits = at(output_credits_, 0);
  credits.for_each([&](std::uint32_t o) { ++outputs_[o].credits; });
  credits = {};
  requested_.for_each([&](std::uint32_t o) {
    Output& out = outputs_[o];
    if (out.holder != kNone) return;
    out.holder = out.requested_by.next_cyclic(out.next);
    out.next = out.holder + 1;
    out.holds_from = cycle_ + 1;
    out.packets.push(inputs_[out.holder].packets.front());
    out.requested_by.reset(out.holder);
    if (!out.requested_by.any()) requested_.reset(o);
    held_.set(o);
  });
}

// A flit of each output's packet passes the switch.
void FlitRouter::traverse() {
  held_.for_each([&](std::uint32_t o) {
    Output& out = outputs_[o];
    Input& in = inputs_[out.holder];
    if (out.holds_from > cycle_ || in.buffered == 0) return;
    if (out.credits == 0) {
      ++stats_.stall_cycles;
      return;
    }
    --out.credits;
    --in.buffered;
    ++stats_.flits;
    at(input_credits_, kLink).set(out.holder);
    at(on_output_link_, kSwitchAndLink).set(o);
    if (++in.sent < in.packets.front().flits) return;
    in.sent = 0;
    in.packets.pop();
    in.routed = false;
    if (in.buffered > 0) request(out.holder);
    out.holder = kNone;
    held_.reset(o);
  });
}

}  // namespace heddle::mem
