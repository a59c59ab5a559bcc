#include "analysis/affine_form.h"

#include <gtest/gtest.h>

#include "tests/analysis/forms_of_two.h"

namespace heddle::analysis {
namespace {

constexpr std::int64_t kMax = Interval::kMax, kMin = Interval::kMin;

TEST(FloorOf, RoundsTowardsMinusInfinity) {
  EXPECT_EQ(floor_of(7, 2), 3);
  EXPECT_EQ(floor_of(-7, 2), -4);
  EXPECT_EQ(floor_of(-8, 2), -4);
  EXPECT_EQ(floor_of(7, -2), -4);
  EXPECT_EQ(floor_of(-7, -2), 3);
  EXPECT_EQ(floor_of(0, 5), 0);
}

TEST(Interval, SumsAndProductsAreOfTheBounds) {
  EXPECT_EQ((Interval{-1, 4}) + (Interval{10, 20}), (Interval{9, 24}));
  EXPECT_EQ((Interval{-1, 4}) * 3, (Interval{-3, 12}));
  EXPECT_EQ((Interval{-1, 4}) * -2, (Interval{-8, 2}));
  EXPECT_EQ(Interval{} * 0, (Interval{0, 0}));
}

TEST(Interval, AnUnboundedSideStaysUnbounded) {
  EXPECT_EQ((Interval{kMin, 5}) + (Interval{7, 7}), (Interval{kMin, 12}));
  EXPECT_EQ((Interval{5, kMax}) + (Interval{-7, -7}), (Interval{-2, kMax}));
  EXPECT_EQ((Interval{0, kMax / 2}) * 4, (Interval{0, kMax}));
  EXPECT_TRUE((Interval{kMin + 1, kMax - 1}).bounded());
  EXPECT_FALSE((Interval{kMin, 0}).bounded());
  EXPECT_FALSE((Interval{0, kMax}).bounded());
}

TEST(Interval, OnlyOverlappingIntervalsIntersect) {
  EXPECT_EQ(intersect({0, 5}, {3, 9}), (Interval{3, 5}));
  EXPECT_EQ(intersect({0, 5}, {5, 9}), (Interval{5, 5}));
  EXPECT_EQ(intersect({0, 5}, {6, 9}), (Interval{0, 5}));
}

TEST(Number, BeyondTheBoundsIsNotRepresented) {
  EXPECT_EQ((Number{kMax / 2} * Number{2}).value, kMax);
  EXPECT_THROW(Number{kMax / 2} * Number{4}, NumberTooLarge);
  EXPECT_THROW(Number{kMax} + Number{1}, NumberTooLarge);
  EXPECT_THROW(Number{kMin} + Number{-1}, NumberTooLarge);
}

TEST(Number, KeepsThePolynomialOfItsSymbols) {
  FormsOfTwo f;
  const Number n = f.forms.named("n", 5), m = f.forms.named("m", 7);
  const Number sum = n * m + n * Number{3};
  EXPECT_EQ(sum.value, 50);
  EXPECT_EQ(*sum.symbolic, (Polynomial{{{0}, 3}, {{0, 1}, 1}}));
  EXPECT_EQ(*(m * n).symbolic, *(n * m).symbolic);
  EXPECT_TRUE((n + n * Number{-1}).symbolic->empty());
  EXPECT_EQ(*(n + Number{2}).symbolic, (Polynomial{{{}, 2}, {{0}, 1}}));
  EXPECT_EQ((Number{2} + Number{3}).symbolic, nullptr);
}

TEST(Number, APolynomialOfMoreThanTwelveProductsIsNotKept) {
  FormsOfTwo f;
  Number sum;
  for (int n = 0; n < 12; ++n) sum = sum + f.forms.named("n" + std::to_string(n), 1);
  ASSERT_NE(sum.symbolic, nullptr);
  EXPECT_EQ(sum.symbolic->size(), 12u);
  sum = sum + f.forms.named("another", 1);
  EXPECT_EQ(sum.symbolic, nullptr);
  EXPECT_EQ(sum.value, 13);
}

TEST(Number, CoefficientsOfAPolynomialSaturate) {
  FormsOfTwo f;
  const Number large = f.forms.named("zero", 0) * Number{kMax};
  EXPECT_EQ(large.symbolic->at({0}), kMax);
  EXPECT_EQ((large + large).symbolic->at({0}), kMax);
  EXPECT_EQ((large * Number{3}).symbolic->at({0}), kMax);
}

TEST(Forms, ANameIsOneSymbol) {
  FormsOfTwo f;
  EXPECT_EQ(*f.forms.named("n", 1).symbolic, *f.forms.named("n", 2).symbolic);
  EXPECT_NE(*f.forms.named("n", 1).symbolic, *f.forms.named("m", 1).symbolic);
  EXPECT_EQ(f.forms.symbol_name(1), "m");
}

TEST(Form, ASumHasEachAtomOnceInAscendingOrder) {
  FormsOfTwo f;
  const Form sum = f.y * 2 + f.x + Form{4} + f.x * 3;
  ASSERT_EQ(sum.terms.size(), 2u);
  EXPECT_EQ(sum.terms[0].atom, f.x_id);
  EXPECT_EQ(sum.coefficient(f.x_id), 4);
  EXPECT_EQ(sum.coefficient(f.y_id), 2);
  EXPECT_EQ(sum.constant.value, 4);
}

TEST(Form, TermsThatCancelAreRemoved) {
  FormsOfTwo f;
  EXPECT_EQ(f.x + f.y - f.x, f.y);
  EXPECT_TRUE((f.x - f.x).is_constant());
  EXPECT_EQ((f.x + Form{3}) * 0, Form{});
  EXPECT_EQ(Forms::of(f.x_id, 0), Form{});
}

TEST(Form, EqualityIsOfNumbersAndAtoms) {
  FormsOfTwo f;
  EXPECT_EQ(Form{f.forms.named("n", 5)}, Form{5});
  EXPECT_FALSE(f.x == f.y);
  EXPECT_FALSE(f.x == f.x * 2);
  EXPECT_FALSE(f.x == f.x + f.y);
  EXPECT_FALSE(f.x == f.x + Form{1});
}

TEST(Quotient, WhatTheDivisorDividesStaysOutside) {
  FormsOfTwo f;
  EXPECT_EQ(f.forms.quotient(f.x, 1), f.x);
  EXPECT_EQ(f.forms.quotient(f.x * 4 + f.y * 8 + Form{12}, 4), f.x + f.y * 2 + Form{3});
  EXPECT_EQ(f.forms.quotient(f.x * 4 + f.y, 4), f.x + f.forms.quotient(f.y, 4));
  // -4x - 1 = 4(-x - 1) + 3
  EXPECT_EQ(f.forms.quotient(f.x * -4 - Form{1}, 4), f.x * -1 - Form{1});
}

TEST(Quotient, ARangeWithinOneMultipleIsANumber) {
  FormsOfTwo f;
  EXPECT_EQ(f.forms.quotient(f.y, 10), Form{});               // 0..9
  EXPECT_EQ(f.forms.quotient(f.y - Form{10}, 16), Form{-1});  // -10..-1
  EXPECT_FALSE(f.forms.quotient(f.y, 9).is_constant());
}

TEST(Quotient, OfAQuotientHasOneDivisor) {
  FormsOfTwo f;
  EXPECT_EQ(f.forms.quotient(f.forms.quotient(f.x, 5), 4), f.forms.quotient(f.x, 20));
}

TEST(Quotient, MultiplicationByAReciprocalIsADivision) {
  FormsOfTwo f;
  // 52429 * 5 = 2^18 + 1; the error of 1 in 2^18 for each x does not reach the next integer.
  EXPECT_EQ(f.forms.quotient(f.x * 52429, 1 << 18), f.forms.quotient(f.x, 5));
  EXPECT_EQ(f.forms.quotient((f.x + f.y) * 52429, 1 << 18), f.forms.quotient(f.x + f.y, 5));
}

TEST(Quotient, AReciprocalThatIsTooCoarseIsNoDivision) {
  FormsOfTwo f;
  // 13 * 5 = 64 + 1. At 64 the error is 1: 64 * 13 / 64 = 13, but 64 / 5 = 12.
  const Form coarse = f.forms.quotient(f.x * 13, 64);
  EXPECT_EQ(f.at(coarse, 64), 13);
  const AtomId below = f.forms.add_variable("below 64", {0, 63});
  EXPECT_EQ(f.forms.quotient(Forms::of(below) * 13, 64), f.forms.quotient(Forms::of(below), 5));
  // Of a sum that reaches 99 + 9.
  EXPECT_EQ(f.at(f.forms.quotient((f.x + f.y) * 13, 64), 60, 4), 13);
  // A negative dividend is rounded the other way: -1 * 13 / 64 = -1.
  EXPECT_EQ(f.at(f.forms.quotient((f.y - Form{5}) * 13, 64), 0, 4), -1);
}

TEST(Quotient, AFactorOfAllTermsAndTheDivisorIsRemoved) {
  FormsOfTwo f;
  EXPECT_EQ(f.forms.quotient(f.x * 6 + f.y * 4 + Form{2}, 8),
            f.forms.quotient(f.x * 3 + f.y * 2 + Form{1}, 4));
  EXPECT_EQ(f.at(f.forms.quotient(f.x * 6 - f.y * 4 + Form{1}, 8), 1, 9), -4);  // floor(-29 / 8)
}

TEST(Quotient, EqualOnesAreOneAtom) {
  FormsOfTwo f;
  const Form first = f.forms.quotient(f.x, 8);
  const std::size_t atoms = f.forms.atoms();
  EXPECT_EQ(f.forms.quotient(f.x, 8), first);
  EXPECT_EQ(f.forms.atoms(), atoms);
  EXPECT_FALSE(f.forms.quotient(f.x, 16) == first);
}

TEST(Quotient, KeepsTheSymbolsOfWhatItDivides) {
  FormsOfTwo f;
  const Number n = f.forms.named("n", 6);
  const Form divided = f.forms.quotient(f.x * (n * Number{4}), 4);
  ASSERT_EQ(divided.terms.size(), 1u);
  EXPECT_EQ(*divided.terms[0].coefficient.symbolic, *n.symbolic);
  // 6n/4 is 9 for n = 6 only.
  EXPECT_EQ(f.forms.quotient(Form{n * Number{6}}, 4).constant.symbolic, nullptr);
}

TEST(Remainder, IsBetweenZeroAndTheDivisor) {
  FormsOfTwo f;
  const Form r = f.forms.remainder(f.x + Form{3}, 8);
  EXPECT_EQ(f.forms.interval(r), (Interval{0, 7}));
  EXPECT_EQ(f.forms.interval(r * 3 + Form{1}), (Interval{1, 22}));
  EXPECT_EQ(f.forms.interval(r * -3), (Interval{-21, 0}));
  EXPECT_EQ(f.at(r, 6), 1);
  EXPECT_EQ(f.at(f.forms.remainder(f.x * -1, 8), 3), 5);
}

TEST(Choose, AKnownConditionNeedsNoChoice) {
  FormsOfTwo f;
  EXPECT_EQ(f.forms.choose(Forms::kAlways, f.x, f.y), f.x);
  EXPECT_EQ(f.forms.choose(Forms::kNever, f.x, f.y), f.y);
  EXPECT_EQ(f.forms.choose(f.at_least(f.x, 5), f.y, f.y), f.y);
  EXPECT_EQ(f.forms.minimum(f.y, Form{9}), f.y);
  EXPECT_EQ(f.forms.maximum(f.y, Form{0}), f.y);
}

TEST(Choose, TheRangeIsOfEachFormWhereItIsChosen) {
  FormsOfTwo f;
  EXPECT_EQ(f.forms.interval(f.forms.minimum(f.x, Form{7})), (Interval{0, 7}));
  EXPECT_EQ(f.forms.interval(f.forms.maximum(f.x, Form{50})), (Interval{50, 99}));
  // x - 1 where x >= 1, 0 where x = 0.
  EXPECT_EQ(f.forms.interval(f.x - f.forms.maximum(f.x - Form{1}, Form{0})), (Interval{0, 1}));
}

TEST(Choose, ACommonPartStaysOutside) {
  FormsOfTwo f;
  const Form chosen = f.forms.choose(f.at_least(f.y, 5), f.x + f.y, f.x + Form{3});
  EXPECT_EQ(chosen.coefficient(f.x_id), 1);
  EXPECT_EQ(f.at(chosen, 40, 6), 46);
  EXPECT_EQ(f.at(chosen, 40, 4), 43);
}

TEST(Interval, OfAFormInARegion) {
  FormsOfTwo f;
  const Interval region[] = {{16, 20}, {2, 3}};
  EXPECT_EQ(f.forms.interval(f.x * -2 + f.y, region), (Interval{-38, -29}));
  EXPECT_EQ(f.forms.interval(f.forms.quotient(f.x, 8), region), (Interval{2, 2}));
  EXPECT_EQ(f.forms.interval(f.forms.minimum(f.x, Form{30}), region), (Interval{16, 20}));
  EXPECT_EQ(f.forms.interval(f.forms.minimum(f.x, Form{7}), region), (Interval{7, 7}));
  EXPECT_EQ(f.forms.interval(f.forms.minimum(f.x, Form{18}), region), (Interval{16, 18}));
  // y is not in this region.
  EXPECT_EQ(f.forms.interval(f.x + f.y, std::span(region, 1)), (Interval{16, 29}));
}

TEST(Substitute, ReachesIntoQuotientsChoicesAndTheirConditions) {
  FormsOfTwo f;
  const Forms::Substitution with{{f.x_id, f.y * 2}};
  EXPECT_EQ(f.forms.substitute(f.x * 3 + f.y + Form{1}, with), f.y * 7 + Form{1});
  EXPECT_EQ(f.forms.substitute(f.forms.quotient(f.x, 4), with), f.forms.quotient(f.y, 2));
  // min(2y, 18) is 2y.
  EXPECT_EQ(f.forms.substitute(f.forms.minimum(f.x, Form{18}), with), f.y * 2);
  EXPECT_EQ(f.forms.substitute(f.y, with), f.y);
}

TEST(Uses, SeesVariablesInQuotientsChoicesAndConditions) {
  FormsOfTwo f;
  EXPECT_TRUE(f.forms.uses(f.forms.quotient(f.x, 8), f.x_id));
  EXPECT_FALSE(f.forms.uses(f.forms.quotient(f.x, 8), f.y_id));
  EXPECT_TRUE(f.forms.uses(f.forms.choose(f.at_least(f.y, 5), Form{1}, Form{2}), f.y_id));
  EXPECT_TRUE(f.forms.uses(f.forms.choose(f.at_least(f.y, 5), Form{1}, f.x), f.x_id));
  EXPECT_FALSE(f.forms.uses(Form{4}, f.x_id));
}

}  // namespace
}  // namespace heddle::analysis
