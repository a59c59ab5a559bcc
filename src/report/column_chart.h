// Columns for a terminal.
#pragma once

#include <string>
#include <vector>

namespace heddle::report {

struct Column {
  std::string label;
  double value = 0;
  bool marked = false;
};

// One column of text per value, drawn from 0 in eighths of a row. The largest value stands to the
// left of the top row; marks and some labels stand below.
std::string column_chart(const std::vector<Column>& columns, int rows, const std::string& indent);

}  // namespace heddle::report
