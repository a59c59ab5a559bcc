// The message of the error that a call throws.
#pragma once

#include <string>

#include "base/diagnostics.h"

namespace heddle {

// `otherwise` if it throws none.
template <class Error = UserError, class Call>
std::string message_of(Call&& call, std::string otherwise = "no error") {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return otherwise;
}

}  // namespace heddle
