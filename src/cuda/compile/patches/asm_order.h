// Programs hand things from one asm statement to the next that no operand shows: the carry of
// "add.cc", what "atom" and "st" leave in memory, the time. Without volatile LLVM merges statements
// that look the same and moves them; nvcc leaves them as they are written, and programs lean on
// that.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cuda {

// Whether this PTX has asm statements that do or see more than their operands.
bool has_unseen_effects(std::string_view ptx);

// LLVM's text with every such statement made volatile.
std::string with_ordered_asm(std::string_view ir);

}  // namespace heddle::cuda
