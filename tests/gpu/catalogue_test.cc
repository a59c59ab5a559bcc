#include "gpu/cta/catalogue.h"

#include "gpu/share/catalogue.h"
#include "tests/policies/recorded_policies.h"

namespace heddle::gpu {
namespace {

TEST(CtaCatalogue, WhatItSaysOfPoliciesAndTakesOfParameters) {
  policies::check_recorded_policies(
      "gpu/recorded_policies.txt", list_cta_policies(),
      [](const std::string& text) { return parse_cta_policy(text)->text(); });
}

TEST(ShareCatalogue, WhatItSaysOfPoliciesAndTakesOfParameters) {
  policies::check_recorded_policies(
      "gpu/recorded_policies.txt", list_share_policies(),
      [](const std::string& text) { return parse_share_policy(text)->text(); });
}

}  // namespace
}  // namespace heddle::gpu
