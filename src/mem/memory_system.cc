#include "mem/memory_system.h"

#include <algorithm>

#include "mem/address_map.h"
#include "mem/clocks.h"
#include "mem/crossbar.h"
#include "mem/dram_channel.h"
#include "mem/l2_slice.h"
#include "mem/transaction_pool.h"

namespace heddle::mem {

namespace {
constexpr Time kNever = ~Time{0};
}

struct MemorySystem::Impl {
  Impl(const config::GpuSpec& spec, std::vector<SmPort*> ports, AtomicUnit& atomics);

  void run(Cycle from, Cycle to);
  Cycle next_event(Cycle from) const;
  Time next_time() const;
  bool idle() const;
  void skip_to(Time time);
  void look_at_ports();
  void send_replies(Time now);
  void step_dram(Time now);
  void step_l2(Time now);
  void step_networks(Time now);
  void inject(std::uint32_t sm, Time now);
  void deliver_reply(Part part);
  void collect() const;
  void check() const;

  config::GpuSpec spec;
  std::vector<SmPort*> ports;
  AtomicUnit& atomics;
  Clocks clocks;
  AddressMap map;
  TransactionPool pool;
  Crossbar requests, replies;  // SM clusters to slices, and back
  std::vector<L2Slice> slices;
  std::vector<DramChannel> channels;
  Edge icnt, l2, dram;                       // the next edge of each clock
  std::vector<Time> slice_due, channel_due;  // when each has something to do; 0 = at the next edge
  Time first_slice_due = kNever, first_channel_due = kNever;
  PortSet replying;             // slices with replies for the network
  PortSet asking;               // SMs with requests not yet in the network
  Time first_request = kNever;  // stamp of the earliest of those
  Cycle core_now;               // core cycle of the edge being run
  Cycle window_end;
  mutable MemoryStats totals;
  MemoryStats counted;  // what is counted here rather than in the parts
};

MemorySystem::Impl::Impl(const config::GpuSpec& gpu, std::vector<SmPort*> sm_ports, AtomicUnit& atomic_unit)
    : spec(gpu),
      ports(std::move(sm_ports)),
      atomics(atomic_unit),
      clocks(gpu.clocks),
      map(gpu.memory),
      requests(gpu.clusters, gpu.memory.slices(), gpu.network),
      replies(gpu.memory.slices(), gpu.clusters, gpu.network),
      icnt{clocks.icnt},
      l2{clocks.l2},
      dram{clocks.dram},
      slice_due(gpu.memory.slices(), kNever),
      channel_due(gpu.memory.channels, kNever) {
  promise(ports.size() == gpu.sms(), "one port per SM");
  if (ports.size() > Crossbar::kMaxPorts) throw UserError("at most 128 SMs are possible");
  slices.reserve(gpu.memory.slices());
  for (std::uint32_t i = 0; i < gpu.memory.slices(); ++i) slices.emplace_back(gpu, i, map, pool, clocks.l2);
  for (std::uint32_t c = 0; c < gpu.memory.channels; ++c) {
    std::vector<SliceToDram*> queues;
    for (std::uint32_t s = 0; s < gpu.memory.slices_per_channel; ++s)
      queues.push_back(&slices[c * gpu.memory.slices_per_channel + s].dram());
    channels.emplace_back(gpu.memory.dram, std::move(queues), gpu.memory.dram_latency * clocks.l2);
  }
}

void MemorySystem::Impl::run(Cycle from, Cycle to) {
  window_end = to;
  core_now = from;
  look_at_ports();
  const Time end = to.value * clocks.core;
  while (true) {
    Time now = std::min({icnt.time, l2.time, dram.time});
    if (now >= end) break;
    if (const Time next = next_time(); next > now) {
      skip_to(std::min(next, end));
      now = std::min({icnt.time, l2.time, dram.time});
      if (now >= end) break;
    }
    while ((core_now.value + 1) * clocks.core <= now) ++core_now;
    // Edges that coincide: replies leave, DRAM, L2, then the networks move.
    const bool network_edge = icnt.time == now;
    if (network_edge) send_replies(now);
    if (dram.time == now) step_dram(now);
    if (l2.time == now) step_l2(now);
    if (network_edge) step_networks(now);
  }
}

// The earliest moment with something to do; 0 when at the next edge.
Time MemorySystem::Impl::next_time() const {
  if (!requests.empty() || !replies.empty() || replying.any()) return 0;
  return std::min({first_slice_due, first_channel_due, first_request});
}

void MemorySystem::Impl::skip_to(Time time) {
  icnt.skip_to(time);
  l2.skip_to(time);
  dram.skip_to(time);
  core_now = std::max(core_now, Cycle{std::min({icnt.time, l2.time, dram.time}) / clocks.core});
}

void MemorySystem::Impl::look_at_ports() {
  first_request = kNever;
  asking = {};
  for (std::uint32_t i = 0; i < ports.size(); ++i) {
    const Cycle at = ports[i]->next_request();
    if (at == Cycle::never()) continue;
    asking.set(i);
    first_request = std::min(first_request, at.value * clocks.core);
  }
}

void MemorySystem::Impl::send_replies(Time) {
  for (std::uint32_t w = 0; w < 2; ++w)
    for (std::uint64_t rest = replying.words[w]; rest; rest &= rest - 1) {
      const std::uint32_t index = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
      L2Slice& slice = slices[index];
      const Part part = slice.front_reply();
      const Transaction& transaction = pool[part.transaction()];
      const Packet& packet = transaction.packet;
      const std::uint32_t data = packet.kind == PacketKind::write ? 0
                                 : part.sector() == Part::kWhole  ? packet.bytes
                                                                  : kSectorBytes;
      const std::uint32_t flits = replies.flits_of(kHeaderBytes + data);
      if (!replies.can_push(index, flits)) continue;
      if (packet.kind != PacketKind::write) counted.access_time_slice += core_now - transaction.reached_slice;
      replies.push(index, packet.sm / spec.sms_per_cluster, part.value, flits);
      slice.pop_reply();
      if (!slice.has_reply()) replying.reset(index);
    }
}

void MemorySystem::Impl::step_dram(Time now) {
  if (first_channel_due <= now) {
    first_channel_due = kNever;
    const std::uint32_t per_channel = spec.memory.slices_per_channel;
    for (std::uint32_t c = 0; c < channels.size(); ++c) {
      if (channel_due[c] <= now) {
        DramChannel& channel = channels[c];
        channel.cycle(dram.cycle, now);
        const std::uint64_t quiet = channel.quiet_until();
        channel_due[c] = std::min(quiet == ~std::uint64_t{0} ? kNever : quiet * clocks.dram, channel.first_delayed());
        for (std::uint32_t s = c * per_channel; s < (c + 1) * per_channel; ++s)
          if (!slices[s].dram().returns.empty()) slice_due[s] = first_slice_due = 0;
      }
      first_channel_due = std::min(first_channel_due, channel_due[c]);
    }
  }
  dram.advance();
}

void MemorySystem::Impl::step_l2(Time now) {
  if (first_slice_due <= now) {
    first_slice_due = kNever;
    for (std::uint32_t s = 0; s < slices.size(); ++s) {
      if (slice_due[s] <= now) {
        slice_due[s] = slices[s].cycle(l2.cycle, now, core_now, atomics);
        if (slices[s].has_reply()) replying.set(s);
        if (!slices[s].dram().requests.empty()) channel_due[s / spec.memory.slices_per_channel] = first_channel_due = 0;
      }
      first_slice_due = std::min(first_slice_due, slice_due[s]);
    }
  }
  l2.advance();
}

void MemorySystem::Impl::step_networks(Time now) {
  if (first_request <= now) {
    first_request = kNever;
    // SMs that share a cluster's port take turns in going first.
    const auto start = static_cast<std::uint32_t>(icnt.cycle % ports.size());
    for (std::uint32_t i = start; i < ports.size(); ++i) inject(i, now);
    for (std::uint32_t i = 0; i < start; ++i) inject(i, now);
  }
  const Time visible_at = now + spec.network.latency * clocks.core;
  requests.step([&](std::uint32_t slice, std::uint32_t) { return slices[slice].can_arrive(); },
                [&](std::uint32_t slice, std::uint32_t transaction) {
                  slices[slice].arrive(transaction, visible_at);
                  slice_due[slice] = std::min(slice_due[slice], visible_at);
                  first_slice_due = std::min(first_slice_due, visible_at);
                });
  replies.step([&](std::uint32_t, std::uint32_t part) { return ports[pool[Part{part}.transaction()].packet.sm]->can_reply(); },
               [&](std::uint32_t, std::uint32_t part) { deliver_reply(Part{part}); });
  icnt.advance();
}

void MemorySystem::Impl::inject(std::uint32_t sm, Time) {
  if (!asking.test(sm)) return;
  SmPort& port = *ports[sm];
  const std::uint32_t cluster = sm / spec.sms_per_cluster;
  while (port.has_request(core_now)) {
    const Packet& packet = port.request().packet;
    const std::uint32_t flits = requests.flits_of(packet.network_bytes());
    if (!requests.can_push(cluster, flits)) break;
    const std::uint32_t index = pool.take();
    Transaction& transaction = pool[index];
    const SlicePlace place = map.slice_of(packet.address);
    transaction.packet = packet;
    transaction.packet.sm = static_cast<std::uint16_t>(sm);
    transaction.parts_left = 0;
    transaction.slice = place.slice;
    transaction.local = place.local;
    requests.push(cluster, place.slice, index, flits);
    ++counted.requests;
    port.pop_request();
  }
  const Cycle next = port.next_request();
  if (next == Cycle::never()) asking.reset(sm);
  else first_request = std::min(first_request, next.value * clocks.core);
}

void MemorySystem::Impl::deliver_reply(Part part) {
  Transaction& transaction = pool[part.transaction()];
  Packet reply = transaction.packet;
  reply.reply = true;
  if (part.sector() != Part::kWhole) {
    reply.address = Address{(reply.address.value & ~std::uint64_t{127}) + part.sector() * kSectorBytes};
    reply.bytes = kSectorBytes;
    reply.sectors = static_cast<std::uint8_t>(1u << part.sector());
  }
  const Cycle visible_at = std::max(window_end, core_now + spec.network.latency);
  if (reply.kind != PacketKind::write) {
    ++counted.read_replies;
    counted.access_time += visible_at - reply.issued;
  }
  ++counted.replies;
  ports[reply.sm]->send_reply(visible_at, reply);
  if (--transaction.parts_left == 0) pool.release(part.transaction());
}

bool MemorySystem::Impl::idle() const {
  if (pool.in_use() || !requests.empty() || !replies.empty()) return false;
  return std::all_of(ports.begin(), ports.end(), [](const SmPort* p) { return p->next_request() == Cycle::never(); }) &&
         std::all_of(slices.begin(), slices.end(), [](const L2Slice& s) { return s.idle(); }) &&
         std::all_of(channels.begin(), channels.end(), [](const DramChannel& c) { return c.idle(); });
}

Cycle MemorySystem::Impl::next_event(Cycle from) const {
  Time next = std::min(first_slice_due, first_channel_due);
  if (!requests.empty() || !replies.empty() || replying.any()) next = 0;
  Cycle first = Cycle::never();
  for (const SmPort* port : ports) first = std::min(first, port->next_request());
  if (next != kNever) first = std::min(first, Cycle{next / clocks.core});
  return std::max(first, from);
}

void MemorySystem::Impl::collect() const {
  totals = counted;
  for (const L2Slice& slice : slices) {
    stats::add(totals.l2, slice.cache().stats());
    totals.atomics += slice.counts().atomics;
    totals.access_time_down += slice.counts().time_down;
  }
  for (const DramChannel& channel : channels) stats::add(totals.dram, channel.stats());
  totals.request_network = requests.stats();
  totals.reply_network = replies.stats();
}

void MemorySystem::Impl::check() const {
  std::uint64_t parts_in = 0, parts_out = 0;
  for (const L2Slice& slice : slices) {
    slice.cache().check_conservation();
    parts_in += slice.counts().parts_in;
    parts_out += slice.counts().parts_out + slice.counts().parts_silent;
  }
  collect();
  promise(totals.replies == totals.reply_network.packets, "a reply left the network without reaching its SM");
  if (!idle()) return;
  promise(totals.requests == totals.request_network.packets, "a request entered the network and did not leave it");
  promise(parts_in == parts_out, "a request that reached the L2 was not answered once");
  promise(parts_in == totals.l2.accesses, "requests at the L2 and its accesses differ");
  promise(totals.dram.row_hits + totals.dram.row_misses == totals.dram.requests, "a DRAM request was lost");
  promise(totals.l2.fetches + totals.l2.forwarded_writes + totals.l2.writebacks == totals.dram.requests,
          "what the L2 sent and what DRAM served differ");
}

MemorySystem::MemorySystem(const config::GpuSpec& spec, std::vector<SmPort*> ports, AtomicUnit& atomics)
    : impl_(std::make_unique<Impl>(spec, std::move(ports), atomics)) {}
MemorySystem::~MemorySystem() = default;

void MemorySystem::run(Cycle from, Cycle to) { impl_->run(from, to); }
bool MemorySystem::idle() const { return impl_->idle(); }
Cycle MemorySystem::next_event(Cycle from) const { return impl_->next_event(from); }
void MemorySystem::check_conservation() const { impl_->check(); }

void MemorySystem::observe(MemoryObserver* observer) {
  for (L2Slice& slice : impl_->slices) slice.observe(observer);
  for (std::size_t c = 0; c < impl_->channels.size(); ++c) impl_->channels[c].observe(observer, static_cast<std::uint32_t>(c));
}

const MemoryStats& MemorySystem::stats() const {
  impl_->collect();
  return impl_->totals;
}

void MemorySystem::fill_l2(Address first, std::uint64_t bytes) {
  const std::uint64_t end = first.value + bytes;
  for (std::uint64_t a = first.value & ~std::uint64_t{kSectorBytes - 1}; a < end; a += kSectorBytes) {
    const SlicePlace place = impl_->map.slice_of(Address{a});
    impl_->slices[place.slice].cache().preload(place.local);
  }
}

}  // namespace heddle::mem
