// The two ways to fail. A user's mistake is a UserError: located, said once, non-zero exit. A
// broken promise inside is a bug of the simulator: it aborts with what is known.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// A place in a text that the user gave. line and column count from 1; 0 means unknown.
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
  std::string to_string() const;  // "file:line:column", without the unknown parts
};

// What the user did wrong, where, and what to do about it. what() is the finished one- or few-line
// message.
class UserError : public std::runtime_error {
 public:
  explicit UserError(const std::string& message) : std::runtime_error(message) {}
  UserError(const SourceLocation& where, const std::string& message)
      : std::runtime_error(where.to_string() + ": " + message), where_(where) {}
  const SourceLocation& where() const { return where_; }

 private:
  SourceLocation where_;
};

// Exit codes of every heddle process. A simulated program's own code passes through unchanged when
// it ran to its end.
enum class ExitCode : int {
  success = 0,
  failure = 1,           // a comparison in which some program failed
  usage = 2,             // wrong flag, unknown parameter, missing file, unsupported program
  simulation = 3,        // the simulated program did something illegal: out of bounds, deadlock
  report_violation = 70  // a bug in the simulator
};

// Prints "heddle: internal error: ..." with the place and aborts the process.
[[noreturn]] void report_violation(std::string_view what,
                                   std::source_location where = std::source_location::current());

// A promise that holds in every build. Cheap checks only.
inline void check_invariant(bool holds, std::string_view what,
                            std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    report_violation(what, where);
}

// The candidates nearest to a misspelled word, best first, at most three: "did you mean ...".
std::string nearest_names(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace heddle
