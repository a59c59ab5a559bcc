// Warp-synchronous instructions that lanes of one warp execute at different places. From sm_70 on
// the lanes that name each other exchange, wherever they are.
#include <gtest/gtest.h>

#include <random>

#include "tests/conformance/kernels.h"

namespace heddle::conformance {
namespace {

using U32 = std::uint32_t;

class MatchingSyncs : public testing::TestWithParam<bool> {
 protected:
  // %p0 holds for lanes 3, 4, 7, 12, ...; %r3 is a value of the lane, %rd3 a wide one.
  std::vector<U32> run(const std::string& body, U32 threads = 32,
                       const std::string& functions = "") const {
    return run_kernel(
        ".shared .align 4 .b32 tile[64];\nmad.lo.u32 %r3, %i, %i, 3; and.b32 %r4, %r3, 4; "
        "setp.ne.u32 %p0, %r4, 0; setp.eq.u32 %p8, 0, 0; and.b32 %r4, %r3, 7; cvt.u64.u32 %rd3, "
        "%r4; mov.u32 %r9, 0;\n" +
            body + "st.global.u32 [%x], %r9;\n",
        1, threads, threads, {0}, GetParam(), functions);
  }
};
INSTANTIATE_TEST_SUITE_P(Sources, MatchingSyncs, testing::Bool(),
                         [](const auto& how) { return how.param ? "steps" : "functional"; });

const std::vector<std::string> kMatchingOperations = {
    "shfl.sync.idx.b32 %r9, %r3, 7, 31, -1;",
    "shfl.sync.bfly.b32 %r9, %r3, 16, 31, -1;",
    "shfl.sync.up.b32 %r9|%p7, %r3, 3, 0, -1; @%p7 add.u32 %r9, %r9, 1000;",
    "shfl.sync.down.b32 %r9|%p7, %r3, 5, 31, -1; @%p7 add.u32 %r9, %r9, 1000;",
    "vote.sync.ballot.b32 %r9, %p0, -1;",
    "vote.sync.any.pred %p7, %p0, -1; selp.u32 %r9, 5, 6, %p7;",
    "vote.sync.all.pred %p7, %p0, -1; selp.u32 %r9, 5, 6, %p7;",
    "vote.sync.uni.pred %p7, !%p0, -1; selp.u32 %r9, 5, 6, %p7;",
    "match.any.sync.b32 %r9, %r4, -1;",
    "match.any.sync.b64 %r9, %rd3, -1;",
    "match.all.sync.b32 %r9|%p7, 11, -1; @%p7 add.u32 %r9, %r9, 9;",
    "match.all.sync.b64 %r9|%p7, %rd3, -1; @%p7 add.u32 %r9, %r9, 9;",
    "redux.sync.add.u32 %r9, %r3, -1;",
    "redux.sync.min.s32 %r9, %r3, -1;",
    "redux.sync.max.u32 %r9, %r3, -1;",
    "redux.sync.and.b32 %r9, %r3, -1;",
    "redux.sync.or.b32 %r9, %r3, -1;",
    "redux.sync.xor.b32 %r9, %r3, -1;",
    "elect.sync %r9|%p7, -1; @%p7 add.u32 %r9, %r9, 77;",
};

// Lanes with bit n of the pattern take the branch.
std::string in_branches(const std::string& one, const std::string& other, U32 pattern) {
  return "shr.u32 %r5, " + std::to_string(pattern) +
         ", %l; and.b32 %r5, %r5, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra ONE;\n" + other +
         " bra JOIN;\nONE: " + one + "\nJOIN: ";
}

TEST_P(MatchingSyncs, BothBranchesExchangeAsOneInstructionDoes) {
  for (const std::string& operation : kMatchingOperations) {
    const std::vector<U32> together = run(operation);
    for (const U32 pattern : {0x0000ffffu, 0x55555555u, 0x00000001u, 0xfff0ffffu})
      EXPECT_EQ(run(in_branches(operation, operation, pattern)), together)
          << operation << " " << std::hex << pattern;
  }
}

TEST_P(MatchingSyncs, FunctionsOfBothBranchesExchange) {
  const auto function = [](const std::string& name) {
    return ".func (.param .b32 result) " + name +
           "(.param .b32 value) {\n .reg .b32 %r<9>; ld.param.b32 %r1, [value]; "
           "shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1; st.param.b32 [result], %r2; ret;\n}\n";
  };
  const auto call = [](const std::string& name) {
    return "{ .param .b32 value; .param .b32 result; st.param.b32 [value], %r3; call (result), " +
           name + ", (value); ld.param.b32 %r9, [result]; }";
  };
  const std::string inline_shuffle = "shfl.sync.bfly.b32 %r9, %r3, 16, 31, -1;";
  const std::vector<U32> together = run(inline_shuffle);
  const std::string functions = function("f") + function("g");
  EXPECT_EQ(run(in_branches(call("f"), call("g"), 0xffff), 32, functions), together);
  EXPECT_EQ(run(in_branches(call("f"), inline_shuffle, 0xff00ff), 32, functions), together);
  EXPECT_EQ(run(in_branches(call("f"), call("f"), 0xffff), 32, functions), together)
      << "two calls of one function";
}

TEST_P(MatchingSyncs, CalleesOfOneCallThroughAPointerExchange) {
  const auto function = [](const std::string& name, int add) {
    return ".func (.param .b32 result) " + name +
           "(.param .b32 value) {\n .reg .b32 %r<9>; ld.param.b32 %r1, [value]; "
           "shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1; add.u32 %r2, %r2, " +
           std::to_string(add) + "; st.param.b32 [result], %r2; ret;\n}\n";
  };
  const auto out =
      run("and.b32 %r5, %l, 1; setp.ne.u32 %p1, %r5, 0; mov.u64 %rd4, f; mov.u64 %rd5, g; "
          "selp.b64 %rd6, %rd4, %rd5, %p1;\n{ .param .b32 value; .param .b32 result; st.param.b32 "
          "[value], %l; P: .callprototype (.param .b32 _) _ (.param .b32 _); call (result), %rd6, "
          "(value), P; ld.param.b32 %r9, [result]; }\n",
          32, function("f", 100) + function("g", 200));
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], (l ^ 1) + (l % 2 ? 100 : 200)) << l;
}

TEST_P(MatchingSyncs, ThreePlacesExchange) {
  // Lanes 0 to 7, 8 to 15 in a nested branch, and the others.
  const std::string shuffle = "shfl.sync.down.b32 %r9, %l, 8, 31, -1; ";
  const auto out =
      run("setp.lt.u32 %p1, %l, 16; @%p1 bra LOW; " + shuffle +
          "add.u32 %r9, %r9, 1000; bra END;\nLOW: setp.lt.u32 %p2, %l, 8; @%p2 bra LOWEST; " +
          shuffle + "add.u32 %r9, %r9, 2000; bra MEET;\nLOWEST: " + shuffle +
          "add.u32 %r9, %r9, 3000;\nMEET: add.u32 %r9, %r9, 5;\nEND: ");
  for (U32 l = 0; l < 32; ++l)
    EXPECT_EQ(out[l], (l < 24 ? l + 8 : l) + (l < 8 ? 3005 : l < 16 ? 2005 : 1000)) << l;
}

TEST_P(MatchingSyncs, LoopsOfBothBranchesExchangeInEachIteration) {
  // Both add what the partner has accumulated; one loop is unrolled once.
  const std::string step = "shfl.sync.bfly.b32 %r8, %r9, 16, 31, -1; add.u32 %r9, %r9, %r8; ";
  const auto out =
      run("mov.u32 %r9, %l; mov.u32 %r6, 0; setp.lt.u32 %p1, %l, 16; @%p1 bra LOW;\nHIGH: " + step +
          "add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 4; @%p2 bra HIGH; bra END;\nLOW: " + step +
          step + "add.u32 %r6, %r6, 2; setp.lt.u32 %p2, %r6, 4; @%p2 bra LOW;\nEND: ");
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], (l + (l ^ 16)) * 8) << l;
}

TEST_P(MatchingSyncs, EachTileExchangesAmongItself) {
  // The mask of a lane names its eight neighbours. Odd lanes take the branch.
  const std::string vote = "vote.sync.ballot.b32 %r9, %p0, %r6;";
  const std::string tile = "and.b32 %r6, %l, 24; shl.b32 %r6, 255, %r6; ";
  const auto out = run(tile + in_branches(vote, vote, 0xaaaaaaaa));
  U32 ballot = 0;
  for (U32 l = 0; l < 32; ++l) ballot |= ((l * l + 3) >> 2 & 1) << l;
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], ballot & 255u << (l / 8 * 8)) << l;
}

TEST_P(MatchingSyncs, OtherQualifiersOrMasksDoNotMatch) {
  const auto modes = run(in_branches("shfl.sync.bfly.b32 %r9, %l, 1, 31, 0xffff;",
                                     "shfl.sync.idx.b32 %r9, %l, 17, 31, 0xffff0000;", 0xffff));
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(modes[l], l < 16 ? l ^ 1 : 17u) << l;
  const auto masks = run(in_branches("vote.sync.ballot.b32 %r9, %p8, 0xffff;",
                                     "vote.sync.ballot.b32 %r9, %p8, 0xffff0000;", 0xffff));
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(masks[l], l < 16 ? 0xffffu : 0xffff0000u) << l;
}

TEST_P(MatchingSyncs, LanesThatEndOrGoElsewhereAreNotWaitedFor) {
  const std::string vote = "vote.sync.ballot.b32 %r9, %p8, -1;";
  const auto ended = run("and.b32 %r5, %l, 3; setp.eq.u32 %p2, %r5, 3; @%p2 exit;\n" +
                         in_branches(vote, vote, 0xffff));
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(ended[l], l % 4 == 3 ? 0 : 0x77777777u) << l;
  // Of the other branch, lanes 16 to 19 do not vote.
  const auto elsewhere =
      run(in_branches(vote, "setp.lt.u32 %p2, %l, 20; @%p2 bra JOIN; " + vote, 0xffff));
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(elsewhere[l], l < 16 || l > 19 ? 0xfff0ffffu : 0u) << l;
}

TEST_P(MatchingSyncs, GuardedLanesDoNotTakePart) {
  const std::string vote = "@!%p0 vote.sync.ballot.b32 %r9, %p8, %r6;";
  const auto out = run("vote.sync.ballot.b32 %r6, !%p0, -1;" + in_branches(vote, vote, 0xff0f));
  U32 all = 0;
  for (U32 l = 0; l < 32; ++l) all |= (~(l * l + 3) >> 2 & 1) << l;
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], all >> l & 1 ? all : 0) << l;
}

TEST_P(MatchingSyncs, ABarrierReducesWhatAllPlacesContribute) {
  const std::string popc = "barrier.red.popc.u32 %r9, 1, %p0;";
  const std::string any = "barrier.red.or.pred %p7, 2, %p0; selp.u32 %r9, 5, 6, %p7;";
  const std::string all = "bar.red.and.pred %p7, 0, !%p0; selp.u32 %r9, 5, 6, %p7;";
  for (const std::string& reduction : {popc, any, all}) {
    const std::vector<U32> together = run(reduction, 64);
    for (const U32 pattern : {0x0000ffffu, 0x12345678u})
      EXPECT_EQ(run(in_branches(reduction + " add.u32 %r9, %r9, 0;", reduction, pattern), 64),
                together)
          << reduction;
  }
}

TEST_P(MatchingSyncs, BarriersOfTheCtaArePassedOncePerWarp) {
  // In each of three rounds a thread reads what its partner in the other warp has stored.
  const std::string round =
      "st.shared.u32 [%r5+0], %r9; barrier.sync 1; ld.shared.u32 %r8, [%r6]; barrier.sync 1; "
      "mad.lo.u32 %r9, %r9, 3, %r8; ";
  const auto out =
      run("mov.u32 %r9, %i; mov.u32 %r4, tile; shl.b32 %r10, %i, 2; xor.b32 %r11, %r10, 164; "
          "setp.lt.u32 %p1, %l, 9; add.u32 %r5, %r10, %r4; add.u32 %r6, %r11, %r4; @%p1 bra LOW; " +
              round + round + round + "bra END;\nLOW: " + round + round + round + "\nEND: ",
          64);
  std::vector<U32> x(64), before;
  for (U32 t = 0; t < 64; ++t) x[t] = t;
  for (int n = 0; n < 3; ++n) {
    before = x;
    for (U32 t = 0; t < 64; ++t) x[t] = before[t] * 3 + before[t ^ 41];
  }
  EXPECT_EQ(out, x);
}

TEST_P(MatchingSyncs, SpinningLanesExchangeWithThoseThatTheyWaitFor) {
  // Lane 0 spins until the others have stored, which run as a fragment of their own. All vote after
  // it, at two places.
  const auto out = run(
      "st.shared.u32 [tile], 0; setp.eq.u32 %p1, %l, 0; @%p1 bra WAIT; setp.eq.u32 %p2, %l, 31; "
      "@%p2 st.volatile.shared.u32 [tile], 1; vote.sync.ballot.b32 %r9, %p8, -1; bra END;\n"
      "WAIT: ld.volatile.shared.u32 %r4, [tile]; setp.eq.u32 %p2, %r4, 0; @%p2 bra WAIT; "
      "vote.sync.ballot.b32 %r9, %p8, -1;\nEND: ");
  for (U32 l = 0; l < 32; ++l) EXPECT_EQ(out[l], ~0u) << l;
}

// Random programs in which every lane executes the same sequence of exchanges, each at one of many
// places: in nested branches, in loops and in functions.
enum class Kind { ballot, butterfly, match, sum, exclusive_or, elect, through_memory };
constexpr int kKinds = 7, kKindsInFunctions = 5;

struct Node {
  enum class What { compute, exchange, call, branch, loop } what;
  U32 multiplier = 1, addend = 0;  // compute: x = x * multiplier + addend + lane
  U32 bits = 0;                    // branch: (x & bits) == 0 takes the first part
  int count = 0;                   // loop: iterations
  std::vector<Node> first{}, second{};
};

class Generator {
 public:
  explicit Generator(std::mt19937& random) : random_(random) {}
  int pick(int count) { return static_cast<int>(random_() % static_cast<U32>(count)); }
  // Code whose every path makes the exchanges from `at` to `end`, in this order.
  std::vector<Node> sequence(int at, int end, int depth, bool in_loop) {
    std::vector<Node> nodes;
    while (at < end || pick(3) == 0) {
      nodes.push_back(compute());
      const int choice = depth > 3 ? 0 : pick(6);
      if (choice >= 3 || (at == end && choice > 0)) {
        const int until = at + pick(end - at + 1);
        Node branch{.what = Node::What::branch, .bits = U32{1} << pick(4)};
        branch.first = sequence(at, until, depth + 1, in_loop);
        branch.second = sequence(at, until, depth + 1, in_loop);
        nodes.push_back(branch);
        at = until;
      } else if (choice == 2 && !in_loop && same_kinds(at, end) > 1) {
        Node loop{.what = Node::What::loop, .count = same_kinds(at, end)};
        loop.first = sequence(at, at + 1, depth + 1, true);
        at += loop.count;
        nodes.push_back(loop);
      } else if (at < end) {
        const bool calls =
            static_cast<int>(kinds[static_cast<std::size_t>(at)]) < kKindsInFunctions &&
            pick(3) == 0;
        nodes.push_back({.what = calls ? Node::What::call : Node::What::exchange,
                         .count = static_cast<int>(kinds[static_cast<std::size_t>(at)])});
        ++at;
      }
    }
    nodes.push_back(compute());
    return nodes;
  }
  std::vector<Kind> kinds;  // of the exchanges

 private:
  Node compute() {
    return {.what = Node::What::compute,
            .multiplier = static_cast<U32>(2 * pick(8) + 1),
            .addend = static_cast<U32>(pick(100))};
  }
  int same_kinds(int at, int end) const {
    int n = at;
    while (n < end && kinds[static_cast<std::size_t>(n)] == kinds[static_cast<std::size_t>(at)])
      ++n;
    return n - at;
  }
  std::mt19937& random_;
};

std::string exchange_text(Kind kind) {
  switch (kind) {
    case Kind::ballot:
      return "and.b32 %r7, %r3, 1; setp.ne.u32 %p1, %r7, 0; vote.sync.ballot.b32 %r8, %p1, %r12; ";
    case Kind::butterfly: return "shfl.sync.bfly.b32 %r8, %r3, 2, 31, %r12; ";
    case Kind::match: return "and.b32 %r7, %r3, 3; match.any.sync.b32 %r8, %r7, %r12; ";
    case Kind::sum: return "redux.sync.add.u32 %r8, %r3, %r12; ";
    case Kind::exclusive_or: return "redux.sync.xor.b32 %r8, %r3, %r12; ";
    case Kind::elect:
      return "elect.sync %r8|%p1, %r12; selp.u32 %r7, 64, 0, %p1; add.u32 %r8, %r8, %r7; ";
    default:
      return "st.shared.u32 [%r5], %r3; bar.warp.sync %r12; ld.shared.u32 %r8, [%r6]; "
             "bar.warp.sync %r12; ";
  }
}

std::string functions_text() {
  std::string text;
  for (int kind = 0; kind < kKindsInFunctions; ++kind)
    text += ".func (.param .b32 result) f" + std::to_string(kind) +
            "(.param .b32 value, .param .b32 mask) {\n .reg .b32 %r<20>; .reg .pred %p<9>; "
            "ld.param.b32 %r3, [value]; ld.param.b32 %r12, [mask]; " +
            exchange_text(static_cast<Kind>(kind)) + "st.param.b32 [result], %r8; ret;\n}\n";
  return text;
}

class Writer {
 public:
  std::string text(const std::vector<Node>& nodes) {
    std::string all;
    for (const Node& node : nodes) all += text(node);
    return all;
  }

 private:
  std::string text(const Node& node) {
    const std::string use = "mad.lo.u32 %r3, %r3, 3, %r8;\n";
    const std::string n = std::to_string(labels_++);
    switch (node.what) {
      case Node::What::compute:
        return " mad.lo.u32 %r3, %r3, " + std::to_string(node.multiplier) + ", " +
               std::to_string(node.addend) + "; add.u32 %r3, %r3, %l;\n";
      case Node::What::exchange: return exchange_text(static_cast<Kind>(node.count)) + use;
      case Node::What::call:
        return "{ .param .b32 value; .param .b32 mask; .param .b32 result; st.param.b32 [value], "
               "%r3; st.param.b32 [mask], %r12; call (result), f" +
               std::to_string(node.count) + ", (value, mask); ld.param.b32 %r8, [result]; }\n" +
               use;
      case Node::What::branch:
        return " and.b32 %r7, %r3, " + std::to_string(node.bits) +
               "; setp.eq.u32 %p1, %r7, 0; @%p1 bra A" + n + ";\n" + text(node.second) + "bra J" +
               n + ";\nA" + n + ":\n" + text(node.first) + "J" + n + ":\n";
      default:
        return " mov.u32 %r13, 0;\nL" + n + ":\n" + text(node.first) +
               "add.u32 %r13, %r13, 1; setp.lt.u32 %p2, %r13, " + std::to_string(node.count) +
               "; @%p2 bra L" + n + ";\n";
    }
  }
  int labels_ = 0;
};

// One lane: executes up to the first exchange whose result is not known.
class LaneRun {
 public:
  LaneRun(U32 lane, U32 x, const std::vector<U32>& results)
      : lane_(lane), x(x), results_(results) {}
  // False when it stops at an exchange.
  bool run(const std::vector<Node>& nodes) {
    for (const Node& node : nodes)
      if (!run(node)) return false;
    return true;
  }

 private:
  bool run(const Node& node) {
    switch (node.what) {
      case Node::What::compute: x = x * node.multiplier + node.addend + lane_; return true;
      case Node::What::exchange:
      case Node::What::call:
        if (made_ == results_.size()) return false;
        x = x * 3 + results_[made_++];
        return true;
      case Node::What::branch: return run((x & node.bits) == 0 ? node.first : node.second);
      default:
        for (int n = 0; n < node.count; ++n)
          if (!run(node.first)) return false;
        return true;
    }
  }
  U32 lane_;

 public:
  U32 x;

 private:
  const std::vector<U32>& results_;
  std::size_t made_ = 0;
};

// What a lane gets from the lanes in `members`, which have the values x.
U32 exchanged(Kind kind, U32 lane, U32 members, const std::vector<U32>& x) {
  U32 result = 0;
  for (U32 other = 0; other < 32; ++other) {
    if (!(members >> other & 1)) continue;
    switch (kind) {
      case Kind::ballot: result |= (x[other] & 1) << other; break;
      case Kind::butterfly:
      case Kind::through_memory:
        if (other == (lane ^ 2)) result = x[other];
        break;
      case Kind::match: result |= U32{((x[other] ^ x[lane]) & 3) == 0} << other; break;
      case Kind::sum: result += x[other]; break;
      case Kind::exclusive_or: result ^= x[other]; break;
      case Kind::elect: return other + (other == lane ? 64 : 0);
    }
  }
  return result;
}

std::vector<U32> expected(const std::vector<Node>& program, const std::vector<Kind>& kinds,
                          bool tiles) {
  std::vector<std::vector<U32>> results(32);
  std::vector<U32> x(32);
  for (std::size_t made = 0; made <= kinds.size(); ++made) {
    for (U32 l = 0; l < 32; ++l) {
      LaneRun lane(l, l * l + 3, results[l]);
      EXPECT_EQ(lane.run(program), made == kinds.size());
      x[l] = lane.x;
    }
    if (made == kinds.size()) break;
    for (U32 l = 0; l < 32; ++l)
      results[l].push_back(exchanged(kinds[made], l, tiles ? 255u << (l & 24) : ~0u, x));
  }
  return x;
}

TEST_P(MatchingSyncs, RandomProgramsExchangeLaneByLane) {
  constexpr int kPrograms = 300;
  std::mt19937 random(37);
  for (int n = 0; n < kPrograms; ++n) {
    Generator generator(random);
    for (int count = 1 + generator.pick(5); count > 0; --count)
      generator.kinds.insert(generator.kinds.end(), static_cast<std::size_t>(1 + generator.pick(2)),
                             static_cast<Kind>(generator.pick(kKinds)));
    const std::vector<Node> program =
        generator.sequence(0, static_cast<int>(generator.kinds.size()), 0, false);
    const bool tiles = generator.pick(2);
    const std::string text =
        "mov.u32 %r4, tile; shl.b32 %r5, %l, 2; xor.b32 %r6, %r5, 8; add.u32 %r5, %r5, %r4; "
        "add.u32 %r6, %r6, %r4; and.b32 %r12, %l, 24; shl.b32 %r12, 255, %r12;\n" +
        std::string(tiles ? "" : "mov.u32 %r12, -1;\n") + Writer().text(program) +
        "mov.u32 %r9, %r3;\n";
    ASSERT_EQ(run(text, 32, functions_text()), expected(program, generator.kinds, tiles))
        << "program " << n << ":\n"
        << text;
  }
}

}  // namespace
}  // namespace heddle::conformance
