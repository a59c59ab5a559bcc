// A line on standard error that is rewritten while runs are in progress. Prints nothing when
// standard error is not a terminal.
#pragma once

#include <unistd.h>

#include <iostream>
#include <string>

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
    if (shown_) std::cerr << "\r\033[K" << text << std::flush;
  }
  bool shown_;
};

}  // namespace heddle::cli
