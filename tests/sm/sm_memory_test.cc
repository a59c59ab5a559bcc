// The memory instructions of one SM: caches, shared memory, stores, atomics and memory barriers.
#include <gtest/gtest.h>

#include <bit>

#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;
using isa::Space;

TEST(Sm, InstructionMissesFetchWholeLines) {
  Bench b(std::vector<isa::Instruction>(22, make(OpClass::alu)), [](WarpSlot, exec::Step& s) {
    if (s.pc == 21) s.next_pc = kNoPc;
  });
  b.run(4);
  ASSERT_EQ(b.seen.size(), 2u);  // 22 instructions of 8 bytes: two lines
  EXPECT_EQ(b.seen[0].client, mem::Client::instruction);
  EXPECT_EQ(b.seen[0].bytes, 128u);
  EXPECT_EQ(b.stats().instruction.fetches, 2u);
}

TEST(Sm, LoadHitReturnsAfterTheHitLatency) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b({memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::alu, {2}, {3}),
           memory(OpClass::load, Space::global, {3}, {4}), make(OpClass::alu, {4}, {5}), exit()},
          {}, g);
  b.run();
  EXPECT_EQ(b.stats().l1d.misses, 1u);
  EXPECT_EQ(b.stats().l1d.hits, 1u);
  EXPECT_EQ(b.source.gap(2, 3), 4 + 1 + 35u);
  EXPECT_GT(b.source.gap(0, 1), 100u + 35);
  EXPECT_EQ(b.stats().loads_served, 2u);
  EXPECT_EQ(b.stats().load_cycles, b.source.gap(0, 1) + b.source.gap(2, 3));
}

TEST(Sm, SharedLoadPaysConflictsBeforeItsLatency) {
  for (std::uint64_t degree : {1u, 2u, 8u}) {
    config::GpuSpec g = gtx480();
    g.sm.perfect_instruction_cache = true;
    Bench b(
        {memory(OpClass::load, Space::shared, {1}, {2}), make(OpClass::alu, {2}, {3}), exit()},
        [degree](WarpSlot, exec::Step& s) {
          for (std::size_t l = 0; l < kWarpSize; ++l) s.addresses[l] = 4 * degree * l;
        },
        g);
    b.run();
    EXPECT_EQ(b.source.gap(0, 1), 4 + 1 + 26 + 1 + (degree - 1));
    EXPECT_EQ(b.stats().shared_conflict_cycles, degree - 1);
  }
}

// A load whose guard is false in all lanes has the latency without conflicts.
TEST(Sm, ASharedLoadWithoutLanesHasTheFullLatency) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b(
      {memory(OpClass::load, Space::shared, {1}, {2}), make(OpClass::alu, {2}, {3}), exit()},
      [](WarpSlot, exec::Step& s) {
        if (s.pc == 0) s.executed = LaneMask{};
      },
      g);
  b.run();
  EXPECT_EQ(b.source.gap(0, 1), 4 + 1 + 26 + 1u);
  EXPECT_EQ(b.stats().shared_cycles, 0u);
}

TEST(Sm, ParameterLoadsGoThroughTheConstantCache) {
  Bench b({memory(OpClass::load, Space::param, {}, {2}), make(OpClass::alu, {2}, {3}),
           memory(OpClass::load, Space::param, {3}, {4}), exit()});
  b.run(4);
  EXPECT_EQ(b.stats().constant.misses + b.stats().constant.pending_hits, 4u);
  EXPECT_EQ(b.stats().constant.hits, 4u);
  EXPECT_EQ(b.stats().constant.fetches, 1u);
  EXPECT_EQ(b.stats().loads[static_cast<std::size_t>(CountedSpace::param)], 8u);
}

TEST(Sm, StoresAreAcknowledgedBeforeTheCtaEnds) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b({memory(OpClass::store, Space::global, {1, 2}, {}), exit()}, {}, g, 300);
  EXPECT_GT(b.run(), 300u);
  ASSERT_EQ(b.seen.size(), 1u);
  EXPECT_EQ(b.seen[0].kind, mem::PacketKind::write);
  EXPECT_EQ(b.seen[0].bytes, 128u);
}

TEST(Sm, StoresThatBypassTheL1AreAcknowledgedBeforeTheSmIsDrained) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  isa::Instruction store = memory(OpClass::store, Space::global, {1, 2}, {});
  store.cache = isa::CacheOperator::cg;
  Bench b({store, exit()}, {}, g, 300);
  EXPECT_GT(b.run(), 300u);
  EXPECT_EQ(b.stats().bypassing_packets, b.seen.size());
  EXPECT_TRUE(b.sm.drained());
}

TEST(Sm, AWarpWaitsForItsAtomicToReturn) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b(
      {memory(OpClass::atomic, Space::global, {1, 2}, {3}), make(OpClass::alu, {}, {4}), exit()},
      {}, g, 200);
  b.run();
  EXPECT_GT(b.source.gap(0, 1), 200u);
  EXPECT_EQ(b.seen.size(), 4u);  // four sectors of eight lanes
  EXPECT_EQ(b.seen[0].kind, mem::PacketKind::atomic);
}

TEST(Sm, MemoryBarrierWaitsForStores) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b({memory(OpClass::store, Space::global, {1, 2}, {}), make(OpClass::memory_barrier),
           make(OpClass::alu), exit()},
          {}, g, 200);
  b.run();
  EXPECT_GT(b.source.gap(0, 2), 200u);
}

TEST(Sm, ASlotIsABarriersOnlyWhenAllWarpsOfTheSchedulerWaitAtOne) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  // Warp 0 waits for its store, warps 1 and 2 at the barrier; 0 and 2 have the same scheduler.
  std::vector<isa::Instruction> code{make(OpClass::branch),
                                     memory(OpClass::store, Space::global, {1, 2}, {}),
                                     make(OpClass::memory_barrier), make(OpClass::barrier), exit()};
  code[3].barrier = isa::BarrierOp::sync;
  const auto jump = [](WarpSlot w, exec::Step& s) {
    if (s.pc == 0 && w.index > 0) s.next_pc = 3;
  };
  Bench b(code, jump, g, 200);
  b.run(3);
  EXPECT_GT(slots(b.stats(), SlotUse::barrier), 190u);
  EXPECT_LT(slots(b.stats(), SlotUse::barrier), 250u);
  EXPECT_GT(slots(b.stats(), SlotUse::outstanding), 190u);
  EXPECT_LT(slots(b.stats(), SlotUse::outstanding), 250u);
}

TEST(Sm, VolatileLoadsUseTheL1WhereVolatileLoadsUseL1dIsSet) {
  const auto hits = [](bool use_l1d, isa::Ordering ordering, isa::CacheOperator cache) {
    config::GpuSpec g = gtx480();
    g.sm.volatile_loads_use_l1d = use_l1d;
    isa::Instruction load = memory(OpClass::load, Space::global, {1}, {2});
    load.ordering = ordering;
    load.cache = cache;
    Bench b({memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::alu, {2}, {3}), load,
             exit()},
            {}, g);
    b.run();
    return b.stats().l1d.hits;
  };
  using isa::CacheOperator, isa::Ordering;
  for (const bool use : {false, true}) {
    EXPECT_EQ(hits(use, Ordering::volatile_, CacheOperator::none), use ? 1u : 0u);
    EXPECT_EQ(hits(use, Ordering::weak, CacheOperator::cv), use ? 1u : 0u);
    EXPECT_EQ(hits(use, Ordering::relaxed, CacheOperator::none), 0u);
    EXPECT_EQ(hits(use, Ordering::weak, CacheOperator::cg), 0u);
    EXPECT_EQ(hits(use, Ordering::weak, CacheOperator::none), 1u);
  }
}

TEST(Sm, GlobalLoadsUseTheL1OnRequestWhereGlobalLoadsSkipL1dIsSet) {
  using isa::CacheOperator;
  for (const auto& [cache, accesses] :
       {std::pair{CacheOperator::none, 0u}, {CacheOperator::ca, 1u}, {CacheOperator::nc, 1u}}) {
    config::GpuSpec g = gtx480();
    g.sm.global_loads_skip_l1d = true;
    isa::Instruction load = memory(OpClass::load, Space::global, {1}, {2});
    load.cache = cache;
    Bench b({load, exit()}, {}, g);
    b.run();
    EXPECT_EQ(b.stats().l1d.accesses, accesses);
  }
}

// Four bytes per lane. The L2 reads a sector without a miss only when all its bytes are marked.
TEST(Sm, AVectorStoreMarksOneElementPerLaneWhereVectorStoresMarkFirstElementIsSet) {
  for (const bool first_only : {false, true}) {
    config::GpuSpec g = gtx480();
    g.sm.vector_stores_mark_first_element = first_only;
    isa::Instruction store = memory(OpClass::store, Space::global, {1, 2}, {});
    store.access_bytes = 1;
    store.vector = 4;
    Bench b(
        {store, exit()},
        [](WarpSlot, exec::Step& s) {
          for (std::size_t l = 0; l < kWarpSize; ++l) s.addresses[l] = 4096 + 4 * l;
        },
        g);
    b.run();
    int written = 0;
    for (const mem::Packet& p : b.seen)
      if (p.kind == mem::PacketKind::write)
        written += std::popcount(p.mask.words[0]) + std::popcount(p.mask.words[1]);
    EXPECT_EQ(written, first_only ? 32 : 128);
  }
}

// With memory_barriers_empty_l1d the warp's first read after the barrier fetches from the L2 again;
// the next read merges with it.
TEST(Sm, MemoryBarrierEmptiesTheL1WhereMemoryBarriersEmptyL1dIsSet) {
  for (const bool empties : {false, true}) {
    config::GpuSpec g = gtx480();
    g.sm.perfect_instruction_cache = true;
    g.sm.memory_barriers_empty_l1d = empties;
    Bench b(
        {memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::memory_barrier),
         memory(OpClass::load, Space::global, {1}, {3}),
         memory(OpClass::load, Space::global, {1}, {4}), make(OpClass::alu, {3, 4}, {5}), exit()},
        {}, g, 200);
    b.run();
    EXPECT_EQ(b.stats().l1d.misses, empties ? 2u : 1u);
    EXPECT_EQ(b.stats().l1d.hits, empties ? 0u : 2u);
    EXPECT_EQ(b.stats().l1d.pending_hits, empties ? 1u : 0u);
    EXPECT_EQ(b.source.gap(2, 4) > 200, empties);
  }
}

// Reads 16 lines twice; the hits are the lines that the L1 kept.
std::uint64_t hits_with_shared_memory(std::uint32_t shared_bytes) {
  config::GpuSpec g = gtx480();
  g.sm.l1d.size_bytes = 4 * 2 * 128;
  g.sm.l1d.ways = 2;
  g.sm.l1d.set_index = config::SetIndex::linear;
  g.sm.unified_bytes = 4096;
  g.sm.shared_bytes = 3072;
  g.sm.shared_sizes = {0, 2048, 3072};
  std::vector<isa::Instruction> code;
  for (std::uint16_t i = 0; i < 32; ++i)
    code.push_back(
        memory(OpClass::load, isa::Space::global, {}, {static_cast<std::uint16_t>(i % 16)}));
  code.push_back(exit());
  Bench b(code, [](WarpSlot, exec::Step& s) { s.addresses.fill(0xC0000000 + s.pc % 16 * 128); }, g);
  b.source.kernel_ref().shared_bytes = shared_bytes;
  b.run();
  return b.stats().l1d.hits;
}

TEST(Sm, TheL1GetsTheUnifiedMemoryThatCtasDoNotUse) {
  EXPECT_EQ(hits_with_shared_memory(0), 16u);     // 4 KiB: 32 lines
  EXPECT_EQ(hits_with_shared_memory(1000), 16u);  // 2 KiB of shared memory, 16 lines left
  EXPECT_EQ(hits_with_shared_memory(3000), 0u);   // 8 lines left: cyclic reads, LRU keeps none
}

TEST(Sm, APerfectConstantCacheSendsNoRequests) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_constant_cache = g.sm.perfect_instruction_cache = true;
  Bench b(
      {memory(OpClass::load, isa::Space::param, {}, {1}), make(OpClass::int_add, {1}, {2}), exit()},
      {}, g);
  b.run();
  EXPECT_TRUE(b.seen.empty());
  EXPECT_EQ(b.stats().constant.accesses, 0u);
}

}  // namespace
}  // namespace heddle::sm::test
