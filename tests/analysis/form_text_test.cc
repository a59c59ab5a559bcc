#include "analysis/form_text.h"

#include <gtest/gtest.h>

namespace heddle::analysis {
namespace {

struct FormText : testing::Test {
  FormText() {
    const char* const names[] = {"tidx", "tidy", "tidz", "bidx", "bidy", "bidz", "i"};
    for (const char* name : names) forms.add_variable(name, {0, 1023});
  }
  std::string text(const Form& form) const { return form_text(forms, form); }
  std::string text_if(ConditionId id) const { return condition_text(forms, id); }
  ConditionId at_least(const Form& form, std::int64_t bound) {
    return forms.at_least_zero(form - Form{bound});
  }

  Forms forms;
  Form tidx = Forms::of(tid_x), bidx = Forms::of(ctaid_x), i = Forms::of(kAxes);
  Number n = forms.named("n", 100), m = forms.named("m", 30);
  Number address = forms.named("a", std::int64_t{1} << 32);
};

TEST_F(FormText, OfNumbersAndSingleTerms) {
  EXPECT_EQ(text(Form{}), "0");
  EXPECT_EQ(text(Form{-1}), "-1");
  EXPECT_EQ(text(Form{1}), "1");
  EXPECT_EQ(text(tidx), "tidx");
  EXPECT_EQ(text(tidx * -1), "-tidx");
  EXPECT_EQ(text(tidx * -3), "-3*tidx");
  EXPECT_EQ(text(Form{n}), "n");
  EXPECT_EQ(text(Form{n * Number{-1}}), "-n");
}

TEST_F(FormText, CtaIndicesPrecedeThreadsAndTheyLoopCounters) {
  EXPECT_EQ(text(i + tidx + bidx + Form{3}), "bidx + tidx + i + 3");
}

TEST_F(FormText, ACommonFactorStandsOutside) {
  EXPECT_EQ(text(tidx * 4 + bidx * 8), "4*(2*bidx + tidx)");
  EXPECT_EQ(text(tidx * 4 - Form{4}), "4*(tidx - 1)");
  EXPECT_EQ(text(tidx * 4 + Form{3}), "4*tidx + 3");
  EXPECT_EQ(text(tidx * -4 + Form{8}), "4*(-tidx + 2)");
}

TEST_F(FormText, ASharedSymbolStandsOutside) {
  EXPECT_EQ(text(bidx * (n * Number{16}) + tidx * n), "n*(16*bidx + tidx)");
  EXPECT_EQ(text(bidx * n + tidx * n + i), "n*(bidx + tidx) + i");
  EXPECT_EQ(text(tidx * (m * n)), "n*m*tidx");
  EXPECT_EQ(text(tidx * n + i * m), "n*tidx + m*i");
  EXPECT_EQ(text(bidx * (n * Number{6}) + tidx * (n * Number{4}) + Form{1}),
            "2*n*(3*bidx + 2*tidx) + 1");
}

TEST_F(FormText, TheAddressOfAnArrayStandsInFront) {
  EXPECT_EQ(text(Form{address} + tidx * 4), "a + 4*tidx");
  EXPECT_EQ(text(Form{address} - tidx * 4), "a - 4*tidx");
  EXPECT_EQ(text(Form{address}), "a");
  EXPECT_EQ(text(Form{address} + tidx * 4 + Form{16}), "a + 4*(tidx + 4)");
}

TEST_F(FormText, ANumberOf2To24OrMoreIsAnAddress) {
  EXPECT_EQ(text(tidx + Form{16777216}), "16777216 + tidx");
  EXPECT_EQ(text(tidx + Form{16777215}), "tidx + 16777215");
}

TEST_F(FormText, OfQuotientsHasParenthesesAroundSums) {
  EXPECT_EQ(text(forms.quotient(tidx, 8)), "floor(tidx / 8)");
  EXPECT_EQ(text(forms.quotient(tidx + Form{3}, 8) * 4), "4*floor((tidx + 3) / 8)");
  EXPECT_EQ(text(forms.quotient(tidx * 3, 8)), "floor((3*tidx) / 8)");
}

TEST_F(FormText, AChoiceBetweenTheComparedIsMinOrMax) {
  EXPECT_EQ(text(forms.minimum(tidx, Form{7})), "min(tidx, 7)");
  EXPECT_EQ(text(forms.maximum(tidx, bidx)), "max(tidx, bidx)");
  EXPECT_EQ(text(forms.choose(at_least(bidx, 3), tidx, Form{})), "(bidx >= 3 ? tidx : 0)");
}

TEST_F(FormText, OfAConditionHasNoNegativeTerms) {
  EXPECT_EQ(text_if(at_least(tidx - bidx, 2)), "tidx >= bidx + 2");
  EXPECT_EQ(text_if(forms.at_least_zero(Form{4} - tidx)), "4 >= tidx");
  EXPECT_EQ(text_if(forms.at_least_zero(tidx - bidx)), "tidx >= bidx");
  EXPECT_EQ(text_if(forms.zero(tidx - Form{5})), "tidx == 5");
  EXPECT_EQ(text_if(forms.at_least_zero(Form{n} - tidx)), "n >= tidx");
}

TEST_F(FormText, OfJoinedConditions) {
  const ConditionId a = at_least(tidx, 1), b = at_least(bidx, 2), c = at_least(i, 3);
  EXPECT_EQ(text_if(Forms::kNever), "never");
  EXPECT_EQ(text_if(Forms::kAlways), "always");
  EXPECT_EQ(text_if(forms.unknown(0)), "data-dependent");
  EXPECT_EQ(text_if(forms.all_of({a, b})), "tidx >= 1 && bidx >= 2");
  EXPECT_EQ(text_if(forms.all_of({a, forms.any_of({b, c})})), "tidx >= 1 && (bidx >= 2 || i >= 3)");
}

}  // namespace
}  // namespace heddle::analysis
