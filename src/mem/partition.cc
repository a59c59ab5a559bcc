#include "mem/partition.h"

#include <algorithm>

namespace heddle::mem {

namespace {

std::vector<L2Slice> build_slices(const config::GpuSpec& spec, std::uint32_t channel,
                                  const AddressMap& map, const FlitCount& flits_of,
                                  TransactionPool& pool, const Clocks& clocks) {
  std::vector<L2Slice> slices;
  slices.reserve(spec.memory.slices_per_channel);
  for (std::uint32_t s = 0; s < spec.memory.slices_per_channel; ++s)
    slices.emplace_back(spec, channel * spec.memory.slices_per_channel + s, map, flits_of, pool,
                        clocks);
  return slices;
}

}  // namespace

Partition::Partition(const config::GpuSpec& spec, std::uint32_t channel, const AddressMap& map,
                     const FlitCount& flits_of, TransactionPool& pool, const Clocks& clocks)
    : channel_index_(static_cast<int>(channel)),
      core_(clocks.core),
      l2_period_(clocks.l2),
      dram_{clocks.dram},
      dram_due_{clocks.dram, 0, kNeverTime},
      dram_edges_(clocks, spec),
      slice_due_(spec.memory.slices_per_channel, L2Slice::kNever),
      slices_(build_slices(spec, channel, map, flits_of, pool, clocks)),
      channel_(spec.memory.dram, queues(), dram_edges_, spec.memory.dram_latency,
               spec.memory.gpgpusim_arbitration) {}

std::vector<SliceToDram*> Partition::queues() {
  std::vector<SliceToDram*> all;
  for (L2Slice& slice : slices_) all.push_back(&slice.dram());
  return all;
}

void Partition::run(Time end) {
  const ComponentScope scope("memory partition", channel_index_, core_now_);
  ran_ = false;
  for (std::size_t s = 0; s < slices_.size(); ++s) {
    const bool waited = slices_[s].waits_for_room();
    slices_[s].begin_window();
    ran_ |= waited;
    if (waited && !slices_[s].waits_for_room())
      wake(static_cast<std::uint32_t>(s), l2_cycle(ran_until_));
  }
  ran_ |= next() < end;
  ran_until_ = end;
  run_edges(end);
  waits_for_room_ = std::any_of(slices_.begin(), slices_.end(),
                                [](const L2Slice& s) { return s.waits_for_room(); });
}

// At coinciding edges, DRAM is simulated before the L2.
void Partition::run_edges(Time end) {
  for (Time now = next(); now < end; now = next()) {
    if (dram_due_.time == now) step_dram(now);
    if (l2_due_ == now) run_slices(end);
  }
}

void Partition::step_dram(Time now) {
  dram_ = dram_due_;
  channel_.cycle(dram_.cycle, now);
  const std::uint64_t quiet = channel_.quiet_until();
  const Time due = quiet == ~std::uint64_t{0} ? kNeverTime : dram_edges_.at(quiet);
  dram_edges_.advance(dram_);
  dram_due_ = first_dram_edge(std::min(due, channel_.first_delayed()));
  for (std::uint32_t s = 0; s < slice_due_.size(); ++s)
    if (!slices_[s].dram().returns.empty()) wake(s, l2_cycle(now));
}

// The slices that are due. One that is due alone runs until something else is due.
void Partition::run_slices(Time end) {
  const std::uint64_t cycle = first_slice_due_;
  const Time limit = end_of_run(end);
  core_now_ = core_.at(l2_due_);
  std::uint64_t first = L2Slice::kNever;
  for (std::uint32_t s = 0; s < slice_due_.size(); ++s) {
    if (slice_due_[s] == cycle) {
      slice_due_[s] = slices_[s].run(cycle, limit, core_, *this);
      if (!slices_[s].dram().requests.empty()) wake_dram(slices_[s].now());
    }
    first = std::min(first, slice_due_[s]);
  }
  set_first_slice_due(first);
}

// Until then nothing but the first slice that is due changes.
Time Partition::end_of_run(Time end) const {
  std::uint64_t others = L2Slice::kNever;
  bool passed = false;
  for (const std::uint64_t due : slice_due_) {
    if (due != first_slice_due_ || passed) others = std::min(others, due);
    passed |= due == first_slice_due_;
  }
  const Time others_due = others == L2Slice::kNever ? kNeverTime : others * l2_period_;
  return std::min({end, dram_due_.time, others_due});
}

// The first edge at or after `at`, from dram_ on; its time is kNeverTime when `at` is.
Edge Partition::first_dram_edge(Time at) {
  Edge edge = dram_;
  at == kNeverTime ? void(edge.time = kNeverTime) : dram_edges_.skip_to(edge, at);
  return edge;
}

void Partition::restart_dram_clock(Time now) {
  dram_edges_.skip_to(dram_, now);
  dram_edges_.restart(dram_.cycle, now);
  dram_.time = dram_edges_.at(dram_.cycle);
  if (dram_due_.time != kNeverTime) dram_due_ = first_dram_edge(now);
}

void Partition::wake_dram(Time after) {
  dram_edges_.skip_to(dram_, after + 1);
  if (dram_.time < dram_due_.time) dram_due_ = dram_;
}

bool Partition::idle() const {
  return channel_.idle() &&
         std::all_of(slices_.begin(), slices_.end(), [](const L2Slice& s) { return s.idle(); });
}

}  // namespace heddle::mem
