// The ELF container of a cubin: sections, symbols and relocations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sass/cubin/byte_reader.h"

namespace heddle::sass {

struct Section {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t bytes = 0;  // its size; of a section without data (.nv.shared) the memory it takes
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::uint64_t align = 0;
  Bytes data;  // empty for a section without data
};

struct Symbol {
  std::string name;
  std::uint8_t type = 0, other = 0;
  std::uint16_t section = 0;
  std::uint64_t value = 0;
  std::uint64_t bytes = 0;
};

struct Relocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;
  std::int64_t addend = 0;
};

struct Elf {
  int architecture = 0;  // 80 for sm_80
  std::vector<Section> sections;
  std::vector<Symbol> symbols;

  const Section* section(std::string_view name) const;
  // Those that a .rel or .rela section has for the section of this name.
  std::vector<Relocation> relocations_of(std::string_view name) const;
};

// Whether the bytes begin as a 64-bit ELF file for an NVIDIA GPU does.
bool is_cubin(Bytes bytes);
// The views refer to `bytes`. UserError when a number in the file is out of range.
Elf read_elf(Bytes bytes);

}  // namespace heddle::sass
