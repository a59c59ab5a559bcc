#include <gtest/gtest.h>

#include "ptx/module.h"
#include "tests/exec/builder.h"

namespace heddle::exec::test {
namespace {

// Runs one warp; `body` gets the register with the lane number and writes its result to `result`.
std::vector<U32> one_warp(const std::function<void(Builder&, Operand lane, Operand result)>& body,
                          U32 threads = 32) {
  Bench bench;
  const Address out = bench.array(std::vector<U32>(threads));
  Builder b;
  const Operand to = b.element_address(0, 4), result = b.reg32();
  body(b, b.special(SpecialRegister::laneid), result);
  b.st(Space::global, Type::u32, to, result);
  b.ret();
  bench.run(b.kernel, {1, 1, 1}, {threads, 1, 1});
  return bench.read<U32>(out, threads);
}
std::vector<U32> shuffled(ptx::ShflMode mode, U32 lane_operand, U32 clamp) {
  return one_warp([&](Builder& b, Operand lane, Operand result) {
    b.emit(Opcode::shfl, Type::b32, {result},
           {lane, b.imm32(lane_operand), b.imm32(clamp), b.imm32(~0u)})
        .payload = mode;
  });
}

TEST(Shuffle, MovesWithinItsSegments) {
  const auto up = shuffled(ptx::ShflMode::up, 1, 0), down = shuffled(ptx::ShflMode::down, 2, 0x1f),
             fly = shuffled(ptx::ShflMode::bfly, 16, 0x1f),
             index = shuffled(ptx::ShflMode::idx, 3, 0x181f);  // segments of 8 lanes
  for (U32 l = 0; l < 32; ++l) {
    EXPECT_EQ(up[l], l >= 1 ? l - 1 : l);
    EXPECT_EQ(down[l], l + 2 < 32 ? l + 2 : l);
    EXPECT_EQ(fly[l], l ^ 16);
    EXPECT_EQ(index[l], (l & 0x18) + 3);
  }
}

TEST(Vote, BallotCountsOnlyLiveLanes) {
  const auto ballots = one_warp(
      [](Builder& b, Operand lane, Operand result) {
        const Operand p = b.pred();
        b.setp(Compare::gt, Type::u32, p, lane, b.imm32(3));
        b.emit(Opcode::vote, Type::b32, {result}, {p, b.imm32(~0u)}).payload =
            ptx::VoteMode::ballot;
      },
      20);
  for (const U32 ballot : ballots) EXPECT_EQ(ballot, 0xffff0u);
}

// 0xffff or 0xffff0000: the half of the warp that the lane is in.
Operand half_of(Builder& b, Operand lane) {
  const Operand high = b.pred(), half = b.reg32();
  b.setp(Compare::ge, Type::u32, high, lane, b.imm32(16));
  b.emit(Opcode::selp, Type::b32, {half}, {b.imm32(0xffff0000), b.imm32(0xffff), high});
  return half;
}

TEST(Vote, LanesWithDifferentMemberMasksVoteSeparately) {
  const auto ballots = one_warp([](Builder& b, Operand lane, Operand result) {
    const Operand p = b.pred(), half = half_of(b, lane);
    b.setp(Compare::gt, Type::u32, p, lane, b.imm32(3));
    b.emit(Opcode::vote, Type::b32, {result}, {p, half}).payload = ptx::VoteMode::ballot;
  });
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(ballots[l], l < 16 ? 0xfff0u : 0xffff0000u);
}

TEST(Vote, ALaneOutsideItsOwnMemberMaskSeesTheMembers) {
  const auto below = one_warp([](Builder& b, Operand lane, Operand result) {
    const Operand p = b.pred(), mask = b.special(SpecialRegister::lanemask_lt);
    b.setp(Compare::ge, Type::u32, p, lane, b.imm32(1));
    b.emit(Opcode::vote, Type::b32, {result}, {p, mask}).payload = ptx::VoteMode::ballot;
  });
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(below[l], ((U32{1} << l) - 1) & ~1u);
}

TEST(Match, LanesWithDifferentMemberMasksMatchSeparately) {
  const auto same = one_warp([](Builder& b, Operand lane, Operand result) {
    const Operand v = b.reg32(), half = half_of(b, lane);
    b.emit(Opcode::and_, Type::b32, {v}, {lane, b.imm32(1)});
    b.emit(Opcode::match, Type::b32, {result}, {v, half}).payload = ptx::MatchMode::any;
  });
  for (U32 l = 0; l < 32; ++l)
    EXPECT_EQ(same[l], (l % 2 ? 0xaaaaaaaau : 0x55555555u) & (l < 16 ? 0xffffu : 0xffff0000u));
}

TEST(Reduction, LanesWithDifferentMemberMasksAddSeparately) {
  const auto sums = one_warp([](Builder& b, Operand lane, Operand result) {
    const Operand half = half_of(b, lane);
    b.emit(Opcode::redux, Type::u32, {result}, {lane, half}).atomic = ptx::AtomicOp::add;
  });
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(sums[l], l < 16 ? 120u : 376u);
}

TEST(Match, AnyFindsEqualValues) {
  const auto same = one_warp([](Builder& b, Operand lane, Operand result) {
    const Operand v = b.reg32();
    b.emit(Opcode::and_, Type::b32, {v}, {lane, b.imm32(1)});
    b.emit(Opcode::match, Type::b32, {result}, {v, b.imm32(~0u)}).payload = ptx::MatchMode::any;
  });
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(same[l], l % 2 ? 0xaaaaaaaau : 0x55555555u);
}

TEST(Moves, PackAndUnpackPairs) {
  const auto high = one_warp([](Builder& b, Operand lane, Operand result) {
    const Operand wide = b.reg64();
    b.emit(Opcode::mov, Type::b64, {wide}, {b.imm32(5), lane}).vector = 2;
    b.emit(Opcode::mov, Type::b64, {{}, result}, {wide}).vector = 2;
  });
  const auto low = one_warp([](Builder& b, Operand lane, Operand result) {
    const Operand wide = b.reg64();
    b.emit(Opcode::mov, Type::b64, {wide}, {lane, b.imm32(5)}).vector = 2;
    b.emit(Opcode::mov, Type::b64, {result, {}}, {wide}).vector = 2;
  });
  const auto halves = one_warp([](Builder& b, Operand lane, Operand result) {
    b.emit(Opcode::mov, Type::b32, {result}, {lane, b.imm32(5)}).vector = 2;
  });
  for (U32 l = 0; l < 32; ++l) {
    EXPECT_EQ(high[l], l);
    EXPECT_EQ(low[l], l);
    EXPECT_EQ(halves[l], 5u << 16 | l);
  }
}

TEST(Moves, APredicateMayBeAConstant) {
  const ptx::Module module = ptx::Module::parse(
      ".version 7.3\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
      ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<3>;\nld.param.u64 %rd1, [out];\n"
      "mov.pred %p1, 1;\nmov.pred %p2, 0;\nselp.b32 %r1, 7, 9, %p1;\nselp.b32 %r2, 7, 9, %p2;\n"
      "st.global.u32 [%rd1], %r1;\nst.global.u32 [%rd1+4], %r2;\nret;\n}\n",
      "constants.ptx");
  Bench bench;
  const Address out = bench.array(std::vector<U32>(2));
  bench.run(module.lower("k", {}), {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(bench.read<U32>(out, 2), (std::vector<U32>{7, 9}));
}

TEST(Comparison, SetsBothPredicatesCombinedWithAThird) {
  const auto results = one_warp([](Builder& b, Operand lane, Operand result) {
    const Operand even = b.pred(), p = b.pred(), q = b.pred(), bit = b.reg32();
    b.emit(Opcode::and_, Type::b32, {bit}, {lane, b.imm32(1)});
    b.setp(Compare::eq, Type::u32, even, bit, b.imm32(0));
    Instruction& both = b.setp(Compare::lt, Type::u32, p, lane, b.imm32(10));
    both.dst[1] = q;
    both.src[2] = even;
    both.bool_op = ptx::BoolOp::and_;
    b.emit(Opcode::selp, Type::b32, {result}, {b.imm32(1), b.imm32(0), p});
    b.emit(Opcode::add, Type::u32, {result}, {result, b.imm32(2)}).guard = q;
  });
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(results[l], l % 2 ? 0u : l < 10 ? 1u : 2u);
}

TEST(Barrier, ReductionCountsThePredicates) {
  Bench bench;
  const Address out = bench.array(std::vector<U32>(96));
  Builder b;
  const Operand to = b.element_address(0, 4), p = b.pred(), result = b.reg32();
  b.setp(Compare::lt, Type::u32, p, b.thread(), b.imm32(40));
  Instruction& bar = b.emit(Opcode::bar, Type::none, {result}, {b.imm32(0), {}, p});
  bar.barrier = ptx::BarrierOp::red_popc;
  b.st(Space::global, Type::u32, to, result);
  b.ret();
  bench.run(b.kernel, {1, 1, 1}, {96, 1, 1});
  EXPECT_EQ(bench.read<U32>(out, 96), std::vector<U32>(96, 40));
}

}  // namespace
}  // namespace heddle::exec::test
