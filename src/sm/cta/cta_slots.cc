#include "sm/cta/cta_slots.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

namespace heddle::sm {

// The kernel's own limit, and what the CTAs of other kernels do not occupy.
int CtaSlots::room(const KernelContext& kernel) const {
  int room = kernel.most_ctas - kernel.ctas();
  if (room <= 0) return 0;
  if (resident_ + static_cast<int>(queued_.size()) == kernel.ctas()) return room;
  const config::SmSpec& spec = state_.spec.sm;
  std::int64_t warps = spec.max_warps(), ctas = spec.max_ctas, registers = spec.registers,
               shared = static_cast<std::int64_t>(shared_bytes_);
  for (const auto& other : state_.kernels) {
    if (!other || other->ctas() == 0) continue;
    const std::int64_t n = other->ctas();
    ctas -= n;
    warps -= n * other->cta.warps;
    registers -= n * static_cast<std::int64_t>(other->cta.registers);
    shared -= n * static_cast<std::int64_t>(other->cta.shared_bytes);
  }
  const auto limit = [&](std::int64_t left, std::uint64_t used_by_one) {
    if (used_by_one == 0) return;
    room = static_cast<int>(
        std::clamp<std::int64_t>(left / static_cast<std::int64_t>(used_by_one), 0, room));
  };
  limit(ctas, 1);
  limit(warps, static_cast<std::uint64_t>(kernel.cta.warps));
  limit(registers, kernel.cta.registers);
  limit(shared, kernel.cta.shared_bytes);
  return room;
}

void CtaSlots::queue(KernelContext& kernel, std::uint64_t linear, Cycle at) {
  check_invariant(room(kernel) > 0, "a CTA was sent to an SM without a free slot");
  ++kernel.queued;
  const auto place = std::upper_bound(queued_.begin(), queued_.end(), at,
                                      [](Cycle start, const QueuedCta& q) { return start < q.at; });
  queued_.insert(place, {&kernel, linear, at});
}

void CtaSlots::start_next(Cycle now) {
  const QueuedCta next = queued_.front();
  queued_.erase(queued_.begin());
  --next.kernel->queued;
  start_cta(*next.kernel, next.linear, now);
}

void CtaSlots::queue_opening(const KernelContext& kernel, std::uint64_t linear, Cycle at) {
  const auto place = std::upper_bound(openings_.begin(), openings_.end(), at,
                                      [](Cycle c, const Opening& o) { return c < o.at; });
  openings_.insert(place, {&kernel, linear, at});
}

int CtaSlots::pop_opening() {
  const Opening opening = openings_.front();
  openings_.erase(openings_.begin());
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].holds(*opening.kernel, opening.linear)) return static_cast<int>(i);
  return -1;
}

// The lowest free range that begins at a multiple of its length. Where CTAs of other sizes occupy a
// part of each range, the lowest free slots.
WarpMask CtaSlots::free_warp_slots(int warps) const {
  const WarpMask range = WarpMask::first(warps);
  const int slots = static_cast<int>(state_.spec.sm.max_warps());
  for (int first = 0; first + warps <= slots; first += warps) {
    const WarpMask here{range.bits << first};
    if ((here & taken_).none()) return here;
  }
  WarpMask found;
  for (int slot = 0; slot < slots && found.count() < warps; ++slot)
    if (!taken_.test(WarpSlot(slot))) found.set(WarpSlot(slot));
  check_invariant(found.count() == warps, "a CTA started on an SM without free warp slots");
  return found;
}

void CtaSlots::start_cta(KernelContext& kernel, std::uint64_t linear, Cycle now) {
  state_.attribute_cycles();
  const auto place =
      std::find_if(slots_.begin(), slots_.end(), [](const CtaSlot& s) { return !s.resident; });
  check_invariant(place != slots_.end(), "a CTA started on an SM without a free slot");
  const int slot = static_cast<int>(place - slots_.begin());
  const int number = std::countr_one(kernel.numbers);
  const int warps = kernel.cta.warps;
  const WarpMask mask = free_warp_slots(warps);
  *place = {&kernel, number, linear, now, mask, warps, true, false};
  taken_ |= mask;
  if (state_.counters) state_.counters->start_cta(slot);
  ++resident_;
  kernel.numbers |= std::uint64_t{1} << number;
  if (kernel.resident++ == 0) residents_changed();
  ++kernel.stats.ctas_started;
  std::array<WarpSlot, kMaxWarpsPerSm> members;
  std::size_t count = 0;
  mask.for_each([&](WarpSlot w) { members[count++] = w; });
  kernel.source->start_cta(number, linear, std::span(members.data(), count));
  state_.barriers.start_cta(slot, mask);
  if (state_.observer) state_.observer->cta_started(now, linear, mask, kernel.index);
  if (state_.sharing) state_.sharing->start_cta(slot, linear);
  policies_.notify_all(Event::cta,
                       [&](WarpScheduler& s) { s.on_cta({linear, warps, true, kernel.index}); });
  int index = 0;
  mask.for_each([&](WarpSlot w) { start_warp(w, *place, slot, index++); });
  pauses_.cta_started();
}

void CtaSlots::start_warp(WarpSlot w, const CtaSlot& slot, int slot_index, int index) {
  WarpTable& warps = state_.warps;
  Warp& warp = warps[w];
  warp = Warp{};
  warp.kernel = slot.kernel;
  warp.cta = slot_index;
  warp.first_thread =
      static_cast<std::uint32_t>((slot.number * slot.kernel->cta.warps + index) * kWarpSize);
  warp.next_pc = 0;
  const std::uint32_t age = next_age_++;
  warps.set_youngest(w, age);
  warps.kernel[static_cast<std::size_t>(w.index)] = slot.kernel->index;
  state_.loops.start(w);
  warps.resident.set(w);
  warps.live.set(w);
  warps.fetchable.set(w);
  warps.control.start(w);
  warps.waiting.reset(w);
  warps.suspended.reset(w);
  warps.refresh(w);
  ++slot.kernel->stats.warps_started;
  const WarpEvent event{w, age, slot.linear, true, state_.clock, slot.kernel->index};
  policies_.notify(w, Event::warp, [&](WarpScheduler& s) { s.on_warp(event); });
}

void CtaSlots::release_warp(WarpSlot w, Cycle now) {
  state_.attribute_cycles();
  const int index = state_.warps[w].cta;
  CtaSlot& slot = slots_[static_cast<std::size_t>(index)];
  KernelContext& kernel = *slot.kernel;
  state_.warps.resident.reset(w);
  ++kernel.stats.warps_finished;
  if (--slot.warps_left > 0) return;
  slot.resident = false;
  taken_ &= ~slot.warps;
  if (--resident_ == 0 && queued_.empty()) state_.standstill.without_ctas(now + 1);
  kernel.numbers &= ~(std::uint64_t{1} << slot.number);
  ++kernel.stats.ctas_finished;
  kernel.source->end_cta(slot.number);
  finished_.push_back({slot.linear, slot.start, now, issued(index), kernel.index, {}});
  if (state_.counters)
    for (const ResidentCta& other : resident_ctas(kernel))
      finished_.back().others_issued.push_back(other.issued);
  if (state_.observer) state_.observer->cta_finished(slot.start, now, slot.linear, kernel.index);
  if (state_.sharing) state_.sharing->end_cta(index);
  policies_.notify_all(Event::cta, [&](WarpScheduler& s) {
    s.on_cta({slot.linear, kernel.cta.warps, false, kernel.index});
  });
  const bool last = --kernel.resident == 0;
  if (last) residents_changed();
  pauses_.cta_ended(slot, last);
}

std::vector<ResidentCta> CtaSlots::resident_ctas(const KernelContext& kernel) const {
  std::vector<ResidentCta> list;
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].resident && slots_[i].kernel == &kernel)
      list.push_back(
          {slots_[i].linear, issued(static_cast<int>(i)), slots_[i].start, slots_[i].paused});
  std::sort(list.begin(), list.end(),
            [](const auto& a, const auto& b) { return a.start < b.start; });
  return list;
}

void CtaSlots::residents_changed() {
  state_.resident_kernels.clear();
  for (const auto& kernel : state_.kernels)
    if (kernel && kernel->resident > 0) state_.resident_kernels.push_back(kernel.get());
  if (!state_.resident_kernels.empty()) stages_.count_for(state_, *state_.resident_kernels.front());
}

std::vector<exec::StartedCta> CtaSlots::started_ctas(const KernelContext& kernel) const {
  const WarpTable& warps = state_.warps;
  std::vector<exec::StartedCta> list;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    if (!slots_[slot].resident || slots_[slot].kernel != &kernel) continue;
    exec::StartedCta& cta = list.emplace_back();
    cta.warps = kernel.source->warps();
    cta.slot = slots_[slot].number;
    slots_[slot].warps.for_each([&](WarpSlot w) {
      cta.warp_slots.push_back(w);
      cta.at_barrier.assign(w, warps.live.test(w) && warps[w].at_barrier);
    });
    for (std::uint32_t number = 0; number < BarrierUnit::kBarriers; ++number) {
      const BarrierUnit::Arrivals& from = state_.barriers.arrivals(static_cast<int>(slot), number);
      exec::StartedCta::Barrier& to = cta.barriers[number];
      to.arrivals = from.count, to.threads = from.threads;
      for (std::size_t w = 0; w < cta.warp_slots.size(); ++w)
        to.arrived.assign(WarpSlot(static_cast<int>(w)), from.warps.test(cta.warp_slots[w]));
    }
  }
  return list;
}

std::vector<std::uint64_t> CtaSlots::queued_ctas(const KernelContext& kernel) const {
  std::vector<std::uint64_t> list;
  for (const QueuedCta& cta : queued_)
    if (cta.kernel == &kernel) list.push_back(cta.linear);
  return list;
}

std::vector<std::string> CtaSlots::describe_warps(WarpMask livelocked) const {
  std::vector<std::string> lines;
  state_.warps.resident.for_each(
      [&](WarpSlot w) { lines.push_back(describe_warp(w, livelocked.test(w))); });
  return lines;
}

std::string CtaSlots::describe_warp(WarpSlot w, bool livelocked) const {
  const WarpTable& warps = state_.warps;
  const Warp& warp = warps[w];
  const isa::Kernel& kernel = *warp.kernel->kernel;
  std::string line = "warp " + std::to_string(w.index) + " of CTA " + std::to_string(linear_of(w));
  if (!warps.live.test(w))
    return line + ": ended, " + std::to_string(warp.in_flight) + " instructions and " +
           std::to_string(warp.stores) + " store sectors in flight";
  const isa::Instruction& i = kernel.instructions[warp.next_pc];
  line += ": pc " + std::to_string(warp.next_pc) + ", PTX line " + std::to_string(i.ptx_line);
  if (i.source < kernel.source_lines.size() && kernel.source_lines[i.source].line > 0)
    line += ", " + kernel.source_lines[i.source].file + ":" +
            std::to_string(kernel.source_lines[i.source].line);
  char active[16];
  std::snprintf(active, sizeof active, "0x%x", warp.kernel->source->active_lanes(w).bits);
  line += std::string(", active lanes ") + active + ", ";
  line += livelocked               ? "repeats the same state"
          : warps.paused.test(w)   ? "its CTA is paused"
          : warp.at_barrier        ? "waits at a barrier"
          : warp.at_memory_barrier ? "waits at a memory barrier"
          : warp.waits_for_copies  ? "waits for asynchronous copies or products"
          : warp.at_device_call    ? "waits for the kernels that its CTA launched"
          : warp.atomics           ? "waits for an atomic"
          : warps.valid.test(w) && !warps.ready.test(w) ? "waits for a register"
          : warps.valid.test(w)                         ? "can issue, but is never chosen"
                                                        : "waits for instructions";
  return line;
}

}  // namespace heddle::sm
