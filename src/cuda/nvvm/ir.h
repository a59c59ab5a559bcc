// Modules of LLVM IR.
#pragma once

#include <stdexcept>
#include <string>

namespace heddle::nvvm {

// A module that no LLVM library reads; what() is the reader's message.
struct InvalidIr : std::runtime_error {
  using runtime_error::runtime_error;
};

struct IrModule {
  std::string name;
  std::string content;  // text or bitcode
  bool lazy;            // only what other modules need is taken
};

// The module as bitcode that clang 19 reads. flush: single-precision denormals are zero.
std::string bitcode_of(const IrModule& module, bool flush);

}  // namespace heddle::nvvm
