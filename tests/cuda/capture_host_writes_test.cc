#include "cuda/capture/host_writes.h"

#include <gtest/gtest.h>

#include "tests/cuda/recorded_file.h"

namespace heddle::cuda {
namespace {

class HostWritten : public RecordingTest {
 protected:
  // Two pages that the host reaches, too.
  Address share() {
    const Address block = memory.allocate_shared(8192, "shared");
    writes.add(*memory.find(block), block.value);
    return block;
  }

  HostWrites writes{memory, sink};
};

TEST_F(HostWritten, WhatTheHostWritesToSharedMemoryIsRecordedBeforeKernelsRun) {
  const Address block = share();
  write(block + 4100, "text");
  writes.kernels_begin();
  writes.kernels_ended();
  writes.kernels_begin();  // nothing is new
  const auto all = records();
  ASSERT_EQ(all.size(), 1u);
  const auto& written = effect_of<WriteMemory>(all[0]);
  EXPECT_EQ(written.to.base.value / 4096, (block + 4100).value / 4096);
  EXPECT_FALSE(written.copied);
  EXPECT_NE(file.data_of(written.data).find("text"), std::string::npos);
}

TEST_F(HostWritten, WhatKernelsWriteToSharedMemoryIsNotRecorded) {
  const Address block = share();
  writes.kernels_begin();
  write(block, "by a kernel");
  writes.kernels_ended();
  writes.kernels_begin();
  EXPECT_EQ(records().size(), 0u);
}

TEST_F(HostWritten, WordsOfAPageAreSeparatedWhenOtherWorkMayRun) {
  const Address block = share();
  writes.set_words(true);
  write(block + 8, "word");
  writes.kernels_begin();
  const auto all = records();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(effect_of<WriteMemory>(all[0]).to.base, block + 8);
  EXPECT_EQ(file.data_of(effect_of<WriteMemory>(all[0]).data), "word");
}

TEST_F(HostWritten, AHostFunctionWritesAfterWhatKernelsHaveWritten) {
  const Address block = share();
  writes.set_words(true);
  writes.kernels_begin();
  write(block, "by a kernel");
  writes.host_function_begins();
  write(block + 4096, "host");
  writes.host_function_ended();
  const auto all = records();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(effect_of<WriteMemory>(all[0]).to.base, block + 4096);
}

TEST_F(HostWritten, APartThatACopyTouchesIsComparedOnlyWhileNoKernelRuns) {
  const Address block = share();
  write(block, "text");
  const RegionPlace at{block, 4, 4};
  writes.kernels_begin();
  write(block, "more");
  writes.compare_part(at, {4, 1, 1}, true);
  writes.kernels_ended();
  write(block, "last");
  writes.compare_part(at, {4, 1, 1}, true);
  EXPECT_EQ(records().size(), 2u);
}

TEST_F(HostWritten, ARegionIsOnTheDeviceWhenAnAllocationHoldsAllOfIt) {
  const Address block = share();
  const auto found = writes.on_device({block + 8000, 64, 64}, {64, 3, 1});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->base, block + 8000);
  EXPECT_FALSE(writes.on_device({block + 8000, 64, 64}, {64, 4, 1}));
  EXPECT_TRUE(writes.contains(block + 8191));
  writes.remove(block);
  EXPECT_FALSE(writes.contains(block));
}

}  // namespace
}  // namespace heddle::cuda
