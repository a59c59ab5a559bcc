#include "sm/cta_slots.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace heddle::sm {

void CtaSlots::begin_kernel(int slots, int warps_per_cta) {
  check_invariant(slots > 0 && slots * warps_per_cta <= kMaxWarpsPerSm,
                  "the CTAs of a kernel need more warp slots than an SM has");
  slots_.assign(static_cast<std::size_t>(slots), Slot{});
  warps_per_cta_ = warps_per_cta;
}

void CtaSlots::queue(std::uint64_t linear, Cycle at) {
  check_invariant(free() > 0, "a CTA was sent to an SM without a free slot");
  queued_.push_back({linear, at});
}

void CtaSlots::start_next(Cycle now) {
  const std::uint64_t linear = queued_.front().linear;
  queued_.erase(queued_.begin());
  start_cta(linear, now);
}

void CtaSlots::start_cta(std::uint64_t linear, Cycle now) {
  const auto place =
      std::find_if(slots_.begin(), slots_.end(), [](const Slot& s) { return !s.resident; });
  check_invariant(place != slots_.end(), "a CTA started on an SM without a free slot");
  const int slot = static_cast<int>(place - slots_.begin());
  *place = {linear, now, warps_per_cta_, true, false};
  if (state_.counters) state_.counters->start_cta(slot);
  ++resident_;
  ++state_.stats.ctas_started;
  std::array<WarpSlot, kMaxWarpsPerSm> members;
  WarpMask mask;
  for (int i = 0; i < warps_per_cta_; ++i) {
    members[static_cast<std::size_t>(i)] = WarpSlot(slot * warps_per_cta_ + i);
    mask.set(members[static_cast<std::size_t>(i)]);
  }
  state_.source->start_cta(slot, linear,
                           std::span(members.data(), static_cast<std::size_t>(warps_per_cta_)));
  state_.barriers.start_cta(slot, mask);
  if (state_.observer) state_.observer->cta_started(now, linear, mask);
  if (state_.sharing) state_.sharing->start_cta(slot, linear);
  policies_.notify_all(Event::cta,
                       [&](WarpScheduler& s) { s.on_cta({linear, warps_per_cta_, true}); });
  mask.for_each([&](WarpSlot w) { start_warp(w, slot); });
}

void CtaSlots::start_warp(WarpSlot w, int slot) {
  WarpTable& warps = state_.warps;
  Warp& warp = warps[w];
  warp = Warp{};
  warp.cta = slot;
  warp.next_pc = 0;
  const std::uint32_t age = next_age_++;
  warps.age[static_cast<std::size_t>(w.index)] = age;
  state_.loops.start(w);
  warps.resident.set(w);
  warps.live.set(w);
  warps.fetchable.set(w);
  warps.waiting.reset(w);
  warps.at_barrier.reset(w);
  warps.refresh(w);
  ++state_.stats.warps_started;
  const WarpEvent event{w, age, linear_of(w), true, state_.clock};
  policies_.notify(w, Event::warp, [&](WarpScheduler& s) { s.on_warp(event); });
}

void CtaSlots::release_warp(WarpSlot w, Cycle now) {
  const int index = state_.warps[w].cta;
  Slot& slot = slots_[static_cast<std::size_t>(index)];
  state_.warps.resident.reset(w);
  ++state_.stats.warps_finished;
  if (--slot.warps_left > 0) return;
  slot.resident = false;
  --resident_;
  ++state_.stats.ctas_finished;
  state_.source->end_cta(index);
  finished_.push_back({slot.linear, slot.start, now, issued(index), {}});
  if (state_.counters)
    for (const Sm::ResidentCta& other : resident_ctas())
      finished_.back().others_issued.push_back(other.issued);
  if (state_.observer) state_.observer->cta_finished(slot.start, now, slot.linear);
  if (state_.sharing) state_.sharing->end_cta(index);
  policies_.notify_all(Event::cta,
                       [&](WarpScheduler& s) { s.on_cta({slot.linear, warps_per_cta_, false}); });
  if (state_.warps.paused.none()) return;
  state_.warps.paused &= ~warps_of(static_cast<std::size_t>(index));
  resume_oldest_if_all_paused();
}

WarpMask CtaSlots::warps_of(std::size_t slot) const {
  const int first = static_cast<int>(slot) * warps_per_cta_;
  return WarpMask::first(first + warps_per_cta_) & ~WarpMask::first(first);
}

void CtaSlots::set_paused(std::uint64_t linear, bool paused) {
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].resident && slots_[i].linear == linear) pause_slot(i, paused);
  resume_oldest_if_all_paused();
}

void CtaSlots::pause_slot(std::size_t slot, bool paused) {
  slots_[slot].paused = paused;
  const WarpMask warps = warps_of(slot);
  state_.warps.paused = paused ? state_.warps.paused | warps : state_.warps.paused & ~warps;
}

void CtaSlots::resume_oldest_if_all_paused() {
  std::size_t oldest = slots_.size();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (!slots_[i].resident) continue;
    if (!slots_[i].paused) return;
    if (oldest == slots_.size() || slots_[i].start < slots_[oldest].start) oldest = i;
  }
  if (oldest < slots_.size()) pause_slot(oldest, false);
}

std::vector<Sm::ResidentCta> CtaSlots::resident_ctas() const {
  std::vector<Sm::ResidentCta> list;
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].resident)
      list.push_back(
          {slots_[i].linear, issued(static_cast<int>(i)), slots_[i].start, slots_[i].paused});
  std::sort(list.begin(), list.end(),
            [](const auto& a, const auto& b) { return a.start < b.start; });
  return list;
}

std::vector<exec::StartedCta> CtaSlots::started_ctas() const {
  const WarpTable& warps = state_.warps;
  std::vector<exec::StartedCta> list;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    if (!slots_[slot].resident) continue;
    exec::StartedCta& cta = list.emplace_back();
    cta.warps = state_.source->warps();
    cta.slot = static_cast<int>(slot);
    for (int i = 0; i < warps_per_cta_; ++i) {
      const WarpSlot w(cta.slot * warps_per_cta_ + i);
      cta.warp_slots.push_back(w);
      cta.at_barrier.assign(w, warps.live.test(w) && warps[w].at_barrier);
    }
    for (std::uint32_t number = 0; number < BarrierUnit::kBarriers; ++number) {
      const BarrierUnit::Arrivals arrivals = state_.barriers.arrivals(cta.slot, number);
      cta.barriers[number] = {arrivals.warps, arrivals.threads};
    }
  }
  return list;
}

std::vector<std::uint64_t> CtaSlots::queued_ctas() const {
  std::vector<std::uint64_t> list;
  for (const QueuedCta& cta : queued_) list.push_back(cta.linear);
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
  const ptx::Kernel& kernel = *state_.kernel;
  const Warp& warp = warps[w];
  std::string line = "warp " + std::to_string(w.index) + " of CTA " + std::to_string(linear_of(w));
  if (!warps.live.test(w))
    return line + ": ended, " + std::to_string(warp.in_flight) + " instructions and " +
           std::to_string(warp.stores) + " store sectors in flight";
  const ptx::Instruction& i = kernel.code[warp.next_pc];
  line += ": pc " + std::to_string(warp.next_pc) + ", PTX line " + std::to_string(i.ptx_line);
  if (i.source < kernel.source_lines.size() && kernel.source_lines[i.source].line > 0)
    line += ", " + kernel.source_lines[i.source].file + ":" +
            std::to_string(kernel.source_lines[i.source].line);
  char active[16];
  std::snprintf(active, sizeof active, "0x%x", state_.source->active_lanes(w).bits);
  line += std::string(", active lanes ") + active + ", ";
  line += livelocked                                    ? "repeats the same state"
          : warps.paused.test(w)                        ? "its CTA is paused"
          : warp.at_barrier                             ? "waits at a barrier"
          : warp.at_memory_barrier                      ? "waits at a memory barrier"
          : warp.waits_for_copies                       ? "waits for asynchronous copies"
          : warp.atomics                                ? "waits for an atomic"
          : warps.valid.test(w) && !warps.ready.test(w) ? "waits for a register"
          : warps.valid.test(w)                         ? "waits for an issue slot"
                                                        : "waits for instructions";
  return line;
}

}  // namespace heddle::sm
