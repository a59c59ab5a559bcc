// Errors in the text of LLVM, which clang has written.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace heddle::cuda {

// place: a part of ir; the error names its line.
[[noreturn]] inline void refuse_llvm_text(std::string_view ir, std::string_view place,
                                          const std::string& why) {
  const std::string_view before =
      ir.substr(0, static_cast<std::size_t>(place.begin() - ir.begin()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  throw UserError("clang's LLVM text of the device code, line " + std::to_string(line) + ": " +
                  why);
}

}  // namespace heddle::cuda
