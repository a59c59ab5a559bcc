// Programs of known kernels that share a device: repetitions, ends, and what the results hold.
#include <gtest/gtest.h>

#include <cstring>

#include "config/config.h"
#include "cuda/capture/shared_run.h"
#include "ptx/module.h"

namespace heddle::cuda {
namespace {

constexpr const char* kLoop = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry loop(.param .u64 sum, .param .u32 count)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [sum];
  ld.param.u32 %r1, [count];
LOOP:
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra LOOP;
  atom.global.add.u32 %r3, [%rd1], 1;
  ret;
}
)";

// Launches a loop of `iterations` so many times, one after the other, and waits for each.
class LoopPlayer final : public ProgramPlayer {
 public:
  LoopPlayer(gpu::Device& device, std::uint32_t program, int launches, std::uint32_t iterations)
      : device_(device),
        program_(program),
        left_(launches),
        iterations_(iterations),
        kernel_(ptx::Module::parse(kLoop, "loop.ptx").lower("loop", {})),
        sum_(device.memory(program).allocate(4, "sum")) {}

  bool proceed() override {
    if (running_) return true;
    if (left_-- == 0) return false;
    gpu::LaunchRequest launch;
    launch.program = program_;
    launch.kernel = &kernel_;
    launch.grid = {8, 1, 1};
    launch.block = {64, 1, 1};
    launch.parameters.resize(kernel_.parameter_bytes);
    std::memcpy(launch.parameters.data() + kernel_.parameters.at(0).offset, &sum_, sizeof sum_);
    std::memcpy(launch.parameters.data() + kernel_.parameters.at(1).offset, &iterations_, 4);
    running_ = device_.begin(launch);
    return true;
  }
  bool launch_finished(std::uint64_t launch) override {
    if (launch != running_) return false;
    running_ = 0;
    return true;
  }

 private:
  gpu::Device& device_;
  std::uint32_t program_;
  int left_;
  std::uint32_t iterations_;
  ptx::Kernel kernel_;
  Address sum_;
  std::uint64_t running_ = 0;
};

SharedProgram loop(const std::string& name, int launches, std::uint32_t iterations) {
  return {name, 0, [=](gpu::Device& device, std::uint32_t program) {
            return std::make_unique<LoopPlayer>(device, program, launches, iterations);
          }};
}

// Waits for work that it never issues.
SharedProgram stuck() {
  struct Stuck final : ProgramPlayer {
    bool proceed() override { return true; }
    bool launch_finished(std::uint64_t) override { return false; }
  };
  return {"stuck", 0, [](gpu::Device&, std::uint32_t) { return std::make_unique<Stuck>(); }};
}

config::RunSpec shared_spec(const std::string& share = "spatial", std::uint32_t threads = 1) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480");
  spec.share = share;
  spec.threads = threads;
  spec.share_always = threads > 1;
  return spec;
}

std::uint64_t instructions(const ProgramRuns& runs) { return runs.total.thread_instructions; }

}  // namespace

TEST(SharedRun, AProgramThatEndsBeginsAnewUntilTheLongestHasEndedOnce) {
  const SharedRun run = run_together(shared_spec(), {loop("long", 1, 3000), loop("short", 2, 100)},
                                     Repeat::until_all_ended);
  EXPECT_EQ(run.programs[0].repetitions, 1u);
  EXPECT_GT(run.programs[1].repetitions, 4u);
  EXPECT_EQ(run.programs[1].kernels.size(), 2u);
  EXPECT_EQ(instructions(run.programs[1]),
            run.programs[1].repetitions * (run.programs[1].kernels[0].thread_instructions +
                                           run.programs[1].kernels[1].thread_instructions));
  EXPECT_GE(run.cycles, run.programs[0].cycles);
}

TEST(SharedRun, OnceRunsEachProgramOnce) {
  const SharedRun run =
      run_together(shared_spec(), {loop("long", 1, 3000), loop("short", 2, 100)}, Repeat::never);
  EXPECT_EQ(run.programs[0].repetitions, 1u);
  EXPECT_EQ(run.programs[1].repetitions, 1u);
}

TEST(SharedRun, AProgramBesideOneThatLaunchesNothingRunsAsAlone) {
  for (const char* share : {"leftover", "spatial", "even", "smk", "warped-slicer"}) {
    const SharedRun alone = run_together(shared_spec(share), {loop("only", 3, 500)}, Repeat::never);
    const SharedRun beside = run_together(
        shared_spec(share), {loop("only", 3, 500), loop("nothing", 0, 0)}, Repeat::until_all_ended);
    EXPECT_EQ(alone.cycles, beside.cycles) << share;
    EXPECT_EQ(alone.programs[0].total.sm.slots, beside.programs[0].total.sm.slots) << share;
    EXPECT_TRUE(beside.programs[1].kernels.empty()) << share;
  }
}

// Its repetitions and their launches follow each other, whatever runs beside them.
TEST(SharedRun, TheTotalOfAProgramIsTheCyclesInWhichItsLaunchesAreActive) {
  const SharedRun run = run_together(
      shared_spec("even"), {loop("long", 1, 3000), loop("short", 2, 100)}, Repeat::until_all_ended);
  const ProgramRuns &longer = run.programs[0], &shorter = run.programs[1];
  EXPECT_EQ(longer.total.cycles, longer.kernels[0].cycles);
  EXPECT_EQ(longer.total.cycles, longer.cycles);
  EXPECT_GT(shorter.total.cycles, shorter.kernels[0].cycles + shorter.kernels[1].cycles);
  EXPECT_LE(shorter.total.cycles, shorter.cycles);
  EXPECT_LE(shorter.cycles, run.cycles);
}

TEST(SharedRun, TheNumberOfThreadsChangesNothing) {
  std::vector<std::uint64_t> first;
  for (const std::uint32_t threads : {1u, 2u, 3u, 8u}) {
    const SharedRun run =
        run_together(shared_spec("smk", threads), {loop("a", 2, 400), loop("b", 1, 900)},
                     Repeat::until_all_ended);
    const std::vector now{run.cycles, run.programs[0].cycles, run.programs[1].cycles,
                          run.programs[0].repetitions, run.programs[0].total.sm.slots[0]};
    if (first.empty()) first = now;
    EXPECT_EQ(now, first) << threads;
  }
}

TEST(SharedRun, AWaitForNothingIsAnError) {
  EXPECT_THROW(run_together(shared_spec(), {stuck()}, Repeat::never), UserError);
}

TEST(SharedRun, AStopRequestEndsIt) {
  const exec::StopRequest stop{2};
  EXPECT_THROW(run_together(shared_spec(), {loop("a", 1, 100)}, Repeat::never, &stop),
               exec::Interrupted);
}

}  // namespace heddle::cuda
