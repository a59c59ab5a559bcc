#include <gtest/gtest.h>

#include <random>

#include "tests/mem/replacement_bench.h"

namespace heddle::mem {

// Figure 4 of Jaleel et al., ISCA 2010: a1 a2 a2 a1 b1 b2 b3 b4 a1 a2 in a set of four lines.
TEST(Srrip, KeepsTheReusedLinesOfThePapersExampleThroughAScan) {
  ReplacementBench set("srrip", 4);
  const int a1 = 0, a2 = 1;
  for (const int line : {a1, a2, a2, a1}) set.read(line);
  set.read(11);
  set.read(12);
  EXPECT_EQ(set.replaced_by(13), 11);  // intervals 0 0 2 2 become 1 1 3 3
  EXPECT_EQ(set.replaced_by(14), 12);
  EXPECT_EQ(set.read(a1), Outcome::hit);
  EXPECT_EQ(set.read(a2), Outcome::hit);
}

TEST(Srrip, OneBitIsNotRecentlyUsed) {
  ReplacementBench set("srrip:bits=1", 2);
  set.read(0);
  set.read(1);
  EXPECT_EQ(set.replaced_by(2), 0);  // both were used: both age, and the first one is replaced
  set.read(1);
  EXPECT_EQ(set.replaced_by(3), 2);
  EXPECT_EQ(set.replaced_by(4), 1);
}

namespace {

// The intervals as the paper's pseudo-code has them, in a list.
class ReferenceSrrip {
 public:
  ReferenceSrrip(std::size_t ways, int distant) : lines_(ways, Line{}), distant_(distant) {}
  bool read(int line) {
    for (Line& l : lines_)
      if (l.line == line) return l.interval = 0, true;
    for (Line& l : lines_)
      if (l.line < 0) return l = {line, distant_ - 1}, false;
    for (;;) {
      for (Line& l : lines_)
        if (l.interval == distant_) return l = {line, distant_ - 1}, false;
      for (Line& l : lines_) ++l.interval;
    }
  }

 private:
  struct Line {
    int line = -1, interval = 0;
  };
  std::vector<Line> lines_;
  int distant_;
};

}  // namespace

TEST(Srrip, AnswersRandomReadsAsTheReferenceModelDoes) {
  std::mt19937 draw(3);
  for (const int bits : {1, 2, 3}) {
    ReplacementBench set("srrip:bits=" + std::to_string(bits), 6);
    ReferenceSrrip slow(6, (1 << bits) - 1);
    int hits = 0;
    for (int i = 0; i < 3000; ++i) {
      const int line = static_cast<int>(draw() % 3 ? draw() % 8 : draw() % 64);
      const bool hit = set.read(line) == Outcome::hit;
      ASSERT_EQ(hit, slow.read(line)) << i;
      hits += hit;
    }
    EXPECT_GT(hits, 500);
  }
}

}  // namespace heddle::mem
