// A line on standard error that is rewritten while runs are in progress, cut to the width of the
// terminal. Prints nothing when standard error is not a terminal.
#pragma once

#include <unistd.h>

#include <iostream>
#include <string>

#include "base/terminal.h"

namespace heddle::cli {

class ProgressLine {
 public:
  explicit ProgressLine(bool wanted) : shown_(wanted && isatty(STDERR_FILENO)) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& text) const { print("heddle: " + text); }
  void clear() const { print({}); }

 private:
  void print(const std::string& text) const {
    if (!shown_) return;
    // A line that fills the width moves the cursor to the next line.
    const auto columns = static_cast<std::size_t>(terminal_width(STDERR_FILENO, kColumns)) - 1;
    std::cerr << "\r\033[K" << text.substr(0, columns) << std::flush;
  }
  static constexpr int kColumns = 80;  // of a terminal that does not say its width
  bool shown_;
};

}  // namespace heddle::cli
