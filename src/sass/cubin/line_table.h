// Source lines of machine code: .debug_line (DWARF 2), which nvcc -lineinfo writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sass/cubin/elf.h"

namespace heddle::sass {

// From this address on, until the next one.
struct ListedLine {
  std::uint64_t address = 0;
  std::string file;
  std::uint64_t line = 0;
};

// The lines of a code section, in the order of addresses; empty without a table.
std::vector<ListedLine> source_lines(const Elf& elf, const std::string& code_section);

}  // namespace heddle::sass
