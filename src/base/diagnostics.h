// The two kinds of failure. A mistake of the user is a UserError with a place and a non-zero exit
// code. A violated invariant is a bug of the simulator; it prints an internal error and aborts.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace heddle {

// A place in a text file of the user. line and column count from 1; 0 means unknown.
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
  std::string to_string() const;  // "file:line:column", without the unknown parts
};

// What the user did wrong, where, and what to do about it. what() is the complete message.
class UserError : public std::runtime_error {
 public:
  explicit UserError(const std::string& message) : std::runtime_error(message) {}
  UserError(const SourceLocation& where, const std::string& message)
      : std::runtime_error(where.to_string() + ": " + message), where_(where) {}
  const SourceLocation& where() const { return where_; }

 private:
  SourceLocation where_;
};

// Exit codes of heddle. A simulated program that runs to its end exits with its own code.
enum class ExitCode : int {
  success = 0,
  failure = 1,         // a comparison in which some program failed
  usage = 2,           // wrong flag, unknown parameter, missing file, unsupported program
  simulation = 3,      // a fault of the simulated program: out of bounds, deadlock
  internal_error = 70  // a bug in the simulator
};

// While it exists, messages about violations on this thread name the component and the cycle of its
// clock: "SM 3, cycle 1024". Scopes nest. A component opens one per window or launch, never per
// cycle.
class ComponentScope {
 public:
  // component: a string literal; index: kNoIndex where there is only one; clock: of the component,
  // outlives the scope.
  static constexpr int kNoIndex = -1;
  ComponentScope(const char* component, int index, const Cycle& clock)
      : component_(component), index_(index), clock_(clock), outer_(current_) {
    current_ = this;
  }
  ~ComponentScope() { current_ = outer_; }
  ComponentScope(const ComponentScope&) = delete;
  ComponentScope& operator=(const ComponentScope&) = delete;

  // "SM 3, cycle 1024: "; empty outside all scopes.
  static std::string describe_current();

 private:
  // The TLS model avoids a call for each access in the shared runtime library.
  [[gnu::tls_model("initial-exec")]] static constinit thread_local const ComponentScope* current_;

  const char* component_;
  int index_;
  const Cycle& clock_;
  const ComponentScope* outer_;
};

// Prints "heddle: internal error: <component>, cycle <n>: <violation> (<file>:<line>, <function>)"
// and aborts the process.
[[noreturn]] void report_violation(std::string_view violation,
                                   std::source_location where = std::source_location::current());

// Checks an invariant in every build. `violation` states what happened when it does not hold ("an
// MSHR was lost"), never the rule.
inline void check_invariant(bool holds, std::string_view violation,
                            std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    report_violation(violation, where);
}

// The candidates nearest to a misspelled word, best first, at most three.
std::string nearest_names(std::string_view word, const std::vector<std::string>& candidates);
// "; did you mean lrr, srr?", to follow the message about an unknown name; empty when none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace heddle
