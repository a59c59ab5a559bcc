#include "mem/partition.h"

#include <algorithm>

namespace heddle::mem {

namespace {

std::vector<L2Slice> build_slices(const config::GpuSpec& spec, std::uint32_t channel,
                                  const AddressMap& map, TransactionPool& pool,
                                  const Clocks& clocks) {
  std::vector<L2Slice> slices;
  slices.reserve(spec.memory.slices_per_channel);
  for (std::uint32_t s = 0; s < spec.memory.slices_per_channel; ++s)
    slices.emplace_back(spec, channel * spec.memory.slices_per_channel + s, map, pool, clocks);
  return slices;
}

}  // namespace

Partition::Partition(const config::GpuSpec& spec, std::uint32_t channel, const AddressMap& map,
                     TransactionPool& pool, const Clocks& clocks)
    : channel_index_(static_cast<int>(channel)),
      core_(clocks.core),
      l2_{clocks.l2},
      dram_{clocks.dram},
      l2_due_(edge_at(l2_, kNeverTime)),
      dram_due_(edge_at(dram_, kNeverTime)),
      slice_due_(spec.memory.slices_per_channel, kNeverTime),
      slices_(build_slices(spec, channel, map, pool, clocks)),
      channel_(spec.memory.dram, queues(), spec.memory.dram_latency * clocks.core) {}

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
    if (waited && !slices_[s].waits_for_room()) wake(static_cast<std::uint32_t>(s), ran_until_);
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
    if (l2_due_.time == now) step_l2(now);
  }
}

void Partition::step_dram(Time now) {
  dram_ = dram_due_;
  channel_.cycle(dram_.cycle, now);
  const std::uint64_t quiet = channel_.quiet_until();
  const Time due = quiet == ~std::uint64_t{0} ? kNeverTime : quiet * dram_.period;
  dram_.advance();
  dram_due_ = edge_at(dram_, std::min(due, channel_.first_delayed()));
  for (std::uint32_t s = 0; s < slice_due_.size(); ++s)
    if (!slices_[s].dram().returns.empty()) wake(s, now);
}

void Partition::step_l2(Time now) {
  l2_ = l2_due_;
  core_now_ = core_.at(now);
  Time first = kNeverTime;
  bool sends = false;
  for (std::uint32_t s = 0; s < slice_due_.size(); ++s) {
    if (slice_due_[s] <= now) {
      slice_due_[s] = slices_[s].cycle(l2_.cycle, now, core_now_, *this);
      sends |= !slices_[s].dram().requests.empty();
    }
    first = std::min(first, slice_due_[s]);
  }
  l2_.advance();
  set_first_slice_due(first);
  if (!sends) return;
  dram_.skip_to(now + 1);
  if (dram_.time < dram_due_.time) dram_due_ = dram_;
}

bool Partition::idle() const {
  return channel_.idle() &&
         std::all_of(slices_.begin(), slices_.end(), [](const L2Slice& s) { return s.idle(); });
}

}  // namespace heddle::mem
