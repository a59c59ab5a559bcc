// Asm statements may depend on each other without operands that show it: by the carry of "add.cc",
// by memory that "atom" and "st" change, by the clock. Unless they are volatile, LLVM merges equal
// statements and reorders them. nvcc keeps them as written, and programs rely on that.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cuda {

// Whether this PTX has asm statements with effects or inputs other than their operands.
bool has_unseen_effects(std::string_view ptx);

// The LLVM text with every such statement made volatile.
std::string with_ordered_asm(std::string_view ir);

}  // namespace heddle::cuda
