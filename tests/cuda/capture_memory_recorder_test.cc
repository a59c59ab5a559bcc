#include "cuda/capture/memory_recorder.h"

#include <cstring>

#include <gtest/gtest.h>

#include "tests/cuda/recorded_file.h"

namespace heddle::cuda {
namespace {

constexpr std::uint64_t kBytes = 8192;  // two pages

class MemoryRecorders : public RecordingTest {
 protected:
  Address shared_memory() { return memory.allocate_shared(kBytes, "shared"); }

  MemoryRecorder recorder{memory, sink};
};

TEST_F(MemoryRecorders, AllocationsAreEffectsUnlessTheDeviceMakesThem) {
  const Address block = memory.allocate(256, "cudaMalloc #1");
  recorder.set_in_device(true);
  memory.free(memory.allocate(256, "heap"));
  recorder.set_in_device(false);
  memory.free(block);
  const auto all = records();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(effect_of<AllocateMemory>(all[0]).address, block);
  EXPECT_EQ(effect_of<AllocateMemory>(all[0]).kind, AllocateMemory::Kind::device);
  EXPECT_EQ(effect_of<FreeMemory>(all[1]).address, block);
}

TEST_F(MemoryRecorders, ACopyToTheDeviceHasItsDataAndOneToTheHostTheirHash) {
  const Address block = memory.allocate(256, "cudaMalloc #1");
  const char text[] = "bytes";
  const RegionPlace host{Address{reinterpret_cast<std::uint64_t>(text)}, 5, 5};
  recorder.transfer_begins(Transfer{{block, 5, 5}, host, {5, 1, 1}, true, false});
  write(block, text);
  recorder.transfer_begins(Transfer{host, {block, 5, 5}, {5, 1, 1}, false, true});
  const auto all = records();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(file.data_of(effect_of<WriteMemory>(all[1]).data), "bytes");
  EXPECT_TRUE(effect_of<WriteMemory>(all[1]).copied);
  EXPECT_EQ(effect_of<ReadMemory>(all[2]).hash, hash_of(text, 5));
}

TEST_F(MemoryRecorders, AFillOfSharedMemoryIsKnownAfterwards) {
  const Address block = shared_memory();
  const FillMemory fill{{block, 64, 64}, {64, 1, 1}, 7, 1};
  recorder.transfer_begins(fill);
  std::memset(memory.host(block), 7, 64);
  recorder.transfer_ended(fill);
  recorder.host_writes().kernels_begin();
  const auto all = records();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(effect_of<FillMemory>(all[1]).value, 7u);
}

TEST_F(MemoryRecorders, AHostAddressThatKernelsMayUseIsAnEffect) {
  constexpr std::uint64_t host = std::uint64_t{1} << 46;
  const Address block = shared_memory();
  EXPECT_FALSE(memory.allocations().accept_host_address(block, kBytes, block.value));
  EXPECT_TRUE(memory.allocations().accept_host_address(block + 16, 100, host));
  const auto all = records();
  ASSERT_EQ(all.size(), 2u);
  const auto& accepted = effect_of<AcceptHostAddress>(all[1]);
  EXPECT_EQ(accepted.address, block + 16);
  EXPECT_EQ(accepted.bytes, 100u);
  EXPECT_EQ(accepted.host, Address{host});
}

TEST_F(MemoryRecorders, AWriteToTheDevicesMemoryIsRecordedWithItsData) {
  const Address block = memory.allocate(256, "condition of a graph");
  write(block, "abcd");
  memory.allocations().notify_written(block, 4);
  const auto all = records();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(file.data_of(effect_of<WriteMemory>(all[1]).data), "abcd");
}

}  // namespace
}  // namespace heddle::cuda
