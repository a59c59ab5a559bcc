// Everything below the SMs: request and reply networks, L2 slices, DRAM channels. Runs in windows,
// see sm_port.h.
//
// Replies: in front of a sectored L2 every 32-byte sector of a packet is answered by a packet of
// its own, with bit i of `sectors` saying which; an SM's request for n sectors is complete when
// replies with n sector bits have come under its tag. Writes are acknowledged likewise. In front of
// an L2 that fills whole lines a packet has one reply, with the request's own `sectors`. Packets
// with wants_reply = false (an L1's write-backs) get none; atomics are performed once, when their
// packet reaches its slice.
#pragma once

#include <memory>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "mem/memory_stats.h"
#include "mem/packet.h"
#include "mem/sm_port.h"

namespace heddle::mem {

// Who performs global atomics when their packet reaches its L2 slice.
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

  // Who watches from now on; none by default.
  void observe(MemoryObserver* observer);

  // Replies to reads tell what these reuse from now on. Before the first window.
  void watch_reuse();

  // Core cycles [from, to): at most a window of the network, or as many as nothing happens in.
  // Takes in the requests of the cycles up to `from`, which reach their slices in this window at
  // the earliest; replies are visible to SMs at or after `to`. SMs may run the same window at once.
  // Skips idle time by itself. The order inside a cycle is that of configs.md section 5.
  void run_window(Cycle from, Cycle to);
  // The same in steps: the requests on their way down; then each partition, a channel with its
  // slices, in any order or several at once, for they share nothing in a window; then the replies
  // on their way up.
  void take_requests(Cycle from, Cycle to);
  std::uint32_t partitions() const;
  void run_partition(std::uint32_t partition);
  void make_replies();
  // The atomics that have reached their slices act; between windows.
  void perform_atomics();
  // Window after window, with the requests of all cycles up to `to` taken in, and the atomics.
  void run(Cycle from, Cycle to);

  // Nothing queued anywhere.
  bool idle() const;
  // First core cycle >= from at which something happens here; never() when idle.
  Cycle next_event(Cycle from) const;

  // cudaMemcpy to the device leaves these lines in L2 (memory.memcpy_fills_l2).
  void fill_l2(Address first, std::uint64_t bytes);

  const MemoryStats& stats()
      const;  // summed over slices and channels, brought up to date by this call
  // Promises that every request that entered left once, and that what was counted adds up.
  void check_conservation() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::mem
