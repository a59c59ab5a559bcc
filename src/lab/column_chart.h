// Columns for a terminal.
#pragma once

#include <string>
#include <vector>

namespace heddle::lab {

struct Column {
  std::string label;
  double value = 0;
  bool marked = false;
};

// One column of text per value, drawn from zero in eighths of a row; the largest value beside the
// top, marks and some labels below.
std::string column_chart(const std::vector<Column>& columns, int rows, const std::string& indent);

}  // namespace heddle::lab
