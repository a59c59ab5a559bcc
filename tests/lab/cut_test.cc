#include "lab/parts/cut.h"

#include <gtest/gtest.h>

#include <utility>

namespace heddle::lab {
namespace {

using config::LaunchRange;
using Ends = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Ends ends_of(const std::vector<RunPart>& parts) {
  Ends ends;
  for (const RunPart& part : parts) ends.emplace_back(part.first, part.last);
  return ends;
}

TEST(CutIntoParts, OnePartIsTheWholeRun) {
  const std::vector<RunPart> parts = cut_into_parts({10, 20, 30}, 1);
  EXPECT_EQ(ends_of(parts), (Ends{{1, 3}}));
  EXPECT_EQ(parts[0].timed, (LaunchRange{1, LaunchRange::kEnd, 0}));
  EXPECT_NE(parts[0].timed, LaunchRange()) << "a part, even if there is one";
}

TEST(CutIntoParts, PartsHaveAboutAsManyInstructions) {
  EXPECT_EQ(ends_of(cut_into_parts({100, 100, 100, 100, 100, 100}, 3)),
            (Ends{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(ends_of(cut_into_parts({1000, 10, 10, 980}, 2)), (Ends{{1, 1}, {2, 4}}));
  EXPECT_EQ(ends_of(cut_into_parts({10, 980, 10, 1000}, 2)), (Ends{{1, 3}, {4, 4}}));
}

TEST(CutIntoParts, APartHasAtLeastOneLaunch) {
  EXPECT_EQ(ends_of(cut_into_parts({1, 1, 1'000'000, 1, 1}, 5)),
            (Ends{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}));
  EXPECT_EQ(cut_into_parts({7, 7}, 8).size(), 2u);
}

TEST(CutIntoParts, EveryLaunchIsInOnePart) {
  std::vector<std::uint64_t> instructions;
  for (std::uint64_t i = 0; i < 300; ++i) instructions.push_back(i * i % 97 * 1000);
  for (std::size_t count = 1; count <= 300; count += 7) {
    const std::vector<RunPart> parts = cut_into_parts(instructions, count);
    EXPECT_EQ(parts.size(), count);
    std::uint64_t next = 1;
    for (const RunPart& part : parts) {
      EXPECT_EQ(part.first, next);
      EXPECT_GE(part.last, part.first);
      EXPECT_LE(part.timed.first, part.first);
      EXPECT_LE(part.timed.warms_from, part.timed.first);
      next = part.last + 1;
    }
    EXPECT_EQ(next, 301u);
    EXPECT_EQ(parts.back().timed.last, LaunchRange::kEnd);
  }
}

// Of 900,000 instructions each, three reach two million. The launch before the part is timed.
TEST(CutIntoParts, TheLaunchesBeforeAPartWarmTheCaches) {
  const std::vector<RunPart> parts = cut_into_parts(std::vector<std::uint64_t>(10, 900'000), 2);
  ASSERT_EQ(parts.size(), 2u);
  const LaunchRange range = parts[1].timed;
  EXPECT_EQ(range, (LaunchRange{5, LaunchRange::kEnd, 2}));
  EXPECT_EQ(parts[1].uncounted(), 1u);
  EXPECT_TRUE(range.warms(2) && range.warms(4));
  EXPECT_FALSE(range.warms(1) || range.warms(5));
  EXPECT_TRUE(range.contains(5) && range.contains(10));
  EXPECT_FALSE(range.contains(4));
}

TEST(CutIntoParts, LaunchesBeforeAPartAreTimedWhileTheyAreShort) {
  const auto timed_from = [](const std::vector<std::uint64_t>& instructions) {
    return cut_into_parts(instructions, 2).at(1).timed.first;
  };
  EXPECT_EQ(timed_from({9'000, 300, 300, 300, 9'800}), 2u) << "a tenth together";
  EXPECT_EQ(timed_from({9'000, 300, 800, 9'800}), 3u);
  EXPECT_EQ(timed_from({10'000, 9'000}), 2u) << "more than half of the part";
}

}  // namespace
}  // namespace heddle::lab
