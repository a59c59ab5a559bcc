// Parts of an SM under random use, compared with models of sets and maps.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "config/config.h"
#include "sm/issue/operand_collector.h"
#include "sm/lsu/coalescer.h"
#include "sm/lsu/shared_memory.h"
#include "sm/warp/scoreboard.h"
#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using Lanes = std::array<std::uint64_t, kWarpSize>;
using isa::OpClass;

Lanes random_addresses(std::mt19937& draw, std::uint32_t bytes) {
  Lanes lanes{};
  const std::uint64_t spread = 1 + draw() % 300, stride = draw() % 40;
  const bool strided = draw() % 2;
  for (std::size_t i = 0; i < kWarpSize; ++i)
    lanes[i] = 0x10000 + (strided ? i * stride : draw() % spread) * bytes;
  return lanes;
}

// The reference: segment by segment, byte by byte.
std::set<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>> accesses_of(
    const CoalescingRules& rules, LaneMask lanes, const Lanes& addresses, std::uint32_t bytes) {
  std::set<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>> all;
  const int lanes_per_part = kWarpSize / rules.parts;
  for (int part = 0; part < rules.parts; ++part) {
    std::map<std::uint64_t, std::pair<std::set<std::uint64_t>, std::uint32_t>>
        segments;  // bytes touched, lanes
    for (int lane = part * lanes_per_part; lane < (part + 1) * lanes_per_part; ++lane) {
      if (!(lanes.bits >> lane & 1)) continue;
      const std::uint64_t first = addresses[static_cast<std::size_t>(lane)];
      auto& [touched, who] = segments[first / rules.segment_bytes * rules.segment_bytes];
      for (std::uint64_t b = first; b < first + bytes; ++b) touched.insert(b);
      who |= 1u << lane;
    }
    for (const auto& [segment, what] : segments) {
      std::uint64_t start = segment;
      std::uint32_t size = rules.segment_bytes;
      while (size > 32) {
        const std::uint64_t middle = start + size / 2;
        if (*what.first.rbegin() < middle)
          size /= 2;
        else if (*what.first.begin() >= middle)
          start = middle, size /= 2;
        else
          break;
      }
      all.emplace(start, size, what.second);
    }
  }
  return all;
}

TEST(RandomCoalescer, MakesTheAccessesOfTheReferenceModel) {
  std::mt19937 draw(1);
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t bytes = 1u << draw() % 4;
    const std::uint32_t archs[] = {13, 20, 35, 61, 70, 75, 86};
    const CoalescingRules rules =
        coalescing_rules(archs[draw() % 7], draw() % 2, bytes, 1 + draw() % 2);
    const Lanes addresses = random_addresses(draw, bytes);
    const LaneMask lanes{static_cast<std::uint32_t>(draw()) | 1u << draw() % 32};
    std::vector<MemoryAccess> out;
    coalesce(rules, lanes, addresses, bytes, out);
    std::set<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>> got;
    for (const MemoryAccess& a : out) got.emplace(a.address.value, a.bytes, a.lanes.bits);
    EXPECT_EQ(got.size(), out.size());
    ASSERT_EQ(got, accesses_of(rules, lanes, addresses, bytes)) << "round " << round;
  }
}

TEST(RandomSharedMemory, TakesAsLongAsTheBusiestBank) {
  std::mt19937 draw(2);
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t banks = 16u << draw() % 2, parts = 1 + draw() % 2;
    const Lanes addresses = random_addresses(draw, 4);
    const LaneMask lanes{static_cast<std::uint32_t>(draw()) | 1u << draw() % 32};
    std::uint32_t expected = 0;
    for (std::uint32_t part = 0; part < parts; ++part) {
      std::map<std::uint64_t, std::set<std::uint64_t>> words;
      for (std::uint32_t lane = part * 32 / parts; lane < (part + 1) * 32 / parts; ++lane)
        if (lanes.bits >> lane & 1) words[addresses[lane] / 4 % banks].insert(addresses[lane] / 4);
      std::size_t most = 0;
      for (const auto& bank : words) most = std::max(most, bank.second.size());
      expected += static_cast<std::uint32_t>(most);
    }
    ASSERT_EQ(shared_memory_cycles(lanes, addresses, banks, parts), expected) << "round " << round;
  }
}

// registers: of the kernel. Up to 128 are compared as sets of bits.
void compare_scoreboard(std::uint32_t registers) {
  std::mt19937 draw(3);
  Scoreboard board(4);
  board.resize(registers);
  std::vector<isa::Instruction> kinds;
  for (int i = 0; i < 60; ++i) {
    const auto r = [&] { return static_cast<std::uint16_t>(1 + draw() % (registers - 1)); };
    kinds.push_back(i % 2 ? memory(OpClass::load, isa::Space::global, {r()}, {r()})
                          : make(OpClass::alu, {r(), r()}, {r()}));
  }
  std::array<std::map<std::uint16_t, bool>, 4> written;  // register: by a long operation
  std::array<std::vector<const isa::Instruction*>, 4> under_way;
  for (int step = 0; step < 20000; ++step) {
    const std::size_t w = draw() % 4;
    const WarpSlot warp(static_cast<int>(w));
    const isa::Instruction& i = kinds[draw() % kinds.size()];
    bool conflict = false, with_long = false;
    const auto look = [&](std::uint16_t r) {
      const auto found = written[w].find(r);
      if (found == written[w].end()) return;
      conflict = true;
      with_long |= found->second;
    };
    for (std::size_t k = 0; k < static_cast<std::size_t>(i.read_count); ++k) look(i.reads[k]);
    for (std::size_t k = 0; k < static_cast<std::size_t>(i.write_count); ++k) look(i.writes[k]);
    ASSERT_EQ(board.conflicts(warp, i), conflict);
    ASSERT_EQ(board.conflicts_with_long(warp, i), with_long);
    if (!conflict && under_way[w].size() < 12) {
      board.reserve(warp, i);
      under_way[w].push_back(&i);
      written[w][i.writes[0]] = i.is_long();
    } else if (!under_way[w].empty()) {
      const auto done =
          under_way[w].begin() + static_cast<std::ptrdiff_t>(draw() % under_way[w].size());
      board.release(warp, **done, false);
      written[w].erase((*done)->writes[0]);
      under_way[w].erase(done);
    }
  }
}
TEST(RandomScoreboard, ConflictsAsASetOfRegistersDoes) {
  compare_scoreboard(100);
  compare_scoreboard(200);
}

TEST(RandomWarpTable, TheOldestWarpHasTheSmallestAge) {
  std::mt19937_64 draw(5);
  WarpTable warps(kMaxWarpsPerSm);
  std::uint32_t age = 0;
  WarpMask started;
  for (int step = 0; step < 5000; ++step) {
    const WarpSlot starts(static_cast<int>(draw() % kMaxWarpsPerSm));
    warps.set_youngest(starts, age++);
    started.set(starts);
    const WarpMask among = started & WarpMask{draw() & draw()};
    const WarpSlot guess(static_cast<int>(draw() % kMaxWarpsPerSm));
    WarpSlot oldest;
    among.for_each([&](WarpSlot w) {
      const auto of = [&](WarpSlot x) { return warps.age[static_cast<std::size_t>(x.index)]; };
      if (!oldest || of(w) < of(oldest)) oldest = w;
    });
    ASSERT_EQ(warps.oldest(among, guess), oldest);
    ASSERT_EQ(warps.oldest(among, WarpSlot::none), oldest);
  }
}

TEST(RandomOperandCollector, LosesNoInstructionAndReadsNoBankTwiceInAStep) {
  std::mt19937 draw(4);
  for (const char* gpu : {"gtx480", "qv100"}) {
    config::SmSpec spec = config::load_gpu(gpu).sm;
    OpPool pool;
    LatchSets in, out;
    for (std::size_t u = 0; u < kUnitClasses; ++u) {
      in.build(u, LatchSet(static_cast<int>(spec.schedulers), spec.sub_cores));
      out.build(u, LatchSet(static_cast<int>(spec.schedulers), spec.sub_cores));
    }
    RegisterBanks banks(spec);
    OperandCollector collector(spec, pool, banks, in, out);
    std::vector<isa::Instruction> kinds;
    for (int i = 0; i < 40; ++i) {
      const auto r = [&] { return static_cast<std::uint16_t>(1 + draw() % 40); };
      kinds.push_back(make(OpClass::fp_mad, {r(), r(), r()}, {r()}));
    }
    std::vector<InstructionTiming> timings;
    for (const auto& i : kinds) timings.push_back(timing_of(i, spec));
    const auto unit = static_cast<std::size_t>(timings[0].unit);
    std::map<int, std::uint64_t> reads_of_bank;
    std::uint64_t entered = 0, left = 0, steps = 0;
    const auto one_step = [&] {
      collector.step(Cycle{++steps});
      while (!out[unit].empty()) {
        const OpId id = out.take(unit, out[unit].oldest(pool));
        pool.release(id);
        ++left;
      }
    };
    for (int step = 0; step < 2000; ++step) {
      const int warp = static_cast<int>(draw() % spec.max_warps()),
                scheduler = warp % static_cast<int>(spec.schedulers);
      const std::size_t which = draw() % kinds.size();
      if (in[unit].has_room(scheduler)) {
        const OpId id = pool.take();
        pool[id].instruction = &kinds[which];
        pool[id].timing = &timings[which];
        pool[id].warp = WarpSlot(warp);
        pool[id].scheduler = static_cast<std::uint8_t>(scheduler);
        pool[id].sequence = ++entered;
        in.put(unit, id, scheduler);
        std::set<std::uint16_t> registers(kinds[which].reads.begin(),
                                          kinds[which].reads.begin() + kinds[which].read_count);
        for (const std::uint16_t r : registers)
          ++reads_of_bank[banks.of(WarpSlot(warp), scheduler)(r)];
      }
      one_step();
    }
    for (int step = 0; step < 100; ++step) one_step();
    EXPECT_TRUE(collector.idle());
    EXPECT_EQ(left, entered);
    for (const auto& [bank, reads] : reads_of_bank)
      EXPECT_LE(reads, steps * spec.register_bank_ports) << gpu << ", bank " << bank;
  }
}

}  // namespace
}  // namespace heddle::sm::test
