#include "cuda/capture/recorder.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "ptx/module.h"
#include "tests/cuda/recorded_file.h"

namespace heddle::cuda {
namespace {

const char* const kIdleKernel =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry idle()\n{\n  ret;\n}\n";

class Recorders : public testing::Test {
 protected:
  Recorders() : memory(1 << 24), recorder(file.path, RecordedFile::info(), memory, textures) {}

  void load_kernel() {
    const std::string text = kIdleKernel;
    recorder.loads(this, {{{"program.ptx", &text}}, {}, {"idle"}});
    module = ptx::Module::parse(text, "program.ptx");
    kernel = module->lower("idle", {});
    recorder.lowers(this, "idle", &*kernel);
  }
  StreamWork::Id issue(const Operation& operation) {
    const StreamWork::Id id = work.add({}, operation);
    recorder.issued({id, {}, operation, {}});
    return id;
  }
  Operation launch() {
    gpu::LaunchRequest request;
    request.kernel = &*kernel;
    Operation operation;
    operation.launch = std::make_shared<const gpu::LaunchRequest>(request);
    return operation;
  }
  std::vector<Record> records() {
    recorder.finish(1, 0);
    return file.records();
  }

  RecordedFile file;
  exec::GlobalMemory memory;
  exec::TextureTable textures;
  Recorder recorder;
  StreamWork work;
  std::optional<ptx::Module> module;
  std::optional<ptx::Kernel> kernel;
};

TEST_F(Recorders, ALaunchNamesItsKernelByModule) {
  load_kernel();
  const StreamWork::Id id = issue(launch());
  const auto all = records();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(std::get<LoadModule>(all[0]).kernels, std::vector<std::string>{"idle"});
  const auto& issued = std::get<IssueOperation>(all[1]);
  EXPECT_EQ(issued.id, id);
  ASSERT_TRUE(issued.launch);
  EXPECT_EQ(issued.launch->module, 0u);
  EXPECT_EQ(issued.launch->kernel, "idle");
}

TEST_F(Recorders, LimitsAreRecordedWhenTheHostWaitsForLaunches) {
  load_kernel();
  gpu::DeviceLimits limits;
  limits.stack_bytes = 2048;
  recorder.wait_begins({HostWait::For::all, 0, {}}, work, limits, false);
  recorder.wait_ended();
  issue(launch());
  for (int i = 0; i < 2; ++i) {
    recorder.wait_begins({HostWait::For::all, 0, {}}, work, limits, false);
    recorder.wait_ended();
  }
  const auto all = records();
  ASSERT_EQ(all.size(), 6u);
  EXPECT_TRUE(std::holds_alternative<HostWaits>(all[1]));  // no launch is unfinished
  EXPECT_EQ(std::get<SetLimits>(all[3]).stack_bytes, 2048u);
  EXPECT_TRUE(std::holds_alternative<HostWaits>(all[4]));
  EXPECT_TRUE(std::holds_alternative<HostWaits>(all[5]));  // the limits are known
}

TEST_F(Recorders, NodesOfABodyAreInTheBranchThatIssuesThem) {
  Operation conditional;
  conditional.branches = std::make_shared<Branches>();
  const StreamWork::Id id = issue(conditional);
  recorder.branch_begins(id, Address{0x1000}, 1);
  const StreamWork::Id node = issue({});
  recorder.branch_issued();
  const auto all = records();
  ASSERT_EQ(all.size(), 2u);
  const auto& branch = std::get<TakeBranch>(all[1]);
  EXPECT_EQ(branch.operation, id);
  EXPECT_EQ(branch.value, 1u);
  ASSERT_EQ(branch.nodes.size(), 1u);
  EXPECT_EQ(branch.nodes[0].id, node);
}

TEST_F(Recorders, AGraphIsUploadedAgainOnlyWhenItHasChanged) {
  gpu::DeviceGraph graph;
  graph.handle = 0x20;
  graph.nodes.emplace_back();
  recorder.uploads(graph);
  recorder.uploads(graph);
  recorder.forgets_graph(graph.handle);
  recorder.uploads(graph);
  const auto all = records();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_TRUE(effect_of<UploadGraph>(all[0]).exists);
  EXPECT_FALSE(effect_of<UploadGraph>(all[1]).exists);
}

TEST_F(Recorders, AllocationsInsideTheDeviceAreItsOwn) {
  recorder.device_begins();
  memory.allocate(64, "heap");
  recorder.device_ended();
  memory.allocate(64, "cudaMalloc #1");
  EXPECT_EQ(records().size(), 1u);
}

TEST_F(Recorders, AProgramThatCallsCudaInAHostFunctionCannotBeCaptured) {
  recorder.host_function_begins();
  EXPECT_THROW(issue({}), UserError);
  recorder.host_function_ended();
  issue({});
  EXPECT_EQ(records().size(), 1u);
}

}  // namespace
}  // namespace heddle::cuda
