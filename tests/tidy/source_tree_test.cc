#include "tests/tidy/source_tree.h"

#include <gtest/gtest.h>

namespace heddle::tidy {

TEST(CodeOf, SkipsStringsAndComments) {
  EXPECT_EQ(code_of("call(\"text // no\", 'c');  // why"), "call(, );  ");
  EXPECT_EQ(code_of("x = 1'000'000;"), "x = 1'000'000;");
}

TEST(ColumnsOf, CountsCharactersAndNotBytes) {
  EXPECT_EQ(columns_of("µs: 4 ≥ 3"), 9u);
  EXPECT_EQ(columns_of(""), 0u);
}

TEST(ProseLines, AreOutsideCodeAndTablesAndComments) {
  const SourceFile page{
      "page.md", "", {"Text", "| a | b |", "```cpp", "code", "```", "<!-- why", "not -->", "end"}};
  EXPECT_EQ(prose_lines(page),
            (std::vector<bool>{true, false, false, false, false, false, false, true}));
}

TEST(ReadRepository, FindsSourcesPagesAndScripts) {
  std::size_t found = 0;
  for (const SourceFile& file : read_repository())
    found += file.path == "src/mem/cache.cc" || file.path == "README.md" || file.path == "test";
  EXPECT_EQ(found, 3u);
}

}  // namespace heddle::tidy
