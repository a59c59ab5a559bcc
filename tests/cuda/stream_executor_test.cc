// The loop that runs the work of streams, with a host that only notes what it is asked.
#include <gtest/gtest.h>

#include "config/config.h"
#include "cuda/objects/stream_executor.h"

namespace heddle::cuda {
namespace {

using Id = StreamWork::Id;
using Step = StreamExecutor::Step;

constexpr std::uintptr_t kOther = 0x1020;
const StreamWork::Place kInA{0x1010}, kInB{kOther};

config::RunSpec small_gpu() {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480");
  return spec;
}

class NotingHost final : public StreamHost {
 public:
  gpu::Device& device() override { return device_; }
  gpu::DeviceLimits limits() const override { return {}; }
  void begin_on_device(Id, const gpu::LaunchRequest*, const std::function<void()>&) override {}
  Ran run(Id id, const Operation& operation) override {
    ran.push_back(id);
    return {operation.event ? cudaErrorUnknown : cudaSuccess, {}};
  }
  bool is_conditional(Id id, const Operation&) override { return id == conditional; }
  Id issue_body(const RunningConditional& node) override {
    bodies = node.bodies;
    return node.bodies < 2 && node.error == cudaSuccess
               ? executor->issue_beside({~std::uintptr_t{0}, false}, body, {})
               : 0;
  }

  std::vector<Id> ran;
  Id conditional = 0;
  Operation body;
  std::size_t bodies = 0;  // before the last question
  StreamExecutor* executor = nullptr;

 private:
  gpu::Device device_{small_gpu()};
};

class Notes final : public StreamObserver {
 public:
  void issued(const Issued& one) override {
    text += one.if_unfinished ? "waits " : one.beside ? "beside " : "issued ";
  }
  void operation_begins(Id id) override { text += "begins " + std::to_string(id) + " "; }
  void operation_ended(const std::optional<gpu::CopyRequest>&) override { text += "ended "; }
  std::string text;
};

Operation failing() {
  Operation operation;
  operation.event = reinterpret_cast<cudaEvent_t>(0x10);
  return operation;
}

class Executor : public testing::Test {
 protected:
  void SetUp() override {
    host.executor = &executor;
    executor.set_observer(notes);
  }
  Step run_until(Id id) {
    wait = {};
    wait.id = id;
    for (;;)
      if (const Step step = executor.step(wait); step != Step::started) return step;
  }

  NotingHost host;
  Notes notes;
  StreamExecutor executor{host};
  StreamExecutor::Wait wait;
};

TEST_F(Executor, RunsWhatIsReadyUntilTheAwaitedOperationHasFinished) {
  const Id first = executor.issue(kInA, {}), second = executor.issue(kInA, {}),
           third = executor.issue(kInA, {});
  EXPECT_EQ(run_until(second), Step::done);
  EXPECT_EQ(host.ran, (std::vector{first, second}));
  EXPECT_FALSE(executor.work().finished(third));
}

TEST_F(Executor, OlderWorkOfOtherStreamsRunsFirst) {
  const Id a = executor.issue(kInA, {}), b = executor.issue(kInB, {});
  EXPECT_EQ(run_until(b), Step::done);
  EXPECT_EQ(host.ran, (std::vector{a, b}));
}

TEST_F(Executor, IsStuckWhenNothingIsReadyAndTheDeviceIsIdle) {
  Operation kernel;
  kernel.launch = std::make_shared<const gpu::LaunchRequest>();
  const Id id = executor.issue(kInA, kernel);  // the host does not begin it
  EXPECT_EQ(run_until(id), Step::stuck);
}

TEST_F(Executor, KeepsTheFirstError) {
  executor.issue(kInA, failing());
  const Id last = executor.issue(kInA, {});
  EXPECT_EQ(run_until(last), Step::done);
  EXPECT_EQ(wait.error, cudaErrorUnknown);
  EXPECT_EQ(wait.last, cudaSuccess);
}

TEST_F(Executor, AConditionalNodeRunsItsBodiesBeforeTheWaitEnds) {
  host.conditional = executor.issue(kInA, {});
  const Id after = executor.issue(kInA, {});
  EXPECT_EQ(run_until(host.conditional), Step::done);
  EXPECT_EQ(host.ran, (std::vector<Id>{3, 4}));  // the bodies, and not the node
  EXPECT_EQ(host.bodies, 2u);
  EXPECT_FALSE(executor.work().finished(after));
  EXPECT_EQ(notes.text,
            "issued issued begins 1 beside begins 3 ended beside begins 4 ended ended ");
}

TEST_F(Executor, AnErrorInABodyIsAnErrorOfTheNode) {
  host.body = failing();
  host.conditional = executor.issue(kInA, {});
  EXPECT_EQ(run_until(host.conditional), Step::done);
  EXPECT_EQ(host.bodies, 1u);
  EXPECT_EQ(wait.error, cudaErrorUnknown);
}

TEST_F(Executor, AnAbandonedWaitEndsItsConditionalNodes) {
  host.conditional = executor.issue(kInA, {});
  wait.id = host.conditional;
  EXPECT_EQ(executor.step(wait), Step::started);
  executor.work().drop_all();
  executor.abandon(wait);
  EXPECT_TRUE(wait.conditionals.empty());
  EXPECT_EQ(notes.text, "issued begins 1 ended ");
}

TEST_F(Executor, AStreamWaitsOnlyForAnUnfinishedOperation) {
  const Id event = executor.issue(kInA, {});
  executor.wait_in_stream(kInB, event);
  EXPECT_EQ(executor.work().last_of(kOther), 2u);
  EXPECT_EQ(run_until(2), Step::done);
  executor.wait_in_stream(kInB, event);
  EXPECT_EQ(executor.work().last_of(kOther), 0u);
  EXPECT_EQ(notes.text.substr(0, 13), "issued waits ");
  EXPECT_EQ(notes.text.substr(notes.text.size() - 6), "waits ");
}

}  // namespace
}  // namespace heddle::cuda
