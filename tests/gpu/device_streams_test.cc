#include "gpu/nested/device_streams.h"

#include <gtest/gtest.h>

#include "tests/gpu/device_call_bench.h"

namespace heddle::gpu {
namespace {

using Kind = LaunchOrder::Stream::Kind;
using Function = ptx::RuntimeCall;
constexpr std::uint64_t kInvalidValue = 1, kInvalidHandle = 400;

struct DeviceStreamsTest : testing::Test {
  DeviceStreamsTest() { order.begin_root(1); }
  std::uint64_t created(std::uint64_t error) {
    EXPECT_EQ(error, test::kOk);
    return bench.result<std::uint64_t>(test::kResult);
  }
  std::uint64_t stream() {
    return created(streams.create_stream(bench.call(Function::stream_create, test::kResult, 1u)));
  }
  std::uint64_t event() {
    return created(streams.create_event(bench.call(Function::event_create, test::kResult, 2u)));
  }

  exec::GlobalMemory memory{1 << 20};
  CallErrors errors{memory};
  LaunchOrder order;
  DeviceStreams streams{order, errors};
  test::DeviceCallBench bench;
};

TEST_F(DeviceStreamsTest, TheStreamsOfAGridExistFromItsStart) {
  bench.cta = 3;
  bench.thread = 2;
  const auto call = bench.call(Function::stream_create);
  EXPECT_EQ(streams.stream_of(call, 0), (LaunchOrder::Stream{Kind::cta, 3}));
  EXPECT_EQ(streams.stream_of(call, 1), (LaunchOrder::Stream{Kind::cta, 3}));
  EXPECT_EQ(streams.stream_of(call, 2), (LaunchOrder::Stream{Kind::thread, 3 * 4 + 2}));
  EXPECT_EQ(streams.stream_of(call, 3)->kind, Kind::tail);
  EXPECT_EQ(streams.stream_of(call, 4)->kind, Kind::alone);
  EXPECT_EQ(streams.stream_of(call, 5), std::nullopt);
}

TEST_F(DeviceStreamsTest, ANamedStreamBelongsToItsGridUntilItIsDestroyed) {
  const std::uint64_t handle = stream();
  EXPECT_EQ(streams.stream_of(bench.call(Function::copy), handle),
            (LaunchOrder::Stream{Kind::named, handle}));
  test::DeviceCallBench other(2);
  EXPECT_EQ(streams.stream_of(other.call(Function::copy), handle), std::nullopt);
  const auto destroy = [&] {
    return streams.destroy_stream(bench.call(Function::stream_destroy, handle));
  };
  EXPECT_EQ(destroy(), test::kOk);
  EXPECT_EQ(destroy(), kInvalidHandle);
  EXPECT_EQ(errors.last(bench.call(Function::copy), CallErrors::Then::keep), kInvalidHandle);
}

TEST_F(DeviceStreamsTest, OnlyTheFlagsOfTheDeviceRuntimeAreAccepted) {
  EXPECT_EQ(streams.create_stream(bench.call(Function::stream_create, test::kResult, 0u)),
            kInvalidValue);
  EXPECT_EQ(streams.create_event(bench.call(Function::event_create, test::kResult, 0u)),
            kInvalidValue);
  EXPECT_THROW(streams.create_event(bench.call(Function::event_create, std::uint64_t{0}, 2u)),
               std::runtime_error);
}

TEST_F(DeviceStreamsTest, AnEventHoldsAStreamUntilWhatItRecordsIsComplete) {
  const std::uint64_t e = event(), waits = stream();
  EXPECT_NE(e, waits);
  const auto wait = [&] {
    return streams.wait_for_event(bench.call(Function::stream_wait_event, waits, e));
  };
  EXPECT_EQ(wait(), test::kOk);  // never recorded: no reason to wait
  const auto first = order.add(1, 0, {Kind::cta, 0});
  EXPECT_EQ(streams.record_event(bench.call(Function::event_record, e, std::uint64_t{0})),
            test::kOk);
  EXPECT_EQ(wait(), test::kOk);
  const auto second = order.add(1, 0, {Kind::named, waits});
  EXPECT_EQ(order.take_ready(), std::vector{first});
  order.finish(first);
  EXPECT_EQ(order.take_ready(), std::vector{second});
  EXPECT_EQ(streams.destroy_event(bench.call(Function::event_destroy, e)), test::kOk);
  EXPECT_EQ(wait(), kInvalidHandle);
}

TEST_F(DeviceStreamsTest, HandlesAreRestoredAndNotGivenAgain) {
  const std::uint64_t s = stream(), e = event();
  DeviceRuntimeState state;
  streams.save(state);
  DeviceStreams restored(order, errors);
  restored.restore(state);
  EXPECT_TRUE(restored.stream_of(bench.call(Function::copy), s));
  // What a restored event has recorded is complete.
  const auto first = order.add(1, 0, {Kind::cta, 0});
  restored.wait_for_event(bench.call(Function::stream_wait_event, s, e));
  const auto second = order.add(1, 0, {Kind::named, s});
  EXPECT_EQ(order.take_ready(), (std::vector{first, second}));
  EXPECT_EQ(restored.destroy_event(bench.call(Function::event_destroy, e)), test::kOk);
  restored.create_stream(bench.call(Function::stream_create, test::kResult, 1u));
  EXPECT_GT(bench.result<std::uint64_t>(test::kResult), e);
}

}  // namespace
}  // namespace heddle::gpu
