#include "cuda/kernels/description_table.h"

#include <gtest/gtest.h>

#include "tests/error_message.h"

namespace heddle::cuda {
namespace {

const std::string kFile = "f.toml";

template <class Read>
std::string refusal(const std::string& text, Read read) {
  const toml::table table = toml::parse(text);
  const DescriptionTable in(kFile, table, {"a", "b"});
  return message_of([&] { read(in); }, "accepted");
}

TEST(DescriptionTables, ValuesOfAnotherTypeAreRefusedWithTheirPlace) {
  const auto text = [](const DescriptionTable& in) { in.text("a"); };
  const auto flag = [](const DescriptionTable& in) { in.flag("a"); };
  const auto count = [](const DescriptionTable& in) { in.count("a", 0, 9); };
  const auto number = [](const DescriptionTable& in) { in.number("a"); };
  const auto sizes = [](const DescriptionTable& in) { in.sizes("a", 2, 9); };
  const auto dim3 = [](const DescriptionTable& in) { in.dim3("a"); };
  EXPECT_EQ(refusal("a = 1", text), "f.toml:1:5: a must be a text");
  EXPECT_EQ(refusal("a = \"\"", text), "f.toml:1:5: a must be a text");
  EXPECT_EQ(refusal("a = 1", flag), "f.toml:1:5: a must be true or false");
  EXPECT_EQ(refusal("a = 10", count), "f.toml:1:5: a must be a whole number from 0 to 9");
  EXPECT_EQ(refusal("a = 1.0", count), "f.toml:1:5: a must be a whole number from 0 to 9");
  EXPECT_EQ(refusal("a = true", number), "f.toml:1:5: a must be a number");
  EXPECT_EQ(refusal("a = [1, 2, 3]", sizes),
            "f.toml:1:12: a must be a whole number from 0 to 9, or a list of at most 2");
  EXPECT_EQ(refusal("a = -1", sizes),
            "f.toml:1:5: a must be a whole number from 0 to 9, or a list of at most 2");
  EXPECT_EQ(refusal("a = 0", dim3),
            "f.toml:1:5: a must be a whole number from 1 to 2147483647, or a list of at most 3");
  EXPECT_EQ(refusal("a = -1", dim3),
            "f.toml:1:5: a must be a whole number from 1 to 2147483647, or a list of at most 3");
  EXPECT_EQ(refusal("b = 1", text), "accepted");
}

TEST(DescriptionTables, UnknownKeysAreRefused) {
  const toml::table table = toml::parse("a = 1\nc = 2\n");
  EXPECT_THROW(DescriptionTable(kFile, table, {"a"}), UserError);
}

}  // namespace
}  // namespace heddle::cuda
