// The input files of a heddle cc command.
#pragma once

#include <string>

#include "cuda/compile/compile.h"

namespace heddle::cuda {

enum class InputKind { cuda, cxx, c, linkable };

// By the extension of its name. language: "cu", "c++" or "c" for every source (-x); empty: none is
// named. UserError for an unknown extension.
InputKind kind_of(const std::string& input, const std::string& language);

// UserError when an input is missing, or when the options do not fit the inputs.
void check_inputs(const CompileOptions& options);

}  // namespace heddle::cuda
