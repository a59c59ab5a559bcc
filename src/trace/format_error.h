// What is wrong with a line or a number of a trace. The reader of the file adds the place and
// throws UserError.
#pragma once

#include <stdexcept>

namespace heddle::trace {

struct FormatError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace heddle::trace
