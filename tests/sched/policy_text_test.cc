// The text of a policy as its parts.
#include "sched/framework/policy_text.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"

namespace heddle::sched {
namespace {

using Texts = std::vector<std::string>;

TEST(PolicyText, PartsStandBetweenPlusSigns) {
  const auto parts = split_policy("swl:warps=2,best+gto");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].name, "swl");
  EXPECT_EQ(parts[0].parameters, (Texts{"warps=2", "best"}));
  EXPECT_EQ(parts[1].name, "gto");
  EXPECT_TRUE(parts[1].parameters.empty());
  EXPECT_EQ(join_policy(parts), "swl:warps=2,best+gto");
}

TEST(PolicyText, AParameterIsReplacedInItsPlaceOrAppended) {
  PolicyPart part = split_policy("swl:best,warps=2")[0];
  EXPECT_TRUE(part.has("best"));
  EXPECT_FALSE(part.has("bes"));
  part.set("best", "limits.toml");
  part.set("floor", "1");
  EXPECT_EQ(part.text(), "swl:best=limits.toml,warps=2,floor=1");
  part.remove("warps");
  part.remove("best");
  part.remove("floor");
  EXPECT_EQ(part.text(), "swl");
}

TEST(PolicyText, PoliciesOfKernelsAreNumberedFromZero) {
  EXPECT_TRUE(is_per_kernel("K0=gto"));
  EXPECT_FALSE(is_per_kernel("kaws"));
  EXPECT_EQ(split_per_kernel("K0=ccws:k=8,base=3,K1=lrr"), (Texts{"ccws:k=8,base=3", "lrr"}));
  EXPECT_EQ(join_per_kernel({"gto", "swl:warps=2+lrr"}), "K0=gto,K1=swl:warps=2+lrr");
  EXPECT_THROW(split_per_kernel("K1=gto"), UserError);
  EXPECT_THROW(split_per_kernel("K0=gto,K0=lrr"), UserError);
}

TEST(PolicyText, ParametersAndFurtherKernelsContinueAPolicyOfAList) {
  EXPECT_EQ(split_policy_list("lrr, swl:warps=2,best=1,gto"),
            (Texts{"lrr", "swl:warps=2,best=1", "gto"}));
  EXPECT_EQ(split_policy_list("gto,K0=gto,K1=lrr,lrr"), (Texts{"gto", "K0=gto,K1=lrr", "lrr"}));
  EXPECT_EQ(split_policy_list("K0=gto,K0=lrr,K1=gto"), (Texts{"K0=gto", "K0=lrr,K1=gto"}));
  EXPECT_EQ(split_policy_list("gto,,lrr"), (Texts{"gto", "", "lrr"}));
}

}  // namespace
}  // namespace heddle::sched
