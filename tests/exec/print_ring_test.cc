#include <gtest/gtest.h>

#include "exec/services/device_services.h"

namespace heddle::exec {
namespace {

TEST(PrintRing, KeepsTextBelowItsLimit) {
  PrintRing ring;
  ring.append("one\n");
  ring.append("two\n");
  EXPECT_EQ(ring.take(), "one\ntwo\n");
  EXPECT_EQ(ring.take(), "");
  EXPECT_EQ(ring.take_lost(), 0u);
}

TEST(PrintRing, DropsTheOldestLinesAndCountsTheirBytes) {
  PrintRing ring;
  ring.set_limit(10);
  for (const char* line : {"aaaa\n", "bbbb\n", "cccc\n", "dddd\n"}) ring.append(line);
  EXPECT_EQ(ring.take(), "cccc\ndddd\n");
  EXPECT_EQ(ring.take_lost(), 10u);
  EXPECT_EQ(ring.take_lost(), 0u);
}

TEST(PrintRing, StaysBoundedWithoutLineEnds) {
  PrintRing ring;
  ring.set_limit(100);
  for (int i = 0; i < 1000; ++i) ring.append("0123456789");
  EXPECT_EQ(ring.take().size(), 100u);
  EXPECT_EQ(ring.take_lost(), 9900u);
}

}  // namespace
}  // namespace heddle::exec
