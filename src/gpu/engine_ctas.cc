// What CTA schedulers see of the launches, and what they place.
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

void Engine::begin_cta_scheduling(RunningKernel& k) {
  const exec::Launch& launch = k.launch;
  k.analysis = analyses_.of(launch);
  k.placed.assign(launch.grid.count(), false);
  // The CTAs of a cooperative launch wait for each other: no policy may hold one back.
  k.cooperative = launch.grid_workspace != 0;
  k.cta_scheduler = k.cooperative ? &cooperative_scheduler(k.number) : &cta_scheduler(k.number);
  KernelStart start;
  start.kernel = launch.kernel;
  start.grid = launch.grid;
  start.block = launch.block;
  start.sms = static_cast<int>(sms_.size());
  start.ctas_per_sm = k.placing.ctas_per_sm;
  start.warps_per_cta = static_cast<int>((launch.block.count() + kWarpSize - 1) / kWarpSize);
  start.now = k.ready;
  start.analysis = k.analysis.get();
  start.hint_direction = hint_of(*launch.kernel);
  if (k.placing.hint != Direction::none) start.hint_direction = k.placing.hint;
  start.control = cta_control(k.number);
  k.cta_scheduler->begin_kernel(start);
}

// The kernels that run get their CTAs one after the other: the next one gets what remains.
void Engine::dispatch_ctas(Cycle to) {
  if (running_.size() > 1) std::fill(next_start_.begin(), next_start_.end(), Cycle{});
  for (const auto& k : running_)
    if (k->ready < to) dispatch_ctas(*k, to);
}

void Engine::dispatch_ctas(RunningKernel& k, Cycle to) {
  if (k.declined || k.all_placed()) return;
  for (std::size_t i = 0; i < sms_.size(); ++i) free_slots_[i] = room_for(k, i);
  placements_.clear();
  k.cta_scheduler->dispatch(std::max(now_, k.ready), to, free_slots_, placements_);
  for (const Placement& placement : placements_) place_cta(k, placement);
  k.declined = placements_.empty();
  if (!k.all_placed() || k.announced_last_cta) return;
  check_invariant(k.ctas_placed == k.placed.size(),
                  "the CTA scheduler ended a launch before all its CTAs had started");
  announce_last_cta(k);
}

void Engine::place_cta(RunningKernel& k, const Placement& placement) {
  check_invariant(placement.cta < k.placed.size() && !k.placed[placement.cta],
                  "the CTA scheduler placed a CTA twice, or one outside the grid");
  const auto sm = static_cast<std::size_t>(placement.sm);
  check_invariant(sm < sms_.size(), "the CTA scheduler placed a CTA on an SM that does not exist");
  k.placed[placement.cta] = true;
  ++k.ctas_placed;
  Cycle at = placement.at;
  if (running_.size() > 1) {  // one CTA per SM and cycle, of whatever kernel
    at = std::max(at, next_start_[sm]);
    next_start_[sm] = at + 1;
  }
  sms_[sm]->queue_cta(placement.cta, at, k.number);
  wake_cycle_[sm] = std::min(wake_cycle_[sm], at);
  progress_[sm].has_ctas = true;
  progress_[sm].drained = false;
  k.result.ctas.last_dispatch = at - k.launch_cycle;
  k.last_placed_cta = placement.cta;
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

void Engine::announce_last_cta(RunningKernel& k) {
  k.announced_last_cta = true;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    run_sm(i, now_);
    sms_[i]->last_cta_dispatched(now_, k.number);
    wake_cycle_[i] = now_;
  }
}

// CTAs of the kernel that fit on the SM, within the limit of the share policy.
int Engine::room_for(const RunningKernel& k, std::size_t sm) const {
  const int room = sms_[sm]->free_cta_slots(k.number);
  if (running_.size() == 1 || room == 0) return room;
  if (share_needs_.exclusive_sms && sms_[sm]->has_ctas() && sms_[sm]->ctas(k.number) == 0) return 0;
  const int limit = share_->most_ctas(k.number, static_cast<int>(sm));
  if (limit == ShareScheduler::kNoLimit) return room;
  return std::clamp(limit - sms_[sm]->ctas(k.number), 0, room);
}

bool Engine::can_start_cta(const RunningKernel& k, std::size_t sm) const {
  return !k.declined && k.ready <= now_ && !k.all_placed() && room_for(k, sm) > 0;
}

bool Engine::can_start_cta(std::size_t sm) const {
  return std::any_of(running_.begin(), running_.end(),
                     [&](const auto& k) { return can_start_cta(*k, sm); });
}

void Engine::ask_cta_schedulers_again() {
  for (const auto& k : running_) k->declined = false;
}

void Engine::record_finished_ctas(std::size_t i) {
  SmProgress& progress = progress_[i];
  ask_cta_schedulers_again();
  for (const auto& cta : progress.finished) {
    RunningKernel& k = *by_number_[static_cast<std::size_t>(cta.kernel)];
    const std::uint64_t cycles = cta.end - cta.start;
    CtaTimes& times = k.result.ctas;
    ++times.count;
    ++k.ctas_finished;
    times.total_cycles += cycles;
    times.longest_cycles = std::max(times.longest_cycles, cycles);
    if (cta.end >= k.last_cta_end) times.last_cycles = cycles;
    k.last_cta_end = std::max(k.last_cta_end, cta.end);
    if (k.all_placed() && cta.cta == k.last_placed_cta) times.last_dispatched_cycles = cycles;
    k.cta_scheduler->on_finished(
        {static_cast<int>(i), cta.cta, cta.start, cta.end, cta.issued, cta.others_issued});
  }
  progress.finished.clear();
}

}  // namespace heddle::gpu
