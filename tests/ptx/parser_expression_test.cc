#include <gtest/gtest.h>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

// `n` times `open`, the middle, `n` times `close`.
std::string nested(const std::string& before, const std::string& open, int n,
                   const std::string& middle, const std::string& close) {
  std::string text = before;
  for (int i = 0; i < n; ++i) text += open;
  text += middle;
  for (int i = 0; i < n; ++i) text += close;
  return text;
}

TEST(ParserExpression, NumbersHaveTheirDigits) {
  check_refusals({{"mov.u32 %r1, 0f3F80000;", "a floating constant in hexadecimal needs 8 digits"},
                  {"mov.u32 %r1, 0f3F8000000;", "malformed number '0f3F8000000'"},
                  {"mov.u32 %r1, 12q;", "malformed number '12q'"},
                  {"mov.u32 %r1, 0x;", "this number has no digits"},
                  {"mov.u32 %r1, 1 # 2;", "unexpected character '#'"}});
}

TEST(ParserExpression, OperatorsHaveOperandsOfTheirKind) {
  check_refusals({{"add.s32 %r1, %r2, 1.5 & 2;", "this operator needs integers"},
                  {"add.s32 %r1, %r2, ~1.5;", "this operator needs an integer"},
                  {"add.s32 %r1, %r2, 1.5 ? 1 : 2;", "this operator needs integers"},
                  {"add.s32 %r1, %r2, 1 ? 1 : 2.5;", "both values of '?'"},
                  {"add.s32 %r1, %r2, 1 +;", "expected a constant, found ';'"},
                  {"add.s32 %r1, %r2, (1;", "expected ')', found ';'"},
                  {"add.s32 %r1, %r2, 1.0/0.0;", "division by zero"},
                  {nested("add.s32 %r1, %r2, ", "(", 64, "1", ")") + ";", "nested too deeply"},
                  {nested("add.s32 %r1, %r2, ", "-", 64, "1;", ""), "nested too deeply"},
                  {nested("add.s32 %r1, %r2, ", "-", 63, "1;", ""), ""},
                  {"add.s32 %r1, , %r2;", "expected a constant, found ','"},
                  {".shared .b32 s[4]; ld.shared.u32 %r1, s[1.5];", "an index is an integer"}});
}

TEST(ParserExpression, ScopesAreNestedLikeExpressions) {
  check_refusals({{nested("", "{", 64, "", "}"), "scopes are nested too deeply"},
                  {nested("", "{", 62, "", "}"), ""}});
}

TEST(ParserExpression, NamesAreNumberedWithinBounds) {
  check_refusals({{"mov.b32 %r1, %envreg32;", "there are 32 %envreg"},
                  {"mov.b32 %r1, %envreg31;", ""},
                  {"mov.b32 %r1, %envregx;", "unknown name '%envregx'"},
                  {".reg .b32 %x<16777217>;", "too many registers"},
                  {".reg .b32 x<y>;", "expected a number of registers, found 'y'"}});
}

}  // namespace
}  // namespace heddle::ptx
