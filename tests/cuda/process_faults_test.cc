#include "cuda/process/faults.h"

#include <gtest/gtest.h>

namespace heddle::cuda {
namespace {

using Kind = exec::KernelFault::Kind;

TEST(Faults, HaveCudasErrorsByKind) {
  EXPECT_EQ(Faults::error_of(Kind::assertion), cudaErrorAssert);
  EXPECT_EQ(Faults::error_of(Kind::illegal_address), cudaErrorIllegalAddress);
  EXPECT_EQ(Faults::error_of(Kind::misaligned_address), cudaErrorMisalignedAddress);
  EXPECT_EQ(Faults::error_of(Kind::illegal_call), cudaErrorInvalidPc);
  EXPECT_EQ(Faults::error_of(Kind::stack_overflow), cudaErrorHardwareStackError);
  EXPECT_EQ(Faults::error_of(Kind::trap), cudaErrorLaunchFailure);
  EXPECT_EQ(Faults::error_of(Kind::deadlock), cudaErrorLaunchFailure);
}

TEST(Faults, AProgramThatIgnoresAFaultForTenThousandCallsIsEnded) {
  Faults faults;
  EXPECT_FALSE(faults.any());
  faults.set(cudaErrorAssert);
  EXPECT_TRUE(faults.any());
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(faults.count_call(), "");
  EXPECT_EQ(faults.count_call(),
            "the program has ignored a device fault: 10000 calls after it have returned "
            "cudaErrorAssert");
}

TEST(Faults, WhatWasPrintedBeforeIsTakenOnce) {
  Faults faults;
  faults.set_printed("text");
  EXPECT_EQ(faults.take_printed(), "text");
  EXPECT_EQ(faults.take_printed(), "");
}

}  // namespace
}  // namespace heddle::cuda
