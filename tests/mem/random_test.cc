#include <gtest/gtest.h>

#include <array>

#include "tests/mem/replacement_bench.h"

namespace heddle::mem {

namespace {

std::vector<int> replaced_lines(const std::string& policy) {
  ReplacementBench set(policy, 4);
  for (const int line : {0, 1, 2, 3}) set.read(line);
  std::vector<int> replaced;
  for (int line = 4; line < 200; ++line) replaced.push_back(set.replaced_by(line));
  return replaced;
}

}  // namespace

TEST(Random, TheSeedDecidesTheDraws) {
  EXPECT_EQ(replaced_lines("random"), replaced_lines("random:seed=1"));
  EXPECT_NE(replaced_lines("random"), replaced_lines("random:seed=2"));
}

TEST(Random, EveryLineIsDrawnAboutEquallyOften) {
  ReplacementBench set("random", 4);
  std::array<int, 4> held{0, 1, 2, 3}, drawn{};
  for (const int line : held) set.read(line);
  for (int i = 0; i < 4000; ++i) {
    const int next = 4 + i % 250;
    const int gone = set.replaced_by(next);
    for (std::size_t way = 0; way < held.size(); ++way)
      if (held[way] == gone) held[way] = next, ++drawn[way];
  }
  for (const int count : drawn) EXPECT_NEAR(count, 1000, 150);
}

TEST(Random, ALineThatIsBeingFetchedIsNotReplaced) {
  ReplacementBench set("random", 2);
  set.read(0);
  set.read(1, false);
  EXPECT_EQ(set.read(2, false), Outcome::miss);
  EXPECT_FALSE(set.holds(0));
  EXPECT_EQ(set.read(3, false), Outcome::reservation_fail);
}

}  // namespace heddle::mem
