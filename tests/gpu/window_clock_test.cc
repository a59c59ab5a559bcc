#include "gpu/engine/window_clock.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "tests/gpu/engine_bench.h"

namespace heddle::gpu {
namespace {

using Ran = std::vector<std::pair<Cycle, Cycle>>;

// Runs, and has an event when the test says so.
class FakeSm final : public sm::WindowedSm {
 public:
  void run(Cycle from, Cycle to) override {
    if (from < to) ran.emplace_back(from, to);
    if (finishes && *finishes < to) {
      done.push_back({.cta = 7, .start = from, .end = *finishes});
      finishes.reset();
    }
  }
  void prefetch() const override {}
  bool has_ctas() const override { return busy; }
  bool drained() const override { return !busy; }
  Cycle next_event(Cycle from) const override { return std::max(from, event); }
  std::vector<sm::FinishedCta> take_finished_ctas() override { return std::exchange(done, {}); }

  Cycle event = Cycle::never();
  std::optional<Cycle> finishes;
  bool busy = false;
  Ran ran;
  std::vector<sm::FinishedCta> done;
};

class NoAtomics final : public mem::AtomicUnit {
 public:
  void perform(const mem::Packet&) override {}
};

// Two fake SMs beside a real memory system.
struct ClockBench {
  explicit ClockBench(std::uint32_t threads = 1, bool share_always = false)
      : clock(10, {&sms[0], &sms[1]}, {&ports[0], &ports[1]}, memory, {threads, share_always}) {
    clock.kernels_began(true);
  }
  void advance(Cycle to) {
    clock.run_window(to);
    clock.end_window(
        to, [&](std::size_t sm) { ran.push_back(sm); },
        [&](std::size_t sm, const auto& ctas) { finished.emplace_back(sm, ctas.front().cta); });
  }
  Cycle window_end(Cycle next = Cycle::never(), bool can_start = false) const {
    return clock.window_end(next, [&] { return can_start; });
  }

  config::GpuSpec spec = test::two_sms();
  FakeSm sms[2];
  mem::SmPort ports[2] = {{8, 8, mem::SmPort::Sides::at_once}, {8, 8, mem::SmPort::Sides::at_once}};
  NoAtomics atomics;
  mem::MemorySystem memory{spec, {&ports[0], &ports[1]}, atomics};
  WindowClock clock;
  std::vector<std::size_t> ran;
  std::vector<std::pair<std::size_t, std::uint64_t>> finished;
};

}  // namespace

TEST(WindowClock, RunsOnlySmsWithAnEventInTheWindow) {
  ClockBench b;
  b.sms[1].event = Cycle{5};
  b.clock.kernels_began(false);
  b.advance(Cycle{10});
  EXPECT_TRUE(b.sms[0].ran.empty());
  EXPECT_EQ(b.sms[1].ran, (Ran{{Cycle{0}, Cycle{10}}}));
  EXPECT_EQ(b.ran, std::vector<std::size_t>{1});
  EXPECT_EQ(b.clock.now(), Cycle{10});
}

TEST(WindowClock, AnSmThatSleptCatchesUpBeforeItIsChangedAndRunsInTheNextWindow) {
  ClockBench b;
  b.advance(Cycle{10});
  b.advance(Cycle{20});
  EXPECT_TRUE(b.sms[0].ran.empty());
  Cycle changed_after;
  b.clock.change(0, [&] { changed_after = b.sms[0].ran.back().second; });
  EXPECT_EQ(changed_after, Cycle{20});
  b.advance(Cycle{30});
  EXPECT_EQ(b.sms[0].ran, (Ran{{Cycle{0}, Cycle{20}}, {Cycle{20}, Cycle{30}}}));
}

TEST(WindowClock, AWindowIsOneNetworkLatencyWhileSomethingMayHappen) {
  ClockBench b;
  EXPECT_EQ(b.window_end(), Cycle{10});                  // nobody knows of an event
  EXPECT_EQ(b.window_end(Cycle{500}, true), Cycle{10});  // a CTA may start
  EXPECT_EQ(b.window_end(Cycle{3}), Cycle{10});
}

TEST(WindowClock, SkipsWholeWindowsUntilTheNextEvent) {
  ClockBench b;
  b.sms[1].event = Cycle{57};
  b.clock.kernels_began(false);
  EXPECT_EQ(b.window_end(), Cycle{50});
  EXPECT_EQ(b.window_end(Cycle{34}), Cycle{30});
  EXPECT_EQ(b.window_end(Cycle{60}), Cycle{50});
}

TEST(WindowClock, SkippedCyclesOfAnIdleGpuAreNotRun) {
  ClockBench b;
  b.clock.skip_to(Cycle{1000});
  b.clock.kernels_began(true);
  b.sms[0].event = Cycle{1003};
  b.clock.kernels_began(false);
  b.advance(Cycle{1010});
  EXPECT_EQ(b.sms[0].ran, (Ran{{Cycle{1000}, Cycle{1010}}}));
}

TEST(WindowClock, ReportsCtasThatFinishedInTheWindowOnce) {
  ClockBench b;
  b.sms[1].finishes = Cycle{4};
  b.clock.cta_queued(1, Cycle{2});
  EXPECT_TRUE(b.clock.any_undrained());
  b.advance(Cycle{10});
  b.advance(Cycle{20});
  EXPECT_EQ(b.finished, (std::vector<std::pair<std::size_t, std::uint64_t>>{{1, 7}}));
  EXPECT_FALSE(b.clock.any_undrained());
}

TEST(WindowClock, NothingHappensWithoutEventsAndPackets) {
  ClockBench b;
  EXPECT_TRUE(b.clock.nothing_happens());
  b.sms[0].event = Cycle{1};
  b.clock.kernels_began(false);
  b.sms[0].event = Cycle::never();
  b.ports[0].send(Cycle{1}, mem::Packet{});
  b.advance(Cycle{10});  // the packet is on its way
  EXPECT_FALSE(b.clock.nothing_happens());
}

TEST(WindowClock, AnUndrainedSmWithCtasHoldsNoKernelUp) {
  ClockBench b;
  b.sms[0].busy = true;
  b.clock.kernels_began(false);
  EXPECT_TRUE(b.clock.without_ctas_are_drained());
  EXPECT_TRUE(b.clock.any_undrained());
}

TEST(WindowClock, ThreadsRunTheSameWindows) {
  ClockBench one, two(2, true);
  for (ClockBench* const b : {&one, &two}) {
    b->sms[0].event = Cycle{3};
    b->sms[1].event = Cycle{12};
    b->clock.kernels_began(false);
    for (int window = 1; window <= 4; ++window)
      b->advance(Cycle{static_cast<std::uint64_t>(10 * window)});
  }
  for (int i = 0; i < 2; ++i) EXPECT_EQ(one.sms[i].ran, two.sms[i].ran);
  EXPECT_EQ(one.ran, two.ran);
}

}  // namespace heddle::gpu
