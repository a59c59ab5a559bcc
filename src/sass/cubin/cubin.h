// A cubin: the machine code of one architecture, its kernels and its constant banks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sass/cubin/elf.h"
#include "sass/cubin/line_table.h"
#include "sass/cubin/nv_info.h"
#include "sass/word.h"

namespace heddle::sass {

// Code with a section of its own: a kernel, or a function that kernels call.
struct Code {
  std::string name;  // mangled
  std::uint16_t section = 0;
  bool kernel = false;
  std::vector<InstructionWord> words;
  KernelInfo info;
  std::uint64_t shared_bytes = 0;
  std::vector<Relocation> relocations;
  std::vector<ListedLine> lines;
};

// Initial contents of a constant bank: 0 parameters, 2 the compiler's constants, 3 the user's,
// 4 addresses.
struct ConstantBank {
  int bank = 0;
  std::string code;  // whose it is; empty: of all
  std::uint16_t section = 0;
  std::vector<std::uint8_t> data;
  std::vector<Relocation> relocations;
};

// Variables in global memory: .nv.global, .nv.global.init.
struct DataSection {
  std::string name;
  std::uint16_t section = 0;
  std::uint64_t bytes = 0, align = 0;
  std::vector<std::uint8_t> data;  // empty: zeros
  std::vector<Relocation> relocations;
};

struct Cubin {
  int architecture = 0;
  std::vector<Code> code;
  std::vector<ConstantBank> constants;
  std::vector<DataSection> data;
  std::vector<Symbol> symbols;
};

// UserError when the bytes are no cubin, or a number in them is out of range.
Cubin read_cubin(Bytes bytes);

}  // namespace heddle::sass
