// Exceptions of libraries as messages for a user.
#pragma once

#include <exception>
#include <string>

namespace heddle {

// While it exists, this thread reads the named file. describe_error() names the innermost file that
// an exception left.
class InputScope {
 public:
  explicit InputScope(std::string name);
  ~InputScope();
  InputScope(const InputScope&) = delete;
  InputScope& operator=(const InputScope&) = delete;

 private:
  std::string name_;
  int exceptions_ = std::uncaught_exceptions();
};

// What an exception says to a user: the place, if it is known, and what happened. Of a UserError
// its own message.
std::string describe_error(const std::exception& error);

}  // namespace heddle
