// A kind of policies of its own: what every kind gets from policies/.
#include "policies/catalogue.h"

#include <gtest/gtest.h>

#include "policies/entry.h"
#include "tests/error_message.h"

namespace heddle::policies {
namespace {

struct Greeter {
  virtual ~Greeter() = default;
  virtual std::string greet() const = 0;
};
struct Place {
  std::string town;
};
struct GreeterEntry : Entry<Greeter, Place> {
  static constexpr Kind kind{"greeter", "greeters", nullptr, nullptr};
  static const std::vector<GreeterEntry>& catalogue();
};

struct GreetingStatistics {
  std::uint64_t words = 0;
  static constexpr auto fields() {
    return std::make_tuple(stats::counter("words", stats::Unit::events, "words that were said",
                                          &GreetingStatistics::words));
  }
};

class Polite final : public Greeter {
 public:
  using Statistics = GreetingStatistics;
  struct Options {
    std::uint32_t times = 1;
    bool loud = false;
    static auto parameters() {
      return std::make_tuple(
          number("times", &Options::times, 1, 3, "words", "how often", "this test"),
          choice("loud", &Options::loud, {"no", "yes"}, "how loud", "this test"));
    }
  };
  Polite(const Options& options, const Place& place) : options_(options), town_(place.town) {}
  std::string greet() const override {
    std::string text;
    for (std::uint32_t i = 0; i < options_.times; ++i) text += "hello ";
    return text + town_ + (options_.loud ? "!" : "");
  }

 private:
  Options options_;
  std::string town_;
};

class Mute final : public Greeter {
 public:
  std::string greet() const override { return {}; }
};

const std::vector<GreeterEntry>& GreeterEntry::catalogue() {
  static const std::vector<GreeterEntry> entries = {
      describe<Polite, GreeterEntry, Greeter, Place>("polite", "says hello", "-"),
      describe<Mute, GreeterEntry, Greeter, Place>("mute", "says nothing", "-")};
  return entries;
}

std::string refusal(const std::string& text) {
  return message_of([&] { parse<GreeterEntry>(text); }, "accepted");
}

}  // namespace

TEST(PolicyCatalogue, ATextBuildsItsPolicyWithOptionsAndContext) {
  EXPECT_EQ(parse<GreeterEntry>("polite:times=2,loud=yes")->build({"Rome"})->greet(),
            "hello hello Rome!");
  EXPECT_EQ(parse<GreeterEntry>("mute")->build({"Rome"})->greet(), "");
}

TEST(PolicyCatalogue, CanonicalTextsHaveOtherValuesThanDefaultsInDeclaredOrder) {
  EXPECT_EQ(parse<GreeterEntry>("polite:loud=yes,times=3")->text(), "polite:times=3,loud=yes");
  EXPECT_EQ(parse<GreeterEntry>("polite:times=1")->text(), "polite");
}

TEST(PolicyCatalogue, RefusalsNameTheKindAndWhatExists) {
  EXPECT_EQ(refusal("polit"),
            "unknown greeter \"polit\"; did you mean polite?\n  greeters: polite, mute");
  EXPECT_EQ(refusal("polite:"), "greeter polite: expected parameter=value after the colon");
  EXPECT_EQ(refusal("polite:times=9"),
            "greeter polite: times=9 is not possible; allowed: 1..3 words");
  EXPECT_EQ(refusal("polite:time=2"),
            "greeter polite has no parameter \"time\"; did you mean times?\n"
            "  its parameters: times, loud");
  EXPECT_EQ(refusal("mute:loud=yes"), "greeter mute takes no parameters, but \"loud\" was given");
}

TEST(PolicyCatalogue, ListsParametersAndStatistics) {
  const std::vector<PolicyInfo> list = list_policies<GreeterEntry>();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].parameters[0].range, "1..3");
  EXPECT_EQ(list[0].parameters[1].value, "no");
  ASSERT_EQ(list[0].statistics.size(), 1u);
  EXPECT_EQ(list[0].statistics[0].key, "polite.words");
}

}  // namespace heddle::policies
