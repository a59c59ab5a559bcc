#include "error_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::bench {

void ErrorTable::add(const std::string& row, const std::string& column, double error,
                     const std::string& mark) {
  const auto at = static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) -
                                           columns_.begin());
  if (at == columns_.size()) columns_.push_back(column);
  auto known =
      std::find_if(rows_.begin(), rows_.end(), [&](const auto& one) { return one.first == row; });
  if (known == rows_.end()) known = rows_.insert(rows_.end(), {row, {}});
  known->second.resize(columns_.size());
  known->second[at] = fmt::format("{:+.1f}{}", 100 * error, mark);
}

void ErrorTable::print() const {
  fmt::print("| {} | {} |\n|---|", heading_, fmt::join(columns_, " | "));
  for (std::size_t i = 0; i < columns_.size(); ++i) fmt::print("---:|");
  for (auto [row, cells] : rows_) {
    cells.resize(columns_.size());
    fmt::print("\n| {} | {} |", row, fmt::join(cells, " | "));
  }
  fmt::print("\n");
}

}  // namespace heddle::bench
