// What the CTA scheduler sees of a launch, and what it places.
#include <algorithm>

#include "base/diagnostics.h"
#include "gpu/engine.h"

namespace heddle::gpu {

namespace {

using analysis::Direction;

// A hint that the executable holds.
std::optional<Direction> hint_of(const ptx::Kernel& kernel) {
  switch (kernel.cta_direction_hint) {
    case ptx::CtaDirectionHint::x: return Direction::x;
    case ptx::CtaDirectionHint::y: return Direction::y;
    case ptx::CtaDirectionHint::none: return Direction::none;
    default: return std::nullopt;
  }
}

}  // namespace

void Engine::begin_cta_scheduling(const exec::Launch& launch, const Placing& placing) {
  analysis_ = analyses_.of(launch);
  placed_.assign(launch.grid.count(), false);
  ctas_placed_ = 0;
  declined_ = false;
  KernelStart start;
  start.kernel = launch.kernel;
  start.grid = launch.grid;
  start.block = launch.block;
  start.sms = static_cast<int>(sms_.size());
  start.ctas_per_sm = placing.ctas_per_sm;
  start.warps_per_cta = static_cast<int>((launch.block.count() + kWarpSize - 1) / kWarpSize);
  start.now = now_;
  start.analysis = analysis_.get();
  start.hint_direction = hint_of(*launch.kernel);
  if (placing.hint != Direction::none) start.hint_direction = placing.hint;
  start.control = cta_control();
  // The CTAs of a cooperative launch wait for each other: no policy may hold one back.
  const bool cooperative = launch.grid_workspace != 0;
  cta_scheduler_ = cooperative ? cooperative_scheduler_.get() : cta_policy_scheduler_.get();
  cta_scheduler_->begin_kernel(start);
}

void Engine::dispatch_ctas(Cycle to, CtaTimes& times) {
  if (declined_ || all_placed()) return;
  for (std::size_t i = 0; i < sms_.size(); ++i) free_slots_[i] = progress_[i].free_cta_slots;
  placements_.clear();
  cta_scheduler_->dispatch(now_, to, free_slots_, placements_);
  for (const Placement& placement : placements_) place_cta(placement, times);
  declined_ = placements_.empty();
  if (!all_placed() || announced_last_cta_) return;
  check_invariant(ctas_placed_ == placed_.size(),
                  "the CTA scheduler ended a launch before all its CTAs had started");
  announce_last_cta();
}

void Engine::place_cta(const Placement& placement, CtaTimes& times) {
  check_invariant(placement.cta < placed_.size() && !placed_[placement.cta],
                  "the CTA scheduler placed a CTA twice, or one outside the grid");
  const auto sm = static_cast<std::size_t>(placement.sm);
  check_invariant(sm < sms_.size(), "the CTA scheduler placed a CTA on an SM that does not exist");
  placed_[placement.cta] = true;
  ++ctas_placed_;
  sms_[sm]->queue_cta(placement.cta, placement.at);
  SmProgress& progress = progress_[sm];
  wake_cycle_[sm] = std::min(wake_cycle_[sm], placement.at);
  --progress.free_cta_slots;
  progress.drained = false;
  times.last_dispatch = placement.at - launch_cycle_;
  last_placed_cta_ = placement.cta;
}

void Engine::watch_cta_sharing() {
  for (const auto& sm : sms_) sm->watch_cta_sharing();
}

std::optional<sm::CtaSharingStats> Engine::cta_sharing() const {
  std::optional<sm::CtaSharingStats> sum;
  for (const auto& sm : sms_) {
    const sm::CtaSharingStats* const one = sm->cta_sharing();
    if (!one) continue;
    if (!sum) sum.emplace();
    sum->add(*one);
  }
  return sum;
}

bool Engine::can_start_cta(std::size_t i) const {
  return !declined_ && progress_[i].free_cta_slots > 0 && !all_placed();
}

void Engine::record_finished_ctas(std::size_t i, CtaTimes& times) {
  SmProgress& progress = progress_[i];
  declined_ = false;
  for (const auto& cta : progress.finished) {
    const std::uint64_t cycles = cta.end - cta.start;
    ++times.count;
    times.total_cycles += cycles;
    times.longest_cycles = std::max(times.longest_cycles, cycles);
    if (cta.end >= last_cta_end_) times.last_cycles = cycles;
    last_cta_end_ = std::max(last_cta_end_, cta.end);
    if (all_placed() && cta.cta == last_placed_cta_) times.last_dispatched_cycles = cycles;
    cta_scheduler_->on_finished(
        {static_cast<int>(i), cta.cta, cta.start, cta.end, cta.issued, cta.others_issued});
  }
  progress.finished.clear();
}

}  // namespace heddle::gpu
