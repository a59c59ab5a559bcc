#include <gtest/gtest.h>

#include "stats/fields.h"
#include "stats/json.h"
#include "stats/listing.h"

namespace heddle::stats {
namespace {

constexpr std::array<std::string_view, 2> kColours{"red", "green"};

struct Inner {
  std::uint64_t reads = 0;
  static constexpr auto fields() {
    return std::make_tuple(counter("reads", Unit::requests, "reads done", &Inner::reads));
  }
};
struct Outer {
  std::uint64_t cycles = 0;
  std::array<std::uint64_t, 2> colours{};
  std::array<std::uint64_t, 3> lengths{};
  Inner inner;
  static constexpr auto fields() {
    return std::make_tuple(
        counter("cycles", Unit::cycles, "cycles awake", &Outer::cycles),
        breakdown("colours", Unit::events, "events by colour", kColours, &Outer::colours),
        histogram("lengths", Unit::events, "events by length", &Outer::lengths),
        group("inner", &Outer::inner));
  }
};

Outer sample() { return {7, {1, 2}, {3, 4, 5}, {6}}; }

TEST(JsonText, IsTheTextOfTheSameObject) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  JsonObject members(object);
  JsonText text;
  const auto put = [](auto& into) {
    into.open("empty");
    into.close();
    put_object(into, "outer", sample());
    into.add("name", std::string("say \"a\\b\"\n"));
    into.add("number", -3);
    into.add("share", 0.1);
    into.add("none", 0.0);
  };
  put(members);
  put(text);
  EXPECT_EQ(text.finish(), object.dump());
  EXPECT_EQ(config::json_text(object), object.dump());
}

TEST(Fields, AddAndSubtractReachEveryMember) {
  Outer sum = sample();
  add(sum, sample());
  EXPECT_EQ(sum.cycles, 14u);
  EXPECT_EQ(sum.colours[1], 4u);
  EXPECT_EQ(sum.lengths[2], 10u);
  EXPECT_EQ(sum.inner.reads, 12u);
  subtract(sum, sample());
  EXPECT_EQ(to_json(sum), to_json(sample()));
}

TEST(Fields, JsonKeepsTheOrderOfTheTable) {
  EXPECT_EQ(to_json(sample()).dump(),
            R"({"cycles":7,"colours":{"red":1,"green":2},"lengths":[3,4,5],"inner":{"reads":6}})");
}

TEST(Fields, ListingNamesGroupsByTheirPath) {
  const auto list = list_fields<Outer>("sm.");
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[1].key, "sm.colours");
  EXPECT_EQ(list[1].buckets, (std::vector<std::string>{"red", "green"}));
  EXPECT_EQ(list[3].key, "sm.inner.reads");
  EXPECT_EQ(list[3].unit, "requests");
  EXPECT_EQ(list[3].meaning, "reads done");
}

TEST(Units, AllHaveNames) {
  for (int i = 0; i <= static_cast<int>(Unit::points); ++i)
    EXPECT_FALSE(to_string(static_cast<Unit>(i)).empty()) << i;
}

}  // namespace
}  // namespace heddle::stats
