// Two crossbars. SMs and partitions do not see what happens in them before the window ends.
#include <algorithm>

#include "mem/memory_system_impl.h"

namespace heddle::mem {

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
    const SlicePlace place = map.slice_of(packet.address, packet.client == Client::instruction);
    const std::uint32_t index = start_transaction(sm, packet, place);
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
  way.edge.skip_to(window.start.value * clocks.core);
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
          const Cycle departure =
              wait ? Cycle{(now + wait * clocks.icnt) / clocks.core} : way.core_now;
          deliver_reply(Part{part}, std::max(window.end, departure + spec.network.reply_latency));
        });
    if (observer) report_queues(NetworkWay::replies);
  }
}

void MemorySystem::Impl::report_queues(NetworkWay way) const {
  const Direction& network = way == NetworkWay::requests ? requests : replies;
  for (std::uint32_t i = 0; i < network.crossbar.inputs(); ++i)
    observer->network_queue(way, i, network.core_now, network.crossbar.waiting(i));
}

// At coinciding edges, replies are sent before the L2 makes new ones.
void MemorySystem::Impl::send_replies(Time now) {
  replying.for_each([&](std::uint32_t index) {
    BoundedQueue<L2Slice::Reply>& from = slices[index]->replies();
    const L2Slice::Reply& reply = from.front();
    if (reply.at >= now || !replies.crossbar.can_push(index, reply.flits)) return;
    if (reply.carries_data) replies.counted.access_time_slice += replies.core_now - reply.reached;
    replies.crossbar.push(replies.edge.cycle, index, reply.cluster, reply.part.value, reply.flits);
    from.pop();
    if (from.empty()) replying.reset(index);
  });
}

}  // namespace heddle::mem
