#include "ptx/syntax/declarations.h"

#include <gtest/gtest.h>

#include "ptx_text.h"
#include "tests/error_message.h"

namespace heddle::ptx {
namespace {

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (const Declaration& declaration : scan_declarations(text, "t.ptx"))
    names.push_back(declaration.name);
  return names;
}
using Names = std::vector<std::string>;

TEST(Declarations, AreFoundOutsideOfBodiesListsAndInitialValues) {
  EXPECT_EQ(names_in(kHeader + ".global .align 4 .u32 a, b[2] = {1, 2}, c = (1?2:3);\n"
                               ".const .attribute(.managed) .v2 .f32 d;\n"
                               ".visible .entry k(.param .u64 .ptr .global .align 8 p) .maxntid 1 "
                               "{ .global .u32 inner; }\n.tex .u32 t;\n.func f;"),
            (Names{"a", "b", "c", "d", "k", "t", "f"}));
}

TEST(Declarations, HaveNumberedNames) {
  EXPECT_EQ(names_in(".global .u32 g<3>, h<1>, i;"), (Names{"g0", "g1", "g2", "h0", "i"}));
  EXPECT_TRUE(names_in(".global .u32 g<99999999>;").empty());
}

TEST(Declarations, FollowPrototypesWithoutASemicolon) {
  const auto found = scan_declarations(
      ".visible .func (.param .b32 r) f (.param .b32 a)\n.global .u32 g;\n.extern .func h(.param "
      ".b32 a)\n.shared .b8 s[4];\n.weak .func i() { ret; }",
      "t.ptx");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_TRUE(found[0].is_shared);
  EXPECT_FALSE(found[1].is_shared);
  EXPECT_TRUE(found[2].is_external);
  EXPECT_FALSE(found[3].is_external);
  EXPECT_TRUE(found[3].is_shared);
}

TEST(Declarations, AreReadWithTheTokensOfTheParser) {
  const std::string text =
      kHeader + ".file 1 \"/x\\\"y.jl\"\n" + kernel_text("ret;").substr(kHeader.size());
  EXPECT_TRUE(complaint(text).starts_with("t.ptx:4:")) << complaint(text);
  EXPECT_EQ(message_of([&] { scan_declarations(text, "t.ptx"); }),
            "t.ptx:4:18: this string is never closed");
  EXPECT_EQ(names_in(".file 1 \"a\\b {\"\n.global .u32 g; /* .global .u32 h; */"), (Names{"g"}));
}

}  // namespace
}  // namespace heddle::ptx
