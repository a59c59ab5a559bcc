// Asm statements may depend on each other without operands that show it: by the carry of "add.cc",
// by memory that "atom" and "st" change, by the clock. Unless they are volatile, LLVM merges equal
// statements and reorders them. nvcc keeps them as written, and programs rely on that.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cuda {

// LLVM's text with every statement made volatile that has effects or inputs other than its
// operands, and without the orders of their uses, which LLVM writes and does not read.
std::string with_ordered_asm(std::string_view ir);

}  // namespace heddle::cuda
