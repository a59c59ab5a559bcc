// A memory partition: one DRAM channel with its L2 slices. Partitions share only the transaction
// pool, in which each accesses its own transactions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "mem/clocks.h"
#include "mem/dram_channel.h"
#include "mem/dram_edges.h"
#include "mem/l2_slice.h"
#include "mem/memory_system.h"

namespace heddle::mem {

inline constexpr Time kNeverTime = ~Time{0};

class alignas(64) Partition final : private AtomicUnit {
 public:
  Partition(const config::GpuSpec& spec, std::uint32_t channel, const AddressMap& map,
            const FlitCount& flits_of, TransactionPool& pool, const Clocks& clocks);

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
  Time next() const { return std::min(dram_due_.time, l2_due_); }
  bool idle() const;
  // The DRAM clock starts at `now`, before which the partition has run.
  void restart_dram_clock(Time now);

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
  // The request network has delivered a packet that reaches its slice at `at`.
  void arrive(std::uint32_t slice, std::uint32_t transaction, std::uint32_t flits, Time at) {
    const std::uint64_t cycle = l2_cycle(at);
    slices_[slice].arrivals().push(transaction, flits, cycle);
    wake(slice, cycle);
  }
  // Atomics that have reached their slice and are not performed yet, in order of arrival.
  std::vector<Packet>& atomics() { return atomics_; }

 private:
  void perform(const Packet& packet) override { atomics_.push_back(packet); }
  std::vector<SliceToDram*> queues();
  // The first L2 cycle at or after `at`.
  std::uint64_t l2_cycle(Time at) const { return (at + l2_period_ - 1) / l2_period_; }
  // A slice has something to do in this L2 cycle.
  void wake(std::uint32_t slice, std::uint64_t cycle) {
    slice_due_[slice] = std::min(slice_due_[slice], cycle);
    if (cycle < first_slice_due_) set_first_slice_due(cycle);
  }
  void set_first_slice_due(std::uint64_t cycle) {
    first_slice_due_ = cycle;
    l2_due_ = cycle == L2Slice::kNever ? kNeverTime : cycle * l2_period_;
  }
  void run_edges(Time end);
  void step_dram(Time now);
  void run_slices(Time end);
  Time end_of_run(Time end) const;
  void wake_dram(Time after);
  Edge first_dram_edge(Time at);

  int channel_index_;
  CycleCounter core_;
  Time l2_period_;
  Edge dram_;      // the edge after the last that was simulated
  Edge dram_due_;  // the next to simulate: the channel changes there
  DramEdges dram_edges_;
  Time l2_due_ = kNeverTime;  // the same of the slices; first_slice_due_ as a time
  std::uint64_t first_slice_due_ = L2Slice::kNever;
  bool ran_ = true, waits_for_room_ = false;
  Time ran_until_ = 0;
  std::vector<std::uint64_t> slice_due_;  // L2 cycles
  Cycle core_now_;                        // core cycle of the simulated edge
  std::vector<L2Slice> slices_;
  DramChannel channel_;
  std::vector<Packet> atomics_;
};

}  // namespace heddle::mem
