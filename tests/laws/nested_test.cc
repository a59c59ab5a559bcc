// Kernels that launch kernels: when a launch starts, and that threads, truncation and functional
// runs change no result.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "config/config.h"
#include "gpu/result_sum.h"
#include "gpu/results_json.h"
#include "tests/laws/device_bench.h"
#include "tests/laws/recorded.h"

namespace heddle::laws {
namespace {

// child: adds `count` to a word, after as many rounds of a loop.
// parent: each thread launches `child<<<1, 32>>>(word, 7)` into stream `stream`.
// waiting: each thread does so and waits, then stores the word that it reads behind it.
constexpr const char* kText = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 r) cudaGetParameterBufferV2(
  .param .b64 a, .param .align 4 .b8 b[12], .param .align 4 .b8 c[12], .param .b32 d);
.extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 a, .param .b64 b);
.extern .func (.param .b32 r) cudaDeviceSynchronize();

.visible .entry child(.param .u64 word, .param .u32 count)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [word];
  ld.param.u32 %r1, [count];
  mov.u32 %r4, %r1;
LOOP:
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra LOOP;
  mov.u32 %r2, %tid.x;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra END;
  atom.global.add.u32 %r3, [%rd1], %r4;
END:
  ret;
}

.func launch(.param .b64 word, .param .b64 stream)
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [word];
  ld.param.u64 %rd2, [stream];
  mov.u64 %rd3, child;
  {
  .param .b64 a;
  .param .align 4 .b8 b[12];
  .param .align 4 .b8 c[12];
  .param .b32 d;
  .param .b64 r;
  st.param.b64 [a], %rd3;
  st.param.b32 [b], 1;
  st.param.b32 [b+4], 1;
  st.param.b32 [b+8], 1;
  st.param.b32 [c], 32;
  st.param.b32 [c+4], 1;
  st.param.b32 [c+8], 1;
  st.param.b32 [d], 0;
  call.uni (r), cudaGetParameterBufferV2, (a, b, c, d);
  ld.param.b64 %rd4, [r];
  }
  st.u64 [%rd4], %rd1;
  mov.u32 %r1, 7;
  st.u32 [%rd4+8], %r1;
  {
  .param .b64 a;
  .param .b64 b;
  .param .b32 r;
  st.param.b64 [a], %rd4;
  st.param.b64 [b], %rd2;
  call.uni (r), cudaLaunchDeviceV2, (a, b);
  ld.param.b32 %r2, [r];
  }
  ret;
}

.visible .entry parent(.param .u64 word, .param .u64 stream)
{
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [word];
  ld.param.u64 %rd2, [stream];
  {
  .param .b64 a;
  .param .b64 b;
  st.param.b64 [a], %rd1;
  st.param.b64 [b], %rd2;
  call.uni launch, (a, b);
  }
  ret;
}

.visible .entry waiting(.param .u64 word, .param .u64 stream)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [word];
  ld.param.u64 %rd2, [stream];
  {
  .param .b64 a;
  .param .b64 b;
  st.param.b64 [a], %rd1;
  st.param.b64 [b], %rd2;
  call.uni launch, (a, b);
  }
  {
  .param .b32 r;
  call.uni (r), cudaDeviceSynchronize;
  ld.param.b32 %r1, [r];
  }
  ld.volatile.global.u32 %r2, [%rd1];
  st.volatile.global.u32 [%rd1+4], %r2;
  ret;
}
)";

constexpr std::uint64_t kBlockStream = 0, kTailLaunch = 3, kFireAndForget = 4;

config::RunSpec nested_spec(std::uint32_t latency, std::uint32_t threads = 1) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480");
  spec.gpu.device_launch_latency = latency;
  spec.threads = threads;
  spec.share_always = threads > 1;
  return spec;
}

// A device whose program is kText.
class NestedBench {
 public:
  explicit NestedBench(const config::RunSpec& spec) : bench(spec) {
    gpu::DeviceCode program;
    program.kernel_at = [this](const isa::Kernel&, std::uint64_t address) -> const isa::Kernel* {
      const std::string name = module_.kernel_at(address);
      return name.empty() ? nullptr : kernel(name);
    };
    program.check = [](const gpu::LaunchRequest&) { return 0; };
    bench.device.set_device_code(std::move(program));
    words = bench.zeros<std::uint32_t>(64);
  }

  void run(const std::string& name, Dim3 grid, Dim3 block, std::uint64_t stream) {
    gpu::LaunchRequest launch;
    launch.kernel = kernel(name);
    launch.grid = grid;
    launch.block = block;
    launch.parameters.resize(16);
    std::memcpy(launch.parameters.data(), &words, 8);
    std::memcpy(launch.parameters.data() + 8, &stream, 8);
    bench.device.run(launch);
  }
  std::uint32_t word(int n) {
    std::uint32_t value = 0;
    std::memcpy(&value, bench.device.memory().host(Address{words} + 4u * static_cast<unsigned>(n)),
                4);
    return value;
  }
  std::string results() { return gpu::results_text(bench.device); }
  const gpu::KernelResult& result(std::uint64_t launch) {
    const auto& all = bench.device.results();
    return *std::find_if(all.begin(), all.end(),
                         [&](const gpu::KernelResult& r) { return r.launch == launch; });
  }

  DeviceBench bench;
  std::uint64_t words = 0;

 private:
  const ptx::Kernel* kernel(const std::string& name) {
    auto& lowered = kernels_[name];
    if (!lowered) lowered = std::make_unique<ptx::Kernel>(module_.lower(name, {}));
    return lowered.get();
  }
  ptx::Module module_ = ptx::Module::parse(kText, "nested.ptx");
  std::map<std::string, std::unique_ptr<ptx::Kernel>> kernels_;
};

TEST(NestedLaunches, StartTheirLatencyAfterTheCall) {
  std::map<std::uint32_t, std::uint64_t> starts, parents;
  for (const std::uint32_t latency : {1000u, 1001u, 3000u}) {
    NestedBench nested(nested_spec(latency));
    nested.run("parent", {1, 1, 1}, {1, 1, 1}, kBlockStream);
    ASSERT_EQ(nested.bench.device.results().size(), 2u);
    EXPECT_EQ(nested.word(0), 7u);
    const gpu::KernelResult& child = nested.result(2);
    EXPECT_EQ(child.parent, 1u);
    EXPECT_EQ(nested.result(1).parent, 0u);
    parents[latency] = nested.result(1).cycles;  // its own
    // The first cycle of its CTA; the hardware takes the launch at the start of that window.
    starts[latency] = child.start.value + child.ctas.last_dispatch;
  }
  EXPECT_EQ(starts[1001], starts[1000] + 1);
  EXPECT_EQ(starts[3000], starts[1000] + 2000);
  EXPECT_EQ(parents[3000], parents[1000]);
}

// Two launches of one stream follow each other; those of two CTAs overlap.
TEST(NestedLaunches, OfOneStreamFollowEachOtherAndOthersOverlap) {
  NestedBench same(nested_spec(500));
  same.run("parent", {1, 1, 1}, {2, 1, 1}, kBlockStream);
  const auto& a = same.result(2);
  const auto& b = same.result(3);
  EXPECT_GE(b.start.value, a.start.value + a.cycles);
  NestedBench apart(nested_spec(500));
  apart.run("parent", {2, 1, 1}, {1, 1, 1}, kBlockStream);
  EXPECT_LT(apart.result(3).start.value, apart.result(2).start.value + apart.result(2).cycles);
  NestedBench forgotten(nested_spec(500));
  forgotten.run("parent", {1, 1, 1}, {2, 1, 1}, kFireAndForget);
  EXPECT_LT(forgotten.result(3).start.value,
            forgotten.result(2).start.value + forgotten.result(2).cycles);
}

TEST(NestedLaunches, ACtaWaitsForItsLaunches) {
  NestedBench nested(nested_spec(2000));
  nested.run("waiting", {1, 1, 1}, {2, 1, 1}, kBlockStream);
  EXPECT_EQ(nested.word(0), 14u);
  EXPECT_EQ(nested.word(1), 14u);
  EXPECT_GT(nested.result(1).cycles, 2000u);
}

// A parent that waits is active while its children are; one that has ended is not.
TEST(NestedLaunches, CountOnceInTheCyclesOfTheRun) {
  NestedBench waiting(nested_spec(2000));
  waiting.run("waiting", {1, 1, 1}, {2, 1, 1}, kBlockStream);
  ASSERT_EQ(waiting.bench.device.results().size(), 3u);
  EXPECT_EQ(gpu::sum_of(waiting.bench.device.results()).cycles, waiting.result(1).cycles);
  NestedBench ended(nested_spec(2000));
  ended.run("parent", {1, 1, 1}, {2, 1, 1}, kBlockStream);
  std::uint64_t sum = 0;
  for (const gpu::KernelResult& k : ended.bench.device.results()) sum += k.cycles;
  EXPECT_EQ(gpu::sum_of(ended.bench.device.results()).cycles, sum);
}

TEST(NestedLaunches, DoNotDependOnTheNumberOfThreads) {
  for (const char* kernel : {"parent", "waiting"}) {
    for (const std::uint64_t stream : {kBlockStream, kTailLaunch, kFireAndForget}) {
      std::string first;
      for (const std::uint32_t threads : {1u, 2u, 3u, 8u}) {
        NestedBench nested(nested_spec(700, threads));
        nested.run(kernel, {9, 1, 1}, {40, 1, 1}, stream);
        EXPECT_EQ(nested.word(0), 7u * 9 * 40);
        const std::string all = nested.results();
        if (first.empty()) check_recorded(fmt::format("nested {}, {:#x}", kernel, stream), all);
        if (first.empty()) first = all;
        EXPECT_EQ(all, first) << kernel << ", stream " << stream << ", " << threads << " threads";
      }
    }
  }
}

TEST(NestedLaunches, ComputeTheSameTimedTruncatedAndFunctionally) {
  for (const char* kernel : {"parent", "waiting"}) {
    for (const std::uint64_t stream : {kBlockStream, kTailLaunch, kFireAndForget}) {
      for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{300},
                                        std::uint64_t{900}, std::uint64_t{1500}}) {
        config::RunSpec spec = nested_spec(700);
        spec.timed.limit_cycles = limit;
        NestedBench nested(spec);
        nested.run(kernel, {5, 1, 1}, {40, 1, 1}, stream);
        EXPECT_EQ(nested.word(0), 7u * 5 * 40) << kernel << ", " << stream << ", limit " << limit;
        EXPECT_EQ(nested.bench.device.results().size(), 201u);
      }
      config::RunSpec spec = nested_spec(700);
      spec.functional = true;
      NestedBench nested(spec);
      nested.run(kernel, {5, 1, 1}, {40, 1, 1}, stream);
      EXPECT_EQ(nested.word(0), 7u * 5 * 40);
      spec.check.enabled = true;
      NestedBench checked(spec);
      checked.run(kernel, {5, 1, 1}, {40, 1, 1}, stream);
      EXPECT_EQ(checked.word(0), 7u * 5 * 40);
    }
  }
}

// CTAs that wait keep their places, so their launches may find none.
TEST(NestedLaunches, WithoutRoomBesideWaitingCtasAreReported) {
  config::RunSpec spec = nested_spec(100);
  spec.gpu.clusters = 1;
  spec.gpu.sms_per_cluster = 1;
  NestedBench nested(spec);
  try {
    nested.run("waiting", {8, 1, 1}, {192, 1, 1}, kBlockStream);
    FAIL() << "no deadlock was reported";
  } catch (const exec::KernelFault& fault) {
    EXPECT_EQ(fault.kind(), exec::KernelFault::Kind::deadlock);
    EXPECT_NE(std::string(fault.what()).find("cudaDeviceSynchronize"), std::string::npos)
        << fault.what();
  }
}

}  // namespace
}  // namespace heddle::laws
