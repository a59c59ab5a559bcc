#include "lab/read_json.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

TEST(ReadJson, HasTheValuesThatTheOtherParserHas) {
  for (const std::string text :
       {R"({"b": {"z": 1, "a": [2, -3, 0, 0.5, 1e300, [], {}]}, "a": "x\"\u00e9\n", "": null})",
        R"([true, false, 18446744073709551615, -9223372036854775808, -0.0, 1.0])", "7", "\"\""}) {
    const ordered_json read = read_json(text), expected = ordered_json::parse(text);
    EXPECT_EQ(read.dump(), expected.dump()) << "in the same order";
    for (std::size_t i = 0; i < expected.size() && expected.is_array(); ++i)
      EXPECT_EQ(read[i].type(), expected[i].type()) << text << " " << i;
  }
}

TEST(ReadJson, DiscardsWhatIsDamaged) {
  for (const std::string_view text :
       {std::string_view(""), std::string_view("{\"a\": 1"), std::string_view("{} x"),
        std::string_view("\0{}", 3), std::string_view("{\"a\": \"\xff\"}"),
        std::string_view("[1,]"), std::string_view("[18446744073709551616]")})
    EXPECT_TRUE(read_json(text).is_discarded()) << text;
}

}  // namespace
}  // namespace heddle::lab
