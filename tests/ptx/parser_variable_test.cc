#include <gtest/gtest.h>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

TEST(ParserVariable, AVectorHasTheBytesAndTheAlignmentOfItsElements) {
  const Module module = Module::parse(
      kHeader +
          ".global .v2 .f32 pair; .global .v4 .u16 four[3]; .global .align 16 .v2 .b8 low<2>;",
      "t.ptx");
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
  for (const Variable& variable : module.variables())
    found.emplace_back(variable.bytes, variable.align);
  EXPECT_EQ(found, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                       {8, 8}, {24, 8}, {2, 16}, {2, 16}}));
}

TEST(ParserVariable, AnAlignmentIsAPowerOfTwoOfAtMostAMebibyte) {
  const auto refusal = [](const std::string& text) { return complaint(kHeader + text); };
  EXPECT_EQ(refusal(".global .align 1048576 .b8 a[4];"), "");
  EXPECT_NE(refusal(".global .align 2097152 .b8 a[4];"), "");
  EXPECT_NE(refusal(".global .align 3 .b8 a[4];").find("a power of two"), std::string::npos);
  const auto pointer = [&](const std::string& align) {
    return refusal(".entry k(.param .u64 .ptr .global .align " + align + " p) { ret; }");
  };
  EXPECT_EQ(pointer("1048576"), "");
  EXPECT_NE(pointer("1048577"), "");
}

}  // namespace
}  // namespace heddle::ptx
