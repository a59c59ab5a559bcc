#include "report/text_table.h"

#include <gtest/gtest.h>

#include <random>

#include <fmt/format.h>

#include "base/fnv.h"
#include "tests/recorded.h"

namespace heddle::report {
namespace {

TEST(Tables, AlignByDisplayedWidthAndWrapWideColumns) {
  TextTable table({{"name", Align::left}, {"n", Align::right}, {"text", Align::left}});
  table.add_row({"é", "1", "a long text that has to go on in the next line"});
  table.add_row({"ab", "22", ""});
  EXPECT_EQ(table.text("", 32),
            "name   n  text\né      1  a long text that has\n          to go on in the next\n      "
            "    line\nab    22\n");
}

TEST(Tables, KeepAColumnAsWideAsItsLongestWord) {
  TextTable table({{"key", Align::left}, {"meaning", Align::left}});
  table.add_row({"two-level:promote_only_eligible", "a meaning that has many short words"});
  EXPECT_EQ(table.text("", 51),
            "key                              meaning\n"
            "two-level:promote_only_eligible  a meaning that has\n"
            "                                 many short words\n");
}

TEST(Tables, BreakListsAtCommas) {
  TextTable table({{"lost to"}});
  table.add_row({"scoreboard 50 %, buffer empty 24 %"});
  EXPECT_EQ(table.text("", 30), "lost to\nscoreboard 50 %,\nbuffer empty 24 %\n");
}

TEST(Tables, CutWordsThatDoNotFit) {
  TextTable table({{"kernel", Align::left}, {"cycles", Align::right}});
  std::string name = "_Z";
  for (int i = 0; i < 2000; ++i) name += "é";
  table.add_row({name, "7"});
  const std::string text = table.text("  ", 40);
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    EXPECT_LE(display_width(text.substr(start, end - start)), 40);
    start = end + 1;
  }
  EXPECT_NE(text.find("é…"), std::string::npos) << text;
}

TEST(Tables, BreakWordsAtASign) {
  TextTable table({{"parameter"}, {"value"}}, WideWords::broken);
  table.add_row({"sm.l1d.reservation_fails", "on|off|automatic"});
  EXPECT_EQ(table.text("", 24),
            "parameter    value\nsm.l1d       on|off|\n.reservatio  automatic\nn_fails\n");
  EXPECT_EQ(folded("ld{.weak,.volatile} d, [a]", 16, "  ", WideWords::broken),
            "ld{.weak,\n  .volatile} d,\n  [a]\n");
}

TEST(Tables, DrawBarsInEighths) {
  EXPECT_EQ(bar_text(1, 2, 4), "██");
  EXPECT_EQ(bar_text(2, 2, 2), "██");
  EXPECT_EQ(bar_text(0, 2, 2), "");
  EXPECT_EQ(bar_text(1, 16, 2), "▏");
}

// Random tables of every width.
TEST(Tables, LookAsRecorded) {
  std::mt19937 random(3);
  const auto below = [&random](std::uint32_t n) { return random() % n; };
  const auto words = [&](std::uint32_t most) {
    static const char* const kWords[] = {
        "a",     "bb", "l1d.hits", "é", "scoreboard,", "50 %", "a_rather_long_name_of_something",
        "x:y=z", "-1"};
    std::string text;
    for (std::uint32_t n = below(most + 1); n > 0; --n)
      text += (text.empty() ? "" : " ") + std::string(kWords[below(std::size(kWords))]);
    return text;
  };
  for (const WideWords wide : {WideWords::cut, WideWords::broken}) {
    Fnv64 hash;
    for (int n = 0; n < 60; ++n) {
      std::vector<TextTable::Column> columns;
      for (std::uint32_t c = below(4) + 1; c > 0; --c)
        columns.push_back({words(2), below(2) ? Align::left : Align::right});
      TextTable table(columns, wide);
      for (std::uint32_t row = below(4); row > 0; --row) {
        std::vector<std::string> cells;
        for (std::size_t c = 0; c < columns.size(); ++c) cells.push_back(words(8));
        table.add_row(cells);
      }
      for (const int width : {0, 10, 24, 37, 60, 100})
        hash.add(table.text(n % 2 ? "  " : "", width));
      hash.add(folded(words(20), static_cast<int>(below(40)) + 1, "  ", wide));
      hash.add(bar_text(below(50), 49, static_cast<int>(below(30))));
    }
    check_recorded_text(
        "report/recorded_texts.txt",
        wide == WideWords::cut ? "tables that cut words" : "tables that break words",
        fmt::format("{:016x}", hash.value()));
  }
}

}  // namespace
}  // namespace heddle::report
