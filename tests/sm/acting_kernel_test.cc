#include "sm/warp/acting_kernel.h"

#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

// Warp 0 belongs to kernel 0, warp 1 to kernel 1.
struct TwoWarps {
  TwoWarps() {
    second.index = 1;
    warps[WarpSlot(0)].kernel = &first;
    warps[WarpSlot(1)].kernel = &second;
    for (const int w : {0, 1}) warps.resident.set(WarpSlot(w));
  }
  KernelContext first, second;
  WarpTable warps{kMaxWarpsPerSm};
  ActingKernel acting{warps, first};
};

TEST(ActingKernel, IsThatOfTheWarp) {
  TwoWarps t;
  EXPECT_EQ(&t.acting.of(WarpSlot(1)), &t.second.stats);
  EXPECT_EQ(&t.acting.of(WarpSlot(0)), &t.first.stats);
}

TEST(ActingKernel, IsTheOneBeforeWhereTheWarpHasEnded) {
  TwoWarps t;
  EXPECT_EQ(&t.acting.of(mem::Requester{0, WarpSlot(1), 1}), &t.second.stats);
  EXPECT_EQ(&t.acting.of(mem::Requester{0, WarpSlot(0), 7}), &t.second.stats);  // another kernel's
  t.warps.resident.reset(WarpSlot(0));
  EXPECT_EQ(&t.acting.of(mem::Requester{0, WarpSlot(0), 0}), &t.second.stats);
  EXPECT_EQ(&t.acting.of(mem::Requester{}), &t.second.stats);
  t.acting.set(t.first);
  EXPECT_EQ(&t.acting.of(mem::Requester{}), &t.first.stats);
}

TEST(ActingKernel, OfInstructionsIsTheKernelWithThatNumber) {
  TwoWarps t;
  EXPECT_EQ(&t.acting.of_kernel(1), &t.second.stats);
  EXPECT_EQ(&t.acting.of_kernel(5), &t.second.stats);  // it has no warps here
  EXPECT_EQ(&t.acting.of_kernel(0), &t.first.stats);
}

}  // namespace
}  // namespace heddle::sm
