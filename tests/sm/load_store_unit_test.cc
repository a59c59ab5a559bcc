// The accesses that the load/store unit and its caches serve per cycle.
#include <gtest/gtest.h>

#include "tests/sm/bench.h"

namespace heddle::sm {
namespace {

using namespace test;
using isa::OpClass;

// Cycles from a load that hits 32 lines to the addition that waits for it.
std::uint64_t hits_of_a_scattered_load(isa::Space space, std::uint32_t parts) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  g.sm.shared.warp_parts = parts;
  const isa::Instruction first = memory(OpClass::load, space, {}, {1}),
                         again = memory(OpClass::load, space, {}, {3});
  Bench b(
      {first, make(OpClass::int_add, {1}, {2}), again, make(OpClass::int_add, {3}, {4}), exit()},
      [](WarpSlot, exec::Step& s) {
        for (std::size_t l = 0; l < kWarpSize; ++l) s.addresses[l] = 0xC0000000 + l * 128;
      },
      g);
  b.run();
  const mem::CacheStats& cache = space == isa::Space::texture ? b.stats().texture : b.stats().l1d;
  EXPECT_EQ(cache.hits, 32u);
  return b.source.gap(2, 3);
}

// Cycles from a load of one line to the addition that waits for it.
struct Gaps {
  std::uint64_t miss, hit;
};
Gaps gaps_of_a_load(std::uint32_t hit_latency, std::uint32_t parts) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  g.sm.l1d_access = config::L1AccessPath::direct;
  g.sm.l1d.hit_latency = hit_latency;
  g.sm.shared.warp_parts = parts;
  const isa::Instruction first = memory(OpClass::load, isa::Space::global, {}, {1}),
                         again = memory(OpClass::load, isa::Space::global, {}, {3});
  Bench b(
      {first, make(OpClass::int_add, {1}, {2}), again, make(OpClass::int_add, {3}, {4}), exit()},
      [](WarpSlot, exec::Step& s) {
        for (std::size_t l = 0; l < kWarpSize; ++l) s.addresses[l] = 0xC0000000 + l * 4;
      },
      g);
  b.run();
  EXPECT_EQ(b.stats().l1d.hits, parts);  // each part of the warp makes an access
  return {b.source.gap(0, 1), b.source.gap(2, 3)};
}

}  // namespace

TEST(LoadStoreUnit, ServesOneAccessPerCycleOfTheUnit) {
  for (const isa::Space space : {isa::Space::global, isa::Space::texture}) {
    const std::uint64_t one = hits_of_a_scattered_load(space, 1),
                        two = hits_of_a_scattered_load(space, 2);
    EXPECT_EQ(one - two, 16u) << (space == isa::Space::texture ? "texture" : "L1");
  }
}

// The lines of warp 0 arrive one per cycle and share the way to the registers with the data from
// shared memory, which the other warps read when half of the lines are there.
TEST(LoadStoreUnit, ASharedLoadWaitsWhileTheSharedMemorysPipelineIsFull) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  g.sm.shared.latency = 1;
  std::vector<isa::Instruction> code{memory(OpClass::load, isa::Space::global, {}, {1})};
  for (std::uint16_t r = 2; r < 10; ++r)
    code.push_back(memory(OpClass::load, isa::Space::shared, {1}, {r}));
  code.push_back(exit());
  Bench b(
      code,
      [](WarpSlot w, exec::Step& s) {
        if (s.pc > 0) return;
        for (std::size_t l = 0; l < kWarpSize; ++l)
          s.addresses[l] = 0xC0000000 + 128 * (w.index == 0 ? l : 16);
      },
      g);
  b.run(4);
  EXPECT_EQ(b.stats().warp_instructions, 4 * 10u);
}

TEST(LoadStoreUnit, DirectAccessDelaysHitsOnlyInCyclesOfTheUnit) {
  const Gaps at_once = gaps_of_a_load(0, 1), later = gaps_of_a_load(10, 1);
  EXPECT_EQ(later.hit - at_once.hit, 10u);
  EXPECT_EQ(later.miss, at_once.miss);
  const Gaps twice_at_once = gaps_of_a_load(0, 2), twice_later = gaps_of_a_load(20, 2);
  EXPECT_EQ(twice_later.hit - twice_at_once.hit, 10u);
  EXPECT_EQ(twice_later.miss, twice_at_once.miss);
}

TEST(LoadStoreUnit, AnAccessToASectorOfAnotherCtaGoesToTheNetwork) {
  for (const std::uint32_t sectors : {0u, 1u, 2u})
    for (const OpClass kind : {OpClass::load, OpClass::store}) {
      const bool load = kind == OpClass::load;
      Bench b({load ? memory(kind, isa::Space::shared, {}, {1})
                    : memory(kind, isa::Space::shared, {1}, {}),
               make(OpClass::int_add, {1}, {2}), exit()},
              [sectors](WarpSlot, exec::Step& s) {
                if (s.pc != 0 || sectors == 0) return;
                s.remote_sectors = sectors;
                s.remote_lanes = LaneMask::all();
              });
      std::uint32_t requested = 0;
      b.before_window = [&](std::uint64_t now) {
        for (const RemoteRequest& request : b.sm.take_remote_requests()) {
          requested += request.sectors;
          b.sm.answer_remote(request, Cycle{now + 50});
        }
      };
      b.run();
      EXPECT_EQ(requested, sectors);
      EXPECT_EQ(b.stats().remote_sectors, sectors);
    }
}

}  // namespace heddle::sm
