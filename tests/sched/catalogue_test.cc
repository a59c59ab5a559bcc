#include <gtest/gtest.h>

#include <set>

#include "sched/catalogue.h"
#include "sched/framework/policy_entry.h"
#include "tests/error_message.h"
#include "tests/policies/recorded_policies.h"
#include "tests/sched/issue_bench.h"

namespace heddle::sched {
namespace {

enum class Rest { oldest, next };

// A policy with every kind of parameter.
class Tunable final : public sm::WarpScheduler {
 public:
  struct Options {
    std::uint32_t warps = 8;
    double share = 0.5;
    Rest rest = Rest::oldest;
    bool strict = false;
    static auto parameters() {
      return std::make_tuple(
          number("warps", &Options::warps, 1, 64, "warps", "warps that may run", "a test"),
          number("share", &Options::share, 0, 1, "", "share of the slots", "a test"),
          choice("rest", &Options::rest, {"oldest", "next"}, "the next warp", "a test"),
          choice("strict", &Options::strict, {"no", "yes"}, "whether to wait", "a test"));
    }
  };
  Tunable(const Options& given, const PolicyContext& where) : options(given), context(where) {}
  WarpSlot pick(const sm::IssueView& view) override { return view.issuable.lowest(); }

  Options options;
  PolicyContext context;
};

PolicyEntry tunable() { return policy<Tunable>("tunable", "A policy with parameters", "none"); }

}  // namespace

TEST(Catalogue, ListsEveryPolicyOnceWithTitleAndOrigin) {
  std::set<std::string> names;
  for (const auto& info : list_policies()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.title.empty()) << info.name;
    EXPECT_FALSE(info.paper.empty()) << info.name;
    for (const auto& parameter : info.parameters) {
      EXPECT_FALSE(parameter.meaning.empty()) << info.name << ":" << parameter.name;
      EXPECT_FALSE(parameter.source.empty()) << info.name << ":" << parameter.name;
    }
  }
  for (const char* name : {"lrr", "gto", "oldest", "srr", "gtrr", "youngest"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Catalogue, EveryPolicyIssuesAllWarps) {
  for (const auto& info : list_policies()) {
    IssueBench bench{info.name, warps(5)};
    WarpMask left = warps(5);
    for (int cycle = 0; cycle < 100 && left.any(); ++cycle) {
      const WarpSlot picked = bench.issue(left);
      if (!picked) continue;
      left.reset(picked);
      bench.exit(picked);
    }
    EXPECT_TRUE(left.none()) << info.name;
  }
}

TEST(Catalogue, BuildsSeparateStateForEveryScheduler) {
  const auto policy = parse_policy("gto");
  IssueBench one{policy->build({}), warps(2)}, other{policy->build({}), warps(2)};
  one.issue(ready(1));
  EXPECT_EQ(one.issue(ready(0, 1)), warp(1));
  EXPECT_EQ(other.issue(ready(0, 1)), warp(0));
}

TEST(Catalogue, RefusesAnUnknownPolicyWithTheNearestNames) {
  const std::string message = message_of([] { parse_policy("gtoo"); });
  EXPECT_NE(message.find("unknown scheduler \"gtoo\""), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean gto"), std::string::npos) << message;
  EXPECT_NE(message_of([] { parse_policy(""); }).find("unknown scheduler"), std::string::npos);
}

TEST(Catalogue, RefusesParametersOfAPolicyWithoutAny) {
  EXPECT_EQ(message_of([] { parse_policy("gto:greedy=1"); }),
            "scheduler gto takes no parameters, but \"greedy\" was given");
  EXPECT_EQ(message_of([] { parse_policy("gto:"); }),
            "scheduler gto: expected parameter=value after the colon");
}

TEST(Parameters, AreReadByName) {
  const auto scheduler =
      tunable().parse("rest=next,warps=3,share=0.25,strict=yes")->build({.sm = 2});
  const auto& built = dynamic_cast<const Tunable&>(*scheduler);
  EXPECT_EQ(built.options.warps, 3u);
  EXPECT_EQ(built.options.share, 0.25);
  EXPECT_EQ(built.options.rest, Rest::next);
  EXPECT_TRUE(built.options.strict);
  EXPECT_EQ(built.context.sm, 2);
}

TEST(Parameters, KeepTheirDefaultsWhenNotGiven) {
  const auto scheduler = tunable().parse("")->build({});
  EXPECT_EQ(dynamic_cast<const Tunable&>(*scheduler).options.warps, 8u);
}

TEST(Parameters, CanonicalTextListsChangedParametersInDeclaredOrder) {
  EXPECT_EQ(tunable().parse("")->text(), "tunable");
  EXPECT_EQ(tunable().parse("warps=8")->text(), "tunable");
  EXPECT_EQ(tunable().parse("rest=next,share=0.50,warps=3")->text(), "tunable:warps=3,rest=next");
}

TEST(Parameters, AreListedWithRangeDefaultMeaningAndSource) {
  const PolicyInfo info = tunable().info();
  ASSERT_EQ(info.parameters.size(), 4u);
  EXPECT_EQ(info.parameters[0].name, "warps");
  EXPECT_EQ(info.parameters[0].unit, "warps");
  EXPECT_EQ(info.parameters[0].range, "1..64");
  EXPECT_EQ(info.parameters[0].value, "8");
  EXPECT_EQ(info.parameters[1].value, "0.5");
  EXPECT_EQ(info.parameters[2].range, "oldest|next");
  EXPECT_EQ(info.parameters[3].value, "no");
}

TEST(Parameters, OutsideTheirRangeAreRefusedWithTheAllowedValues) {
  const auto refusal = [](const char* text) { return message_of([&] { tunable().parse(text); }); };
  EXPECT_EQ(refusal("warps=65"),
            "scheduler tunable: warps=65 is not possible; allowed: 1..64 warps");
  EXPECT_EQ(refusal("warps=0"), "scheduler tunable: warps=0 is not possible; allowed: 1..64 warps");
  EXPECT_EQ(refusal("warps=-1"),
            "scheduler tunable: warps=-1 is not possible; allowed: 1..64 warps");
  EXPECT_EQ(refusal("warps=3x"),
            "scheduler tunable: warps=3x is not possible; allowed: 1..64 warps");
  EXPECT_EQ(refusal("warps="), "scheduler tunable: warps= is not possible; allowed: 1..64 warps");
  EXPECT_EQ(refusal("share=nan"), "scheduler tunable: share=nan is not possible; allowed: 0..1");
  EXPECT_EQ(refusal("rest=last"),
            "scheduler tunable: rest=last is not possible; allowed: oldest|next");
}

TEST(Parameters, UnknownRepeatedAndMalformedOnesAreRefused) {
  const auto refusal = [](const char* text) { return message_of([&] { tunable().parse(text); }); };
  EXPECT_EQ(refusal("warp=3"),
            "scheduler tunable has no parameter \"warp\"; did you mean warps?\n  its parameters: "
            "warps, share, rest, strict");
  EXPECT_EQ(refusal("warps=3,warps=4"), "scheduler tunable: warps is given twice");
  EXPECT_EQ(refusal("warps"), "scheduler tunable: expected parameter=value, found \"warps\"");
  EXPECT_EQ(refusal("warps=3,"), "scheduler tunable: expected parameter=value, found \"\"");
}

// Of an SM with 48 warp slots. iPAWS, section 3.5: 192 bytes of scores and as many of stalls. KAWS,
// section 3: 128 bytes. LFWS, section 2.4: a bit for each warp.
TEST(Catalogue, HasTheStorageThatPapersPrint) {
  const auto bits = [](const std::string& policy) {
    std::vector<std::uint64_t> all;
    for (const PolicyInfo& one : list_policies())
      for (const policies::HardwareCost& cost : one.hardware)
        if (one.name == policy) all.push_back(cost.bits);
    return all;
  };
  EXPECT_EQ(bits("ipaws"), (std::vector<std::uint64_t>{192 * 8, 192 * 8}));
  EXPECT_EQ(bits("kaws"), std::vector<std::uint64_t>{128 * 8});
  EXPECT_EQ(bits("lfws"), std::vector<std::uint64_t>{48});
  EXPECT_EQ(bits("gto"), std::vector<std::uint64_t>{});
  const std::vector<std::uint64_t> daws = bits("daws");
  ASSERT_EQ(daws.size(), 4u);
  EXPECT_EQ(daws[0], 48u * (8 + 32));  // for each warp a count of lines and a pc
  EXPECT_GT(daws[3], daws[0] + daws[1] + daws[2]) << "section 7.4: the victim tags are the most";
}

TEST(Catalogue, WhatItSaysOfPoliciesAndTakesOfParameters) {
  policies::check_recorded_policies(
      "sched/recorded_policies.txt", list_policies(),
      [](const std::string& text) { return parse_policy(text)->text(); });
}

}  // namespace heddle::sched
