#include "sm/count/cta_sharing.h"

#include <gtest/gtest.h>

#include "tests/sm/bench.h"

namespace heddle::sm {
namespace {

using mem::Outcome;
using test::gtx480;

// An SM that runs CTAs of two warps of a grid of 4 x 4.
class SharingBench {
 public:
  SharingBench() : cache_(gtx480().sm.l1d), sharing_(cache_) {
    sharing_.begin_kernel({4, 4}, 2);
    for (const int slot : {0, 1, 2}) sharing_.start_cta(slot, kFirst[slot]);
  }
  void access(int warp, std::uint64_t line, Outcome outcome) {
    sharing_.count(WarpSlot(warp), LineAddress{line * 128}, outcome);
  }
  CtaSharing& sharing() { return sharing_; }
  const CtaSharingStats& stats() const { return sharing_.stats(); }

 private:
  // CTAs (0, 0), (3, 0) and (0, 2).
  static constexpr std::uint64_t kFirst[] = {0, 3, 8};
  mem::Cache cache_;
  CtaSharing sharing_;
};

TEST(CtaSharing, AHitBelongsToTheCtaThatBroughtTheLineIn) {
  SharingBench bench;
  bench.access(0, 7, Outcome::miss);
  bench.access(1, 7, Outcome::hit);  // the other warp of the CTA
  EXPECT_EQ(bench.stats().own_cta, 1u);
  EXPECT_EQ(bench.stats().other_cta(), 0u);
  bench.access(2, 7, Outcome::hit);  // CTA (3, 0)
  bench.access(5, 7, Outcome::hit);  // CTA (0, 2)
  EXPECT_EQ(bench.stats().hits, 3u);
  EXPECT_EQ(bench.stats().resident_cta, 2u);
  EXPECT_EQ(bench.stats().same_row, 1u);
  EXPECT_EQ(bench.stats().distance_x, 3u);
  EXPECT_EQ(bench.stats().same_column, 1u);
  EXPECT_EQ(bench.stats().distance_y, 2u);
}

TEST(CtaSharing, ALineOfACtaThatHasEndedCountsAsEarlier) {
  SharingBench bench;
  bench.access(0, 7, Outcome::miss);
  bench.sharing().end_cta(0);
  bench.access(2, 7, Outcome::hit);
  bench.sharing().start_cta(0, 1);
  bench.access(2, 7, Outcome::hit);
  bench.access(0, 7, Outcome::hit);  // the slot is the same, the CTA is another
  EXPECT_EQ(bench.stats().earlier_cta, 3u);
  EXPECT_EQ(bench.stats().resident_cta + bench.stats().own_cta, 0u);
}

TEST(CtaSharing, TheLastMissBringsALineIn) {
  SharingBench bench;
  bench.access(0, 7, Outcome::miss);
  bench.access(2, 7, Outcome::miss);
  bench.access(3, 7, Outcome::hit);
  EXPECT_EQ(bench.stats().own_cta, 1u);
}

TEST(CtaSharing, PendingHitsCountApart) {
  SharingBench bench;
  bench.access(0, 7, Outcome::miss);
  bench.access(1, 7, Outcome::pending_hit);
  bench.access(2, 7, Outcome::pending_hit);
  EXPECT_EQ(bench.stats().pending_hits, 1u);
  EXPECT_EQ(bench.stats().hits, 0u);
}

// The table has 512 entries for 128 lines, is half full with 256 of them and then has 1,024. The
// second removal, by miss 512, finds the first 256 lines neither in the cache nor on their way.
TEST(CtaSharing, ALineIsRememberedUntilTheSecondRemovalAfterItsMiss) {
  SharingBench bench;
  for (std::uint64_t line = 0; line < 514; ++line) bench.access(0, line, Outcome::miss);
  bench.access(2, 10, Outcome::hit);
  EXPECT_EQ(bench.stats().other_cta(), 0u);
  bench.access(2, 300, Outcome::hit);
  EXPECT_EQ(bench.stats().other_cta(), 1u);
}

TEST(CtaSharing, LinesOfAnEarlierKernelAreNotCounted) {
  SharingBench bench;
  bench.access(0, 7, Outcome::miss);
  bench.sharing().begin_kernel({4, 4}, 2);
  bench.sharing().start_cta(0, 0);
  bench.access(0, 7, Outcome::hit);
  EXPECT_EQ(bench.stats().hits, 1u);
  EXPECT_EQ(bench.stats().own_cta + bench.stats().other_cta(), 0u);
}

TEST(CtaSharing, AKernelBeginsWithAnEmptyTable) {
  SharingBench bench;
  for (std::uint64_t line = 0; line < 250; ++line) bench.access(0, line, Outcome::miss);
  bench.sharing().begin_kernel({4, 4}, 2);
  bench.sharing().start_cta(0, 0);
  // 512 entries. When half of them are used, lines that are older than the last such time and not
  // in the cache are removed: here, after 256 lines, for the first time.
  for (std::uint64_t line = 1000; line < 1257; ++line) bench.access(0, line, Outcome::miss);
  bench.access(1, 1000, Outcome::hit);
  EXPECT_EQ(bench.stats().own_cta, 1u);
}

TEST(CtaSharing, ADistanceIsThatOfTheTwoCtasInEitherDirection) {
  SharingBench bench;
  bench.sharing().start_cta(0, 1);    // CTA (1, 0)
  bench.access(2, 7, Outcome::miss);  // CTA (3, 0)
  bench.access(0, 7, Outcome::hit);
  EXPECT_EQ(bench.stats().distance_x, 2u);
}

TEST(CtaSharing, DistancesOfSeveralSmsAreTheLargest) {
  CtaSharingStats one, other;
  one.distance_x = 3, one.distance_y = 1;
  other.distance_x = 2, other.distance_y = 5;
  one.add(other);
  EXPECT_EQ(one.distance_x, 3u);
  EXPECT_EQ(one.distance_y, 5u);
}

TEST(CtaSharing, CountersOfSeveralSmsAreAdded) {
  CtaSharingStats one, sum;
  std::uint64_t value = 0;
  stats::for_each_field<CtaSharingStats>([&](const auto& field) { one.*(field.member) = ++value; });
  sum.add(one);
  sum.add(one);
  stats::for_each_field<CtaSharingStats>([&](const auto& field) {
    const std::uint64_t times = field.name.starts_with("distance") ? 1 : 2;
    EXPECT_EQ(sum.*(field.member), times * (one.*(field.member))) << field.name;
  });
}

TEST(CtaSharing, ForgetsEvictedLinesOfALongKernel) {
  SharingBench bench;
  for (std::uint64_t line = 0; line < 100000; ++line) {
    bench.access(0, line, Outcome::miss);
    bench.access(2, line, Outcome::hit);
  }
  EXPECT_EQ(bench.stats().resident_cta, 100000u);
}

}  // namespace
}  // namespace heddle::sm
