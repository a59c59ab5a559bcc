// The line that is rewritten while runs go on; nothing when standard error is no terminal.
#pragma once

#include <unistd.h>

#include <iostream>
#include <string>

namespace heddle::lab {

class ProgressText {
 public:
  explicit ProgressText(bool wanted) : shown_(wanted && isatty(STDERR_FILENO)) {}
  ~ProgressText() { say({}); }
  ProgressText(const ProgressText&) = delete;
  ProgressText& operator=(const ProgressText&) = delete;
  void say(const std::string& text) const {
    if (shown_) std::cerr << "\r\033[K" << text << std::flush;
  }

 private:
  bool shown_;
};

}  // namespace heddle::lab
