#include "exec/state/allocation_claims.h"

#include <gtest/gtest.h>

namespace heddle::exec::test {
namespace {

TEST(AllocationClaims, AWrittenAllocationIsNotReadAhead) {
  AllocationClaims claims;
  Allocation a, b;
  a.base = Address{1000}, b.base = Address{2000};
  EXPECT_TRUE(claims.read_ahead(a));
  EXPECT_TRUE(claims.write(b));
  EXPECT_FALSE(claims.conflict());
  EXPECT_FALSE(claims.write(a));
  EXPECT_TRUE(claims.conflict());
}

TEST(ThreadClaims, TheMainThreadAlwaysGoesOn) {
  Allocation a, b, mapped;
  a.base = Address{1000}, b.base = Address{2000}, mapped.base = Address{3000};
  mapped.mapped = true;
  AllocationClaims claims;
  AheadStores stores;
  ThreadClaims main(claims, nullptr), ahead(claims, &stores);
  main.claim(mapped, false);
  EXPECT_THROW(ahead.claim(mapped, false), CannotRunAhead);
  ahead.claim(b, false);
  EXPECT_FALSE(claims.conflict());
  main.claim(b, true);
  EXPECT_TRUE(claims.conflict());
  main.claim(a, true);
  EXPECT_THROW(ahead.claim(a, false), CannotRunAhead);
}

}  // namespace
}  // namespace heddle::exec::test
