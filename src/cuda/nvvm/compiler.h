// Modules of LLVM IR to PTX.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/nvvm/ir.h"

namespace heddle::nvvm {

struct InvalidOption : std::runtime_error {
  using runtime_error::runtime_error;
};

// The options of nvvmCompileProgram.
struct NvvmOptions {
  explicit NvvmOptions(const std::vector<std::string>& words);

  std::string architecture = "52";
  bool optimize = true, flush = false, exact_division = true, exact_root = true, contract = true;
};

// The PTX; throws InvalidIr, or std::runtime_error with the compiler's messages.
std::string compile(std::vector<IrModule> modules, const NvvmOptions& options);

}  // namespace heddle::nvvm
