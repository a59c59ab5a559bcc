#include "gpu/engine/running_kernels.h"

#include <gtest/gtest.h>

namespace heddle::gpu {
namespace {

RunningKernel& add(RunningKernels& all, std::uint32_t program, int priority = 0,
                   Cycle start = Cycle{}) {
  auto kernel = std::make_unique<RunningKernel>();
  kernel->launch.address_space = {program, 0};
  kernel->priority = priority;
  kernel->launch_cycle = start;
  kernel->number = all.free_number(program);
  RunningKernel& added = *kernel;
  all.add(std::move(kernel));
  return added;
}

}  // namespace

TEST(RunningKernels, AProgramThatRunsOneKernelKeepsItsNumber) {
  RunningKernels all(4, 2);
  EXPECT_EQ(add(all, 1).number, 1);
  EXPECT_EQ(add(all, 0).number, 0);
  all.remove(0);
  EXPECT_EQ(all.free_number(1), 1);
}

TEST(RunningKernels, ASecondKernelOfAProgramTakesTheNumbersOfOtherProgramsLast) {
  RunningKernels all(4, 2);
  EXPECT_EQ(add(all, 0).number, 0);
  EXPECT_EQ(add(all, 0).number, 2);
  EXPECT_EQ(add(all, 0).number, 3);
  EXPECT_EQ(add(all, 0).number, 1);
  EXPECT_EQ(all.free_number(0), -1);
}

TEST(RunningKernels, StandInTheOrderOfPrioritiesAndStarts) {
  RunningKernels all(4, 1);
  const RunningKernel& second = add(all, 0, 1);
  const RunningKernel& third = add(all, 0, 1);
  const RunningKernel& first = add(all, 0, 0);
  EXPECT_EQ(&all[0], &first);
  EXPECT_EQ(&all[1], &second);
  EXPECT_EQ(&all[2], &third);
}

TEST(RunningKernels, ARemovedKernelFreesItsNumber) {
  RunningKernels all(2, 1);
  add(all, 0);
  add(all, 0);
  const std::unique_ptr<RunningKernel> first = all.remove(0);
  EXPECT_EQ(first->number, 0);
  EXPECT_EQ(all.numbered(0), nullptr);
  EXPECT_EQ(all.numbered(1), &all.front());
  EXPECT_EQ(all.remove_all().size(), 1u);
  EXPECT_TRUE(all.empty());
  EXPECT_EQ(all.numbered(1), nullptr);
}

TEST(RunningKernels, KnowTheFirstStartAndWhetherProgramsOverlap) {
  RunningKernels all(4, 2);
  EXPECT_EQ(all.first_start(), Cycle::never());
  add(all, 0, 0, Cycle{30});
  add(all, 0, 0, Cycle{20});
  EXPECT_EQ(all.first_start(), Cycle{20});
  EXPECT_FALSE(all.of_several_programs());
  add(all, 1, 0, Cycle{40});
  EXPECT_TRUE(all.of_several_programs());
  all.remove(0);
}

}  // namespace heddle::gpu
