// Two routers. The cycle `now` of the networks comes after SMs and slices have simulated the cycles
// before it and before they simulate it, as in GPGPU-Sim 3.2.2: SMs and slices take a packet that
// arrived, then the routers move flits, so that an SM sees in the same cycle which flits its queue
// has sent.
#include "mem/memory_system_impl.h"

namespace heddle::mem {

void MemorySystem::Impl::exchange(Cycle now) {
  changed_ports = {};
  requests.core_now = replies.core_now = now;
  give_replies_to_sms(now);
  accept_replies(now);
  give_requests_to_slices(now);
  accept_requests(now);
  routers->requests.step([&](std::uint32_t sm) {
    ports[sm]->free_flit();
    changed_ports.set(sm);
  });
  routers->replies.step([](std::uint32_t) {});
  changed_ports.for_each([&](std::uint32_t sm) { ports[sm]->settle(); });
  if (!observer) return;
  for (const NetworkWay way : {NetworkWay::requests, NetworkWay::replies}) {
    const FlitRouter& router = way == NetworkWay::requests ? routers->requests : routers->replies;
    for (std::uint32_t i = 0; i < router.inputs(); ++i)
      observer->network_queue(way, i, now, router.waiting(i));
  }
}

// They pass the SM's response queue in a cycle.
void MemorySystem::Impl::give_replies_to_sms(Cycle now) {
  const IndexSet arrived = routers->replies.arrived();
  arrived.for_each([&](std::uint32_t sm) {
    if (ports[sm]->can_reply()) deliver_reply(Part{routers->replies.pop(sm)}, now + 1);
  });
}

void MemorySystem::Impl::accept_replies(Cycle now) {
  find_replies();
  const IndexSet waiting = replying;
  waiting.for_each([&](std::uint32_t index) {
    BoundedQueue<L2Slice::Reply>& from = slices[index]->replies();
    const L2Slice::Reply& reply = from.front();
    if (!routers->replies.can_push(index, reply.flits)) return;
    if (reply.carries_data) replies.counted.access_time_slice += now - reply.reached;
    routers->replies.push(index, {reply.part.value, reply.cluster, reply.flits});
    from.pop();
    if (from.empty()) replying.reset(index);
  });
}

void MemorySystem::Impl::give_requests_to_slices(Cycle now) {
  const std::uint32_t per_partition = spec.memory.slices_per_channel;
  const IndexSet arrived = routers->requests.arrived();
  arrived.for_each([&](std::uint32_t s) {
    if (!slices[s]->takes_arrival()) return;
    const std::uint32_t transaction = routers->requests.pop(s);
    partitions[s / per_partition]->arrive(s % per_partition, transaction, 0,
                                          now.value * clocks.core);
  });
}

void MemorySystem::Impl::accept_requests(Cycle now) {
  const IndexSet sending = requesting;
  sending.for_each([&](std::uint32_t sm) {
    SmPort& port = *ports[sm];
    for (; port.next_request() < now; port.take_request()) {
      const Packet& packet = port.request().packet;
      const SlicePlace place = map.slice_of(packet.address, packet.client == Client::instruction);
      routers->requests.push(
          sm, {start_transaction(sm, packet, place), static_cast<std::uint16_t>(place.slice),
               static_cast<std::uint16_t>(requests.flits_of(packet.network_bytes()))});
      ++requests.counted.requests;
    }
    if (port.next_request() == Cycle::never()) requesting.reset(sm);
  });
}

}  // namespace heddle::mem
