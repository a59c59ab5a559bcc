#include "gpu/nested/device_queries.h"

#include <gtest/gtest.h>

#include "tests/gpu/device_call_bench.h"

namespace heddle::gpu {
namespace {

using Function = ptx::RuntimeCall;

struct DeviceQueriesTest : testing::Test {
  DeviceQueriesTest() {
    program.runtime_version = 12040;
    program.attribute = [](int a) { return a == 16 ? std::optional(15) : std::nullopt; };
    program.limit = [](int l) {
      return l == 0 ? std::optional<std::uint64_t>(1024) : std::nullopt;
    };
    program.kernel_at = [this](const isa::Kernel&, std::uint64_t address) {
      return address == 64 ? &bench.kernel : nullptr;
    };
    program.function_attributes = [](const isa::Kernel&) {
      return std::vector<std::uint8_t>{1, 2, 3, 4};
    };
  }
  DeviceCode program;
  test::NotingHost host;
  exec::GlobalMemory memory{1 << 20};
  CallErrors errors{memory};
  exec::DeviceHeap heap;
  DeviceQueries queries{program, host, heap, errors};
  test::DeviceCallBench bench;
};

TEST_F(DeviceQueriesTest, TheDeviceIsNumberZeroOfOne) {
  EXPECT_EQ(queries.query(bench.call(Function::device_count, test::kResult)), test::kOk);
  EXPECT_EQ(bench.result<int>(test::kResult), 1);
  EXPECT_EQ(queries.query(bench.call(Function::get_device, test::kResult)), test::kOk);
  EXPECT_EQ(bench.result<int>(test::kResult), 0);
  EXPECT_EQ(queries.query(bench.call(Function::runtime_version, test::kResult)), test::kOk);
  EXPECT_EQ(bench.result<int>(test::kResult), 12040);
}

TEST_F(DeviceQueriesTest, UnknownAttributesLimitsAndDevicesAreErrors) {
  const auto attribute = [&](int a, int device) {
    return queries.query(bench.call(Function::device_attribute, test::kResult, a, device));
  };
  EXPECT_EQ(attribute(16, 0), test::kOk);
  EXPECT_EQ(bench.result<int>(test::kResult), 15);
  EXPECT_EQ(attribute(17, 0), 1u);
  EXPECT_EQ(attribute(16, 1), 101u);
  EXPECT_EQ(queries.query(bench.call(Function::device_limit, test::kResult, 0)), test::kOk);
  EXPECT_EQ(bench.result<std::uint64_t>(test::kResult), 1024u);
  EXPECT_EQ(queries.query(bench.call(Function::device_limit, test::kResult, 1)), 215u);
}

TEST_F(DeviceQueriesTest, OccupancyIsThatOfABlockOfTheKernel) {
  const auto occupancy = [&](std::uint64_t kernel) {
    return queries.query_kernel(bench.call(Function::occupancy, test::kResult, kernel, 256u, 0u));
  };
  EXPECT_EQ(occupancy(64), test::kOk);
  EXPECT_EQ(bench.result<int>(test::kResult), 4);
  EXPECT_EQ(occupancy(65), 98u);
  EXPECT_EQ(queries.query_kernel(
                bench.call(Function::function_attributes, test::kResult, std::uint64_t{64})),
            test::kOk);
  EXPECT_EQ(bench.result<std::uint32_t>(test::kResult), 0x04030201u);
}

TEST_F(DeviceQueriesTest, MemoryComesFromTheHeapOfMalloc) {
  const auto allocate = [&] {
    return queries.allocate(bench.call(Function::allocate, test::kResult, std::uint64_t{100}));
  };
  EXPECT_EQ(allocate(), 2u);
  heap.begin(4096, 4096);
  EXPECT_EQ(allocate(), test::kOk);
  const auto address = bench.result<std::uint64_t>(test::kResult);
  EXPECT_GT(heap.used_bytes(), 0u);
  const auto free = [&](std::uint64_t at) { return queries.free(bench.call(Function::free, at)); };
  EXPECT_EQ(free(0), test::kOk);
  EXPECT_EQ(free(address + 16), 17u);
  EXPECT_EQ(free(address), test::kOk);
  EXPECT_EQ(heap.used_bytes(), 0u);
}

}  // namespace
}  // namespace heddle::gpu
