// Which operation of a stream waits for which.
#include <gtest/gtest.h>

#include "cuda/objects/stream_work.h"

namespace heddle::cuda {
namespace {

using Id = StreamWork::Id;

constexpr std::uintptr_t kA = 0x1010, kB = 0x1020;

StreamWork::Place in(std::uintptr_t stream, std::uint32_t queue = 0, int priority = 0) {
  return {stream, true, priority, queue};
}
StreamWork::Place non_blocking(std::uintptr_t stream) { return {stream, false, 0, 0}; }

Operation kernel() {
  Operation operation;
  operation.launch = std::make_shared<const gpu::LaunchRequest>();
  return operation;
}

// The operations that can start now, in order.
std::vector<Id> started(StreamWork& work, bool kernels = true) {
  std::vector<Id> all;
  while (const Id next = work.start_next(kernels)) all.push_back(next);
  return all;
}

TEST(StreamWork, RunsTheOperationsOfAStreamInTheirOrder) {
  StreamWork work;
  const Id first = work.add(in(kA), {}), second = work.add(in(kA), {});
  EXPECT_EQ(started(work), std::vector{first});
  work.finish(first);
  EXPECT_EQ(started(work), std::vector{second});
  EXPECT_EQ(work.last_of(kA), second);
  work.finish(second);
  EXPECT_TRUE(work.empty());
  EXPECT_EQ(work.last_of(kA), Id{0});
}

TEST(StreamWork, StreamsDoNotWaitForEachOther) {
  StreamWork work;
  const Id a = work.add(in(kA), {}), b = work.add(in(kB), {});
  EXPECT_EQ(started(work), (std::vector{a, b}));
}

TEST(StreamWork, TheLegacyStreamWaitsForBlockingStreamsAndTheyWaitForIt) {
  StreamWork work;
  const Id a = work.add(in(kA), {}), beside = work.add(non_blocking(kB), {}),
           legacy = work.add(in(0), {}), later = work.add(in(kA), {}),
           later_beside = work.add(non_blocking(kB), {});
  EXPECT_EQ(started(work), (std::vector{a, beside}));
  work.finish(beside);
  EXPECT_EQ(started(work), std::vector{later_beside});  // does not wait for the legacy stream
  work.finish(a);
  EXPECT_EQ(started(work), std::vector{legacy});
  work.finish(legacy);
  EXPECT_EQ(started(work), std::vector{later});
}

TEST(StreamWork, BothHandlesOfTheLegacyStreamAreOneStream) {
  StreamWork work;
  const Id first = work.add(in(0), {});
  work.add(in(1), {});
  EXPECT_EQ(started(work), std::vector{first});
}

TEST(StreamWork, AnOperationWaitsForThoseThatItIsGiven) {
  StreamWork work;
  const Id event = work.add(in(kA), {}), waiting = work.add(in(kB), {}, {event});
  EXPECT_EQ(started(work), std::vector{event});
  work.finish(event);
  EXPECT_EQ(started(work), std::vector{waiting});
  const Id after_finished = work.add(non_blocking(kA), {}, {event});
  EXPECT_EQ(started(work), std::vector{after_finished});
}

TEST(StreamWork, NodesOfAGraphRunSideBySide) {
  StreamWork work;
  const Id before = work.add(in(kA), {});
  const Id left = work.add_beside(in(kA), {}, {}), right = work.add_beside(in(kA), {}, {});
  const Id end = work.add(in(kA), {}, {left, right}), later = work.add(in(kA), {});
  EXPECT_EQ(started(work), std::vector{before});
  work.finish(before);
  EXPECT_EQ(started(work), (std::vector{left, right}));
  work.finish(left);
  EXPECT_TRUE(started(work).empty());
  work.finish(right);
  EXPECT_EQ(started(work), std::vector{end});
  work.finish(end);
  EXPECT_EQ(started(work), std::vector{later});
}

TEST(StreamWork, MoreUrgentStreamsStartFirst) {
  StreamWork work;
  const Id normal = work.add(in(kA, 0, 0), {}), urgent = work.add(in(kB, 1, -1), {});
  EXPECT_EQ(started(work), (std::vector{urgent, normal}));
}

TEST(StreamWork, AKernelWaitsForEarlierKernelsOfItsHardwareQueue) {
  StreamWork work;
  const Id a = work.add(in(kA), kernel()), blocked = work.add(in(kA), kernel()),
           behind = work.add(in(kB), kernel()), copy = work.add(in(kB), {});
  EXPECT_EQ(started(work), std::vector{a});  // `behind` has a false dependency on `blocked`
  work.finish(a);
  EXPECT_EQ(started(work), (std::vector{blocked, behind}));
  work.finish(behind);
  EXPECT_EQ(started(work), std::vector{copy});
}

TEST(StreamWork, AKernelThatTheDeviceLaunchesWaitsInNoQueue) {
  StreamWork work;
  const Id conditional = work.add(in(kA), {});
  work.add(in(kA), kernel());
  const Id body = work.add(in(kB, StreamWork::kNoQueue), kernel());
  EXPECT_EQ(started(work), (std::vector{conditional, body}));
}

TEST(StreamWork, KernelsOfSeveralHardwareQueuesStartTogether) {
  StreamWork work;
  const Id a = work.add(in(kA, 0), kernel());
  work.add(in(kA, 0), kernel());
  const Id b = work.add(in(kB, 1), kernel());
  EXPECT_EQ(started(work), (std::vector{a, b}));
}

TEST(StreamWork, KernelsWaitWhileTheDeviceCannotStartOne) {
  StreamWork work;
  const Id a = work.add(in(kA, 0), kernel()), copy = work.add(in(kB, 1), {});
  EXPECT_EQ(started(work, false), std::vector{copy});
  EXPECT_EQ(started(work, true), std::vector{a});
}

}  // namespace
}  // namespace heddle::cuda
