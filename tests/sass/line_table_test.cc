#include "sass/cubin/line_table.h"

#include <gtest/gtest.h>

#include "tests/sass/cubin_text.h"

namespace heddle::sass {
namespace {

TEST(LineTable, GivesFileAndLineByAddress) {
  const std::string cubin = small_cubin();
  const auto lines = source_lines(read_elf(bytes_of(cubin)), ".text.add");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].address, 0U);
  EXPECT_EQ(lines[0].file, "add.cu");
  EXPECT_EQ(lines[0].line, 7U);
  EXPECT_EQ(lines[1].address, 16U);
  EXPECT_EQ(lines[1].line, 9U);
}

TEST(LineTable, OfAnotherSectionIsEmpty) {
  const std::string cubin = small_cubin();
  EXPECT_TRUE(source_lines(read_elf(bytes_of(cubin)), ".nv.constant3").empty());
}

}  // namespace
}  // namespace heddle::sass
