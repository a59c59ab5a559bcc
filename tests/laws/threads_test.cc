// The number of threads changes no statistic, no byte of memory and no diagnostic.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <numeric>
#include <thread>

#include "config/config.h"
#include "exec/state/launch.h"
#include "gpu/engine/worker_team.h"
#include "gpu/results_json.h"
#include "tests/error_message.h"
#include "tests/laws/device_bench.h"
#include "tests/laws/recorded.h"

namespace heddle::laws {
namespace {

using Program = std::function<void(DeviceBench&)>;

struct ThreadedOutcome {
  std::string results, memory;
  friend bool operator==(const ThreadedOutcome&, const ThreadedOutcome&) = default;
};

ThreadedOutcome simulate(const Program& program, std::uint32_t threads, const std::string& gpu,
                         const std::string& scheduler) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu(gpu);
  spec.scheduler = scheduler;
  spec.threads = threads;
  spec.share_always = true;
  DeviceBench bench(spec);
  program(bench);
  return {gpu::results_text(bench.device), bench.memory()};
}

void check_equal_for_all_thread_counts(const std::string& name, const Program& program,
                                       const std::string& gpu = "gtx480",
                                       const std::string& scheduler = "gto") {
  const ThreadedOutcome alone = simulate(program, 1, gpu, scheduler);
  check_recorded(name + ", " + gpu + ", " + scheduler, alone.results);
  for (const std::uint32_t threads : {2u, 3u, 8u}) {
    const ThreadedOutcome shared = simulate(program, threads, gpu, scheduler);
    EXPECT_EQ(alone.results, shared.results) << threads << " threads";
    EXPECT_TRUE(alone.memory == shared.memory) << "memory differs with " << threads << " threads";
  }
}

std::vector<float> numbers(std::size_t count) {
  std::vector<float> all(count);
  std::uint32_t state = 1;
  for (float& f : all)
    f = static_cast<float>((state = state * 1664525u + 1013904223u) >> 16) / 65536.0f;
  return all;
}

void spmv(DeviceBench& bench) {
  constexpr int kRows = 1500;
  std::vector<int> starts{0}, columns;
  std::uint32_t state = 7;
  for (int row = 0; row < kRows; ++row) {
    const std::uint32_t length = ((state = state * 1664525u + 1013904223u) >> 20) % 23;
    for (std::uint32_t i = 0; i < length; ++i)
      columns.push_back(static_cast<int>(((state = state * 1664525u + 1013904223u) >> 8) % kRows));
    starts.push_back(static_cast<int>(columns.size()));
  }
  const auto rp = bench.copy(starts), ci = bench.copy(columns),
             v = bench.copy(numbers(columns.size())), x = bench.copy(numbers(kRows)),
             y = bench.zeros<float>(kRows);
  bench.run(reference_text("spmv"), "spmv", {12, 1, 1}, {128, 1, 1}, rp, ci, v, x, y, kRows);
}

void reduce(DeviceBench& bench) {
  constexpr int kCount = 20000;
  const auto in = bench.copy(numbers(kCount)), out = bench.zeros<float>(40);
  bench.run(reference_text("reduce"), "reduce", {40, 1, 1}, {256, 1, 1}, in, out, kCount);
}

void sgemm(DeviceBench& bench) {
  constexpr int kSide = 64;
  const auto a = bench.copy(numbers(kSide * kSide)), b = bench.copy(numbers(kSide * kSide)),
             c = bench.zeros<float>(kSide * kSide);
  bench.run(reference_text("sgemm"), "sgemm", {4, 4, 1}, {16, 16, 1}, a, b, c, kSide);
}

void vecadd(DeviceBench& bench) {
  constexpr int kCount = 30000;
  const auto a = bench.copy(numbers(kCount)), b = bench.copy(numbers(kCount)),
             c = bench.zeros<float>(kCount);
  bench.run(reference_text("vecadd"), "vecadd", {118, 1, 1}, {256, 1, 1}, a, b, c, kCount);
}

// The results depend on the order of the accesses: an atomic assigns places in a list, sums of
// floats are rounded in the order of their atomics, all threads store to one word, and the number
// of a thread's iterations depends on that word.
constexpr const char* kRaces = R"(
.visible .entry races(.param .u64 list, .param .u64 counters, .param .u64 sums)
{
  .reg .pred %p<3>;
  .reg .b32 %r<16>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<12>;
  ld.param.u64 %rd1, [list];
  ld.param.u64 %rd2, [counters];
  ld.param.u64 %rd3, [sums];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  // list[counters[0]++] = thread
  atom.global.add.u32 %r5, [%rd2], 1;
  mul.wide.u32 %rd4, %r5, 4;
  add.s64 %rd5, %rd1, %rd4;
  st.global.u32 [%rd5], %r4;
  // counters[1] = thread; then as many iterations as that word says
  st.global.u32 [%rd2+4], %r4;
  bar.sync 0;
  ld.global.u32 %r6, [%rd2+4];
  add.u32 %r6, %r6, %r3;
  and.b32 %r6, %r6, 7;
  and.b32 %r7, %r4, 15;
  mul.wide.u32 %rd6, %r7, 4;
  add.s64 %rd7, %rd3, %rd6;
  cvt.rn.f32.u32 %f1, %r4;
  mul.f32 %f1, %f1, 0f3DCCCCCD;
LOOP:
  setp.eq.u32 %p1, %r6, 0;
  @%p1 bra DONE;
  red.global.add.f32 [%rd7], %f1;
  ld.global.f32 %f2, [%rd7];
  mul.f32 %f1, %f2, 0f3F000000;
  sub.u32 %r6, %r6, 1;
  bra LOOP;
DONE:
  bar.sync 0;
  // the last value that each block saw
  mul.wide.u32 %rd8, %r1, 4;
  add.s64 %rd9, %rd3, %rd8;
  st.global.f32 [%rd9+64], %f1;
  ret;
}
)";

void races(DeviceBench& bench) {
  const auto list = bench.zeros<std::uint32_t>(40 * 96), counters = bench.zeros<std::uint32_t>(2),
             sums = bench.zeros<float>(64);
  bench.run(kRaces, "races", {40, 1, 1}, {96, 1, 1}, list, counters, sums);
}

// Blocks 3, 9 and 20 read out of bounds in the same cycle.
constexpr const char* kFault = R"(
.visible .entry fault(.param .u64 block)
{
  .reg .pred %p<4>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [block];
  mov.u32 %r1, %ctaid.x;
  setp.eq.u32 %p1, %r1, 3;
  setp.eq.u32 %p2, %r1, 9;
  setp.eq.u32 %p3, %r1, 20;
  mul.wide.u32 %rd2, %r1, 4194304;
  @%p1 add.s64 %rd1, %rd1, %rd2;
  @%p2 add.s64 %rd1, %rd1, %rd2;
  @%p3 add.s64 %rd1, %rd1, %rd2;
  ld.global.u32 %r2, [%rd1];
  st.global.u32 [%rd1], %r2;
  ret;
}
)";

// One warp waits at a barrier for threads that do not exist.
constexpr const char* kDeadlock = R"(
.visible .entry deadlock(.param .u64 block)
{
  bar.sync 1, 64;
  ret;
}
)";

std::string fault_of(const char* ptx, const std::string& kernel, std::uint32_t threads) {
  config::RunSpec spec;
  spec.gpu = config::load_gpu("gtx480");
  spec.gpu.sm.perfect_instruction_cache = spec.gpu.sm.perfect_constant_cache =
      true;  // so that all SMs reach it in one window
  spec.threads = threads;
  spec.share_always = true;
  DeviceBench bench(spec);
  const auto block = bench.zeros<std::uint32_t>(64);
  return message_of<exec::KernelFault>(
      [&] { bench.run(ptx, kernel, {30, 1, 1}, {32, 1, 1}, block); }, "no fault");
}

TEST(Threads, ChangeNothingWhereWarpsDiverge) { check_equal_for_all_thread_counts("spmv", spmv); }
TEST(Threads, ChangeNothingWhereWarpsWaitAtBarriers) {
  check_equal_for_all_thread_counts("reduce", reduce, "gtx480", "lrr");
}
TEST(Threads, ChangeNothingInTiledMultiplication) {
  check_equal_for_all_thread_counts("sgemm", sgemm);
}
TEST(Threads, ChangeNothingWhereMemoryIsTheLimit) {
  check_equal_for_all_thread_counts("vecadd", vecadd, "gtx480", "lrr");
}
TEST(Threads, ChangeNothingWhereBlocksRace) { check_equal_for_all_thread_counts("races", races); }
TEST(Threads, ChangeNothingOnAnyMachine) {
  for (const std::string& gpu : config::preset_names())
    check_equal_for_all_thread_counts("races", races, gpu, "lrr");
}
TEST(Threads, ChangeNothingUnderPoliciesThatUseMechanisms) {
  for (const std::string policy : {"mascar:sat_margin=8", "cawa"})
    check_equal_for_all_thread_counts("spmv", spmv, "gtx480", policy);
  check_equal_for_all_thread_counts("races", races, "kaws_l1", "kaws:share=any_free");
}
TEST(Threads, ChangeNothingOverSeveralLaunches) {
  check_equal_for_all_thread_counts("races and reduce", [](DeviceBench& bench) {
    for (int i = 0; i < 3; ++i) races(bench), reduce(bench);
  });
}

TEST(Threads, ReportTheSameFault) {
  const std::string alone = fault_of(kFault, "fault", 1);
  EXPECT_NE(alone.find("CTA (3,0,0)"), std::string::npos) << alone;
  for (const std::uint32_t threads : {2u, 3u, 8u})
    for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(alone, fault_of(kFault, "fault", threads));
}

TEST(Threads, FindTheSameDeadlock) {
  const std::string alone = fault_of(kDeadlock, "deadlock", 1);
  EXPECT_NE(alone.find("deadlock"), std::string::npos) << alone;
  for (const std::uint32_t threads : {2u, 3u, 8u})
    EXPECT_EQ(alone, fault_of(kDeadlock, "deadlock", threads));
}

// Free items that call a function.
template <class F>
class FreeItems final : public gpu::WorkerTeam::Work {
 public:
  explicit FreeItems(F act) : act_(std::move(act)) {}
  void run_free(std::uint32_t item, std::uint32_t) override { act_(item); }

 private:
  F act_;
};

TEST(WorkerTeam, RunsEveryItemOnce) {
  for (const std::uint32_t threads : {1u, 2u, 5u}) {
    gpu::WorkerTeam team(threads);
    for (std::uint32_t phase = 0; phase < 3000; ++phase) {
      std::vector<std::uint32_t> done(phase % 40);
      for (std::uint32_t i = 0; i < done.size(); ++i) team.add_free(i, i * 7 % threads);
      FreeItems work([&](std::uint32_t i) { done[i] += i + phase; });
      team.run(phase % 7 != 0, work);
      for (std::uint32_t i = 0; i < done.size(); ++i) ASSERT_EQ(done[i], i + phase);
    }
  }
}

TEST(WorkerTeam, WakesThreadsThatHadNoItemsForManyPhases) {
  gpu::WorkerTeam team(3);
  std::uint32_t sum = 0;
  for (std::uint32_t phase = 0; phase < 300; ++phase) {
    if (phase % 50 == 49)
      std::this_thread::sleep_for(
          std::chrono::milliseconds(2));  // long enough that the other threads sleep
    team.add_free(phase % 100, phase % 10 == 0 ? 2 : 0);
    FreeItems work([&](std::uint32_t i) { sum += i; });
    team.run(true, work);
  }
  EXPECT_EQ(sum, 3u * 4950);
}

TEST(WorkerTeam, PassesTheItemThatTheSameThreadRunsNext) {
  struct Chain final : gpu::WorkerTeam::Work {
    std::array<std::uint32_t, 6> after{};
    void run_free(std::uint32_t item, std::uint32_t next) override { after[item] = next; }
  };
  for (const bool shared : {true, false}) {
    gpu::WorkerTeam team(2);
    Chain work;
    for (std::uint32_t i = 0; i < 6; ++i) team.add_free(i, i % 2);
    team.run(shared, work);
    constexpr std::uint32_t none = gpu::WorkerTeam::kNone;
    EXPECT_EQ(work.after, shared ? (std::array<std::uint32_t, 6>{2, 3, 4, 5, none, none})
                                 : (std::array<std::uint32_t, 6>{1, 2, 3, 4, 5, none}));
  }
}

// Gated items read what before_gated writes; after_gated reads what they write. Free items run at
// the same time.
class GatedItems final : public gpu::WorkerTeam::Work {
 public:
  std::uint32_t phase = 0, sum = 0;
  std::array<std::uint32_t, 20> done{};
  void before_gated() override { first_ = phase; }
  void run_free(std::uint32_t i, std::uint32_t) override { done[i] = phase; }
  void run_gated(std::uint32_t i) override { read_[i] = i + first_; }
  void after_gated() override { sum = std::accumulate(read_.begin(), read_.end(), 0u); }

 private:
  std::array<std::uint32_t, 10> read_{};
  std::uint32_t first_ = 0;
};

TEST(WorkerTeam, RunsGatedItemsBetweenTheFirstAndTheLastPart) {
  for (const std::uint32_t threads : {1u, 2u, 5u}) {
    gpu::WorkerTeam team(threads);
    GatedItems work;
    for (work.phase = 1; work.phase < 3000; ++work.phase) {
      for (std::uint32_t i = 0; i < 20; ++i) team.add_free(i, i % threads);
      for (std::uint32_t i = 0; i < 10; ++i) team.add_gated(i, i * work.phase % threads);
      team.run(work.phase % 7 != 0, work);
      ASSERT_EQ(work.sum, 45 + 10 * work.phase);
      for (const std::uint32_t done : work.done) ASSERT_EQ(done, work.phase);
    }
  }
}

TEST(WorkerTeam, ThrowsTheExceptionOfTheLowestItemAfterAllItemsHaveRun) {
  gpu::WorkerTeam team(3);
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::atomic<int> done = 0;
    for (std::uint32_t i = 0; i < 30; ++i) team.add_free(i, i % 3);
    FreeItems work([&](std::uint32_t i) {
      if (i % 10 == 7) throw i;
      ++done;
    });
    try {
      team.run(true, work);
      FAIL() << "nothing thrown";
    } catch (std::uint32_t item) {
      EXPECT_EQ(item, 7u);
    }
    EXPECT_EQ(done, 27);
  }
}

}  // namespace
}  // namespace heddle::laws
