#include "trace/fields.h"

#include <gtest/gtest.h>

#include "trace/format_error.h"

namespace heddle::trace {
namespace {

TEST(Fields, AreSeparatedByBlanks) {
  Fields fields("  0x1f -3 12\r");
  EXPECT_EQ(fields.hexadecimal("a", 255), 31u);
  EXPECT_EQ(fields.with_sign("b"), -3);
  EXPECT_EQ(fields.decimal("c", 12), 12u);
  EXPECT_TRUE(fields.next().empty());
}

TEST(Fields, EveryNumberIsChecked) {
  for (const char* text : {"", "x", "0x", "-1", "1z", "18446744073709551616", "300"})
    EXPECT_THROW(Fields(text).decimal("count", 255), FormatError) << text;
  EXPECT_THROW(parse_triple("1,2", "grid", {9, 9, 9}), FormatError);
  EXPECT_THROW(parse_triple("1,2,3,4", "grid", {9, 9, 9}), FormatError);
  EXPECT_EQ(parse_triple("1,2,3", "grid", {9, 9, 9}), (Dim3{1, 2, 3}));
}

}  // namespace
}  // namespace heddle::trace
