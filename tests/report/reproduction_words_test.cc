#include "report/reproduction_words.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using lab::ShownAs;

TEST(ReproductionWords, ValuesHaveTwoDigitsAndSmallOnesFour) {
  const std::pair<std::optional<double>, const char*> rows[] = {
      {std::nullopt, "-"}, {0, "0.00"},   {0.05, "0.0500"}, {-0.05, "-0.0500"},
      {0.0999, "0.0999"},  {0.1, "0.10"}, {-0.5, "-0.50"},  {1.234, "1.23"}};
  for (const auto& [value, text] : rows) EXPECT_EQ(measured_text(value), text);
  EXPECT_EQ(measured_text(1.43, 1.5), "1.43 (1.50)");
  EXPECT_EQ(measured_text(1.43, std::nullopt), "1.43");
}

TEST(ReproductionWords, AnAxisNamesTheStatisticAndWhatItIsOver) {
  struct Row {
    const char *statistic, *axis;
    ShownAs shown_as;
    const char *over_statistic, *text;
  };
  const Row rows[] = {{"cycles", "", ShownAs::speed_up, "", "speed-up over GTO"},
                      {"a", "", ShownAs::speed_up, "", "a of GTO over that of the row"},
                      {"a", "", ShownAs::ratio, "", "a over that of GTO"},
                      {"a", "hits", ShownAs::ratio, "", "hits over GTO"},
                      {"a", "", ShownAs::ratio, "b + c / d", "a over (b + c) / d of GTO"},
                      {"a", "hits", ShownAs::ratio, "b", "hits"},
                      {"a", "", ShownAs::difference, "", "a less that of GTO"},
                      {"a / b", "", ShownAs::value, "", "a / b"},
                      {"a + b / c + d", "", ShownAs::value, "", "(a + b) / (c + d)"},
                      {"a + b / c", "", ShownAs::value, "", "(a + b) / c"},
                      {"a / b + c", "", ShownAs::value, "", "a / (b + c)"},
                      {"a + b", "", ShownAs::value, "", "a + b"}};
  lab::Paper paper;
  paper.labels = {{"gto", "GTO"}};
  for (const Row& row : rows) {
    lab::Figure figure;
    figure.axis = row.axis;
    figure.measure.statistic = row.statistic;
    figure.measure.over = "gto";
    figure.measure.shown_as = row.shown_as;
    figure.measure.over_statistic = row.over_statistic;
    EXPECT_EQ(axis_text(paper, figure), row.text);
  }
}

}  // namespace
}  // namespace heddle::report
