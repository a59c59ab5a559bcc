// A memory partition: one DRAM channel with its L2 slices. Partitions share only the transaction
// pool, in which each accesses its own transactions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "mem/clocks.h"
#include "mem/dram_channel.h"
#include "mem/l2_slice.h"
#include "mem/memory_system.h"

namespace heddle::mem {

inline constexpr Time kNeverTime = ~Time{0};

class alignas(64) Partition final : private AtomicUnit {
 public:
  Partition(const config::GpuSpec& spec, std::uint32_t channel, const AddressMap& map,
            TransactionPool& pool, const Clocks& clocks);

  // Simulates the edges before `end` in which something happens. The networks learn of the free
  // places of its queues when it begins.
  void run(Time end);
  // run() would change nothing. A partition that ran also runs in the next window, because the
  // networks do not know yet what it has freed; so does one that waits for room in a network.
  bool sleeps_until(Time end) const { return !ran_ && next() >= end; }
  // Something may have happened in the last run().
  bool ran() const { return ran_; }
  // A slice waits for room in the network; run() may find some in the next window.
  bool waits_for_room() const { return waits_for_room_; }
  // The first of these edges.
  Time next() const { return std::min(dram_due_.time, l2_due_.time); }
  bool idle() const;

  std::vector<L2Slice>& slices() { return slices_; }
  const std::vector<L2Slice>& slices() const { return slices_; }
  const DramChannel& channel() const { return channel_; }
  DramChannel& channel() { return channel_; }
  void watch_reuse() {
    for (L2Slice& slice : slices_) slice.watch_reuse();
  }
  // channel: its number for the observer.
  void observe(MemoryObserver* observer, std::uint32_t channel) {
    for (L2Slice& slice : slices_) slice.observe(observer);
    channel_.observe(observer, channel);
  }
  // A slice has something to do at `at`.
  void wake(std::uint32_t slice, Time at) {
    slice_due_[slice] = std::min(slice_due_[slice], at);
    if (at < first_slice_due_) set_first_slice_due(at);
  }
  // Atomics that have reached their slice and are not performed yet, in order of arrival.
  std::vector<Packet>& atomics() { return atomics_; }

 private:
  void perform(const Packet& packet) override { atomics_.push_back(packet); }
  std::vector<SliceToDram*> queues();
  // The first edge at or after `at`, from `next` on; its time is kNeverTime when `at` is.
  static Edge edge_at(Edge next, Time at) {
    at == kNeverTime ? void(next.time = kNeverTime) : next.skip_to(at);
    return next;
  }
  void set_first_slice_due(Time at) {
    first_slice_due_ = at;
    l2_due_ = edge_at(l2_, at);
  }
  void run_edges(Time end);
  void step_dram(Time now);
  void step_l2(Time now);

  int channel_index_;
  CycleCounter core_;
  Edge l2_, dram_;          // the edge of each clock after the last that was simulated
  Edge l2_due_, dram_due_;  // the next to simulate: slices, or the channel, change there
  Time first_slice_due_ = kNeverTime;
  bool ran_ = true, waits_for_room_ = false;
  Time ran_until_ = 0;
  std::vector<Time> slice_due_;
  Cycle core_now_;  // core cycle of the simulated edge
  std::vector<L2Slice> slices_;
  DramChannel channel_;
  std::vector<Packet> atomics_;
};

}  // namespace heddle::mem
