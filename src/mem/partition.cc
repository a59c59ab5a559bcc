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
      dram_period_(clocks.dram),
      l2_{clocks.l2},
      dram_{clocks.dram},
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

void Partition::run_edges(Time end) {
  while (true) {
    if (next() >= end) return;
    if (const Time now = std::min(l2_.time, dram_.time); next() > now) skip_to(next());
    const Time now = std::min(l2_.time, dram_.time);
    if (now >= end) return;
    while ((core_now_.value + 1) * core_ <= now) ++core_now_;
    // At coinciding edges, DRAM is simulated before the L2.
    if (dram_.time == now) step_dram(now);
    if (l2_.time == now) step_l2(now);
  }
}

void Partition::skip_to(Time time) {
  l2_.skip_to(time);
  dram_.skip_to(time);
  core_now_ = std::max(core_now_, Cycle{std::min(l2_.time, dram_.time) / core_});
}

void Partition::step_dram(Time now) {
  if (channel_due_ <= now) {
    channel_.cycle(dram_.cycle, now);
    const std::uint64_t quiet = channel_.quiet_until();
    channel_due_ = std::min(quiet == ~std::uint64_t{0} ? kNeverTime : quiet * dram_period_,
                            channel_.first_delayed());
    for (std::size_t s = 0; s < slices_.size(); ++s)
      if (!slices_[s].dram().returns.empty()) slice_due_[s] = first_slice_due_ = 0;
  }
  dram_.advance();
}

void Partition::step_l2(Time now) {
  if (first_slice_due_ <= now) {
    first_slice_due_ = kNeverTime;
    for (std::size_t s = 0; s < slices_.size(); ++s) {
      if (slice_due_[s] <= now) {
        slice_due_[s] = slices_[s].cycle(l2_.cycle, now, core_now_, *this);
        if (!slices_[s].dram().requests.empty()) channel_due_ = 0;
      }
      first_slice_due_ = std::min(first_slice_due_, slice_due_[s]);
    }
  }
  l2_.advance();
}

bool Partition::idle() const {
  return channel_.idle() &&
         std::all_of(slices_.begin(), slices_.end(), [](const L2Slice& s) { return s.idle(); });
}

}  // namespace heddle::mem
