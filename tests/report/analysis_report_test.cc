#include "report/analysis_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace heddle::report {

TEST(SharingMap, HasALineForEachRowOfCtasFromTheFirstOneShown) {
  const auto analysis = nlohmann::ordered_json::parse(R"({"kernels": [{"kernel": "plain"}, {
    "kernel": "k", "map": {"lines": 8, "extent": [3, 2], "first": [4, 9], "cta": [5, 9],
                           "shared": [0, 8, 2, 1, 4, 7]}}]})");
  EXPECT_EQ(sharing_map(analysis),
            "k\n  lines of CTA (5,9) that other CTAs touch, of 8; x to the right, y downwards\n"
            "      9 ·◆▒\n"
            "     10 ░▓█\n"
            "        · none  ░ up to a quarter  ▒ a half  ▓ three quarters  █ more  ◆ this CTA\n");
}

}  // namespace heddle::report
