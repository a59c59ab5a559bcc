#include "base/fnv.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

// The test vectors of draft-eastlake-fnv, appendix C. Those of 128 bits: tests/lab/run_record_test.
TEST(Fnv, HasTheValuesOfItsDraft) {
  EXPECT_EQ(fnv64(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv64("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv64("foobar"), 0x85944171f73967e8u);
}

TEST(Fnv, OfAPieceAfterAnotherIsThatOfBoth) {
  Fnv64 hash;
  hash.add("foo");
  hash.add("bar");
  EXPECT_EQ(hash.value(), fnv64("foobar"));
}

}  // namespace
}  // namespace heddle
