// Verdicts of claims from measured values, and how they are counted.
#include "lab/reproduction/measures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::lab {
namespace {

TEST(ClaimVerdicts, DependOnDirectionAndPublishedValue) {
  Claim claim;
  claim.direction = {Relation::above, 1.0};
  claim.published = 1.5;
  EXPECT_EQ(judge(claim, {}), ClaimVerdict::not_measured);
  EXPECT_EQ(judge(claim, 1.40), ClaimVerdict::holds);  // effect 0.40 of 0.50: a quarter is 0.125
  EXPECT_EQ(judge(claim, 1.35), ClaimVerdict::holds_in_direction);
  EXPECT_EQ(judge(claim, 3.0), ClaimVerdict::holds_in_direction);
  EXPECT_EQ(judge(claim, 1.005), ClaimVerdict::does_not_hold);  // within the margin of 1
  claim.published = 1.03;
  EXPECT_EQ(judge(claim, 1.012), ClaimVerdict::holds);  // within 2 points
  EXPECT_EQ(judge(claim, 1.06), ClaimVerdict::holds_in_direction);
  claim.published.reset();
  EXPECT_EQ(judge(claim, 1.02), ClaimVerdict::holds);
  claim.direction = {Relation::below, 1.0};
  EXPECT_EQ(judge(claim, 0.995), ClaimVerdict::does_not_hold);
  claim.direction = {Relation::near, 1.0};
  EXPECT_EQ(judge(claim, 1.04), ClaimVerdict::holds);
  EXPECT_EQ(judge(claim, 0.94), ClaimVerdict::does_not_hold);
  claim.measure.shown_as = ShownAs::value;
  claim.direction = {Relation::above, 0.0};
  claim.published = 0.40;
  EXPECT_EQ(judge(claim, 0.43), ClaimVerdict::holds);
  EXPECT_EQ(judge(claim, 0.30), ClaimVerdict::holds_in_direction);
}

TEST(ClaimVerdicts, NumbersOfWarpsHoldInDirectionWhenNearerToThePublishedOneThanToAll) {
  Claim claim;
  claim.measure.shown_as = ShownAs::value;
  claim.direction = {.relation = Relation::nearer, .than = 24, .rather = 48};
  claim.published = 24;
  EXPECT_EQ(judge(claim, 26), ClaimVerdict::holds);
  EXPECT_EQ(judge(claim, 35), ClaimVerdict::holds_in_direction);
  EXPECT_EQ(judge(claim, 1), ClaimVerdict::holds_in_direction);
  EXPECT_EQ(judge(claim, 36), ClaimVerdict::does_not_hold);
  EXPECT_EQ(judge(claim, 43), ClaimVerdict::does_not_hold);
}

TEST(ClaimVerdicts, FavoursAndNeutralHaveOneThreshold) {
  Claim favours, neutral;
  favours.direction = {.relation = Relation::favours};
  neutral.direction = {.relation = Relation::neutral};
  for (const double value : {0.90, 0.96, 1.0, 1.03, 1.07, 1.2}) {
    const bool is_neutral = std::abs(value - 1) <= ClaimDirection::kThreshold;
    EXPECT_EQ(judge(neutral, value) == ClaimVerdict::holds, is_neutral) << value;
    EXPECT_EQ(judge(favours, value) == ClaimVerdict::holds, !is_neutral && value > 1) << value;
  }
  EXPECT_EQ(judge(favours, 1.07, 0.10), ClaimVerdict::does_not_hold);
  EXPECT_EQ(judge(favours, 1.03, 0.01), ClaimVerdict::holds);
}

TEST(Sentences, HoldWhollyWhenAllTheirClaimsHold) {
  FigureResult figure;
  const auto add = [&](const std::string& sentence, ClaimVerdict verdict) {
    ClaimResult& one = figure.claims.emplace_back();
    one.claim.sentence = sentence;
    one.verdict = verdict;
  };
  add("a", ClaimVerdict::holds);
  add("a", ClaimVerdict::holds_in_direction);
  add("b", ClaimVerdict::holds);
  add("b", ClaimVerdict::does_not_hold);
  add("c", ClaimVerdict::not_measured);
  const SentenceCounts counts = count_sentences({figure});
  EXPECT_EQ(counts.whole, 1u);
  EXPECT_EQ(counts.in_part, 1u);
  EXPECT_EQ(counts.none, 1u);
}

TEST(Directions, NearZeroHaveADistanceInsteadOfAShare) {
  const ClaimDirection near_zero{Relation::near, 0.0};
  EXPECT_TRUE(near_zero.holds_for(-0.05));
  EXPECT_TRUE(near_zero.holds_for(0.049));
  EXPECT_FALSE(near_zero.holds_for(0.051));
  EXPECT_TRUE((ClaimDirection{Relation::near, 0.0, 0.2}).holds_for(0.19));
}

TEST(Directions, NearIsFivePercentUnlessTheClaimSaysMore) {
  EXPECT_TRUE((ClaimDirection{Relation::near, 4, ClaimDirection::kNear}).holds_for(4.19));
  EXPECT_FALSE((ClaimDirection{Relation::near, 4, ClaimDirection::kNear}).holds_for(5));
  EXPECT_TRUE((ClaimDirection{Relation::near, 4, 0.25}).holds_for(5));
  EXPECT_FALSE((ClaimDirection{Relation::near, 4, 0.25}).holds_for(5.1));
}

}  // namespace
}  // namespace heddle::lab
