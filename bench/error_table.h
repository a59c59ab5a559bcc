// Errors as a Markdown table for docs/agreement.md: a row per program, a column per machine or
// policy, both in the order of their first cells.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::bench {

class ErrorTable {
 public:
  explicit ErrorTable(std::string heading) : heading_(std::move(heading)) {}
  // mark: stands behind the error, such as " *".
  void add(const std::string& row, const std::string& column, double error,
           const std::string& mark);
  void print() const;

 private:
  std::string heading_;  // of the rows
  std::vector<std::string> columns_;
  std::vector<std::pair<std::string, std::vector<std::string>>> rows_;  // cells by column
};

}  // namespace heddle::bench
