// Lanes that reach a warp-synchronous instruction on different paths converge there. On GPUs of
// sm_70 and later each lane waits for the lanes of its member mask.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "tests/conformance/kernels.h"

namespace heddle::conformance {
namespace {

using U32 = std::uint32_t;

class ConvergencePoint : public testing::TestWithParam<bool> {
 protected:
  // %p0 is true.
  std::vector<U32> run(const std::string& body, U32 threads = 32,
                       const std::string& functions = "") const {
    return run_kernel(".shared .align 4 .b32 tile[64];\nsetp.eq.u32 %p0, 0, 0;\n" + body, 1,
                      threads, threads, {0}, GetParam(), functions);
  }
};
INSTANTIATE_TEST_SUITE_P(Sources, ConvergencePoint, testing::Bool(),
                         [](const auto& how) { return how.param ? "steps" : "functional"; });

// Executed by all lanes that have not exited: the code before it is no early exit.
const std::string kVoteOfAll = " vote.sync.ballot.b32 %r20, %p0, -1;\n";

TEST_P(ConvergencePoint, LanesThatStayConvergeWhenAFlagSelectsEarlyExits) {
  // Compilers write a return out of a loop like this: some lanes set a flag, others clear it after
  // the vote, and both then test it.
  const auto out =
      run("and.b32 %r3, %l, 7; setp.eq.u32 %p1, %r3, 3; mov.u32 %r4, 0; mov.pred %p2, 0;\n"
          "LOOP: @%p1 bra QUIT; add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, %r3; @%p3 bra LOOP;\n"
          "vote.sync.ballot.b32 %r9, %p0, 0xf7f7f7f7; mov.pred %p2, 0; bra JOIN;\n"
          "QUIT: mov.pred %p2, -1;\nJOIN: @%p2 bra END;" +
          kVoteOfAll + "st.global.u32 [%x], %r9;\nEND:");
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], l % 8 == 3 ? 0 : 0xf7f7f7f7u) << l;
}

TEST_P(ConvergencePoint, LanesOfAnOrOfTwoConditionsConverge) {
  // if (lane < 8 || lane is odd) vote
  const auto out =
      run("setp.lt.u32 %p1, %l, 8; mov.u32 %r9, 0; @%p1 bra VOTE; and.b32 %r3, %l, 1; setp.eq.u32 "
          "%p2, %r3, 0; @%p2 bra END;\n"
          "VOTE: vote.sync.ballot.b32 %r9, %p0, 0xaaaaaaff;\nEND:" +
          kVoteOfAll + "st.global.u32 [%x], %r9;\n");
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], l < 8 || l % 2 ? 0xaaaaaaffu : 0u) << l;
}

TEST_P(ConvergencePoint, MembersThatCannotArriveAreNotWaitedFor) {
  // Older programs name all lanes in every mask.
  const auto out = run(
      "setp.lt.u32 %p1, %l, 16; mov.u32 %r9, 7; @%p1 bra LOW; st.global.u32 [%x], %r9; bra END;\n"
      "LOW: vote.sync.ballot.b32 %r9, %p0, -1;\nEND:" +
      kVoteOfAll + "st.global.u32 [%x], %r9;\n");
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], l < 16 ? 0xffffu : 7u) << l;
}

TEST_P(ConvergencePoint, LanesConvergeBeforeABarrierOfTheCta) {
  // Two warps. Lane 0 of each takes the short path to the barrier and reads after it what lane 7
  // has stored on the long path. Both paths also lead around the barrier.
  const auto out =
      run("setp.eq.u32 %p1, %l, 0; mov.u32 %r5, tile; shl.b32 %r6, %i, 2; add.u32 %r5, %r5, %r6; "
          "mov.u32 %r9, 0;\n"
          "@%p1 bra SHORT; add.u32 %r7, %i, 5; st.shared.u32 [%r5], %r7; setp.gt.u32 %p3, %r7, "
          "999; @%p3 bra JOIN; bra MEET;\n"
          "SHORT: setp.gt.u32 %p3, %i, 999; @%p3 bra JOIN;\n"
          "MEET: bar.sync 0; @!%p1 bra JOIN; ld.shared.u32 %r9, [%r5+28];\nJOIN:" +
              kVoteOfAll + "st.global.u32 [%x], %r9;",
          64);
  for (U32 t = 0; t < 64; ++t) EXPECT_EQ(out[t], t % 32 ? 0 : t + 12) << t;
}

TEST_P(ConvergencePoint, LanesConvergeBeforeACallOfAFunctionThatVotes) {
  // The call is executed when one of two conditions holds.
  const auto out = run(
      "setp.lt.u32 %p1, %l, 8; mov.u32 %r9, 0; @%p1 bra VOTE; and.b32 %r3, %l, 1; setp.eq.u32 %p2, "
      "%r3, 0; @%p2 bra END;\n"
      "VOTE: { .param .b32 result; call (result), votes, (); ld.param.b32 %r9, [result]; }\nEND:" +
          kVoteOfAll + "st.global.u32 [%x], %r9;\n",
      32,
      ".func (.param .b32 result) votes() {\n .reg .pred %p; .reg .b32 %r; setp.eq.u32 %p, 0, 0; "
      "vote.sync.ballot.b32 %r, %p, 0xaaaaaaff; st.param.b32 [result], %r; ret;\n}\n");
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], l < 8 || l % 2 ? 0xaaaaaaffu : 0u) << l;
}

// Each half of the warp executes a bar.warp.sync of its own.
TEST_P(ConvergencePoint, HalvesOfAWarpWaitAtDifferentWarpBarriers) {
  const std::string exchange =
      "st.shared.u32 [%r5], %r7; bar.warp.sync -1; ld.shared.u32 %r8, [%r6]; bar.warp.sync -1;\n";
  const auto out =
      run("mov.u32 %r4, tile; shl.b32 %r5, %l, 2; xor.b32 %r6, %r5, 64; add.u32 %r5, %r5, %r4; "
          "add.u32 %r6, %r6, %r4; setp.lt.u32 %p1, %l, 16;\n"
          "@%p1 bra LOW; mul.lo.u32 %r7, %l, 3; " +
          exchange + "bra END;\nLOW: mul.lo.u32 %r7, %l, 100; " + exchange +
          "END: st.global.u32 [%x], %r8;");
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], l < 16 ? (l + 16) * 3 : (l - 16) * 100) << l;
}

TEST_P(ConvergencePoint, OneLaneWritesInALoopWhatTheOthersReadAfterABarrier) {
  const auto out =
      run("setp.eq.u32 %p1, %l, 0; mov.u32 %r4, 0; mov.u32 %r9, 0; @%p1 bra FILL;\n"
          "READ: bar.warp.sync -1; ld.shared.u32 %r8, [tile]; add.u32 %r9, %r9, %r8; bar.warp.sync "
          "-1; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 5; @%p2 bra READ; bra END;\n"
          "FILL: add.u32 %r5, %r4, 10; st.shared.u32 [tile], %r5; bar.warp.sync -1; bar.warp.sync "
          "-1; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 5; @%p2 bra FILL;\n"
          "END: st.global.u32 [%x], %r9;");
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], l == 0 ? 0u : 10u + 11 + 12 + 13 + 14) << l;
}

// A part of a kernel: random control flow, and at its end a warp-synchronous instruction of all
// lanes that have not returned.
struct Part {
  struct Block {
    U32 multiplier, addend;  // x = x * multiplier + addend + t
    U32 bits;                // then: branches when (x & bits) == 0
    int taken, other;        // blocks, kConverge or kReturn
  };
  std::vector<Block> blocks;
  bool by_flag;   // returning lanes set a flag and branch around the instruction
  bool exchange;  // through shared memory; otherwise a vote
};
constexpr int kConverge = -1, kReturn = -2, kMaxIterations = 40;

// A backward branch is taken only until the lane has executed kMaxIterations blocks of the part.
std::vector<Part> random_parts(std::mt19937& random) {
  const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<U32>(count)); };
  std::vector<Part> parts(2);
  for (Part& part : parts) {
    part.by_flag = pick(2);
    part.exchange = pick(2);
    const int count = 3 + pick(6);
    for (int b = 0; b < count; ++b) {
      const auto target = [&] {
        if (pick(12) == 0) return kReturn;
        if (pick(5) == 0) return pick(count);
        const int next = b + 1 + pick(3);
        return next < count ? next : kConverge;
      };
      part.blocks.push_back({static_cast<U32>(2 * pick(8) + 1), static_cast<U32>(pick(100)),
                             std::array<U32, 4>{1, 2, 6, 12}[static_cast<std::size_t>(pick(4))],
                             target(), target()});
    }
  }
  return parts;
}

// The reference result: executes each part lane by lane.
std::vector<U32> expected(const std::vector<Part>& parts, int rounds) {
  std::vector<U32> x(32), tile(32, 0);
  std::vector<char> stays(32, 1);
  for (U32 t = 0; t < 32; ++t) x[t] = t * t + 3;
  for (int part = 0; part < rounds * static_cast<int>(parts.size()); ++part) {
    const Part& now = parts[static_cast<std::size_t>(part) % parts.size()];
    for (U32 t = 0; t < 32; ++t) {
      int at = 0, iterations = 0;
      while (stays[t] && at != kConverge) {
        const Part::Block& block = now.blocks[static_cast<std::size_t>(at)];
        x[t] = x[t] * block.multiplier + block.addend + t;
        const bool early = ++iterations < kMaxIterations;
        const int next = (x[t] & block.bits) == 0 ? block.taken : block.other;
        if (next == kReturn) stays[t] = 0;
        at = next >= 0 && next <= at && !early ? kConverge : next;
      }
    }
    U32 ballot = 0;
    for (U32 t = 0; t < 32; ++t)
      if (stays[t])
        (now.exchange ? tile[t] : ballot) = now.exchange ? x[t] : ballot | (x[t] & 1) << t;
    for (U32 t = 0; t < 32; ++t)
      if (stays[t]) x[t] = x[t] * 3 + (now.exchange ? tile[(t + 5) % 32] : ballot);
  }
  return x;
}

std::string text_of(const std::vector<Part>& parts, int rounds) {
  std::string text =
      "mov.u32 %r4, tile; shl.b32 %r5, %l, 2; add.u32 %r6, %r5, 20; and.b32 %r6, %r6, 127; add.u32 "
      "%r5, %r5, %r4; add.u32 %r6, %r6, %r4; st.shared.u32 [%r5], 0;\n"
      "mad.lo.u32 %r3, %l, %l, 3; mov.u32 %r10, 0; mov.pred %p5, 0; bar.warp.sync -1;\nROUND:\n";
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::string prefix = "P" + std::to_string(p);
    const auto label = [&](int target) {
      return prefix + (target == kConverge ? "MEET"
                       : target == kReturn ? "QUIT"
                                           : "B" + std::to_string(target));
    };
    text += "mov.u32 %r11, 0;\n";
    for (int b = 0; b < static_cast<int>(parts[p].blocks.size()); ++b) {
      const Part::Block& block = parts[p].blocks[static_cast<std::size_t>(b)];
      text += label(b) + ": mad.lo.u32 %r3, %r3, " + std::to_string(block.multiplier) + ", " +
              std::to_string(block.addend) + "; add.u32 %r3, %r3, %l; add.u32 %r11, %r11, 1;\n";
      text += " and.b32 %r7, %r3, " + std::to_string(block.bits) +
              "; setp.eq.u32 %p1, %r7, 0; setp.ge.u32 %p2, %r11, " +
              std::to_string(kMaxIterations) + ";\n";
      const auto go = [&](const std::string& guard, int target) {
        if (target >= 0 && target <= b)
          text += guard.empty() ? " @%p2 bra " + label(kConverge) + ";\n"
                                : " and.pred %p3, %p1, %p2; @%p3 bra " + label(kConverge) + ";\n";
        text += " " + guard + "bra " + label(target) + ";\n";
      };
      go("@%p1 ", block.taken);
      go("", block.other);
    }
    text += label(kConverge) + ":";
    if (parts[p].exchange)
      text +=
          " st.shared.u32 [%r5], %r3; bar.warp.sync -1; ld.shared.u32 %r8, [%r6]; bar.warp.sync "
          "-1;\n";
    else
      text += " and.b32 %r7, %r3, 1; setp.ne.u32 %p1, %r7, 0; vote.sync.ballot.b32 %r8, %p1, -1;\n";
    text += " mad.lo.u32 %r3, %r3, 3, %r8; mov.pred %p5, 0;\n";
    if (parts[p].by_flag)
      text += " bra " + prefix + "JOIN;\n" + label(kReturn) + ": mov.pred %p5, -1;\n" + prefix +
              "JOIN: @%p5 bra OUT;\n";
    else
      text += " bra " + prefix + "ON;\n" + label(kReturn) + ": bra OUT;\n" + prefix + "ON:\n";
  }
  return text + "add.u32 %r10, %r10, 1; setp.lt.u32 %p4, %r10, " + std::to_string(rounds) +
         "; @%p4 bra ROUND;\nOUT: st.global.u32 [%x], %r3;";
}

TEST_P(ConvergencePoint, RandomControlFlowConvergesAsSpecified) {
  constexpr int kKernels = 300, kRounds = 2;
  std::mt19937 random(2026);
  for (int kernel = 0; kernel < kKernels; ++kernel) {
    const std::vector<Part> parts = random_parts(random);
    const std::string text = text_of(parts, kRounds);
    ASSERT_EQ(run(text), expected(parts, kRounds)) << "kernel " << kernel << ":\n" << text;
  }
}

}  // namespace
}  // namespace heddle::conformance
