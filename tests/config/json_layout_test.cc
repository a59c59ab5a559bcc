#include "config/json_layout.h"

#include <gtest/gtest.h>

#include "config/json_text.h"

namespace heddle::config {
namespace {

using nlohmann::ordered_json;

TEST(IndentedJson, IsTheTextOfTheValue) {
  for (const char* const text :
       {R"({"name":"k","list":[1,[2,-3],[]],"none":{},"nested":{"a":{"b":0.1}}})", "[]", "{}", "7",
        R"({"quoted":"a \"b\": {c, [d]} \\","next":null,"\\":true})", R"(["€","\u0001"])",
        R"([1e-07,1.0,18446744073709551615,0.30000000000000004])"}) {
    const ordered_json value = ordered_json::parse(text);
    EXPECT_EQ(indented_json(json_text(value), ""), json_text(value, 1)) << text;
  }
}

TEST(IndentedJson, PutsAMarginBeforeEveryLineButTheFirst) {
  EXPECT_EQ(indented_json(R"({"a":[1,2]})", "  "), "{\n   \"a\": [\n    1,\n    2\n   ]\n  }");
}

// What follows is not JSON: the text of a process that was killed, for example.
TEST(IndentedJson, EndsWithATextThatIsCutOff) {
  EXPECT_EQ(indented_json(R"({"a":"b)", ""), "{\n \"a\": \"b");
  EXPECT_EQ(indented_json(R"(["b\)", ""), "[\n \"b\\");
  EXPECT_EQ(indented_json("]]", ""), "]]");
}

}  // namespace
}  // namespace heddle::config
