// The message of the UserError that a call throws.
#pragma once

#include <string>

#include "base/diagnostics.h"

namespace heddle::sched {

template <class F>
std::string message_of(F&& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace heddle::sched
