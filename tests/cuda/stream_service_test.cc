// Streams of a program whose host only notes what it is asked.
#include <gtest/gtest.h>

#include "config/config.h"
#include "cuda/process/stream_service.h"

namespace heddle::cuda {
namespace {

config::RunSpec gtx480() {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480");
  return spec;
}

class FakeHost final : public ProgramHost {
 public:
  gpu::Device& device() override { return device_; }
  gpu::DeviceLimits limits() const override { return {}; }
  void begin_on_device(Id, const gpu::LaunchRequest*, const std::function<void()>&) override {
    fault_ = fault_of_kernels;
  }
  Ran run(Id id, const Operation& operation) override {
    ran.push_back(id);
    return {operation.event ? cudaErrorUnknown : cudaSuccess, {}};
  }
  bool is_conditional(Id, const Operation&) override { return false; }
  Id issue_body(const RunningConditional&) override { return 0; }
  void advance_device() override {}
  cudaError_t fault() const override { return fault_; }
  bool wait_for_host_function() override { return false; }

  std::vector<Id> ran;
  cudaError_t fault_of_kernels = cudaSuccess;

 private:
  gpu::Device device_{gtx480()};
  cudaError_t fault_ = cudaSuccess;
};

class Waits final : public StreamObserver {
 public:
  void wait_begins(const HostWait& wait, const StreamWork&, const gpu::DeviceLimits&,
                   bool overlaps) override {
    last = wait;
    overlapping = overlaps;
    ++open;
  }
  void wait_ended() override { --open; }

  HostWait last;
  bool overlapping = false;
  int open = 0;
};

Operation kernel_launch() {
  Operation operation;
  operation.launch = std::make_shared<const gpu::LaunchRequest>();
  return operation;
}

Operation unknown_error() {
  Operation operation;
  operation.event = reinterpret_cast<cudaEvent_t>(0x10);
  return operation;
}

class Service : public testing::Test {
 protected:
  void SetUp() override { streams.executor().set_observer(waits); }
  cudaStream_t stream(std::uintptr_t handle) { return streams.all.create(handle, 0, 0); }

  FakeHost host;
  StreamService streams{host};
  Waits waits;
};

TEST_F(Service, AWaitForAStreamDoesNotRunYoungerWork) {
  const cudaStream_t a = stream(0x1010), b = stream(0x1020);
  const StreamWork::Id first = streams.issue(a, {});
  const StreamWork::Id other = streams.issue(b, {});
  EXPECT_EQ(streams.wait_for_stream(a), cudaSuccess);
  EXPECT_TRUE(streams.finished(first));
  EXPECT_FALSE(streams.finished(other));
  EXPECT_EQ(waits.last.what, HostWait::For::stream);
  EXPECT_EQ(waits.last.place.stream, 0x1010u);
  EXPECT_TRUE(waits.overlapping);
  EXPECT_EQ(streams.wait_for_all(), cudaSuccess);
  EXPECT_TRUE(streams.idle());
  EXPECT_EQ(waits.open, 0);
}

TEST_F(Service, WorkOfOneStreamRunsInTheCallThatIssuesIt) {
  EXPECT_TRUE(streams.run_at_once());
  const StreamWork::Id id = streams.issue(nullptr, {});
  EXPECT_EQ(streams.finish_if_at_once(id), cudaSuccess);
  EXPECT_TRUE(streams.finished(id));
  stream(0x1010), stream(0x1020);
  EXPECT_FALSE(streams.run_at_once());
  const StreamWork::Id later = streams.issue(nullptr, {});
  EXPECT_EQ(streams.finish_if_at_once(later), cudaSuccess);
  EXPECT_FALSE(streams.finished(later));
}

TEST_F(Service, TheFirstErrorOfAllWorkIsReturned) {
  streams.issue(nullptr, unknown_error());
  streams.issue(nullptr, {});
  EXPECT_EQ(streams.wait_for_all(), cudaErrorUnknown);
  EXPECT_EQ(host.ran.size(), 2u);
}

TEST_F(Service, AFaultDropsAllWorkAndIsReturned) {
  host.fault_of_kernels = cudaErrorIllegalAddress;
  const StreamWork::Id id = streams.issue(nullptr, kernel_launch());
  streams.issue(nullptr, {});
  EXPECT_EQ(streams.wait_for(id), cudaErrorIllegalAddress);
  EXPECT_TRUE(streams.idle());
  EXPECT_TRUE(host.ran.empty());
}

TEST_F(Service, AFaultIsNotReturnedByTheCallThatIssues) {
  host.fault_of_kernels = cudaErrorIllegalAddress;
  EXPECT_EQ(streams.finish_if_at_once(streams.issue(nullptr, kernel_launch())), cudaSuccess);
}

TEST_F(Service, WorkThatWaitsForTheHostFunctionThatEndsTheProgramIsNotPermitted) {
  const StreamWork::Id id = streams.issue(nullptr, kernel_launch());  // never ends
  EXPECT_EQ(streams.wait_for(id), cudaErrorNotPermitted);
}

TEST_F(Service, NodesOfAGraphFollowTheirDependenciesAndEvents) {
  const cudaEvent_t event = streams.events.create(0x1030, 0);
  Graph graph;
  Operation record = unknown_error();
  record.type = cudaGraphNodeTypeEventRecord;
  record.event = event;
  GraphNode* const first = graph.add(record, {});
  GraphNode* const second = graph.add({}, {first});
  const StreamWork::Id end = streams.add_nodes(streams.place_of(nullptr), {first, second});
  EXPECT_EQ(streams.events.find(event)->record, 1u);
  EXPECT_EQ(streams.wait_for(end), cudaErrorUnknown);
  EXPECT_EQ(host.ran, (std::vector<StreamWork::Id>{1, 2, end}));
}

TEST_F(Service, ADisabledNodeDoesNothing) {
  Graph graph;
  GraphNode* const node = graph.add(unknown_error(), {});
  node->enabled = false;
  EXPECT_EQ(streams.wait_for(streams.add_nodes(streams.place_of(nullptr), {node})), cudaSuccess);
}

}  // namespace
}  // namespace heddle::cuda
