#include "mem/memory_system.h"

#include <algorithm>

#include "mem/memory_system_impl.h"

namespace heddle::mem {

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
  if (gpu.network.topology == config::Topology::router) routers = std::make_unique<Routers>(gpu);
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

std::uint32_t MemorySystem::Impl::start_transaction(std::uint32_t sm, const Packet& packet,
                                                    const SlicePlace& place) {
  const std::uint32_t index = pool.take();
  Transaction& transaction = pool[index];
  transaction.packet = packet;
  transaction.packet.origin.sm = static_cast<std::uint16_t>(sm);
  transaction.parts_left = 0;
  transaction.reuse = {};
  transaction.cluster = sm / spec.sms_per_cluster;
  transaction.local = place.local;
  return index;
}

void MemorySystem::Impl::find_replies() {
  const std::uint32_t per_partition = spec.memory.slices_per_channel;
  for (std::uint32_t c = 0; c < partitions.size(); ++c) {
    if (!partitions[c]->ran()) continue;
    for (std::uint32_t s = 0; s < per_partition; ++s)
      if (!partitions[c]->slices()[s].replies().empty()) replying.set(c * per_partition + s);
  }
}

void MemorySystem::Impl::deliver_reply(Part part, Cycle visible_at) {
  Transaction& transaction = pool[part.transaction()];
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

bool MemorySystem::Impl::networks_are_empty() const {
  if (routers) return routers->requests.empty() && routers->replies.empty();
  return requests.crossbar.empty() && replies.crossbar.empty();
}

bool MemorySystem::Impl::idle() const {
  return !pool.in_use() && networks_are_empty() && !requesting.any() &&
         std::all_of(partitions.begin(), partitions.end(), [](const auto& p) { return p->idle(); });
}

Cycle MemorySystem::Impl::next_event(Cycle from) const {
  if (!networks_are_empty() || replying.any()) return from;
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
  totals.request_network = routers ? routers->requests.stats() : requests.crossbar.stats();
  totals.reply_network = routers ? routers->replies.stats() : replies.crossbar.stats();
}

void MemorySystem::Impl::check() const {
  const ComponentScope scope("memory system", ComponentScope::kNoIndex, window.end);
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
  impl_->window.start = from;
  impl_->window.end = to;
  impl_->changed_ports = {};
  if (!impl_->routers) impl_->run_requests(from);
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
  if (!impl_->routers) impl_->run_replies();
  impl_->release_ended();
}

bool MemorySystem::exchanges() const { return impl_->routers != nullptr; }

void MemorySystem::exchange(Cycle now) {
  const ComponentScope scope("networks", ComponentScope::kNoIndex, impl_->requests.core_now);
  impl_->exchange(now);
}

void MemorySystem::kernels_began(Cycle now) {
  if (!impl_->spec.memory.summed_clocks) return;
  for (auto& partition : impl_->partitions)
    partition->restart_dram_clock(now.value * impl_->clocks.core);
}

const IndexSet& MemorySystem::changed_ports() const { return impl_->changed_ports; }

void MemorySystem::perform_atomics() { impl_->perform_atomics(); }

void MemorySystem::run(Cycle from, Cycle to) {
  while (from < to) {
    const Cycle next = next_event(from),
                end = std::min(to, std::max(next, from + impl_->spec.network.window()));
    run_window(from, end);
    if (!exchanges()) impl_->run_requests(end);
    perform_atomics();
    if (exchanges()) exchange(end);
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
