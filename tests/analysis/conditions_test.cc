#include <gtest/gtest.h>

#include "tests/analysis/forms_of_two.h"

namespace heddle::analysis {
namespace {

struct Conditions : testing::Test, FormsOfTwo {
  ConditionId a = at_least(x, 5), b = at_least(y, 3), c = at_most(x, 50);
  ConditionId data = forms.unknown(1);
};

TEST_F(Conditions, AComparisonThatTheRangeDecidesIsAlwaysOrNever) {
  EXPECT_EQ(at_least(x, 0), Forms::kAlways);
  EXPECT_EQ(at_least(x, 100), Forms::kNever);
  EXPECT_EQ(forms.condition(at_least(x, 99)).kind, Condition::Kind::at_least_zero);
  EXPECT_EQ(forms.condition(at_least(x, 1)).kind, Condition::Kind::at_least_zero);
  EXPECT_EQ(forms.zero(x + Form{1}), Forms::kNever);
  EXPECT_EQ(forms.zero(y - Form{10}), Forms::kNever);
  EXPECT_EQ(forms.zero(Form{0}), Forms::kAlways);
  EXPECT_EQ(forms.condition(forms.zero(y - Form{9})).kind, Condition::Kind::zero);
}

TEST_F(Conditions, EqualComparisonsAreOneCondition) {
  EXPECT_EQ(at_least(x, 5), a);
  EXPECT_EQ(forms.zero(x - Form{5}), forms.zero(Form{5} - x));
  EXPECT_NE(forms.zero(x - Form{5}), forms.at_least_zero(x - Form{5}));
  EXPECT_EQ(forms.unknown(1), data);
  EXPECT_NE(forms.unknown(2), data);
}

TEST_F(Conditions, ANegationOfIntegersIsStrict) {
  EXPECT_EQ(forms.negate(a), at_most(x, 4));
  EXPECT_EQ(forms.negate(forms.negate(a)), a);
  EXPECT_EQ(forms.negate(Forms::kAlways), Forms::kNever);
  EXPECT_EQ(forms.negate(Forms::kNever), Forms::kAlways);
  EXPECT_EQ(forms.negate(data), forms.unknown(1, true));
  EXPECT_EQ(forms.negate(forms.negate(data)), data);
}

TEST_F(Conditions, TheNegationOfEqualityIsLessOrGreater) {
  const ConditionId five = forms.zero(x - Form{5});
  EXPECT_EQ(forms.negate(five), forms.any_of({at_least(x, 6), at_most(x, 4)}));
  EXPECT_EQ(forms.negate(forms.negate(five)), five);
  EXPECT_EQ(forms.negate(forms.zero(x)), at_least(x, 1));  // x is not negative
}

TEST_F(Conditions, TheNegationOfAConjunctionIsADisjunction) {
  EXPECT_EQ(forms.negate(forms.all_of({a, b})), forms.any_of({forms.negate(a), forms.negate(b)}));
  EXPECT_EQ(forms.negate(forms.any_of({a, b})), forms.all_of({forms.negate(a), forms.negate(b)}));
}

TEST_F(Conditions, NeutralPartsVanishAndDecisivePartsDecide) {
  EXPECT_EQ(forms.all_of({}), Forms::kAlways);
  EXPECT_EQ(forms.any_of({}), Forms::kNever);
  EXPECT_EQ(forms.all_of({a, Forms::kAlways}), a);
  EXPECT_EQ(forms.any_of({a, Forms::kNever}), a);
  EXPECT_EQ(forms.all_of({a, Forms::kNever}), Forms::kNever);
  EXPECT_EQ(forms.any_of({a, Forms::kAlways}), Forms::kAlways);
}

TEST_F(Conditions, NeitherOrderNorRepetitionNorNestingMatters) {
  const ConditionId both = forms.all_of({a, b});
  EXPECT_EQ(forms.all_of({b, a}), both);
  EXPECT_EQ(forms.all_of({a, b, a}), both);
  EXPECT_EQ(forms.all_of({both, c}), forms.all_of({a, forms.all_of({b, c})}));
  EXPECT_EQ(forms.conjuncts(forms.all_of({both, c})).size(), 3u);
}

TEST_F(Conditions, AContradictionIsNeverAndItsDualAlways) {
  EXPECT_EQ(forms.all_of({a, b, forms.negate(a)}), Forms::kNever);
  EXPECT_EQ(forms.any_of({a, b, forms.negate(a)}), Forms::kAlways);
  EXPECT_EQ(forms.all_of({data, forms.negate(data)}), Forms::kNever);
}

TEST_F(Conditions, WhatAnotherPartImpliesIsAbsorbed) {
  EXPECT_EQ(forms.all_of({a, forms.any_of({a, b})}), a);
  EXPECT_EQ(forms.any_of({a, forms.all_of({a, b})}), a);
  EXPECT_EQ(forms.any_of({a, forms.all_of({forms.negate(a), b})}), forms.any_of({a, b}));
  EXPECT_EQ(forms.all_of({a, forms.any_of({forms.negate(a), b})}), forms.all_of({a, b}));
  EXPECT_EQ(forms.all_of({a, c, forms.any_of({forms.negate(a), forms.negate(c), b})}),
            forms.all_of({a, b, c}));
}

TEST_F(Conditions, ConjunctsAreThePartsOfAConjunctionOnly) {
  EXPECT_TRUE(forms.conjuncts(Forms::kAlways).empty());
  EXPECT_EQ(forms.conjuncts(a), std::vector<ConditionId>{a});
  EXPECT_EQ(forms.conjuncts(forms.all_of({a, b})), (std::vector<ConditionId>{a, b}));
  EXPECT_EQ(forms.conjuncts(forms.any_of({a, b})).size(), 1u);
}

TEST_F(Conditions, DependOnDataAtAnyDepth) {
  EXPECT_FALSE(forms.depends_on_data(forms.all_of({a, b})));
  EXPECT_TRUE(forms.depends_on_data(forms.all_of({a, forms.any_of({b, data})})));
}

TEST_F(Conditions, ARegionMayDecide) {
  const auto truth = [&](ConditionId id, Interval of_x, Interval of_y = {0, 0}) {
    const Interval region[] = {of_x, of_y};
    return forms.truth(id, region);
  };
  EXPECT_EQ(truth(a, {5, 9}), Truth::yes);
  EXPECT_EQ(truth(a, {0, 4}), Truth::no);
  EXPECT_EQ(truth(a, {4, 5}), Truth::open);
  const ConditionId five = forms.zero(x - Form{5});
  EXPECT_EQ(truth(five, {5, 5}), Truth::yes);
  EXPECT_EQ(truth(five, {5, 6}), Truth::open);
  EXPECT_EQ(truth(five, {6, 7}), Truth::no);
  EXPECT_EQ(truth(five, {3, 4}), Truth::no);
  EXPECT_EQ(truth(data, {0, 0}), Truth::open);
  EXPECT_EQ(truth(Forms::kAlways, {0, 0}), Truth::yes);
  EXPECT_EQ(truth(Forms::kNever, {0, 0}), Truth::no);
}

TEST_F(Conditions, OnePartDecidesAJoinAndAnOpenOneDoesNot) {
  const auto truth = [&](ConditionId id, Interval of_x, Interval of_y) {
    const Interval region[] = {of_x, of_y};
    return forms.truth(id, region);
  };
  const ConditionId both = forms.all_of({a, b}), either = forms.any_of({a, b});
  EXPECT_EQ(truth(both, {4, 6}, {0, 2}), Truth::no);
  EXPECT_EQ(truth(both, {5, 6}, {3, 4}), Truth::yes);
  EXPECT_EQ(truth(both, {5, 6}, {2, 4}), Truth::open);
  EXPECT_EQ(truth(either, {4, 6}, {3, 4}), Truth::yes);
  EXPECT_EQ(truth(either, {0, 4}, {0, 2}), Truth::no);
  EXPECT_EQ(truth(either, {0, 4}, {2, 4}), Truth::open);
  EXPECT_EQ(truth(forms.all_of({a, data}), {0, 4}, {0, 0}), Truth::no);
}

TEST_F(Conditions, AnUnknownConditionMayHoldAndMayNot) {
  const std::int64_t point[] = {5, 2};
  EXPECT_TRUE(forms.may_hold(a, point));
  EXPECT_FALSE(forms.may_hold(b, point));
  EXPECT_TRUE(forms.may_hold(data, point));
  EXPECT_TRUE(forms.may_hold(forms.negate(data), point));
  EXPECT_TRUE(forms.may_hold(forms.all_of({a, data}), point));
  EXPECT_FALSE(forms.may_hold(forms.all_of({b, data}), point));
  EXPECT_TRUE(forms.may_hold(forms.any_of({a, b}), point));
  EXPECT_TRUE(forms.may_hold(forms.zero(x - Form{5}), point));
  EXPECT_FALSE(forms.may_hold(forms.zero(x - Form{4}), point));
  EXPECT_FALSE(forms.may_hold(Forms::kNever, point));
}

TEST_F(Conditions, BoundTheRangeOfAForm) {
  const auto range = [&](const Form& form, ConditionId where) {
    return forms.interval_where(form, where);
  };
  EXPECT_EQ(range(x, at_most(x, 4)), (Interval{0, 4}));
  EXPECT_EQ(range(x, at_least(x, 10)), (Interval{10, 99}));
  EXPECT_EQ(range(x * 2 + Form{1}, at_most(x, 4)), (Interval{1, 9}));
  EXPECT_EQ(range(x * -1, at_most(x, 4)), (Interval{-4, 0}));
  EXPECT_EQ(range(x, forms.zero(x - Form{5})), (Interval{5, 5}));
  EXPECT_EQ(range(x, forms.all_of({at_least(x, 3), at_most(x, 4)})), (Interval{3, 4}));
  EXPECT_EQ(range(x + y, at_least(x + y, 5)), (Interval{5, 108}));
  EXPECT_EQ(range(x + y, at_most(x, 4)), (Interval{0, 13}));
}

TEST_F(Conditions, OfOtherFormsBoundNothing) {
  EXPECT_EQ(forms.interval_where(y, at_most(x, 4)), (Interval{0, 9}));
  EXPECT_EQ(forms.interval_where(x, at_least(x + y, 5)), (Interval{0, 99}));
  EXPECT_EQ(forms.interval_where(x, data), (Interval{0, 99}));
  EXPECT_EQ(forms.interval_where(x, forms.any_of({at_most(x, 4), b})), (Interval{0, 99}));
}

TEST_F(Conditions, SimplifyQuotientsThatTheyDecide) {
  const Form eighth = forms.quotient(x, 8);
  EXPECT_EQ(forms.simplify_where(eighth + x, at_most(x, 7)), x);
  EXPECT_EQ(forms.simplify_where(eighth, at_most(x, 8)), eighth);
  // 2^32 is subtracted from x - 1 only where x is 0.
  constexpr std::int64_t k2To32 = std::int64_t{1} << 32;
  const Form wrapped = x - Form{1} - forms.quotient(x - Form{1}, k2To32) * k2To32;
  EXPECT_EQ(forms.simplify_where(wrapped, at_least(x, 1)), x - Form{1});
}

TEST_F(Conditions, SimplifyQuotientsInQuotients) {
  const Form inner = forms.quotient(x, 8) + y, outer = forms.quotient(inner, 3);
  EXPECT_EQ(forms.simplify_where(outer, at_most(x, 7)), forms.quotient(y, 3));
  EXPECT_EQ(forms.simplify_where(outer, at_most(x, 8)), outer);
}

TEST_F(Conditions, SimplifyChoicesThatTheyImply) {
  const Form clamped = forms.minimum(x, Form{7});
  EXPECT_EQ(forms.simplify_where(clamped, at_most(x, 7)), x);
  EXPECT_EQ(forms.simplify_where(clamped, at_most(x, 5)), x);
  EXPECT_EQ(forms.simplify_where(clamped, at_least(x, 8)), Form{7});
  EXPECT_EQ(forms.simplify_where(clamped, at_least(x, 20)), Form{7});
  EXPECT_EQ(forms.simplify_where(clamped, at_least(x, 7)), clamped);
  // Within a quotient: min(x, 7) / 2.
  EXPECT_EQ(forms.simplify_where(forms.quotient(clamped, 2), at_least(x, 8)), Form{3});
}

TEST_F(Conditions, AreSubstitutedPartByPart) {
  const Forms::Substitution with{{x_id, y + Form{1}}};
  EXPECT_EQ(forms.substitute(a, with), at_least(y, 4));
  EXPECT_EQ(forms.substitute(forms.zero(x - Form{5}), with), forms.zero(y - Form{4}));
  // y + 1 <= 50 always holds.
  EXPECT_EQ(forms.substitute(forms.all_of({a, c}), with), at_least(y, 4));
  EXPECT_EQ(forms.substitute(forms.any_of({a, c}), with), Forms::kAlways);
  EXPECT_EQ(forms.substitute(data, with), data);
}

TEST_F(Conditions, UseTheVariablesOfTheirParts) {
  EXPECT_TRUE(forms.uses(forms.any_of({a, b}), x_id));
  EXPECT_TRUE(forms.uses(forms.any_of({a, b}), y_id));
  EXPECT_FALSE(forms.uses(a, y_id));
  EXPECT_FALSE(forms.uses(data, x_id));
}

}  // namespace
}  // namespace heddle::analysis
