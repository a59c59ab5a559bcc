// A test bench for the memory system without SMs: tests send packets and collect replies.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "mem/memory_system.h"

namespace heddle::mem {

// SM2_GTX480 of GPGPU-Sim 4.x.
inline config::GpuSpec gtx480_memory() {
  using namespace config;
  GpuSpec spec;
  CacheSpec& l2 = spec.memory.l2;
  l2.size_bytes = 64 * 128 * 8;
  l2.ways = 8;
  l2.filling = Filling::sectors;
  l2.write = WritePolicy::write_back;
  l2.allocation = LineAllocation::on_miss;
  l2.write_allocation = WriteAllocation::lazy_fetch_on_read;
  l2.mshr_entries = 256;
  l2.mshr_merges = 4;
  l2.miss_queue = 4;
  l2.data_port_bytes = 32;
  spec.memory.address_bits = "S6 C2 B1 C4 B3 R12";
  return spec;
}

inline config::GpuSpec router_memory() {
  config::GpuSpec spec = gtx480_memory();
  spec.network.topology = config::Topology::router;
  spec.network.flit_bytes = 32;
  spec.network.buffer_flits = 8;
  spec.network.injection_flits = 9;
  spec.network.slice_flits = 24;
  spec.network.request_latency = spec.network.reply_latency = 8;
  return spec;
}

class CountingAtomics final : public AtomicUnit {
 public:
  void perform(const Packet&) override { ++performed; }
  int performed = 0;
};

class MemoryBench {
 public:
  explicit MemoryBench(const config::GpuSpec& gpu = gtx480_memory(), std::size_t reply_packets = 64)
      : spec(gpu) {
    std::vector<SmPort*> pointers;
    for (std::uint32_t i = 0; i < spec.sms(); ++i) {
      const config::NetworkSpec& network = spec.network;
      ports.push_back(network.injection_flits > 0
                          ? std::make_unique<SmPort>(network.injection_flits, reply_packets,
                                                     SmPort::Sides::in_turn, network.flit_bytes)
                          : std::make_unique<SmPort>(network.injection_packets, reply_packets));
      pointers.push_back(ports.back().get());
    }
    memory = std::make_unique<MemorySystem>(spec, pointers, atomics);
  }

  static Packet packet(PacketKind kind, std::uint64_t address, std::uint32_t bytes,
                       std::uint32_t tag = 0) {
    Packet p;
    p.kind = kind;
    p.address = Address{address};
    p.bytes = bytes;
    p.tag = tag;
    return p;
  }
  void send(std::uint32_t sm, Packet p, std::uint64_t at) {
    p.origin.sm = static_cast<std::uint16_t>(sm);
    p.issued = Cycle{at};
    ports[sm]->send(Cycle{at}, p);
  }
  // Simulates one window and collects all replies.
  void window(std::uint64_t cycles) {
    if (!skips_windows || memory->next_event(now) < now + cycles) memory->run(now, now + cycles);
    now += cycles;
    for (std::uint32_t i = 0; i < ports.size(); ++i) {
      while (ports[i]->has_reply(Cycle{~std::uint64_t{0} - 1})) {
        replies.emplace_back(ports[i]->next_reply(), ports[i]->reply());
        ports[i]->pop_reply();
      }
      ports[i]->begin_window();
    }
  }
  void drain() {
    for (int i = 0; i < 1'000'000 && !memory->idle(); ++i) window(spec.network.window());
  }
  // Cycle of the last reply.
  std::uint64_t last_reply() const { return replies.empty() ? 0 : replies.back().first.value; }

  config::GpuSpec spec;
  bool skips_windows = false;  // those without an event, as the engine does
  CountingAtomics atomics;
  std::vector<std::unique_ptr<SmPort>> ports;
  std::unique_ptr<MemorySystem> memory;
  Cycle now;
  std::vector<std::pair<Cycle, Packet>> replies;
};

}  // namespace heddle::mem
