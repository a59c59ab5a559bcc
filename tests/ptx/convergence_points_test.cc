#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "ptx/flow/cfg.h"
#include "ptx_text.h"

namespace heddle::ptx {
namespace {

const std::string kVote = "vote.sync.ballot.b32 %r3, %p4, -1;\n";

const ConvergencePoint* at(const Kernel& kernel, Pc pc) {
  const std::uint32_t index = kernel.code[pc].convergence_point;
  return index == ConvergencePoint::kNone ? nullptr : &kernel.convergence_points[index];
}

TEST(ConvergencePointFinder, StructuredCodeHasNone) {
  const Kernel k = lower_body(
      "@%p1 bra ELSE;\n" + kVote + "bra JOIN;\nELSE: mov.u32 %r1, 2;\nJOIN: " + kVote +
      "L: add.s32 %r1, %r1, 1;\n" + kVote + "@%p2 bra L;\nst.global.u32 [%rd1], %r3;\nret;");
  for (Pc pc = 0; pc < k.code.size(); ++pc) EXPECT_EQ(at(k, pc), nullptr) << pc;
}

TEST(ConvergencePointFinder, AnOrOfTwoConditionsHasOne) {
  // The vote is instruction 4; both branches (0, 2) reconverge at 5.
  const Kernel k =
      lower_body("@%p1 bra VOTE;\nmov.u32 %r1, 2;\n@%p2 bra END;\nVOTE: mov.u32 %r1, 3;\n" + kVote +
                 "END: " + kVote + "st.global.u32 [%rd1], %r3;\nret;");
  const ConvergencePoint* place = at(k, 4);
  ASSERT_NE(place, nullptr);
  EXPECT_EQ(at(k, 5), nullptr);
  EXPECT_EQ(k.code[0].reconvergence, 5u);
  EXPECT_TRUE(place->can_be_reached(4, 1, 5));
  EXPECT_TRUE(place->can_be_reached(4, 2, 5));
  EXPECT_TRUE(place->can_be_reached(4, 3, 5)) << "in the same block, before it";
  EXPECT_FALSE(place->can_be_reached(4, 1, 3)) << "another reconvergence point comes first";
  EXPECT_FALSE(place->can_be_reached(4, 6, kNoPc)) << "after it";
}

TEST(ConvergencePointFinder, IsReachableInTheNextIterationOfALoop) {
  // A lane that does not vote in this iteration may vote in the next, before the reconvergence
  // point after the loop.
  const Kernel k =
      lower_body("L: @%p1 bra VOTE;\n@%p2 bra END;\nbra NEXT;\nVOTE: " + kVote +
                 "NEXT: @%p3 bra L;\nEND: " + kVote + "st.global.u32 [%rd1], %r3;\nret;");
  const ConvergencePoint* place = at(k, 3);
  ASSERT_NE(place, nullptr);
  EXPECT_TRUE(place->can_be_reached(3, 4, 5));
}

TEST(ConvergencePointFinder, TheFirstBlockOfAKernelCanHaveOne) {
  // Both sides of branch 1 lead back to the vote, before they reconverge after the loop.
  const Kernel k = lower_body("L: " + kVote +
                              "@%p1 bra A;\n@%p2 bra END;\nbra L;\nA: @%p3 bra L;\nEND: " + kVote +
                              "st.global.u32 [%rd1], %r3;\nret;");
  const ConvergencePoint* place = at(k, 0);
  ASSERT_NE(place, nullptr);
  EXPECT_TRUE(place->can_be_reached(0, 2, 5));
}

const ConvergencePoint* matching_at(const Kernel& kernel, Pc pc) {
  const std::uint32_t index = kernel.code[pc].matching_point;
  return index == ConvergencePoint::kNone ? nullptr : &kernel.convergence_points[index];
}

TEST(ConvergencePointFinder, MatchingInstructionsOfBothBranchesAreOnePoint) {
  for (const std::string& sync : {std::string("bar.warp.sync -1;\n"), std::string("bar.sync 0;\n"),
                                  kVote, std::string("shfl.sync.bfly.b32 %r4, %r5, 1, 31, -1;\n"),
                                  std::string("redux.sync.add.u32 %r4, %r5, -1;\n")}) {
    const Kernel k = lower_body("@%p1 bra ELSE;\n" + sync + "bra JOIN;\nELSE: mov.u32 %r1, 2;\n" +
                                sync + "JOIN: st.global.u32 [%rd1], %r1;\nret;");
    ASSERT_EQ(matching_at(k, 1), matching_at(k, 4)) << sync;
    const ConvergencePoint* point = matching_at(k, 1);
    ASSERT_NE(point, nullptr) << sync;
    EXPECT_EQ(at(k, 1), nullptr) << "only one side of the branch reaches it";
    EXPECT_TRUE(point->can_be_reached(kNoPc, 3, 5));
    EXPECT_FALSE(point->can_be_reached(kNoPc, 2, 5)) << "after its own instruction";
  }
}

TEST(ConvergencePointFinder, OtherQualifiersNumbersOrBranchesDoNotMatch) {
  const auto both = [](const std::string& one, const std::string& other) {
    const Kernel k = lower_body("@%p1 bra ELSE;\n" + one + "\nbra JOIN;\nELSE: mov.u32 %r1, 2;\n" +
                                other + "\nJOIN: st.global.u32 [%rd1], %r1;\nret;");
    return matching_at(k, 1) != nullptr || matching_at(k, 4) != nullptr;
  };
  EXPECT_TRUE(both("bar.sync 1;", "barrier.sync 1;"));
  EXPECT_FALSE(both("bar.sync 1;", "bar.sync 2;"));
  EXPECT_FALSE(both("vote.sync.any.pred %p2, %p4, -1;", "vote.sync.all.pred %p2, %p4, -1;"));
  EXPECT_FALSE(both("redux.sync.add.u32 %r4, %r5, -1;", "redux.sync.add.s32 %r4, %r5, -1;"));
  EXPECT_FALSE(both("mov.u32 %r4, 1;", kVote)) << "only one branch has one";
}

TEST(ConvergencePointFinder, NestedBranchesReachAMatchingInstruction) {
  // Lanes in the inner branch reconverge at 5, before they meet those of the other side at 8.
  const Kernel k = lower_body("@%p1 bra ELSE;\n@%p2 bra SKIP;\nmov.u32 %r1, 1;\n" + kVote +
                              "SKIP: mov.u32 %r1, 3;\nbra JOIN;\nELSE: " + kVote +
                              "JOIN: st.global.u32 [%rd1], %r1;\nret;");
  const ConvergencePoint* point = matching_at(k, 3);
  ASSERT_NE(point, nullptr);
  EXPECT_EQ(k.code[1].reconvergence, 4u);
  EXPECT_TRUE(point->can_be_reached(kNoPc, 2, 4));
  EXPECT_FALSE(point->can_be_reached(kNoPc, 4, 7));
}

TEST(ConvergencePointFinder, ACallConvergesAsItsCalleeDoes) {
  const std::string functions =
      ".func votes() { .reg .pred %p<9>; .reg .b32 %r<9>; " + kVote +
      " ret; }\n.func adds() { .reg .b32 %r<9>; add.u32 %r1, %r1, 1; ret; }\n"
      ".func outer() { call votes; ret; }\n.func syncs() { bar.warp.sync -1; ret; }\n";
  const auto calls = [&](const std::string& name) {
    const std::string body = "@%p1 bra CALL;\nmov.u32 %r1, 2;\n@%p2 bra END;\nCALL: call " + name +
                             ";\nEND: " + kVote + "st.global.u32 [%rd1], %r3;\nret;";
    return lower_text(kHeader + functions + ".visible .entry k(.param .u64 a, .param .u32 n) {" +
                      kRegisters + body + "\n}\n")
        .code[3]
        .convergence_point;
  };
  EXPECT_EQ(calls("adds"), ConvergencePoint::kNone);
  EXPECT_NE(calls("votes"), ConvergencePoint::kNone);
  EXPECT_NE(calls("outer"), ConvergencePoint::kNone);
  EXPECT_NE(calls("syncs"), ConvergencePoint::kNone);
}

TEST(ConvergencePointFinder, MatchingInstructionsOfCalledFunctionsAreOnePoint) {
  const std::string function = "() { .reg .pred %p<9>; .reg .b32 %r<9>; " + kVote + " ret; }\n";
  const auto matches = [&](const std::string& one, const std::string& other) {
    const Kernel k = lower_text(kHeader + ".func f" + function + ".func g" + function +
                                ".visible .entry k(.param .u64 a, .param .u32 n) {" + kRegisters +
                                "@%p1 bra ELSE;\n" + one + "\nbra JOIN;\nELSE: mov.u32 %r1, 2;\n" +
                                other + "\nJOIN: st.global.u32 [%rd1], %r1;\nret;\n}\n");
    int points = 0;
    for (Pc pc = 0; pc < k.code.size(); ++pc)
      points += k.code[pc].opcode == Opcode::vote && matching_at(k, pc) != nullptr;
    return points;
  };
  EXPECT_EQ(matches("call f;", "call g;"), 2);
  EXPECT_EQ(matches("call f;", "call f;"), 1) << "two calls of one function";
  EXPECT_EQ(matches("call f;", kVote), 2);
  EXPECT_EQ(matches("call f;", "mov.u32 %r1, 1;"), 0);
}

TEST(ConvergencePointFinder, PathsStartBetweenTheBranchAndItsReconvergencePoint) {
  // Without this bound, time and memory grow with the square of a kernel's size.
  std::string body;
  for (int n = 0; n < 100; ++n) {
    const std::string i = std::to_string(n);
    body += "@%p1 bra VOTE" + i + ";\n@%p2 bra END" + i + ";\nVOTE" + i + ": " + kVote + "END" + i +
            ": add.s32 %r1, %r1, 1;\n";
  }
  const Kernel k = lower_body(body + kVote + "st.global.u32 [%rd1], %r3;\nret;");
  ASSERT_EQ(k.convergence_points.size(), 100u);
  for (Pc vote = 2; vote < 400; vote += 4) {
    EXPECT_TRUE(at(k, vote)->can_be_reached(vote, vote - 1, vote + 1));
    for (Pc before = 0; before + 1 < vote; ++before)
      ASSERT_FALSE(at(k, vote)->can_be_reached(vote, before, vote + 1)) << before << " " << vote;
  }
}

// The blocks that a walk from `from` reaches without `meet`, `from` included.
std::set<std::uint32_t> reached(const Cfg& cfg, std::uint32_t from, std::uint32_t meet) {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> work{from};
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    if (b == meet || !seen.insert(b).second) continue;
    work.insert(work.end(), cfg.blocks[b].successors.begin(), cfg.blocks[b].successors.end());
  }
  return seen;
}

std::string random_body(std::mt19937& random) {
  const auto blocks = 4 + random() % 24;
  std::string body;
  for (std::size_t b = 0; b < blocks; ++b) {
    body += "B" + std::to_string(b) + ": add.s32 %r1, %r1, 1;\n";
    if (random() % 3 == 0) body += kVote;
    const std::size_t target = random() % 3 == 0
                                   ? random() % blocks
                                   : std::min<std::size_t>(blocks - 1, b + 1 + random() % 4);
    if (random() % 3 != 0) body += "@%p1 bra B" + std::to_string(target) + ";\n";
    if (random() % 12 == 0) body += "bra B" + std::to_string(target) + ";\n";
    if (random() % 12 == 0) body += "@%p2 exit;\n";
  }
  return body + "ret;";
}

TEST(ConvergencePointFinder, FindsWhatSidesOfABranchShareInRandomCode) {
  std::mt19937 random(1);
  int shared_votes = 0;
  for (int round = 0; round < 300; ++round) {
    const Kernel k = lower_body(random_body(random));
    const Cfg cfg = build_cfg(k.code, {});
    std::set<std::pair<std::uint32_t, std::uint32_t>> shared;  // block, reconvergence block
    for (const BasicBlock& branch : cfg.blocks) {
      const std::uint32_t meet = cfg.postdominator[&branch - cfg.blocks.data()];
      std::vector<int> sides(cfg.blocks.size());
      for (const std::uint32_t s : branch.successors)
        for (const std::uint32_t b : reached(cfg, s, meet))
          if (++sides[b] == 2) shared.emplace(b, meet);
    }
    for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
      for (Pc pc = cfg.blocks[b].first; pc < cfg.blocks[b].end; ++pc) {
        if (k.code[pc].opcode != Opcode::vote) continue;
        const auto first = shared.lower_bound({b, 0});
        EXPECT_EQ(at(k, pc) != nullptr, first != shared.end() && first->first == b) << round;
        shared_votes += at(k, pc) != nullptr;
        for (auto s = first; s != shared.end() && s->first == b && at(k, pc) != nullptr; ++s) {
          const std::uint32_t meet = s->second;
          const Pc end = meet == Cfg::kNone ? kNoPc : cfg.blocks[meet].first;
          for (const BasicBlock& branch : cfg.blocks) {
            if (branch.successors.size() < 2 ||
                cfg.postdominator[&branch - cfg.blocks.data()] != meet)
              continue;
            for (const std::uint32_t side : branch.successors)
              for (const std::uint32_t from : reached(cfg, side, meet))
                if (from != b)
                  EXPECT_EQ(at(k, pc)->can_be_reached(pc, cfg.blocks[from].first, end),
                            reached(cfg, from, meet).contains(b))
                      << "round " << round << " from block " << from << " to " << b;
          }
        }
      }
  }
  EXPECT_GT(shared_votes, 100);
}

TEST(ConvergencePointFinder, FindsMatchingInstructionsOfSidesInRandomCode) {
  std::mt19937 random(2);
  int kernels = 0;
  for (int round = 0; round < 300; ++round) {
    const Kernel k = lower_body(random_body(random));
    const Cfg cfg = build_cfg(k.code, {});
    std::set<std::uint32_t> votes;
    const ConvergencePoint* point = nullptr;
    for (Pc pc = 0; pc < k.code.size(); ++pc) {
      if (k.code[pc].opcode != Opcode::vote) continue;
      if (!votes.empty()) ASSERT_EQ(matching_at(k, pc), point) << "all votes match";
      point = matching_at(k, pc);
      votes.insert(cfg.block_of[pc]);
    }
    const auto votes_after = [&](std::uint32_t from, std::uint32_t meet) {
      std::set<std::uint32_t> found = reached(cfg, from, meet);
      std::erase_if(found, [&](std::uint32_t b) { return !votes.contains(b); });
      return found;
    };
    bool apart = false;
    for (const BasicBlock& branch : cfg.blocks) {
      if (branch.successors.size() < 2) continue;
      const std::uint32_t meet = cfg.postdominator[&branch - cfg.blocks.data()];
      const Pc end = meet == Cfg::kNone ? kNoPc : cfg.blocks[meet].first;
      std::set<std::uint32_t> all;
      int sides = 0;
      for (const std::uint32_t side : branch.successors) {
        const std::set<std::uint32_t> here = votes_after(side, meet);
        sides += !here.empty();
        all.insert(here.begin(), here.end());
        if (!point) continue;
        for (const std::uint32_t from : reached(cfg, side, meet))
          EXPECT_EQ(point->can_be_reached(kNoPc, cfg.blocks[from].first, end),
                    !votes_after(from, meet).empty())
              << "round " << round << " from block " << from;
      }
      apart = apart || (sides > 1 && all.size() > 1);
    }
    EXPECT_EQ(point != nullptr, apart) << round;
    kernels += apart;
  }
  EXPECT_GT(kernels, 100);
  EXPECT_LT(kernels, 290);
}

TEST(ConvergencePointFinder, NestedBranchesAreLookedAtOnce) {
  // 16,000 ifs in each other: seconds where each looks at all that is inside.
  std::string body;
  for (int n = 0; n < 16000; ++n) body += fmt::format("@%p1 bra E{};\n{}", n, kVote);
  for (int n = 16000; n-- > 0;) body += fmt::format("E{}: {}", n, kVote);
  const Kernel k = lower_body(body + "st.global.u32 [%rd1], %r3;\nret;");
  EXPECT_TRUE(k.convergence_points.empty());
}

}  // namespace
}  // namespace heddle::ptx
