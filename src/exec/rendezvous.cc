#include "exec/rendezvous.h"

#include <bit>

#include "exec/lanes.h"
#include "exec/machine.h"

namespace heddle::exec {

std::uint32_t wanted_lanes(const Warp& w, const Record& r, std::uint32_t mask) {
  if (r.members == Record::kAllLanes) return w.live;
  const auto* named = source<std::uint32_t>(w, r, r.members);
  std::uint32_t all = 0;
  for (; mask != 0; mask &= mask - 1) all |= named[std::countr_zero(mask)];
  return all;
}

std::optional<int> awaited_entry(const Warp& w, const Record& r, std::uint32_t mask) {
  if (r.instruction->rendezvous == ptx::Rendezvous::kNone || w.stack.depth() == 1) return {};
  const std::uint32_t running = w.stack.active(), wanted = wanted_lanes(w, r, mask) & ~running;
  if (wanted == 0) return {};
  const ptx::Rendezvous& place = w.machine->launch.kernel->rendezvous[r.instruction->rendezvous];
  const int top = w.stack.depth() - 1, first = w.stack.first_of_call();
  // An entry that does not wait for the running lanes, and can come, does so once all its lanes have met.
  std::uint32_t on_their_way = 0;
  for (int i = first; i < top; ++i) {
    const SimtStack::Entry& e = w.stack.entry(i);
    if ((e.mask & running) != 0 || (e.mask & wanted) == 0) continue;
    if (e.pc == w.pc || place.can_be_reached(w.pc, e.pc, e.reconvergence)) on_their_way |= e.mask;
  }
  std::uint32_t above = running;
  for (int i = top - 1; i >= first && on_their_way != 0; above |= w.stack.entry(i--).mask) {
    const SimtStack::Entry& e = w.stack.entry(i);
    if ((e.mask & above) == 0 && (e.mask & on_their_way) != 0 && (e.pc == w.pc || !e.waits)) return i;
  }
  return {};
}

bool gather(Warp& w, const Record& r, std::uint32_t mask) {
  const std::optional<int> awaited = awaited_entry(w, r, mask);
  if (!awaited) w.stack.stop_waiting();
  else if (w.stack.entry(*awaited).pc == w.pc) w.stack.take_in(*awaited);
  else w.stack.run_first(*awaited);
  return awaited.has_value();
}

}  // namespace heddle::exec
