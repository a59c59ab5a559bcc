#include <gtest/gtest.h>

#include <functional>

#include "exec/check/checker.h"
#include "ptx/module.h"
#include "tests/exec/builder.h"

namespace heddle::exec::test {
namespace {

struct CheckBench : Bench {
  config::CheckSpec spec{.enabled = true};
  Checker checker{spec, memory};

  FunctionalCounts check(const ptx::Kernel& kernel, Dim3 grid, Dim3 block) {
    return run_functionally(launch(kernel, grid, block), memory, {}, nullptr, &checker);
  }
  std::string first() const {
    return checker.findings().empty() ? std::string{} : checker.findings().front().what;
  }
};

// Each of `threads` threads t writes shared word t and reads word t ^ partner. synchronise emits
// what is between.
ptx::Kernel exchange(std::uint32_t threads, std::uint32_t partner,
                     const std::function<void(Builder&)>& synchronise) {
  Builder b;
  b.kernel.shared_bytes = threads * 4;
  const Operand to = b.element_address(0, 4), at = b.reg32(), from = b.reg32(), value = b.reg32();
  b.emit(Opcode::shl, Type::b32, {at}, {b.special(SpecialRegister::tid_x), b.imm32(2)});
  b.emit(Opcode::xor_, Type::b32, {from}, {at, b.imm32(partner * 4)});
  b.st(Space::shared, Type::u32, at, b.imm32(7));
  synchronise(b);
  b.ld(Space::shared, Type::u32, value, from);
  b.st(Space::global, Type::u32, to, value);
  b.ret();
  return b.kernel;
}
void synchronise_nothing(Builder&) {}
void synchronise_cta(Builder& b) { b.bar(); }
void synchronise_warp(Builder& b) {
  Instruction& sync = b.emit(Opcode::bar, Type::none, {}, {b.imm32(0xffffffff)});
  sync.barrier = ptx::BarrierOp::warp_sync;
  sync.op_class = ptx::OpClass::barrier;
}

TEST(Checks, FindNoRaceWhenABarrierOrdersWarps) {
  CheckBench bench;
  bench.array(std::vector<std::uint32_t>(64));
  const ptx::Kernel kernel = exchange(64, 32, synchronise_cta);
  bench.check(kernel, {1, 1, 1}, {64, 1, 1});
  EXPECT_TRUE(bench.checker.findings().empty()) << bench.first();
}

TEST(Checks, FindTheRaceAndBothThreadsWhenTheBarrierIsMissing) {
  CheckBench bench;
  bench.array(std::vector<std::uint32_t>(64));
  const ptx::Kernel kernel = exchange(64, 32, synchronise_nothing);
  bench.check(kernel, {1, 1, 1}, {64, 1, 1});
  ASSERT_EQ(bench.checker.findings().size(),
            2u);  // warp 0 reads what warp 1 has not written; then they race
  const Finding& unwritten = bench.checker.findings()[0];
  EXPECT_EQ(unwritten.tool, Tool::init);
  EXPECT_EQ(unwritten.count, 32u);
  const Finding& race = bench.checker.findings()[1];
  EXPECT_EQ(race.what, "race in shared memory: write after read");
  EXPECT_EQ(race.who.thread.x, 32u);
  EXPECT_EQ(race.address, 128u);
  ASSERT_TRUE(race.other);
  EXPECT_EQ(race.other->who.thread.x, 0u);
  EXPECT_EQ(race.other->act, "reads");
  EXPECT_EQ(race.count,
            64u);  // 32 writes after reads, 32 reads after writes of the same two instructions
}

TEST(Checks, LanesThatShareWithoutBarWarpSyncRaceWhenStrict) {
  for (const bool synchronised : {true, false}) {
    CheckBench bench{.spec = {.enabled = true, .strict = true}};
    bench.array(std::vector<std::uint32_t>(32));
    const ptx::Kernel kernel =
        exchange(32, 1, synchronised ? synchronise_warp : synchronise_nothing);
    bench.check(kernel, {1, 1, 1}, {32, 1, 1});
    EXPECT_EQ(bench.first(), synchronised ? "" : "race in shared memory: read after write");
  }
}

TEST(Checks, AFindingSaysThatTheEarlierAccessWasAtomic) {
  CheckBench bench;
  bench.array(std::vector<std::uint32_t>(64));
  const ptx::Module module = ptx::Module::parse(R"(
.version 7.3
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out) {
.reg .pred %p1; .reg .b32 %r<9>;
.shared .align 4 .b8 word[4];
mov.u32 %r1, %tid.x;
mov.u32 %r2, word;
setp.ge.u32 %p1, %r1, 32;
@%p1 bra STORE;
atom.shared.add.u32 %r3, [%r2], 1;
ret;
STORE: st.shared.u32 [%r2], 7;
ret;
})",
                                                "atomic.ptx");
  bench.check(module.lower("k", {}), {1, 1, 1}, {64, 1, 1});
  bool found = false;
  for (const Finding& finding : bench.checker.findings())
    if (finding.other && finding.other->act == "atomically updates") found = true;
  EXPECT_TRUE(found);
}

TEST(Checks, SkipOnlyTheIllegalLanes) {
  CheckBench bench;
  const Address out = bench.array(std::vector<std::uint32_t>(40, 9));
  Builder b;
  b.st(Space::global, Type::u32, b.element_address(0, 4), b.imm32(1));
  b.ret();
  bench.check(b.kernel, {1, 1, 1}, {64, 1, 1});
  ASSERT_EQ(bench.checker.findings().size(), 1u);
  EXPECT_EQ(bench.first(), "out-of-bounds store of 4 bytes");
  EXPECT_EQ(bench.checker.findings()[0].who.thread.x, 40u);
  EXPECT_EQ(bench.checker.findings()[0].count, 24u);
  EXPECT_EQ(bench.read<std::uint32_t>(out, 40), std::vector<std::uint32_t>(40, 1));
}

TEST(Checks, DoNotChangeTheResultsOfACorrectProgram) {
  Bench plain;
  CheckBench checked;
  const ptx::Kernel kernel = exchange(64, 32, synchronise_cta);
  const Address a = plain.array(std::vector<std::uint32_t>(128)),
                b = checked.array(std::vector<std::uint32_t>(128));
  const FunctionalCounts expected = plain.run(kernel, {2, 1, 1}, {64, 1, 1}),
                         counts = checked.check(kernel, {2, 1, 1}, {64, 1, 1});
  EXPECT_EQ(counts.warp_instructions, expected.warp_instructions);
  EXPECT_EQ(counts.thread_instructions, expected.thread_instructions);
  EXPECT_EQ(checked.read<std::uint32_t>(b, 128), plain.read<std::uint32_t>(a, 128));
}

TEST(MemoryKeptApart, SeparatesAllocationsAndReusesFreedMemoryLast) {
  GlobalMemory memory{4096};
  memory.keep_apart(256);
  const Address a = memory.allocate(256, "a"), b = memory.allocate(256, "b");
  EXPECT_FALSE(memory.valid(a + 256, 4));
  EXPECT_EQ(b - a, 512u);
  memory.free(a);
  EXPECT_TRUE(memory.was_freed(a + 8));
  const Address c = memory.allocate(256, "c");
  EXPECT_NE(c, a);
  EXPECT_EQ(memory.allocate(2048, "d") - a, 1536u);
  EXPECT_EQ(memory.allocate(256, "e"), a);  // no other memory is left
  EXPECT_EQ(memory.used_bytes(), 256u * 3 + 2048u);
}

TEST(UnwrittenBytes, AreTrackedByByteAcrossPages) {
  UnwrittenBytes bytes{1000};
  bytes.set(5000, 300);
  EXPECT_FALSE(bytes.any(4992, 8));
  EXPECT_TRUE(bytes.any(4993, 8));
  bytes.clear(5000, 150);
  EXPECT_FALSE(bytes.any(5000, 150));
  EXPECT_TRUE(bytes.any(5149, 2));
  bytes.copy(20000, 5140, 20);  // the first ten are written
  bytes.set(20100, 1);
  EXPECT_FALSE(bytes.any(20000, 10));
  bytes.set(20000, 20);
  bytes.copy(20000, 5140, 20);
  EXPECT_FALSE(bytes.any(20000, 10));
  EXPECT_TRUE(bytes.any(20010, 1));
}

ShadowAccess by(std::uint64_t cta, std::uint16_t thread, std::uint32_t tick = 0) {
  ShadowAccess a;
  a.cta = cta, a.thread = thread, a.tick = tick, a.valid = true;
  return a;
}

TEST(Cell, KeepsAReaderOfAnotherCta) {
  Cell cell;
  cell.note_read(by(0, 3));
  for (std::uint16_t thread = 0; thread < 4; ++thread) cell.note_read(by(1, thread));
  EXPECT_EQ(cell.reads[0].cta, 1u);
  EXPECT_EQ(cell.reads[1].cta, 0u);
}

constexpr std::uint32_t kAllLanes = ~std::uint32_t{0};

TEST(Cell, KeepsTheWriterWhoseValueRemains) {
  Cell cell;
  cell.note_write(by(0, 3));
  ShadowAccess same = by(1, 4);
  same.changed = false;
  cell.note_write(same);
  same.thread = 5;
  cell.note_write(same);
  EXPECT_EQ(cell.writes[0].thread, 5u);
  EXPECT_EQ(cell.writes[1].thread, 3u);
  cell.note_write(by(2, 6));
  EXPECT_EQ(cell.writes[0].thread, 6u);
  EXPECT_FALSE(cell.writes[1].valid);
}

TEST(Order, OfWarpsFollowsFromABarrierOfBoth) {
  GridOrder grid;
  CtaOrder order{grid};
  order.start(0, 3);
  const ShadowAccess before = by(0, 0, grid.tick());
  CtaOrder::BarrierOrder barrier;
  order.arrive(0, barrier);
  const ShadowAccess after = by(0, 0, grid.tick());
  order.arrive(1, barrier);
  order.depart(0, barrier);
  order.depart(1, barrier);
  EXPECT_TRUE(order.ordered(before, 32, false));
  EXPECT_FALSE(order.ordered(after, 32, false));
  EXPECT_FALSE(order.ordered(before, 64, false));
}

TEST(Order, OfCtasFollowsFromAReleaseBeforeAnAcquire) {
  GridOrder grid;
  CtaOrder releaser{grid}, acquirer{grid};
  releaser.start(0, 1);
  acquirer.start(1, 1);
  const ShadowAccess before = by(0, 0, grid.tick());
  acquirer.acquire(0, kAllLanes, true);
  releaser.release(0, kAllLanes, true);
  EXPECT_FALSE(acquirer.ordered(before, 0, false));
  acquirer.acquire(0, kAllLanes, true);
  EXPECT_TRUE(acquirer.ordered(before, 0, false));
  EXPECT_FALSE(acquirer.ordered(by(0, 0, grid.tick()), 0, false));
}

TEST(Order, ThatALaneMakesIsForThatLane) {
  GridOrder grid;
  CtaOrder order{grid}, other{grid};
  order.start(0, 2);
  other.start(1, 1);
  const ShadowAccess first = by(0, 0, grid.tick()), fifth = by(0, 5, grid.tick());
  order.release(0, 1, true);
  order.acquire(1, 2, true);
  other.acquire(0, 4, true);
  EXPECT_TRUE(order.ordered(first, 32 + 1, false));
  EXPECT_FALSE(order.ordered(fifth, 32 + 1, false)) << "lane 5 has not released";
  EXPECT_FALSE(order.ordered(first, 32 + 2, false)) << "lane 2 has not acquired";
  EXPECT_TRUE(other.ordered(first, 2, false));
  EXPECT_FALSE(other.ordered(fifth, 2, false));
  EXPECT_FALSE(other.ordered(first, 3, false));
}

TEST(Order, OfLanesThatSynchroniseIsCommon) {
  GridOrder grid;
  CtaOrder order{grid}, other{grid};
  order.start(0, 2);
  other.start(1, 1);
  const ShadowAccess before = by(0, 5, grid.tick()), beside = by(0, 9, grid.tick());
  order.synchronise_lanes(0, 0x21);  // lanes 0 and 5
  const ShadowAccess after = by(0, 5, grid.tick());
  order.release(0, 1, true);
  order.acquire(1, 1, true);
  other.acquire(0, 1, true);
  EXPECT_FALSE(order.ordered(before, 32 + 7, false));
  EXPECT_FALSE(other.ordered(before, 7, false));
  order.synchronise_lanes(1, 0x81);
  other.synchronise_lanes(0, 0x81);
  EXPECT_TRUE(order.ordered(before, 32 + 7, false));
  EXPECT_FALSE(order.ordered(beside, 32 + 7, false));
  EXPECT_FALSE(order.ordered(after, 32 + 7, false));
  EXPECT_TRUE(other.ordered(before, 7, false));
  EXPECT_FALSE(other.ordered(beside, 7, false));
  EXPECT_FALSE(other.ordered(after, 7, false));
}

TEST(Order, OfABarrierIsReleasedByAnyThreadAfterIt) {
  GridOrder grid;
  CtaOrder order{grid}, other{grid};
  order.start(0, 2);
  other.start(1, 1);
  const ShadowAccess before = by(0, 37, grid.tick());
  CtaOrder::BarrierOrder barrier;
  order.arrive(0, barrier);
  order.arrive(1, barrier);
  order.depart(0, barrier);
  order.depart(1, barrier);
  const ShadowAccess after = by(0, 37, grid.tick());
  order.release(0, 1, true);
  other.acquire(0, 1, true);
  EXPECT_TRUE(other.ordered(before, 0, false));
  EXPECT_FALSE(other.ordered(after, 0, false));
}

TEST(Order, OfManyReleasesIsThatOfTheFirst) {
  // Two warps release and acquire in turn; the third acquires once between.
  GridOrder grid;
  CtaOrder order{grid};
  order.start(0, 3);
  std::vector<ShadowAccess> accesses;
  for (int n = 0; n < 20; ++n) {
    accesses.push_back(by(0, 4, grid.tick()));
    order.release(0, 1u << 4, false);
    if (n % 3 == 0) order.acquire(1, 1, false);
    if (n == 10) order.acquire(2, 1, false);
  }
  for (int n = 0; n < 20; ++n) {
    EXPECT_EQ(order.ordered(accesses[static_cast<std::size_t>(n)], 64, false), n <= 10) << n;
    EXPECT_EQ(order.ordered(accesses[static_cast<std::size_t>(n)], 32, false), n <= 18) << n;
  }
}

TEST(Order, OfReleasesByAllLanesAndByOneInTurnIsKept) {
  // The arrivals at a barrier in memory, whose last lane starts the next phase.
  GridOrder grid;
  CtaOrder order{grid};
  order.start(0, 2);
  std::vector<ShadowAccess> accesses;
  for (int n = 0; n < 5; ++n) {
    accesses.push_back(by(0, 4, grid.tick()));
    order.release(0, kAllLanes, false);
    order.release(0, 1u << 31, false);
  }
  order.acquire(1, 1, false);
  for (const ShadowAccess& access : accesses) EXPECT_TRUE(order.ordered(access, 32, false));
  EXPECT_FALSE(order.ordered(by(0, 4, grid.tick()), 32, false));
}

TEST(Order, OfLanesOfAWarpIsCheckedOnlyWhenStrict) {
  GridOrder grid;
  CtaOrder order{grid};
  order.start(0, 1);
  const ShadowAccess before = by(0, 1, grid.tick());
  EXPECT_TRUE(order.ordered(before, 0, false));
  EXPECT_FALSE(order.ordered(before, 0, true));
  order.synchronise_lanes(0, 0xc);
  EXPECT_FALSE(order.ordered(before, 0, true)) << "other lanes";
  order.synchronise_lanes(0, kAllLanes);
  EXPECT_TRUE(order.ordered(before, 0, true));
}

}  // namespace
}  // namespace heddle::exec::test
