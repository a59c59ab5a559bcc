// Races that `heddle check` finds, and programs like them without one.
#include <gtest/gtest.h>

#include "exec/check/checker.h"
#include "ptx/module.h"
#include "tests/exec/builder.h"

namespace heddle::exec::test {
namespace {

// The first race in a kernel of `ctas` CTAs of 64 threads; empty when there is none. %i is the
// thread, %l its lane, %c the CTA; %rd1 is the address of 64 words that are 0, %rd2 of another 64;
// %t is the address of the thread's word in shared memory, %o of its partner in the other warp.
// %first holds in the first warp, %zero in lane 0 of each warp.
std::string race(const std::string& body, std::uint32_t ctas = 1, bool strict = false,
                 const std::string& target = "sm_90") {
  const config::CheckSpec spec{.enabled = true, .strict = strict};
  Bench bench;
  Checker checker{spec, bench.memory};
  bench.array(std::vector<std::uint32_t>(128));
  const ptx::Module module = ptx::Module::parse(
      ".version 8.0\n.target " + target +
          "\n.address_size 64\n.visible .entry k(.param .u64 out) {\n.reg .pred %p<9>, %first, "
          "%zero; .reg .b32 %r<20>, %i, %l, %c, %t, %o; .reg .b64 %rd<9>;\n.shared .align 8 .b64 "
          "mb; .shared .align 4 .b32 flag; .shared .align 16 .b32 tile[64];\nmov.u32 %i, %tid.x; "
          "mov.u32 %l, %laneid; mov.u32 %c, %ctaid.x; ld.param.u64 %rd1, [out]; add.u64 %rd2, "
          "%rd1, 256; setp.lt.u32 %first, %i, 32; setp.eq.u32 %zero, %l, 0; mov.u32 %r0, tile; "
          "shl.b32 %t, %i, 2; xor.b32 %o, %t, 252; add.u32 %t, %t, %r0; add.u32 %o, %o, %r0; "
          "mul.wide.u32 %rd3, %i, 4; add.u64 %rd1, %rd1, %rd3;\nsetp.eq.u32 %p1, %i, 0; @!%p1 bra "
          "START; st.shared.u32 [flag], 0; mbarrier.init.shared.b64 [mb], 1;\nSTART: bar.sync "
          "0;\n" +
          body + "\nret;\n}\n",
      "races.ptx");
  const ptx::Kernel kernel = module.lower("k", {});
  run_functionally(bench.launch(kernel, {ctas, 1, 1}, {64, 1, 1}), bench.memory, {}, nullptr,
                   &checker);
  for (const Finding& finding : checker.findings())
    if (finding.tool == Tool::races) return finding.what;
  return {};
}

const std::string kReadAfterWrite = "race in shared memory: read after write";
const std::string kWriteAfterWrite = "race in global memory: write after write";

// The first warp stores for the second one; then some of its lanes release.
std::string handed_over(const std::string& release, const std::string& acquire) {
  return "@!%first bra READ;\nst.shared.u32 [%t], %i;\n" + release + "\nbra END;\nREAD:\n" +
         acquire + "\nld.shared.u32 %r9, [%o];\nEND:";
}
const std::string kPoll =
    "POLL: atom.acquire.cta.shared.exch.b32 %r8, [flag], 1; setp.eq.u32 %p1, %r8, 0; @%p1 bra "
    "POLL;";
const std::string kTryWait =
    "POLL: mbarrier.try_wait.parity.shared.b64 %p1, [mb], 0; @!%p1 bra POLL;";

// Each begins with a guard for the lanes that release.
struct Release {
  std::string text, acquire;
};
const std::vector<Release> kReleases = {
    {"mbarrier.arrive.shared.b64 %rd5, [mb];", kTryWait},
    {"mbarrier.arrive.release.cta.shared.b64 _, [mb];", kTryWait},
    {"atom.shared.exch.b32 %r8, [flag], 1;", kPoll},
    {"atom.release.cta.shared.add.u32 %r8, [flag], 1;", kPoll},
    {"red.release.cta.shared.add.u32 [flag], 1;", kPoll},
    {"st.release.cta.shared.u32 [flag], 1;", kPoll},
    {"st.volatile.shared.u32 [flag], 1;", kPoll},
};

TEST(ReleaseOfOneLane, OrdersItsAccessesOnly) {
  for (const auto& [text, acquire] : kReleases)
    EXPECT_EQ(race(handed_over("fence.acq_rel.cta; @%zero " + text, acquire)), kReadAfterWrite)
        << text;
}

TEST(ReleaseOfOneLane, OrdersWhatItsWarpDidBeforeABarWarpSync) {
  for (const auto& [text, acquire] : kReleases)
    EXPECT_EQ(race(handed_over("bar.warp.sync -1; @%zero " + text, acquire)), "") << text;
}

TEST(ReleaseOfOneLane, OrdersItsOwnStores) {
  for (const auto& [text, acquire] : kReleases)
    EXPECT_EQ(race("@!%first bra READ;\n@%zero st.shared.u32 [%t], 5; @%zero " + text +
                   "\nbra END;\nREAD:\n" + acquire + "\nld.shared.u32 %r9, [tile];\nEND:"),
              "")
        << text;
}

TEST(ReleaseOfOneLane, OfAnElectedLaneNeedsABarWarpSync) {
  const std::string elected = "elect.sync %r8|%p2, -1; @%p2 mbarrier.arrive.shared.b64 %rd5, [mb];";
  EXPECT_EQ(race(handed_over(elected, kTryWait)), kReadAfterWrite);
  EXPECT_EQ(race(handed_over("bar.warp.sync -1; " + elected, kTryWait)), "");
}

TEST(ReleaseOfOneLane, CoversTheLanesThatSynchroniseWithIt) {
  // Lanes 16 to 31 do not take part in the bar.warp.sync.
  const std::string half =
      "setp.lt.u32 %p3, %l, 16; @!%p3 bra JOIN; bar.warp.sync 0xffff; JOIN: @%zero "
      "st.release.cta.shared.u32 [flag], 1;";
  EXPECT_EQ(race(handed_over(half, kPoll)), kReadAfterWrite);
  EXPECT_EQ(race(handed_over(half, kPoll + " setp.lt.u32 %p3, %l, 16; @%p3 bra END;")), "");
}

TEST(ReleaseOfOneLane, CoversAWholeWarpBeforeSm70) {
  EXPECT_EQ(race(handed_over("membar.cta; @%zero st.volatile.shared.u32 [flag], 1;",
                             "POLL: ld.volatile.shared.u32 %r8, [flag]; setp.eq.u32 %p1, %r8, 0; "
                             "@%p1 bra POLL;"),
                 1, false, "sm_60"),
            "");
}

TEST(ReleaseOfAWarp, OrdersItsAccesses) {
  EXPECT_EQ(race(handed_over("red.release.cta.shared.add.u32 [flag], 1;", kPoll)), "");
  EXPECT_EQ(race(handed_over("bar.arrive 1, 64;", "bar.sync 1, 64;")), "")
      << "named barriers are executed by whole warps";
}

TEST(AcquireOfOneLane, OrdersItsAccessesOnly) {
  const std::string release = "bar.warp.sync -1; @%zero st.release.cta.shared.u32 [flag], 1;",
                    poll = "@!%zero bra JOIN; " + kPoll + "\nJOIN: ";
  EXPECT_EQ(race(handed_over(release, poll)), kReadAfterWrite);
  EXPECT_EQ(race(handed_over(release, poll + "bar.warp.sync -1;")), "");
}

TEST(ReleaseOfOneLane, OrdersCtasLikewise) {
  // The first CTA stores for the second one, which waits for the 64th word of the others.
  const auto over = [](const std::string& before, const std::string& after) {
    return "setp.eq.u32 %p3, %i, 0; setp.ne.u32 %p2, %c, 0; @%p2 bra READ;\nst.global.u32 [%rd1], "
           "7;\n" +
           before +
           "\n@%p3 red.release.gpu.global.add.u32 [%rd2], 1; bra END;\nREAD: @!%p3 bra "
           "JOIN;\nPOLL: ld.acquire.gpu.global.u32 %r8, [%rd2]; setp.eq.u32 %p1, %r8, 0; "
           "@%p1 bra POLL;\nJOIN:" +
           after + "\nld.global.u32 %r9, [%rd1];\nEND:";
  };
  const std::string found = "race in global memory: read after write";
  EXPECT_EQ(race(over("bar.sync 0;", "bar.sync 0;"), 2), "");
  EXPECT_EQ(race(over("", "bar.sync 0;"), 2), found);
  EXPECT_EQ(race(over("bar.warp.sync -1;", "bar.sync 0;"), 2), found) << "the other warp";
  EXPECT_EQ(race(over("bar.sync 0;", ""), 2), found) << "acquired by one thread";
}

TEST(StoreOfTheSameValue, IsNoRaceWithAnother) {
  EXPECT_EQ(race("st.global.u32 [%rd1], 0;", 3), "");
  EXPECT_EQ(race("st.global.u32 [%rd2], 5;", 3), "");
  EXPECT_EQ(race("st.global.v4.u32 [%rd2], {1, 2, 3, 4};", 3), "");
  EXPECT_EQ(race("ld.global.u32 %r9, [%rd1]; st.global.u32 [%rd1], 0;", 2), "");
  EXPECT_EQ(race("st.global.u32 [%rd1], 0;", 2, true), kWriteAfterWrite) << "strict";
}

TEST(StoreOfTheSameValue, RacesWithAStoreThatChangesIt) {
  EXPECT_EQ(race("st.global.u32 [%rd1], %c;", 2), kWriteAfterWrite) << "0 first, then 1";
  EXPECT_EQ(race("xor.b32 %r9, %c, 1; st.global.u32 [%rd1], %r9;", 2), kWriteAfterWrite);
  EXPECT_EQ(race("shr.u32 %r9, %c, 1; st.global.u32 [%rd1], %r9;", 3), kWriteAfterWrite)
      << "0 twice, then 1";
  EXPECT_EQ(race("setp.lt.u32 %p1, %c, 2; selp.u32 %r9, 7, 8, %p1; st.global.u32 [%rd1], %r9;", 3),
            kWriteAfterWrite);
  EXPECT_EQ(race("add.u32 %r9, %c, 256; st.global.u8 [%rd1], %r9;", 2), kWriteAfterWrite);
}

TEST(StoreOfTheSameValue, IsComparedByWord) {
  // Thread 0 of each CTA stores two words; one of them is the same.
  EXPECT_EQ(race("setp.ne.u32 %p1, %i, 0; @%p1 exit; st.global.v2.u32 [%rd1], {0, %c};", 2),
            kWriteAfterWrite);
  EXPECT_EQ(race("setp.ne.u32 %p1, %i, 0; @%p1 exit; setp.eq.u32 %p1, %c, 0; @%p1 st.global.u32 "
                 "[%rd1], 0; @!%p1 st.global.v2.u32 [%rd1], {0, 9};",
                 2),
            "")
      << "only the other word changes";
  EXPECT_EQ(race("setp.ne.u32 %p1, %i, 0; @%p1 exit; setp.eq.u32 %p1, %c, 0; @%p1 st.global.u32 "
                 "[%rd1], 0; @!%p1 st.global.v2.u32 [%rd1], {9, 0};",
                 2),
            kWriteAfterWrite);
}

// Each CTA sends its tile to the same words, CTA 0 by `first` and the others by `other`.
std::string sent(const std::string& first, const std::string& other) {
  return "st.shared.u32 [%t], %i;\nbar.sync 0;\nsetp.ne.u32 %p2, %i, 0;\n@%p2 bra END;\n"
         "setp.eq.u32 %p3, %c, 0;\n@%p3 " +
         first + " [%rd2], [%r0], 64;\n@!%p3 " + other +
         " [%rd2], [%r0], 64;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nEND:";
}

TEST(BulkReduction, IsNoRaceWithAnother) {
  const std::string add = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32";
  EXPECT_EQ(race(sent(add, add), 2), "");
  EXPECT_EQ(race(sent(add, "cp.async.bulk.global.shared::cta.bulk_group"), 2), kWriteAfterWrite);
}

TEST(StoreOfTheSameValue, RacesWithAnAtomicInSharedMemory) {
  EXPECT_EQ(race("@!%first bra ADD; st.shared.u32 [flag], 0; bra END;\nADD: red.shared.add.u32 "
                 "[flag], 1;\nEND:"),
            "race in shared memory: write after write");
  EXPECT_EQ(race("@!%first bra SET; red.shared.max.u32 [flag], 0; bra END;\nSET: st.shared.u32 "
                 "[flag], 4;\nEND:"),
            "race in shared memory: write after write")
      << "an atomic that changes nothing";
  EXPECT_EQ(race("@!%first bra ADD; @%zero st.shared.u32 [flag], 0;\nADD: bar.sync 0; "
                 "red.shared.add.u32 [flag], 1;"),
            "");
}

}  // namespace
}  // namespace heddle::exec::test
