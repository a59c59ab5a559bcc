#include "gpu/nested/parameter_buffers.h"

#include <gtest/gtest.h>

namespace heddle::gpu {
namespace {

TEST(ParameterBuffers, KeepTheShapeOfTheirLaunchUntilTheyAreFreed) {
  exec::GlobalMemory memory(std::uint64_t{64} << 20);
  ParameterBuffers buffers(memory);
  const std::uint64_t a = buffers.allocate(8, {5, {1, 2, 3}, {4, 1, 1}, 16});
  const std::uint64_t b = buffers.allocate(0, {});
  EXPECT_NE(a, b);
  EXPECT_EQ(buffers.size(), 2u);
  EXPECT_EQ(buffers.find(a)->function, 5u);
  EXPECT_EQ(buffers.find(a)->shared_bytes, 16u);
  EXPECT_EQ(buffers.find(a + 1), nullptr);
  memory.host(Address{a})[1] = 9;
  EXPECT_EQ(buffers.read(a, 2), (std::vector<std::uint8_t>{0, 9}));
  buffers.free(a);
  EXPECT_EQ(buffers.find(a), nullptr);
  EXPECT_EQ(buffers.size(), 1u);
}

TEST(ParameterBuffers, AreNotAllocatedWithoutMemory) {
  exec::GlobalMemory memory(1 << 20);
  ParameterBuffers buffers(memory);
  EXPECT_EQ(buffers.allocate(8, {}), 0u);
  EXPECT_EQ(buffers.size(), 0u);
}

TEST(ParameterBuffers, AreRestoredWhereTheyAreBlocksOfTheHeap) {
  exec::GlobalMemory memory(std::uint64_t{64} << 20);
  ParameterBuffers buffers(memory);
  const std::uint64_t a = buffers.allocate(8, {5, {}, {}, 0});
  DeviceRuntimeState state;
  buffers.save(state);
  ParameterBuffers restored(memory);
  EXPECT_TRUE(restored.restore(state));
  EXPECT_EQ(restored.find(a)->function, 5u);
  EXPECT_NE(restored.allocate(8, {}), a);

  DeviceRuntimeState moved = state, elsewhere = state;
  moved.buffers[0].address += 16;
  EXPECT_FALSE(ParameterBuffers(memory).restore(moved));
  elsewhere.parameters.base = 16;
  EXPECT_FALSE(ParameterBuffers(memory).restore(elsewhere));
}

}  // namespace
}  // namespace heddle::gpu
