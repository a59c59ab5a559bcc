// The progress of a sweep on standard error: a bar on a terminal, elsewhere a line now and then.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>

#include "cli/progress.h"
#include "lab/sweep.h"
#include "report/store_report.h"

namespace heddle::cli {

class SweepProgressOutput {
 public:
  explicit SweepProgressOutput(bool quiet)
      : quiet_(quiet), terminal_(!quiet && isatty(STDERR_FILENO)), line_(!quiet) {}

  lab::SweepListener listener() {
    return {[this](const lab::SweepProgress& progress) { show(progress); },
            [this](const std::string& text) {
              line_.clear();
              if (!quiet_) std::cerr << "heddle: " << text << "\n";
            }};
  }
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  void show(const lab::SweepProgress& progress) {
    std::string text = fmt::format("{} of {} runs", progress.done, progress.total);
    if (progress.failed > 0) text += fmt::format(", {} failed", progress.failed);
    if (progress.running > 0) text += fmt::format(", {} running", progress.running);
    text += progress.remaining_seconds
                ? ", about " + report::duration_text(*progress.remaining_seconds) + " left"
                : ", remaining time not known yet";
    if (terminal_) {
      const double part = progress.total ? static_cast<double>(progress.done) : 0;
      line_.show("[" + bar(part, static_cast<double>(progress.total)) + "] " + text);
    } else if (!quiet_ && Clock::now() >= next_line_) {
      std::cerr << "heddle: " << text << "\n";
      next_line_ = Clock::now() + interval_;
      interval_ = std::min(2 * interval_, kLongestInterval);
    }
  }

  static std::string bar(double part, double whole) {
    constexpr std::size_t kColumns = 24;
    const auto full = whole > 0 ? static_cast<std::size_t>(kColumns * part / whole) : 0;
    return std::string(full, '#') + std::string(kColumns - full, '.');
  }

  static constexpr std::chrono::seconds kLongestInterval{600};
  bool quiet_, terminal_;
  ProgressLine line_;
  // The first line after ten seconds, then at intervals that double.
  std::chrono::seconds interval_{20};
  Clock::time_point next_line_ = Clock::now() + std::chrono::seconds(10);
};

}  // namespace heddle::cli
