// The memory system: request and reply networks, L2 slices, DRAM channels. It simulates windows of
// cycles, see sm_port.h.
//
// Replies: a sectored L2 answers every 32-byte sector of a packet with a separate packet, whose
// `sectors` has one bit set. A request for n sectors is complete when replies with n sector bits
// and its tag have arrived. Writes are acknowledged in the same way. An L2 that fills whole lines
// answers a packet with one reply, with the `sectors` of the request. Packets with wants_reply =
// false (the write-backs of an L1) get no reply. An atomic is performed once, when its packet
// reaches its slice.
#pragma once

#include <memory>
#include <vector>

#include "base/index_set.h"
#include "base/types.h"
#include "config/gpu_spec.h"
#include "mem/memory_stats.h"
#include "mem/packet.h"
#include "mem/sm_port.h"
#include "mem/warming.h"

namespace heddle::mem {

// Performs global atomics when their packet reaches its L2 slice.
class AtomicUnit {
 public:
  virtual ~AtomicUnit() = default;
  virtual void perform(const Packet& packet) = 0;
};

class MemoryObserver;

class MemorySystem {
 public:
  // ports[i] belongs to SM i and outlives this object.
  MemorySystem(const config::GpuSpec& spec, std::vector<SmPort*> ports, AtomicUnit& atomics);
  ~MemorySystem();
  MemorySystem(const MemorySystem&) = delete;
  MemorySystem& operator=(const MemorySystem&) = delete;

  // The observer from now on; null for none.
  void observe(MemoryObserver* observer);

  // From now on replies report which lines their reads reuse. Before the first window.
  void watch_reuse();

  // Simulates core cycles [from, to): at most a window of the network, or more cycles in which
  // nothing happens. Accepts the requests of the cycles before `from`, which reach their slices in
  // this window at the earliest. Replies are visible to SMs at or after `to`. SMs may simulate the
  // same window at the same time. Idle cycles are skipped.
  void run_window(Cycle from, Cycle to);
  // The steps of run_window(): the request network; then each partition (a channel with its
  // slices), in any order or several at the same time, because they share nothing in a window; then
  // the reply network. A partition that sleeps in the window need not run.
  void take_requests(Cycle from, Cycle to);
  std::uint32_t partitions() const;
  bool partition_sleeps(std::uint32_t partition) const;
  void run_partition(std::uint32_t partition);
  void make_replies();
  // Whether the networks run between the windows, which have one cycle (network.topology = router).
  bool exchanges() const;
  // Then: cycle `now` of the networks, after the window that ends then.
  void exchange(Cycle now);
  // Kernels begin on an idle GPU.
  void kernels_began(Cycle now);
  // The SMs whose ports changed in the last window or exchange(): they sent or got a packet.
  const IndexSet& changed_ports() const;
  // Performs the atomics that have reached their slices. Between windows.
  void perform_atomics();
  // Simulates all windows of [from, to), accepts the requests of the cycles before `to`, and
  // performs the atomics.
  void run(Cycle from, Cycle to);

  // All queues are empty.
  bool idle() const;
  // The first core cycle >= from in which something happens; never() when idle.
  Cycle next_event(Cycle from) const;

  // Invalidates all lines of the L2; drops dirty data, which the timing model does not hold.
  void empty_l2();

  // The access, within a line, changes the L2 functionally, with its dirty data. Nothing is counted
  // but what DRAM would do. While the memory system is idle.
  void warm_l2(const Request& access, DramBursts& bursts);

  // Inserts these lines into the L2, as cudaMemcpy to the device does (memory.memcpy_fills_l2).
  void fill_l2(Address first, std::uint64_t bytes);

  // Summed over slices and channels by this call.
  const MemoryStats& stats() const;
  // From now on the L2 accesses, the DRAM requests and the replies of kernels 0 to kernels - 1
  // count for their kernel, too. of_kernel(): since then; the other counters of MemoryStats are 0.
  void count_by_kernel(std::size_t kernels);
  MemoryStats of_kernel(std::size_t kernel) const;
  // Checks that every request was answered once and that the counters agree with each other.
  void check_conservation() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::mem
