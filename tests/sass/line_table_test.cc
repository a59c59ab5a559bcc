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

// Line base -5, line range 14, opcodes below 10 are the standard ones.
TEST(LineTable, EachOperationMovesTheAddressOrTheLine) {
  const std::string operations(
      "\x03\x09\x01"          // advance the line by 9, copy
      "\x08\x01"              // add the address of special opcode 255: 245 / 14 instructions
      "\x2c"                  // special opcode 44: 34 / 14 instructions, 34 % 14 - 5 lines
      "\x09\x10\x00"          // advance by 16 bytes
      "\x05\x07\x06\x07\x01"  // set the column, two flags, copy
      "\x02\x03\x03\x7b\x01"  // advance by 3 instructions and by -5 lines, copy
      "\x04\x02\x01"          // of file 2, which the header does not list
      "\x00\x01\x01",         // end
      25);
  const auto lines = source_lines(read_elf(bytes_of(small_cubin({operations, 2, 4}))), ".text.add");
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
  for (const auto& line : lines) found.emplace_back(line.address, line.line);
  EXPECT_EQ(found, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                       {0, 10}, {68, 10}, {76, 11}, {92, 11}, {104, 6}}));
}

TEST(LineTable, OfAnotherVersionIsNotRead) {
  const auto lines_of = [](std::uint16_t version) {
    LineProgramText text;
    text.version = version;
    return source_lines(read_elf(bytes_of(small_cubin(text))), ".text.add").size();
  };
  EXPECT_EQ(lines_of(1), 0u);
  EXPECT_EQ(lines_of(3), 2u);
  EXPECT_EQ(lines_of(4), 0u);
  EXPECT_EQ(lines_of(5), 0u);
}

TEST(LineTable, OfAnotherSectionIsEmpty) {
  const std::string cubin = small_cubin();
  EXPECT_TRUE(source_lines(read_elf(bytes_of(cubin)), ".nv.constant3").empty());
}

}  // namespace
}  // namespace heddle::sass
