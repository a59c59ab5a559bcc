// Colours of policies, and of text on colours.
#include "report/palette.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <utility>

#include "sched/catalogue.h"

namespace heddle::report {
namespace {

TEST(PolicyLooks, DifferBetweenAllPoliciesOfTheCatalogue) {
  std::set<std::pair<std::string_view, int>> looks;
  for (const auto& policy : sched::list_policies()) {
    const PolicyLook look = look_of_policy(policy.name);
    EXPECT_TRUE(looks.emplace(look.colour, look.variant).second) << policy.name;
  }
}

TEST(PolicyLooks, KeepTheColourOfThePolicyUnderOtherParameters) {
  for (const char* policy : {"ccws:k=8", "ccws + mapped"}) {
    EXPECT_EQ(look_of_policy(policy).colour, look_of_policy("ccws").colour);
    EXPECT_NE(look_of_policy(policy).variant, look_of_policy("ccws").variant);
  }
}

TEST(PolicyLooks, HaveInkThatIsReadable) {
  EXPECT_EQ(ink_on("#f0e442"), "#000000");
  EXPECT_EQ(ink_on("#000080"), "#ffffff");
  EXPECT_EQ(ink_on("#ff0000"), "#000000");  // 21 % of white's luminance
  EXPECT_EQ(ink_on("#00ff00"), "#000000");  // 72 %
  EXPECT_EQ(ink_on("#0000ff"), "#ffffff");  // 7 %
}

}  // namespace
}  // namespace heddle::report
