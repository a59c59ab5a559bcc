// The parts of the memory system. Its networks have two models: crossbars, which run within a
// window (windowed_networks.cc), and routers, which run between windows of one cycle
// (router_networks.cc).
#pragma once

#include <memory>
#include <vector>

#include "mem/address_map.h"
#include "mem/clocks.h"
#include "mem/crossbar.h"
#include "mem/flit_count.h"
#include "mem/flit_router.h"
#include "mem/memory_system.h"
#include "mem/observer.h"
#include "mem/partition.h"
#include "mem/transaction_pool.h"

namespace heddle::mem {

struct MemorySystem::Impl {
  Impl(const config::GpuSpec& spec, std::vector<SmPort*> ports, AtomicUnit& atomics);

  // One of the two networks, with windows.
  struct alignas(64) Direction {
    Direction(std::uint32_t inputs, std::uint32_t outputs, const config::NetworkSpec& network,
              Time period, Time core_period)
        : crossbar(inputs, outputs, network), flits_of(network), edge{period}, core(core_period) {}
    Crossbar crossbar;
    FlitCount flits_of;
    Edge edge;  // the next one
    CycleCounter core;
    Cycle core_now;       // core cycle of the simulated edge
    MemoryStats counted;  // statistics of the network and its packets
  };

  // The networks of a window (windowed_networks.cc).
  void run_requests(Cycle until);
  void run_replies();
  void find_first_request();
  void inject(std::uint32_t sm);
  void send_replies(Time now);
  void report_queues(NetworkWay way) const;

  // The networks between windows of a cycle (router_networks.cc).
  void exchange(Cycle now);
  void give_replies_to_sms(Cycle now);
  void accept_replies(Cycle now);
  void give_requests_to_slices(Cycle now);
  void accept_requests(Cycle now);

  // Of both.
  std::uint32_t start_transaction(std::uint32_t sm, const Packet& packet, const SlicePlace& place);
  void find_replies();
  void deliver_reply(Part part, Cycle visible_at);

  bool networks_are_empty() const;
  void release_ended();
  void perform_atomics();
  Cycle next_event(Cycle from) const;
  bool idle() const;
  void collect() const;
  void check() const;
  Time end_time() const { return window.end.value * clocks.core; }  // of the window

  // Both networks, without windows.
  struct Routers {
    explicit Routers(const config::GpuSpec& gpu)
        : requests(gpu.clusters, gpu.memory.slices(), gpu.network),
          replies(gpu.memory.slices(), gpu.clusters, gpu.network) {}
    FlitRouter requests, replies;
  };

  config::GpuSpec spec;
  std::vector<SmPort*> ports;
  AtomicUnit& atomics;
  Clocks clocks;
  AddressMap map;
  TransactionPool pool;
  std::vector<std::unique_ptr<Partition>> partitions;
  std::vector<L2Slice*> slices;         // of all partitions
  Direction requests, replies;          // SM clusters to slices, and back
  std::unique_ptr<Routers> routers;     // instead of their crossbars; null: there are windows
  IndexSet replying;                    // slices with replies for the network
  IndexSet requesting;                  // SMs with requests that are not in the network
  IndexSet changed_ports;               // see MemorySystem::changed_ports()
  Time first_request = kNeverTime;      // the earliest of those requests
  std::vector<MemoryStats> by_kernel;   // empty: not counted
  std::vector<std::uint32_t> answered;  // transactions whose last reply was delivered
  struct {
    Cycle start, end;
  } window;
  MemoryObserver* observer = nullptr;
  mutable MemoryStats totals;
};

}  // namespace heddle::mem
