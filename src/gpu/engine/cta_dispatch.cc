#include "gpu/engine/cta_dispatch.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "gpu/cta/round_robin.h"

namespace heddle::gpu {

namespace {

using analysis::Direction;

CtaContext cta_context(const config::GpuSpec& spec, std::uint64_t seed) {
  CtaContext context;
  context.layout = {static_cast<int>(spec.clusters), static_cast<int>(spec.sms_per_cluster),
                    static_cast<int>(spec.first_cluster % spec.clusters)};
  context.skips_clusters = spec.cta_placement == config::CtaPlacement::skipping_clusters;
  context.seed = seed;
  return context;
}

// A hint that the executable holds.
std::optional<Direction> hint_of(const isa::Kernel& kernel) {
  switch (kernel.cta_direction_hint) {
    case isa::CtaDirectionHint::x: return Direction::x;
    case isa::CtaDirectionHint::y: return Direction::y;
    case isa::CtaDirectionHint::none: return Direction::none;
    default: return std::nullopt;
  }
}

}  // namespace

CtaDispatch::CtaDispatch(const CtaPolicy& policy, std::uint64_t seed, Hardware& hardware,
                         WindowClock& clock, RunningKernels& running, const ShareEpochs& share)
    : hardware_(hardware),
      clock_(clock),
      running_(running),
      share_(share),
      make_scheduler_([&policy, context = cta_context(hardware.spec(), seed)] {
        return policy.build(context);
      }),
      make_cooperative_(
          [context = cta_context(hardware.spec(), seed)] { return make_round_robin(context); }),
      analyses_({hardware.spec().sm.l1d.line_bytes, l1_lines(hardware.spec())}),
      free_slots_(hardware.sms()),
      next_start_(hardware.sms()) {
  placements_.reserve(hardware.sms() * 16);
}

CtaScheduler& CtaDispatch::scheduler(Schedulers& all, const Maker& make, int number) {
  const auto i = static_cast<std::size_t>(number);
  if (i >= all.size()) all.resize(i + 1);
  if (!all[i]) all[i] = make();
  return *all[i];
}

void CtaDispatch::begin_kernel(RunningKernel& k, CtaControl& control) {
  const exec::Launch& launch = k.launch;
  k.analysis = analyses_.of(launch);
  k.placed.assign(launch.grid.count(), false);
  // The CTAs of a cooperative launch wait for each other: no policy may hold one back.
  k.cooperative = cooperates(k);
  k.cta_scheduler = k.cooperative ? &scheduler(cooperative_, make_cooperative_, k.number)
                                  : &scheduler(schedulers_, make_scheduler_, k.number);
  KernelStart start;
  start.kernel = launch.kernel;
  start.grid = launch.grid;
  start.block = launch.block;
  start.sms = static_cast<int>(hardware_.sms());
  start.ctas_per_sm = k.placing.ctas_per_sm;
  start.warps_per_cta = static_cast<int>((launch.block.count() + kWarpSize - 1) / kWarpSize);
  start.now = k.ready;
  start.analysis = k.analysis.get();
  start.hint_direction = hint_of(*launch.kernel);
  if (k.placing.hint != Direction::none) start.hint_direction = k.placing.hint;
  start.control = &control;
  k.cta_scheduler->begin_kernel(start);
}

void CtaDispatch::dispatch(Cycle to) {
  if (running_.size() > 1) std::fill(next_start_.begin(), next_start_.end(), Cycle{});
  for (const auto& k : running_)
    if (k->ready < to) dispatch(*k, to);
}

void CtaDispatch::dispatch(RunningKernel& k, Cycle to) {
  if (k.declined) return;
  if (!k.all_placed()) place_ctas(k, to);
  if (!k.all_placed() || k.announced_last_cta) return;
  check_invariant(k.ctas_placed == std::min(k.most_placed, std::uint64_t{k.placed.size()}),
                  "the CTA scheduler ended a launch before all its CTAs had started");
  announce_last_cta(k);
}

void CtaDispatch::place_ctas(RunningKernel& k, Cycle to) {
  std::uint64_t left = k.most_placed - k.ctas_placed;
  for (std::size_t i = 0; i < hardware_.sms(); ++i) {
    free_slots_[i] = static_cast<int>(std::min(left, static_cast<std::uint64_t>(free_slots(k, i))));
    left -= static_cast<std::uint64_t>(free_slots_[i]);
  }
  placements_.clear();
  k.cta_scheduler->dispatch(std::max(clock_.now(), k.ready), to, free_slots_, placements_);
  for (const Placement& placement : placements_) place(k, placement);
  k.declined = placements_.empty();
}

void CtaDispatch::place(RunningKernel& k, const Placement& placement) {
  check_invariant(placement.cta < k.placed.size() && !k.placed[placement.cta],
                  "the CTA scheduler placed a CTA twice, or one outside the grid");
  const auto sm = static_cast<std::size_t>(placement.sm);
  check_invariant(sm < hardware_.sms(),
                  "the CTA scheduler placed a CTA on an SM that does not exist");
  k.placed[placement.cta] = true;
  ++k.ctas_placed;
  Cycle at = placement.at;
  if (running_.size() > 1) {  // one CTA per SM and cycle, of whatever kernel
    at = std::max(at, next_start_[sm]);
    next_start_[sm] = at + 1;
  }
  hardware_.sm(sm).queue_cta(placement.cta, at, k.number);
  clock_.cta_queued(sm, at);
  k.result.ctas.last_dispatch = at - k.launch_cycle;
  k.last_placed_cta = placement.cta;
}

void CtaDispatch::announce_last_cta(RunningKernel& k) {
  k.announced_last_cta = true;
  for (std::size_t i = 0; i < hardware_.sms(); ++i)
    clock_.change(i, [&] { hardware_.sm(i).last_cta_dispatched(clock_.now(), k.number); });
}

// CTAs of the kernel that fit on the SM, within the limit of the share policy.
int CtaDispatch::free_slots(const RunningKernel& k, std::size_t i) const {
  const sm::Sm& sm = hardware_.sm(i);
  const int free = sm.free_cta_slots(k.number);
  if (running_.size() == 1 || free == 0) return free;
  if (share_.exclusive_sms() && sm.has_ctas() && sm.ctas(k.number) == 0) return 0;
  const int limit = share_.most_ctas(k, i);
  if (limit == ShareScheduler::kNoLimit) return free;
  return std::clamp(limit - sm.ctas(k.number), 0, free);
}

bool CtaDispatch::can_start(const RunningKernel& k) const {
  if (k.declined || k.ready > clock_.now() || k.all_placed()) return false;
  for (std::size_t i = 0; i < hardware_.sms(); ++i)
    if (free_slots(k, i) > 0) return true;
  return false;
}

bool CtaDispatch::can_start() const {
  return std::any_of(running_.begin(), running_.end(),
                     [&](const auto& k) { return can_start(*k); });
}

void CtaDispatch::record_finished(std::size_t sm, std::span<const sm::FinishedCta> ctas) {
  running_.forget_declines();
  for (const sm::FinishedCta& cta : ctas) {
    RunningKernel& k = *running_.numbered(cta.kernel);
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
        {static_cast<int>(sm), cta.cta, cta.start, cta.end, cta.issued, cta.others_issued});
  }
}

void CtaDispatch::report_statistics(sm::PolicyReport& into, int kernel) const {
  for (std::size_t i = 0; i < schedulers_.size(); ++i)
    if (schedulers_[i] &&
        (kernel == sm::PolicyReport::kAllKernels || static_cast<int>(i) == kernel))
      schedulers_[i]->report_statistics(into);
}

}  // namespace heddle::gpu
