#include "gpu/engine/cta_dispatch.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "gpu/cta/round_robin.h"

namespace heddle::gpu {

namespace {

using analysis::Direction;

CtaContext cluster_context(const Gpcs& gpcs, std::uint64_t seed) {
  CtaContext context;
  context.layout = {static_cast<int>(std::max<std::size_t>(1, gpcs.count())), 1, 0};
  context.seed = seed;
  return context;
}

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
      gpcs_(hardware.spec()),
      make_scheduler_([&policy, context = cta_context(hardware.spec(), seed)] {
        return policy.build(context);
      }),
      make_cooperative_(
          [context = cta_context(hardware.spec(), seed)] { return make_round_robin(context); }),
      make_for_clusters_(
          [&policy, context = cluster_context(gpcs_, seed)] { return policy.build(context); }),
      make_cooperative_for_clusters_(
          [context = cluster_context(gpcs_, seed)] { return make_round_robin(context); }),
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
  k.cta_scheduler = &scheduler_for(k);
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
  if (launch.clusters) {
    describe_clusters(k, gpcs_, start);
    k.clusters.assign(launch.clusters->shape.clusters().count(), {});
  }
  k.cta_scheduler->begin_kernel(start);
}

CtaScheduler& CtaDispatch::scheduler_for(const RunningKernel& k) {
  if (k.launch.clusters)
    return k.cooperative
               ? scheduler(cooperative_for_clusters_, make_cooperative_for_clusters_, k.number)
               : scheduler(for_clusters_, make_for_clusters_, k.number);
  return k.cooperative ? scheduler(cooperative_, make_cooperative_, k.number)
                       : scheduler(schedulers_, make_scheduler_, k.number);
}

// The analysis describes CTAs, so it says nothing here.
void CtaDispatch::describe_clusters(const RunningKernel& k, const Gpcs& gpcs, KernelStart& start) {
  const exec::ClusterShape& shape = k.launch.clusters->shape;
  start.grid = shape.clusters();
  start.sms = static_cast<int>(gpcs.count());
  std::size_t most = 0;
  for (std::size_t g = 0; g < gpcs.count(); ++g)
    most = std::max(most, gpcs.first(g + 1) - gpcs.first(g));
  start.ctas_per_sm =
      std::max(1, static_cast<int>(most) * k.placing.ctas_per_sm / static_cast<int>(shape.ctas()));
  start.warps_per_cta *= static_cast<int>(shape.ctas());
  start.analysis = nullptr;
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
  check_invariant(k.ctas_placed == k.ctas_to_time(),
                  "the CTA scheduler ended a launch before all its CTAs had started");
  announce_last_cta(k);
}

void CtaDispatch::place_ctas(RunningKernel& k, Cycle to) {
  std::uint64_t left = k.most_placed - k.ctas_placed;
  free_slots_.resize(places(k));
  for (std::size_t i = 0; i < free_slots_.size(); ++i) {
    free_slots_[i] =
        static_cast<int>(std::min(left, static_cast<std::uint64_t>(free_places(k, i))));
    left -= static_cast<std::uint64_t>(free_slots_[i]);
  }
  placements_.clear();
  k.cta_scheduler->dispatch(std::max(clock_.now(), k.ready), to, free_slots_, placements_);
  for (const Placement& placement : placements_)
    k.launch.clusters ? place_cluster(k, placement) : place(k, placement);
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

// Each CTA goes to the SM of the GPC with the most room.
void CtaDispatch::place_cluster(RunningKernel& k, const Placement& placement) {
  const auto gpc = static_cast<std::size_t>(placement.sm);
  check_invariant(gpc < gpcs_.count() && placement.cta < k.clusters.size(),
                  "the CTA scheduler placed a cluster that does not exist, or in no GPC");
  const exec::ClusterShape& shape = k.launch.clusters->shape;
  k.clusters[placement.cta].start = placement.at;
  for (std::uint32_t rank = 0; rank < shape.ctas(); ++rank) {
    std::size_t best = gpcs_.first(gpc);
    int room = 0;
    for (std::size_t i = best; i < gpcs_.first(gpc + 1); ++i)
      if (const int free = free_slots(k, i); free > room) best = i, room = free;
    place(k, {static_cast<int>(best), shape.cta_at({placement.cta, rank}), placement.at});
  }
}

int CtaDispatch::free_clusters(const RunningKernel& k, std::size_t gpc) const {
  int free = 0;
  for (std::size_t i = gpcs_.first(gpc); i < gpcs_.first(gpc + 1); ++i) free += free_slots(k, i);
  return free / static_cast<int>(k.launch.clusters->shape.ctas());
}

// A cluster has finished with its last CTA.
void CtaDispatch::finish_in_cluster(RunningKernel& k, std::size_t gpc, const sm::FinishedCta& cta) {
  const exec::ClusterShape& shape = k.launch.clusters->shape;
  const std::uint64_t number = shape.place_of(cta.cta).cluster;
  RunningKernel::Cluster& cluster = k.clusters[number];
  cluster.end = std::max(cluster.end, cta.end);
  cluster.issued += cta.issued;
  if (++cluster.ctas_finished == shape.ctas())
    k.cta_scheduler->on_finished(
        {static_cast<int>(gpc), number, cluster.start, cluster.end, cluster.issued});
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
  for (std::size_t i = 0; i < places(k); ++i)
    if (free_places(k, i) > 0) return true;
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
    if (k.launch.clusters)
      finish_in_cluster(k, gpcs_.of(sm), cta);
    else
      k.cta_scheduler->on_finished(
          {static_cast<int>(sm), cta.cta, cta.start, cta.end, cta.issued, cta.others_issued});
  }
}

void CtaDispatch::report_statistics(sm::PolicyReport& into, int kernel) const {
  for (std::size_t i = 0; i < schedulers_.size(); ++i)
    if (schedulers_[i] &&
        (kernel == sm::PolicyReport::kAllKernels || static_cast<int>(i) == kernel))
      schedulers_[i]->report_statistics(into);
  for (std::size_t i = 0; i < for_clusters_.size(); ++i)
    if (for_clusters_[i] &&
        (kernel == sm::PolicyReport::kAllKernels || static_cast<int>(i) == kernel))
      for_clusters_[i]->report_statistics(into);
}

}  // namespace heddle::gpu
