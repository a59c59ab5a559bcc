// The choice of a reading for a whole paper.
#include "lab/reproduction/protocol.h"

#include <gtest/gtest.h>

namespace heddle::lab {
namespace {

using enum ClaimVerdict;

Claim claim(const std::string& row, const std::string& program, const std::string& over = "gto") {
  Claim one;
  one.measure.row = row;
  one.measure.over = over;
  one.measure.cases = {program};
  return one;
}

OpenParameter parameter(const std::string& value, bool of_policy) {
  return {"P", "d", "s", of_policy, {{value, "t", "s", {}, {}, {}, {}, {}, {}, {}}}};
}

std::vector<FigureResult> results(const std::vector<Claim>& claims,
                                  const std::vector<ClaimVerdict>& verdicts) {
  FigureResult figure;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    ClaimResult& one = figure.claims.emplace_back();
    one.claim = claims[i];
    one.verdict = verdicts[i];
    if (verdicts[i] != not_measured) one.measured = 1;
  }
  return {figure};
}

TEST(Protocol, ClaimsAboutThePapersPoliciesDoNotChooseTheMachine) {
  Paper paper;
  paper.own = {"ipaws"};
  EXPECT_EQ(part_of(paper, claim("lrr", "A")), ClaimPart::machine);
  EXPECT_EQ(part_of(paper, claim("ipaws:recover=no", "A")), ClaimPart::test);
  EXPECT_EQ(part_of(paper, claim("lrr", "A", "ipaws with spatial")), ClaimPart::test);
  EXPECT_EQ(part_of(paper, claim("ipaws-like", "A")), ClaimPart::machine);
  paper.parameters = {parameter("p", true)};
  EXPECT_EQ(part_of(paper, claim("ipaws", "A")), ClaimPart::policy) << "the hash of \"A \" is even";
  EXPECT_EQ(part_of(paper, claim("ipaws", "B")), ClaimPart::test);
}

TEST(Protocol, TheMostClaimsOfTheRightPartChoose) {
  Paper paper;
  paper.own = {"ipaws"};
  paper.parameters = {parameter("m", false)};
  const std::vector<Claim> claims{claim("lrr", "A"), claim("lrr", "B"), claim("ipaws", "A"),
                                  claim("ipaws", "B")};
  const auto by_default = results(claims, {holds, does_not_hold, holds, holds});
  const auto better = [&](const std::string&) {
    return results(claims, {holds, holds_in_direction, does_not_hold, does_not_hold});
  };
  const ProtocolResult chosen = follow_protocol(paper, by_default, better);
  EXPECT_EQ(chosen.chosen, "m") << "although it loses the test";
  EXPECT_EQ(chosen.count(*chosen.chosen_outcome(), ClaimPart::test).held, 0u);
  EXPECT_EQ(chosen.count(chosen.outcomes[0], ClaimPart::test).held, 2u);
  EXPECT_EQ(chosen.count(chosen.outcomes[0]).held, 3u);
  EXPECT_EQ(chosen.in_any.held, 4u);
  const auto same = [&](const std::string&) { return by_default; };
  EXPECT_EQ(follow_protocol(paper, by_default, same).chosen, "") << "the default wins ties";
}

TEST(Protocol, ReadingsWithoutRunsChooseNothing) {
  Paper paper;
  paper.parameters = {parameter("m", false)};
  const std::vector<Claim> claims{claim("lrr", "A")};
  const ProtocolResult result =
      follow_protocol(paper, results(claims, {does_not_hold}),
                      [&](const std::string&) { return results(claims, {not_measured}); });
  EXPECT_EQ(result.without_runs, std::vector<std::string>{"m"});
  EXPECT_EQ(result.outcomes.size(), 1u);
  EXPECT_EQ(result.chosen, "");
}

TEST(Protocol, AReadingWithAPartOfItsRunsCountsAsWithoutRuns) {
  Paper paper;
  paper.parameters = {parameter("m", false)};
  const std::vector<Claim> claims{claim("lrr", "A"), claim("lrr", "B")};
  const ProtocolResult result =
      follow_protocol(paper, results(claims, {does_not_hold, does_not_hold}),
                      [&](const std::string&) { return results(claims, {holds, not_measured}); });
  EXPECT_EQ(result.without_runs, std::vector<std::string>{"m"});
  EXPECT_EQ(result.in_any.held, 0u);
}

TEST(Protocol, AMachineAndAPolicyAreCombined) {
  Paper paper;
  paper.own = {"ipaws"};
  paper.parameters = {parameter("m", false), parameter("p", true)};
  const std::vector<Claim> claims{claim("lrr", "A"), claim("ipaws", "A")};
  std::vector<std::string> asked;
  const ProtocolResult result = follow_protocol(
      paper, results(claims, {does_not_hold, does_not_hold}), [&](const std::string& reading) {
        asked.push_back(reading);
        return results(claims, {holds, holds});
      });
  EXPECT_EQ(result.chosen, "m+p");
  EXPECT_EQ(asked, (std::vector<std::string>{"m", "p", "m+p"}));
  ASSERT_TRUE(result.combined);
  EXPECT_EQ(result.chosen_outcome()->name, "m+p");
}

// With two readings that differ by chance only, the winner of a half is worse on the other one.
TEST(Protocol, AChoiceByChanceIsOptimistic) {
  Paper paper;
  paper.parameters = {parameter("m", false)};
  std::vector<Claim> claims;
  std::vector<ClaimVerdict> one, other;
  for (int i = 0; i < 40; ++i) {
    claims.push_back(claim("lrr", std::to_string(i)));
    one.push_back(i % 2 ? holds : does_not_hold);
    other.push_back(i % 2 ? does_not_hold : holds);
  }
  const ProtocolResult result = follow_protocol(
      paper, results(claims, one), [&](const std::string&) { return results(claims, other); });
  EXPECT_GT(result.optimism.mean_on_own_half, 0.5);
  EXPECT_LT(result.optimism.mean_on_other_half, 0.5);
  EXPECT_LE(result.optimism.low, result.optimism.mean_on_other_half);
  EXPECT_GE(result.optimism.high, result.optimism.mean_on_other_half);
}

}  // namespace
}  // namespace heddle::lab
