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

TEST(ParserVariable, DeclarationsStateTheMistake) {
  check_refusals(
      {{".global .f32 x = { 1 };", ""},
       {".global .u32 x = 1.5;", "'x' needs integer values"},
       {".global .u32 x[2] = {{1}};", "more nested braces than dimensions"},
       {".global .u32 x[2] = {1, 2, 3};", "more initial values than 'x' has elements"},
       {".global .u32 x[];", "the array 'x' has no length"},
       {".global .u32 x[1][];", "only the first dimension may be without a length"},
       {".global .u32 x[68719476736];", "this variable is too large"},
       {".global .u8 x[68719476736][2];", "this array is too large"},
       {".global x;", "expected a type, found 'x'"},
       {".global .pred x;", "a variable cannot have the type '.pred'"},
       {".tex .u16 t;", "a texture of the .tex space is .u32 or .u64, not '.u16'"},
       {".global .samplerref s = { colour = 1 };", "a sampler has no field 'colour'"},
       {".global .samplerref s = { filter_mode = cubic };", "a filter is nearest or linear"},
       {".global .samplerref s = { addr_mode_3 = wrap };", "a sampler has no field 'addr_mode_3'"},
       {".global .samplerref s = { addr_mode_2 = bounce };", "an address mode is wrap, mirror"},
       {".global .samplerref s = { addr_mode_2 = mirror, filter_mode = linear, "
        "force_unnormalized_coords = 1 };",
        ""},
       {".global .u32 x; .global .u16 y = x;", "an address needs 4 or 8 bytes"},
       {".global .u32 x; .global .u64 y = x + 4;", ""},
       {".global .u64 y = z;", "'z' is not declared"},
       {".global .u32 x<65536>;", ""},
       {".global .u32 x<65536>; .global .u32 y<1>;",
        "this module declares more than 65536 variables"},
       {".global .texref t<2>;", "have no name<N>"},
       {".global .texref t[2];", "arrays of texture, sampler and surface references"},
       {".global .u32 x; .global .u32 x;", "'x' is declared twice"},
       {".extern .global .u32 x; .global .u32 x;", ""},
       {".global .u32 x; .shared .u32 x;", "'x' was declared in another state space"},
       {".extern .global .u32 x = 1;", "an external variable cannot have an initial value"},
       {".shared .u32 x = 1;", "only global and constant variables have initial values"}},
      module_complaint);
}

}  // namespace
}  // namespace heddle::ptx
