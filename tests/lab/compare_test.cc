#include "lab/compare.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "tests/lab/contestants.h"

namespace heddle::lab {
namespace {

using Names = std::vector<std::string>;

TEST(SplitSchedulers, KeepsParametersWithTheirPolicy) {
  EXPECT_EQ(split_schedulers("lrr,gto"), (Names{"lrr", "gto"}));
  EXPECT_EQ(split_schedulers("ccws:k=8,base=100,gto"), (Names{"ccws:k=8,base=100", "gto"}));
  EXPECT_EQ(split_schedulers("lrr, swl:warps=4+lrr"), (Names{"lrr", "swl:warps=4+lrr"}));
}

TEST(SplitSchedulers, ExpandsAllToTheWholeCatalogue) {
  const Names all = split_schedulers("all");
  EXPECT_NE(std::find(all.begin(), all.end(), "gto"), all.end());
  EXPECT_NE(std::find(all.begin(), all.end(), "lrr"), all.end());
}

TEST(SplitSchedulers, RejectsRepeatedAndEmptyNames) {
  EXPECT_THROW(split_schedulers("lrr,lrr"), UserError);
  EXPECT_THROW(split_schedulers("lrr,,gto"), UserError);
}

TEST(SplitSchedulers, CtaSchedulersAreAListOfTheirOwn) {
  EXPECT_EQ(split_cta_schedulers("rr,mapped:direction=x,steal=yes"),
            (Names{"rr", "mapped:direction=x,steal=yes"}));
  const Names all = split_cta_schedulers("all");
  EXPECT_EQ(all.front(), "rr");
  EXPECT_THROW(split_cta_schedulers("rr,rr"), UserError);
}

TEST(Comparison, BestContestantHasTheFewestCycles) {
  const Comparison comparison = two(contestant("lrr", {{"k", figures(2000, 20, 900)}}),
                                    contestant("gto", {{"k", figures(1500, 60, 400)}}));
  EXPECT_EQ(comparison.best()->scheduler, "gto");
  EXPECT_EQ(comparison.worst()->scheduler, "lrr");
  EXPECT_FALSE(comparison.failed());
}

TEST(Comparison, FailedContestantIsNeverTheBest) {
  Contestant failing = contestant("gto", {{"k", figures(10, 60, 0)}});
  failing.outcome.ending.exit_code = 1;
  const Comparison comparison = two(contestant("lrr", {{"k", figures(2000, 20, 900)}}), failing);
  EXPECT_EQ(comparison.best()->scheduler, "lrr");
  EXPECT_TRUE(comparison.failed());
  EXPECT_EQ(failing.failure(), "exit code 1");
}

TEST(Comparison, RefusesRequestsWithNothingToCompare) {
  RunRequest request;
  request.functional = true;
  EXPECT_THROW(compare(request, {"lrr"}, 1, {}), UserError);
  request.functional = false;
  request.timed.limit_cycles = 1000;
  EXPECT_THROW(compare(request, {"lrr"}, 1, {}), UserError);
}

}  // namespace
}  // namespace heddle::lab
