#include "mem/memory_system.h"

#include <algorithm>

#include "mem/address_map.h"
#include "mem/clocks.h"
#include "mem/crossbar.h"
#include "mem/observer.h"
#include "mem/partition.h"
#include "mem/transaction_pool.h"

namespace heddle::mem {

struct MemorySystem::Impl {
  Impl(const config::GpuSpec& spec, std::vector<SmPort*> ports, AtomicUnit& atomics);

  // One of the two networks.
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

  void run_requests(Cycle until);
  void run_replies();
  void release_ended();
  void perform_atomics();
  Cycle next_event(Cycle from) const;
  bool idle() const;
  void find_first_request();
  void inject(std::uint32_t sm);
  void find_replies();
  void send_replies(Time now);
  void deliver_reply(Part part, Cycle departure);
  void report_queues(NetworkWay way) const;
  void collect() const;
  void check() const;
  Time end_time() const { return window_end.value * clocks.core; }  // of the window

  config::GpuSpec spec;
  std::vector<SmPort*> ports;
  AtomicUnit& atomics;
  Clocks clocks;
  AddressMap map;
  TransactionPool pool;
  std::vector<std::unique_ptr<Partition>> partitions;
  std::vector<L2Slice*> slices;         // of all partitions
  Direction requests, replies;          // SM clusters to slices, and back
  IndexSet replying;                    // slices with replies for the network
  IndexSet requesting;                  // SMs with requests that are not in the network
  IndexSet changed_ports;               // see MemorySystem::changed_ports()
  Time first_request = kNeverTime;      // the earliest of those requests
  std::vector<MemoryStats> by_kernel;   // empty: not counted
  std::vector<std::uint32_t> answered;  // transactions whose last reply was delivered
  Cycle window_start, window_end;
  MemoryObserver* observer = nullptr;
  mutable MemoryStats totals;
};

MemorySystem::Impl::Impl(const config::GpuSpec& gpu, std::vector<SmPort*> sm_ports,
                         AtomicUnit& atomic_unit)
    : spec(gpu),
      ports(std::move(sm_ports)),
      atomics(atomic_unit),
      clocks(gpu.clocks),
      map(gpu.memory),
      requests(gpu.clusters, gpu.memory.slices(), gpu.network, clocks.icnt, clocks.core),
      replies(gpu.memory.slices(), gpu.clusters, gpu.network, clocks.icnt, clocks.core) {
  check_invariant(ports.size() == gpu.sms(), "the number of ports is not the number of SMs");
  if (ports.size() > Crossbar::kMaxPorts) throw UserError("a GPU can have at most 192 SMs");
  for (std::uint32_t c = 0; c < gpu.memory.channels; ++c)
    for (L2Slice& slice : partitions
                              .emplace_back(std::make_unique<Partition>(
                                  spec, c, map, replies.flits_of, pool, clocks))
                              ->slices())
      slices.push_back(&slice);
  for (std::uint32_t i = 0; i < ports.size(); ++i) ports[i]->announce_to(requesting, i);
}

void MemorySystem::Impl::release_ended() {
  for (auto& partition : partitions) {
    if (!partition->ran()) continue;
    for (L2Slice& slice : partition->slices()) pool.release(slice.ended());
  }
  pool.release(answered);
}

void MemorySystem::Impl::perform_atomics() {
  for (auto& partition : partitions) {
    if (!partition->ran()) continue;
    for (const Packet& packet : partition->atomics()) atomics.perform(packet);
    partition->atomics().clear();
  }
}

void MemorySystem::Impl::run_requests(Cycle until) {
  find_first_request();
  const Time end = until.value * clocks.core;
  const Time latency = spec.network.request_latency * clocks.core;
  Direction& way = requests;
  while (true) {
    if (way.crossbar.empty()) {
      if (first_request >= end) return;
      way.edge.skip_to(first_request);
    }
    const Time now = way.edge.time;
    if (now >= end) return;
    way.core_now = way.core.at(now);
    if (first_request <= now) {
      first_request = kNeverTime;
      // The SM that injects first rotates, for SMs that share a cluster's port.
      const auto start = static_cast<std::uint32_t>(way.edge.cycle % ports.size());
      const IndexSet all = requesting, first = all.from(start);
      first.for_each([&](std::uint32_t i) { inject(i); });
      all.without(first).for_each([&](std::uint32_t i) { inject(i); });
    }
    way.crossbar.step(
        way.edge.cycle,
        [&](std::uint32_t s, std::uint32_t) { return slices[s]->arrivals().has_room(); },
        [&](std::uint32_t s, std::uint32_t transaction, std::uint64_t wait) {
          const std::uint32_t bytes = pool[transaction].packet.network_bytes();
          const Time arrival = now + wait * clocks.icnt + latency;
          const std::uint32_t per_partition = spec.memory.slices_per_channel;
          partitions[s / per_partition]->arrive(s % per_partition, transaction, way.flits_of(bytes),
                                                arrival);
        });
    if (observer) report_queues(NetworkWay::requests);
    way.edge.advance();
  }
}

void MemorySystem::Impl::find_first_request() {
  first_request = kNeverTime;
  requesting.for_each([&](std::uint32_t i) {
    first_request = std::min(first_request, ports[i]->next_request().value * clocks.core);
  });
}

void MemorySystem::Impl::inject(std::uint32_t sm) {
  SmPort& port = *ports[sm];
  const std::uint32_t cluster = sm / spec.sms_per_cluster;
  while (port.has_request(requests.core_now)) {
    const Packet& packet = port.request().packet;
    const std::uint32_t flits = requests.flits_of(packet.network_bytes());
    if (!requests.crossbar.can_push(cluster, flits)) break;
    const std::uint32_t index = pool.take();
    Transaction& transaction = pool[index];
    const SlicePlace place = map.slice_of(packet.address, packet.client == Client::instruction);
    transaction.packet = packet;
    transaction.packet.origin.sm = static_cast<std::uint16_t>(sm);
    transaction.parts_left = 0;
    transaction.reuse = {};
    transaction.cluster = cluster;
    transaction.local = place.local;
    requests.crossbar.push(requests.edge.cycle, cluster, place.slice, index, flits);
    ++requests.counted.requests;
    port.pop_request();
    changed_ports.set(sm);
  }
  const Cycle next = port.next_request();
  if (next == Cycle::never())
    requesting.reset(sm);
  else
    first_request = std::min(first_request, next.value * clocks.core);
}

void MemorySystem::Impl::run_replies() {
  find_replies();
  Direction& way = replies;
  if (way.crossbar.empty() && !replying.any()) return;
  const Time end = end_time();
  way.edge.skip_to(window_start.value * clocks.core);
  for (; way.edge.time < end; way.edge.advance()) {
    const Time now = way.edge.time;
    way.core_now = way.core.at(now);
    send_replies(now);
    way.crossbar.step(
        way.edge.cycle,
        [&](std::uint32_t, std::uint32_t part) {
          return ports[pool[Part{part}.transaction()].packet.origin.sm]->can_reply();
        },
        [&](std::uint32_t, std::uint32_t part, std::uint64_t wait) {
          deliver_reply(Part{part},
                        wait ? Cycle{(now + wait * clocks.icnt) / clocks.core} : way.core_now);
        });
    if (observer) report_queues(NetworkWay::replies);
  }
}

void MemorySystem::Impl::report_queues(NetworkWay way) const {
  const Direction& network = way == NetworkWay::requests ? requests : replies;
  for (std::uint32_t i = 0; i < network.crossbar.inputs(); ++i)
    observer->network_queue(way, i, network.core_now, network.crossbar.waiting(i));
}

void MemorySystem::Impl::find_replies() {
  const std::uint32_t per_partition = spec.memory.slices_per_channel;
  for (std::uint32_t c = 0; c < partitions.size(); ++c) {
    if (!partitions[c]->ran()) continue;
    for (std::uint32_t s = 0; s < per_partition; ++s)
      if (partitions[c]->slices()[s].has_reply()) replying.set(c * per_partition + s);
  }
}

// At coinciding edges, replies are sent before the L2 makes new ones.
void MemorySystem::Impl::send_replies(Time now) {
  replying.for_each([&](std::uint32_t index) {
    L2Slice& from = *slices[index];
    const L2Slice::Reply& reply = from.front_reply();
    if (reply.at >= now || !replies.crossbar.can_push(index, reply.flits)) return;
    if (reply.carries_data) replies.counted.access_time_slice += replies.core_now - reply.reached;
    replies.crossbar.push(replies.edge.cycle, index, reply.cluster, reply.part.value, reply.flits);
    from.pop_reply();
    if (!from.has_reply()) replying.reset(index);
  });
}

void MemorySystem::Impl::deliver_reply(Part part, Cycle departure) {
  Transaction& transaction = pool[part.transaction()];
  const Cycle visible_at = std::max(window_end, departure + spec.network.reply_latency);
  const std::uint16_t sm = transaction.packet.origin.sm;
  changed_ports.set(sm);
  Packet& reply = ports[sm]->send_reply(visible_at, transaction.packet);
  reply.reply = true;
  reply.reuse = transaction.reuse[part.place()];
  if (part.sector() != Part::kWhole) {
    reply.address = sector_address(reply.address, part.sector());
    reply.bytes = kSectorBytes;
    reply.sectors = sector_bit(part.sector());
  }
  MemoryStats& counted = replies.counted;
  const std::uint64_t data = reply.kind != PacketKind::write;
  const std::uint64_t time = data ? visible_at - reply.issued : 0;
  counted.read_replies += data;
  counted.access_time += time;
  ++counted.replies;
  if (!by_kernel.empty()) [[unlikely]] {
    MemoryStats& own = by_kernel[reply.origin.kernel];
    own.read_replies += data;
    own.access_time += time;
    ++own.replies;
  }
  if (--transaction.parts_left == 0) answered.push_back(part.transaction());
}

bool MemorySystem::Impl::idle() const {
  return !pool.in_use() && requests.crossbar.empty() && replies.crossbar.empty() &&
         !requesting.any() &&
         std::all_of(partitions.begin(), partitions.end(), [](const auto& p) { return p->idle(); });
}

Cycle MemorySystem::Impl::next_event(Cycle from) const {
  if (!requests.crossbar.empty() || !replies.crossbar.empty() || replying.any()) return from;
  Time due = kNeverTime;
  for (const auto& partition : partitions) {
    if (partition->waits_for_room()) return from;
    due = std::min(due, partition->next());
  }
  Cycle first = due == kNeverTime ? Cycle::never() : Cycle{due / clocks.core};
  requesting.for_each([&](std::uint32_t i) { first = std::min(first, ports[i]->next_request()); });
  return std::max(first, from);
}

void MemorySystem::Impl::collect() const {
  totals = requests.counted;
  stats::add(totals, replies.counted);
  for (const auto& partition : partitions) {
    for (const L2Slice& slice : partition->slices()) {
      stats::add(totals.l2, slice.stats());
      totals.atomics += slice.counts().atomics;
      totals.access_time_down += slice.counts().time_down;
    }
    stats::add(totals.dram, partition->channel().stats());
  }
  totals.request_network = requests.crossbar.stats();
  totals.reply_network = replies.crossbar.stats();
}

void MemorySystem::Impl::check() const {
  const ComponentScope scope("memory system", ComponentScope::kNoIndex, window_end);
  std::uint64_t parts_in = 0, parts_out = 0;
  for (const auto& partition : partitions)
    for (const L2Slice& slice : partition->slices()) {
      slice.check_conservation();
      parts_in += slice.counts().parts_in;
      parts_out += slice.counts().parts_out + slice.counts().parts_silent;
    }
  collect();
  check_invariant(totals.replies == totals.reply_network.packets,
                  "a reply left the network without reaching its SM");
  if (!idle()) return;
  check_invariant(totals.requests == totals.request_network.packets,
                  "a request was lost in the network");
  check_invariant(parts_in == parts_out,
                  "a request that reached the L2 was not answered, or answered twice");
  check_invariant(parts_in == totals.l2.accesses, "requests at the L2 and its accesses differ");
  check_invariant(totals.dram.row_hits + totals.dram.row_misses == totals.dram.requests,
                  "a DRAM request was lost");
  check_invariant(
      totals.l2.fetches + totals.l2.forwarded_writes + totals.l2.writebacks == totals.dram.requests,
      "what the L2 sent and what DRAM served differ");
}

MemorySystem::MemorySystem(const config::GpuSpec& spec, std::vector<SmPort*> ports,
                           AtomicUnit& atomics)
    : impl_(std::make_unique<Impl>(spec, std::move(ports), atomics)) {}
MemorySystem::~MemorySystem() = default;

void MemorySystem::run_window(Cycle from, Cycle to) {
  take_requests(from, to);
  for (std::uint32_t p = 0; p < partitions(); ++p)
    if (!partition_sleeps(p)) run_partition(p);
  make_replies();
}

void MemorySystem::take_requests(Cycle from, Cycle to) {
  const ComponentScope scope("request network", ComponentScope::kNoIndex, impl_->requests.core_now);
  impl_->requesting.for_each([&](std::uint32_t i) { impl_->ports[i]->prefetch_requests(); });
  impl_->window_start = from;
  impl_->window_end = to;
  impl_->changed_ports = {};
  impl_->run_requests(from);
}

std::uint32_t MemorySystem::partitions() const {
  return static_cast<std::uint32_t>(impl_->partitions.size());
}
bool MemorySystem::partition_sleeps(std::uint32_t partition) const {
  return impl_->partitions[partition]->sleeps_until(impl_->end_time());
}
void MemorySystem::run_partition(std::uint32_t partition) {
  impl_->partitions[partition]->run(impl_->end_time());
}

void MemorySystem::make_replies() {
  const ComponentScope scope("reply network", ComponentScope::kNoIndex, impl_->replies.core_now);
  impl_->run_replies();
  impl_->release_ended();
}

const IndexSet& MemorySystem::changed_ports() const { return impl_->changed_ports; }

void MemorySystem::perform_atomics() { impl_->perform_atomics(); }

void MemorySystem::run(Cycle from, Cycle to) {
  while (from < to) {
    const Cycle next = next_event(from),
                end = std::min(to, std::max(next, from + impl_->spec.network.window()));
    run_window(from, end);
    impl_->run_requests(end);
    perform_atomics();
    from = end;
  }
}

bool MemorySystem::idle() const { return impl_->idle(); }
Cycle MemorySystem::next_event(Cycle from) const { return impl_->next_event(from); }
void MemorySystem::check_conservation() const { impl_->check(); }

void MemorySystem::watch_reuse() {
  for (auto& partition : impl_->partitions) partition->watch_reuse();
}

void MemorySystem::observe(MemoryObserver* observer) {
  impl_->observer = observer;
  for (std::uint32_t c = 0; c < impl_->partitions.size(); ++c)
    impl_->partitions[c]->observe(observer, c);
}

const MemoryStats& MemorySystem::stats() const {
  impl_->collect();
  return impl_->totals;
}

void MemorySystem::count_by_kernel(std::size_t kernels) {
  if (impl_->by_kernel.size() >= kernels) return;
  impl_->by_kernel.resize(kernels);
  for (auto& partition : impl_->partitions) {
    for (L2Slice& slice : partition->slices()) slice.count_by_kernel(kernels);
    partition->channel().count_by_kernel(kernels);
  }
}

MemoryStats MemorySystem::of_kernel(std::size_t kernel) const {
  MemoryStats sum = impl_->by_kernel.at(kernel);
  for (const auto& partition : impl_->partitions) {
    for (const L2Slice& slice : partition->slices()) stats::add(sum.l2, slice.of_kernel(kernel));
    stats::add(sum.dram, partition->channel().of_kernel(kernel));
  }
  return sum;
}

void MemorySystem::empty_l2() {
  for (auto& partition : impl_->partitions)
    for (L2Slice& slice : partition->slices()) slice.empty();
}

void MemorySystem::warm_l2(const Request& access, DramBursts& bursts) {
  const bool code = access.client == Client::instruction;
  const SlicePlace place = impl_->map.slice_of(access.address, code);
  Request local = access;
  local.address = place.local;
  warm(impl_->slices[place.slice]->cache(), local, impl_->spec.memory.dram.atom_bytes(), bursts);
}

void MemorySystem::fill_l2(Address first, std::uint64_t bytes) {
  const std::uint64_t end = first.value + bytes;
  for (std::uint64_t a = first.value & ~std::uint64_t{kSectorBytes - 1}; a < end;
       a += kSectorBytes) {
    const SlicePlace place = impl_->map.slice_of(Address{a});
    impl_->slices[place.slice]->cache().preload(place.local);
  }
}

}  // namespace heddle::mem
