#include <gtest/gtest.h>

#include "tests/error_message.h"
#include "tests/gpu/cta_scheduler_bench.h"

namespace heddle::gpu {
namespace {

using analysis::Direction;
using Numbers = std::vector<std::uint64_t>;

// The analysis of a launch with given directions.
class KnownAnalysis final : public analysis::LaunchAnalysis {
 public:
  KnownAnalysis(Direction direction, Direction with_uniform) : LaunchAnalysis(no_kernel(), {}, {}) {
    known_.ctas.direction = direction;
    known_.ctas_with_uniform.direction = with_uniform;
  }
  const analysis::KernelAnalysis& result() override {
    ++asked;
    return known_;
  }
  std::vector<std::uint64_t> lines_of_cta(std::uint64_t cta) override { return {cta / 2}; }
  int asked = 0;

 private:
  static const isa::Kernel& no_kernel() {
    static const isa::Kernel kernel;
    return kernel;
  }
  analysis::KernelAnalysis known_;
};

// Every CTA in the order of its start, with one slot per SM and CTAs of equal length.
Numbers start_order(CtaSchedulerBench& bench) {
  Numbers order;
  while (!bench.scheduler().exhausted()) {
    for (const Placement& placement : bench.dispatch()) order.push_back(placement.cta);
    bench.finish_all();
  }
  return order;
}

TEST(Mapped, OnOneSmTheOrderIsThatOfTheDirection) {
  CtaSchedulerBench rr("rr", {.grid = {3, 2}}), x("mapped:direction=x", {.grid = {3, 2}}),
      y("mapped:direction=y", {.grid = {3, 2}});
  EXPECT_EQ(start_order(x), start_order(rr));
  EXPECT_EQ(start_order(y), (Numbers{0, 3, 1, 4, 2, 5}));
}

TEST(Mapped, AnSmStartsOneOfItsOwnCtasPerCycle) {
  CtaSchedulerBench bench("mapped:direction=x", {.grid = {4, 2}, .sms = 2, .ctas_per_sm = 3});
  const auto placed = bench.dispatch(2);
  ASSERT_EQ(placed.size(), 4u);
  EXPECT_EQ(placed[0].cta, 0u);
  EXPECT_EQ(placed[1].cta, 4u);
  EXPECT_EQ(placed[2].cta, 1u);
  EXPECT_EQ(placed[3].cta, 5u);
  EXPECT_EQ(placed[2].at, placed[0].at + 1);
}

TEST(Mapped, AnSmWithoutCtasOfItsOwnWaitsByDefault) {
  CtaSchedulerBench bench("mapped:direction=x", {.grid = {3, 2}, .sms = 2, .ctas_per_sm = 1});
  for (int i = 0; i < 3; ++i) {
    bench.dispatch();
    bench.finish(0, bench.ctas_of(0)[0]);
  }
  EXPECT_TRUE(bench.dispatch().empty());
  EXPECT_EQ(bench.ctas_of(1), (Numbers{3}));
  EXPECT_FALSE(bench.scheduler().exhausted());
}

TEST(Mapped, AnSmWithoutCtasOfItsOwnStealsTheLastOneIfAllowed) {
  CtaSchedulerBench bench("mapped:direction=x,steal=yes",
                          {.grid = {3, 2}, .sms = 2, .ctas_per_sm = 1});
  for (int i = 0; i < 3; ++i) {
    bench.dispatch();
    bench.finish(0, bench.ctas_of(0)[0]);
  }
  bench.dispatch();
  EXPECT_EQ(bench.ctas_of(0), (Numbers{5}));
  EXPECT_EQ(bench.counter("mapped.stolen"), 1u);
  bench.finish_all();
  EXPECT_EQ(start_order(bench), (Numbers{4}));
}

TEST(Mapped, TheDirectionIsThatOfTheAnalysis) {
  KnownAnalysis analysis(Direction::y, Direction::x);
  const KernelShape shape{.grid = {2, 2}, .analysis = &analysis};
  CtaSchedulerBench bench("mapped", shape);
  EXPECT_EQ(bench.scheduler().direction(), Direction::y);
  EXPECT_EQ(start_order(bench), (Numbers{0, 2, 1, 3}));
  EXPECT_EQ(bench.counter("mapped.kernels_y"), 1u);
  EXPECT_EQ(CtaSchedulerBench("mapped:keep_uniform=yes", shape).scheduler().direction(),
            Direction::x);
}

TEST(Mapped, RecordsWhatGaveTheDirectionOfALaunch) {
  KnownAnalysis analysis(Direction::y, Direction::x);
  CtaSchedulerBench bench("mapped", {.grid = {2, 2}, .analysis = &analysis});
  sm::PolicyReport report(sm::PolicyReport::Contents::counters_and_records);
  bench.scheduler().report_statistics(report);
  ASSERT_EQ(report.records().size(), 1u);
  const auto& record = report.records()[0];
  EXPECT_EQ(record.kind, "mapped.launch");
  EXPECT_EQ(std::get<std::string>(record.values[0].second), "y");
  EXPECT_EQ(std::get<std::string>(record.values[1].second), "analysis");
}

TEST(Mapped, TheMappingRegisterReplacesTheAnalysis) {
  KnownAnalysis analysis(Direction::y, Direction::y);
  CtaSchedulerBench bench("mapped", {.grid = {2, 2}, .analysis = &analysis, .hint = Direction::x});
  EXPECT_EQ(bench.scheduler().direction(), Direction::x);
  EXPECT_EQ(analysis.asked, 0);
}

TEST(Mapped, AnExplicitDirectionReplacesTheRegister) {
  CtaSchedulerBench bench("mapped:direction=y", {.grid = {2, 2}, .hint = Direction::x});
  EXPECT_EQ(bench.scheduler().direction(), Direction::y);
}

TEST(Mapped, WithoutADirectionItIsRoundRobin) {
  KnownAnalysis analysis(Direction::y, Direction::y);
  const KernelShape shape{.grid = {5, 3}, .sms = 2, .ctas_per_sm = 2, .analysis = &analysis};
  CtaSchedulerBench bench("mapped:direction=register", shape), rr("rr", shape);
  EXPECT_EQ(bench.scheduler().direction(), Direction::none);
  EXPECT_EQ(start_order(bench), start_order(rr));
  EXPECT_EQ(bench.counter("mapped.kernels_rr"), 1u);
}

TEST(Mapped, EveryLaunchHasADirectionOfItsOwn) {
  KnownAnalysis along_x(Direction::x, Direction::x), along_y(Direction::y, Direction::y);
  CtaSchedulerBench bench("mapped", {.grid = {2, 2}, .analysis = &along_y});
  start_order(bench);
  bench.begin({.grid = {2, 2}, .analysis = &along_x});
  EXPECT_EQ(start_order(bench), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(bench.counter("mapped.kernels_x"), 1u);
}

std::string refusal(const std::string& text) {
  return message_of([&] { parse_cta_policy(text); }, "accepted");
}

TEST(CtaCatalogue, RefusesWhatItDoesNotKnow) {
  EXPECT_TRUE(refusal("maped").starts_with(
      "unknown CTA scheduler \"maped\"; did you mean mapped?\n  CTA schedulers: rr, mapped"))
      << refusal("maped");
  EXPECT_EQ(refusal("mapped:direction=z"),
            "CTA scheduler mapped: direction=z is not possible; allowed: auto|register|x|y");
  EXPECT_TRUE(refusal("mapped:direktion=x")
                  .starts_with("CTA scheduler mapped has no parameter \"direktion\"; did you mean "
                               "direction?"));
  EXPECT_EQ(refusal("mapped:"), "CTA scheduler mapped: expected parameter=value after the colon");
  EXPECT_EQ(refusal("rr:x=1"), "CTA scheduler rr takes no parameters, but \"x\" was given");
}

TEST(CtaCatalogue, ACanonicalTextNamesWhatDiffersFromTheDefaults) {
  EXPECT_EQ(parse_cta_policy("rr")->text(), "rr");
  EXPECT_EQ(parse_cta_policy("mapped:direction=auto")->text(), "mapped");
  EXPECT_EQ(parse_cta_policy("mapped:steal=yes,direction=x")->text(),
            "mapped:direction=x,steal=yes");
}

TEST(CtaCatalogue, EveryCtaSchedulerStartsEveryCtaOfEveryGridOnce) {
  for (const policies::PolicyInfo& policy : list_cta_policies())
    for (const Dim3 grid : {Dim3{1}, Dim3{7}, Dim3{5, 5}, Dim3{4, 3, 2}})
      for (const int sms : {1, 4, 15}) {
        KnownAnalysis analysis(Direction::y, Direction::y);
        CtaSchedulerBench bench(
            policy.name, {.grid = grid, .sms = sms, .ctas_per_sm = 2, .analysis = &analysis});
        start_order(bench);
        EXPECT_EQ(bench.placed(), grid.count()) << policy.name;
      }
}

}  // namespace
}  // namespace heddle::gpu
