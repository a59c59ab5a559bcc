#include "trace/line_reader.h"

#include <gtest/gtest.h>

#include "tests/trace/trace_text.h"

namespace heddle::trace {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  return lines;
}

TEST(LineReader, CompressedTextIsReadAsTheTextItself) {
  const TemporaryFolder folder;
  std::string text = "first\n\n";
  for (int i = 0; i < 20000; ++i) text += fmt::format("line {}\n", i);
  text += "without an end";
  const auto plain = lines_of(write_file(folder.file("plain"), text));
  EXPECT_EQ(plain.size(), 20003u);
  EXPECT_EQ(plain.back(), "without an end");
  EXPECT_EQ(lines_of(write_file(folder.file("xz"), xz(text))), plain);
  EXPECT_TRUE(lines_of(write_file(folder.file("empty"), "")).empty());
}

TEST(LineReader, RefusesDamagedFilesAndEndlessLines) {
  const TemporaryFolder folder;
  const std::string packed = xz(std::string(100000, 'a') + "\n");
  EXPECT_THROW(lines_of(write_file(folder.file("cut"), packed.substr(0, packed.size() / 2))),
               UserError);
  std::string damaged = packed;
  damaged[20] ^= 1;
  EXPECT_THROW(lines_of(write_file(folder.file("damaged"), damaged)), UserError);
  EXPECT_THROW(lines_of(write_file(folder.file("long"), std::string(3 << 20, 'a'))), UserError);
  EXPECT_THROW(lines_of(folder.file("missing")), UserError);
}

}  // namespace
}  // namespace heddle::trace
