#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "mem/address_map.h"
#include "tests/mem/memory_bench.h"

namespace heddle::mem {
namespace {

// A request of one SM at one time.
struct PlannedRequest {
  std::uint64_t at;
  std::uint32_t sm;
  Packet packet;
};

std::vector<PlannedRequest> random_traffic(std::uint32_t sms, int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<PlannedRequest> all;
  for (int i = 0; i < count; ++i) {
    const auto kind = random() % 8;
    const std::uint64_t line = random() % 4096;
    Packet p =
        MemoryBench::packet(PacketKind::read, line * 128, 128, static_cast<std::uint32_t>(i));
    if (kind < 2) {
      p.kind = PacketKind::write;
      const auto sector = random() % 4;
      p.address = p.address + sector * 32;
      p.bytes = 32;
      p.mask.set(static_cast<unsigned>(sector * 32), random() % 2 ? 32 : 8);
    } else if (kind == 2) {
      p.kind = PacketKind::atomic;
      p.bytes = 32;
    } else if (kind == 3) {
      p.wants_reply = false;
      p.kind = PacketKind::write;
    }
    all.push_back(
        {static_cast<std::uint64_t>(i / 3), static_cast<std::uint32_t>(random() % sms), p});
  }
  return all;
}

// Sends requests in order while the ports have credits, in windows of the given length.
void play(MemoryBench& bench, const std::vector<PlannedRequest>& traffic, std::uint64_t window) {
  std::size_t next = 0;
  for (int i = 0; i < 1'000'000 && (next < traffic.size() || !bench.memory->idle()); ++i) {
    while (next < traffic.size() && traffic[next].at < bench.now.value + window &&
           bench.ports[traffic[next].sm]->can_send(traffic[next].packet.network_bytes())) {
      bench.send(traffic[next].sm, traffic[next].packet,
                 std::max(traffic[next].at, bench.now.value));
      ++next;
    }
    bench.window(window);
  }
}

using Seen = std::vector<std::array<std::uint64_t, 4>>;
Seen sorted_replies(const MemoryBench& bench) {
  Seen seen;
  for (const auto& [at, p] : bench.replies)
    seen.push_back({at.value, p.origin.sm, p.tag, p.sectors});
  std::sort(seen.begin(), seen.end());
  return seen;
}

TEST(MemorySystem, NothingChangesInAWindowBeforeTheNextEvent) {
  config::GpuSpec gpu = gtx480_memory();
  // A slice fills its queue of replies within a window, in which the network empties it.
  gpu.clocks.core_mhz = 500;
  gpu.clocks.icnt_mhz = gpu.clocks.l2_mhz = gpu.clocks.dram_mhz = 2000;
  gpu.memory.partition_queues = {8, 8, 8, 8};
  std::vector<PlannedRequest> traffic;
  for (std::uint32_t sm = 0; sm < gpu.sms(); ++sm)
    for (std::uint32_t line = 0; line < 2; ++line)
      traffic.push_back({0, sm, MemoryBench::packet(PacketKind::read, line * 128, 128, line)});
  MemoryBench all(gpu), some(gpu);
  some.skips_windows = true;
  play(all, traffic, gpu.network.window());
  play(some, traffic, gpu.network.window());
  EXPECT_EQ(all.replies.size(), 4 * traffic.size());
  EXPECT_EQ(sorted_replies(some), sorted_replies(all));
}

TEST(MemorySystem, ALoneReadHitTakesBothLinksTheRopDelayAndOneCyclePerSector) {
  MemoryBench bench;
  bench.memory->fill_l2(Address{0x1000}, 128);
  bench.send(3, MemoryBench::packet(PacketKind::read, 0x1000, 128, 7), 0);
  bench.drain();
  ASSERT_EQ(bench.replies.size(), 4u);
  const std::uint64_t first = bench.spec.network.request_latency +
                              bench.spec.network.reply_latency + bench.spec.memory.rop_latency + 2;
  for (std::uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(bench.replies[i].first.value, first + i);
    EXPECT_EQ(bench.replies[i].second.sectors, 1u << i);
    EXPECT_EQ(bench.replies[i].second.tag, 7u);
    EXPECT_EQ(bench.replies[i].second.origin.sm, 3u);
    EXPECT_EQ(bench.replies[i].second.address.value, 0x1000u + 32 * i);
  }
  EXPECT_EQ(bench.memory->stats().l2.hits, 4u);
  EXPECT_GE(bench.memory->stats().access_time_down, 4 * bench.spec.network.request_latency);
}

TEST(MemorySystem, TrafficToOtherSlicesDelaysNoRequest) {
  const auto reply_to_sm_3 = [](bool with_traffic) {
    MemoryBench bench;
    bench.memory->fill_l2(Address{0x1000}, 128);
    bench.send(3, MemoryBench::packet(PacketKind::read, 0x1000, 32, 7), 6);
    for (std::uint64_t at = 0; with_traffic && at < 6; ++at)
      bench.send(4, MemoryBench::packet(PacketKind::read, 0x1100, 32), at);
    bench.drain();
    for (const auto& [at, packet] : bench.replies)
      if (packet.origin.sm == 3) return at.value;
    return std::uint64_t{0};
  };
  EXPECT_EQ(reply_to_sm_3(true), reply_to_sm_3(false));
}

TEST(MemorySystem, ALoneMissAddsTheDramDelayAndTheTimingOfAClosedBank) {
  MemoryBench hit, miss;
  for (auto* spec : {&hit.spec, &miss.spec}) (void)spec;
  hit.memory->fill_l2(Address{0}, 32);
  for (MemoryBench* bench : {&hit, &miss}) {
    bench->send(0, MemoryBench::packet(PacketKind::read, 0, 32), 0);
    bench->drain();
    ASSERT_EQ(bench->replies.size(), 1u);
  }
  const auto& dram = miss.spec.memory.dram;
  const double dram_cycles = dram.rcd + dram.cl;
  const double least = miss.spec.memory.dram_latency + dram_cycles * 700 / 924;
  const double extra = static_cast<double>(miss.last_reply() - hit.last_reply());
  EXPECT_GE(extra, least);
  EXPECT_LE(extra, least + 12);  // one cycle per queue, rounded up to clock edges
  EXPECT_EQ(miss.memory->stats().dram.reads, 1u);
  EXPECT_EQ(miss.memory->stats().dram.activates, 1u);
}

TEST(MemorySystem, AWriteIsAcknowledgedPerSectorWithoutReadingDram) {
  MemoryBench bench;
  bench.send(0, MemoryBench::packet(PacketKind::write, 0x40, 64, 5), 0);
  bench.drain();
  ASSERT_EQ(bench.replies.size(), 2u);
  EXPECT_EQ(bench.replies[0].second.sectors | bench.replies[1].second.sectors, 0b1100);
  EXPECT_EQ(bench.memory->stats().l2.write_misses, 2u);
  EXPECT_EQ(bench.memory->stats().dram.reads, 0u);
  EXPECT_EQ(bench.memory->stats().access_time_down, 0u) << "of reads and atomics only";
}

TEST(MemorySystem, AReadOfAPartlyWrittenSectorReadsDram) {
  for (const std::uint32_t bytes : {4u, 32u}) {
    MemoryBench bench;
    Packet p = MemoryBench::packet(PacketKind::write, 0x40, bytes);
    p.mask.set(0x40, bytes);
    bench.send(0, p, 0);
    bench.drain();
    bench.send(0, MemoryBench::packet(PacketKind::read, 0x40, 32), bench.now.value);
    bench.drain();
    EXPECT_EQ(bench.memory->stats().dram.reads, bytes == 4 ? 1u : 0u);
  }
}

TEST(MemorySystem, APacketWithoutWantsReplyGetsNoReply) {
  MemoryBench bench;
  Packet p = MemoryBench::packet(PacketKind::write, 0, 128);
  p.wants_reply = false;
  bench.send(0, p, 0);
  bench.drain();
  EXPECT_TRUE(bench.replies.empty());
  EXPECT_TRUE(bench.memory->idle());
  bench.memory->check_conservation();
}

TEST(MemorySystem, AnAtomicIsPerformedOncePerPacket) {
  MemoryBench bench;
  bench.send(0, MemoryBench::packet(PacketKind::atomic, 0, 64), 0);
  bench.drain();
  EXPECT_EQ(bench.atomics.performed, 1);
  EXPECT_EQ(bench.replies.size(), 2u);
}

TEST(MemorySystem, RepliesReportReuseOnlyOnRequest) {
  for (const bool asked : {false, true}) {
    MemoryBench bench;
    if (asked) bench.memory->watch_reuse();
    Packet p = MemoryBench::packet(PacketKind::read, 0, 32);
    const auto read = [&](std::uint32_t sm, int warp) {
      p.origin.warp = WarpSlot(warp);
      bench.send(sm, p, bench.now.value);
      bench.replies.clear();
      while (bench.replies.empty()) bench.window(bench.spec.network.window());
      return bench.replies.front().second.reuse;
    };
    EXPECT_EQ(read(0, 3), Reuse::none);
    EXPECT_EQ(read(0, 3), asked ? Reuse::own : Reuse::none);
    EXPECT_EQ(read(1, 3), asked ? Reuse::others : Reuse::none);
    EXPECT_EQ(read(0, 4), Reuse::none);
  }
}

TEST(MemorySystem, RepliesCountForTheKernelThatAsked) {
  MemoryBench bench;
  bench.memory->count_by_kernel(2);
  Packet read = MemoryBench::packet(PacketKind::read, 0x1000, 128);
  read.origin.kernel = 1;
  bench.send(0, read, 0);
  bench.send(1, MemoryBench::packet(PacketKind::write, 0x8000, 32), 0);
  bench.drain();
  const MemoryStats first = bench.memory->of_kernel(0), second = bench.memory->of_kernel(1);
  EXPECT_EQ(first.replies, 1u);
  EXPECT_EQ(first.read_replies, 0u);
  EXPECT_EQ(first.access_time, 0u);
  EXPECT_EQ(second.replies, 4u);
  EXPECT_EQ(second.read_replies, 4u);
  EXPECT_EQ(second.access_time, bench.memory->stats().access_time);
  EXPECT_EQ(bench.memory->stats().replies, 5u);
  EXPECT_EQ(bench.memory->stats().read_replies, 4u);
}

// A small L2 with halves that fetches pairs of sectors and reads those that were written in part,
// and a network of twice the width.
config::GpuSpec modern_memory() {
  config::GpuSpec spec = gtx480_memory();
  spec.memory.partition_hash = 4;
  spec.memory.far_latency = 100;
  spec.memory.l2.ways = 2;
  spec.memory.l2.size_bytes = 64 * 128 * 2;
  spec.memory.l2.fetch_sectors = 2;
  spec.memory.l2.fills_partial_writes = true;
  spec.network.output_speedup = spec.network.internal_speedup = 2;
  return spec;
}

TEST(MemorySystem, AHitInTheOtherHalfOfTheL2TakesTheFarLatency) {
  const config::GpuSpec spec = modern_memory();
  for (std::uint64_t block = 0; block < 16; ++block) {
    std::array<std::uint64_t, 2> replied{};  // of an SM with an even and an odd number
    for (std::uint32_t sm = 0; sm < 2; ++sm) {
      MemoryBench bench(spec);
      bench.memory->fill_l2(Address{block << 12}, 32);
      bench.send(sm, MemoryBench::packet(PacketKind::read, block << 12, 32), 0);
      bench.drain();
      replied[sm] = bench.last_reply();
    }
    std::sort(replied.begin(), replied.end());
    EXPECT_EQ(replied[1] - replied[0], spec.memory.far_latency);
  }
}

TEST(MemorySystem, DramIsReadForEachSectorThatWasWrittenInPart) {
  for (const bool fills : {false, true}) {
    config::GpuSpec spec = gtx480_memory();
    spec.memory.l2.ways = 2;
    spec.memory.l2.size_bytes = 2 * 128;  // one set
    spec.memory.l2.fills_partial_writes = fills;
    MemoryBench bench(spec);
    std::vector<PlannedRequest> traffic;
    for (std::uint32_t i = 0; i < 300; ++i) {
      Packet p = MemoryBench::packet(PacketKind::write, i * std::uint64_t{128}, 32, i);
      p.mask.set(0, 8);
      traffic.push_back({i * std::uint64_t{8}, 0, p});
    }
    play(bench, traffic, bench.spec.network.window());
    bench.memory->check_conservation();
    const MemoryStats& s = bench.memory->stats();
    EXPECT_GT(s.l2.writebacks, 200u);
    EXPECT_EQ(s.dram.writes, s.l2.writebacks);
    EXPECT_EQ(s.dram.reads, fills ? s.l2.writebacks : 0);
  }
}

TEST(MemorySystem, EveryRequestIsAnsweredOnceUnderRandomTraffic) {
  for (unsigned seed : {1u, 2u, 3u}) {
    MemoryBench bench(seed == 1 ? gtx480_memory() : seed == 2 ? router_memory() : modern_memory());
    const auto traffic = random_traffic(bench.spec.sms(), 20000, seed);
    play(bench, traffic, bench.spec.network.window());
    bench.memory->check_conservation();
    std::vector<int> sectors(traffic.size());
    for (const auto& [at, p] : bench.replies) sectors[p.tag] += std::popcount(p.sectors);
    for (std::size_t i = 0; i < traffic.size(); ++i)
      ASSERT_EQ(sectors[i],
                traffic[i].packet.wants_reply ? static_cast<int>(traffic[i].packet.bytes / 32) : 0)
          << "packet " << i;
    const MemoryStats& s = bench.memory->stats();
    EXPECT_EQ(s.l2.accesses, s.l2.hits + s.l2.pending_hits + s.l2.misses);
    EXPECT_EQ(s.dram.activates - s.dram.precharges <= 96, true);
  }
}

// Requests of two SMs reach the two slices of a channel in the same cycle.
TEST(MemorySystem, TheFirstSliceOfAChannelIsServedFirstWhereDramArbitratesAsGpgpuSim) {
  for (const bool gpgpusim : {false, true}) {
    config::GpuSpec spec = router_memory();
    spec.memory.gpgpusim_arbitration = gpgpusim;
    const AddressMap map(spec.memory);
    std::array<std::uint64_t, 2> of_slice{};  // an address of each slice of channel 0
    for (std::uint64_t a = 1 << 20; of_slice[0] == 0 || of_slice[1] == 0; a += kLineBytes)
      if (const std::uint32_t s = map.slice_of(Address{a}).slice; s < 2) of_slice[s] = a;
    MemoryBench bench(spec);
    for (const std::uint32_t s : {0u, 1u})
      bench.send(s, MemoryBench::packet(PacketKind::read, of_slice[s], 32), 0);
    bench.drain();
    ASSERT_EQ(bench.replies.size(), 2u);
    EXPECT_EQ(bench.replies.front().second.address, Address{of_slice[gpgpusim ? 0 : 1]});
  }
}

TEST(MemorySystem, EverySliceOfTheLargestMachineAnswers) {
  config::GpuSpec spec = gtx480_memory();
  spec.memory.channels = 48;
  spec.memory.slices_per_channel = 4;
  MemoryBench bench(spec);
  const auto traffic = random_traffic(bench.spec.sms(), 20000, 1);
  play(bench, traffic, bench.spec.network.window());
  bench.memory->check_conservation();
  EXPECT_TRUE(bench.memory->idle());
}

TEST(MemorySystem, TheSameTrafficGivesTheSameReplies) {
  MemoryBench a, b;
  const auto traffic = random_traffic(a.spec.sms(), 5000, 9);
  play(a, traffic, 4);
  play(b, traffic, 4);
  EXPECT_EQ(sorted_replies(a), sorted_replies(b));
}

TEST(MemorySystem, TheLengthOfWindowsUpToTheLinkLatencyChangesNothing) {
  config::GpuSpec spec = gtx480_memory();
  // Large queues, because free entries are updated only once per window.
  spec.network.injection_packets = spec.network.ejection_packets = spec.memory.partition_queues[3] =
      4096;
  Seen seen[3];
  const std::uint64_t windows[] = {1, 2, 4};
  for (int i = 0; i < 3; ++i) {
    MemoryBench bench(spec, 4096);
    auto traffic = random_traffic(spec.sms(), 3000, 11);
    for (auto& t : traffic) t.at = t.at / 4 * 4 + t.at % 4;
    play(bench, traffic, windows[i]);
    seen[i] = sorted_replies(bench);
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

TEST(MemorySystem, NextEventIsNeverWhenIdleAndNeverTooLate) {
  MemoryBench bench;
  EXPECT_EQ(bench.memory->next_event(Cycle{5}), Cycle::never());
  bench.send(0, MemoryBench::packet(PacketKind::read, 0, 32), 9);
  EXPECT_EQ(bench.memory->next_event(Cycle{5}), Cycle{9});
  // Skipping from event to event gives the reply at the same time as simulating every cycle.
  while (!bench.memory->idle()) {
    const Cycle next = bench.memory->next_event(bench.now);
    bench.window(next > bench.now ? next - bench.now : 1);
  }
  MemoryBench steps;
  steps.send(0, MemoryBench::packet(PacketKind::read, 0, 32), 9);
  while (!steps.memory->idle()) steps.window(1);
  ASSERT_EQ(bench.replies.size(), 1u);
  EXPECT_EQ(bench.replies[0].first, steps.replies[0].first);
}

TEST(MemorySystem, ANetworkAtHalfTheCoreClockHasHalfTheThroughput) {
  config::GpuSpec fast = gtx480_memory(), slow = fast;
  slow.clocks.icnt_mhz = 350;
  std::uint64_t last[2];
  for (int i = 0; i < 2; ++i) {
    MemoryBench bench(i ? slow : fast);
    bench.memory->fill_l2(Address{0}, 256);
    std::vector<PlannedRequest> traffic;  // one slice, many sectors: limited by its reply link
    for (int n = 0; n < 256; ++n)
      traffic.push_back(
          {0, static_cast<std::uint32_t>(n % 15),
           MemoryBench::packet(PacketKind::read, 0, 128, static_cast<std::uint32_t>(n))});
    play(bench, traffic, 4);
    last[i] = bench.last_reply();
  }
  EXPECT_NEAR(static_cast<double>(last[1]) - 350, 2 * (static_cast<double>(last[0]) - 175), 300);
}

TEST(MemorySystem, AnL2OfWholeLinesAnswersAPacketOnce) {
  for (const auto allocation :
       {config::WriteAllocation::allocate, config::WriteAllocation::allocate_merged}) {
    config::GpuSpec spec = gtx480_memory();
    spec.memory.l2.filling = config::Filling::lines;
    spec.memory.l2.write_allocation = allocation;
    MemoryBench bench(spec);
    bench.send(0, MemoryBench::packet(PacketKind::read, 0, 128, 1), 0);
    bench.send(1, MemoryBench::packet(PacketKind::write, 0x40020, 32, 2), 0);
    bench.drain();
    bench.memory->check_conservation();
    ASSERT_EQ(bench.replies.size(), 2u);
    EXPECT_EQ(bench.memory->stats().l2.accesses, 2u);
    EXPECT_EQ(bench.memory->stats().dram.reads,
              4u);  // two lines of two 64-byte atoms: one is read, the write allocates one
    EXPECT_EQ(bench.memory->stats().dram.writes, 1u);  // and the write itself
  }
}

}  // namespace
}  // namespace heddle::mem
