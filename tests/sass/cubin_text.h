// Cubins written by hand for tests: what a compiler puts into one, as small as possible.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "sass/cubin/elf.h"

namespace heddle::sass {

inline Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

template <class Number>
std::string number(Number value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

struct CubinSection {
  std::string name;
  std::uint32_t type = 1;
  std::string data;
  std::uint32_t link = 0, info = 0;
};

struct CubinSymbol {
  std::string name;
  std::uint16_t section;
  std::uint16_t kind = 0x1002;  // its byte "info", then "other": a kernel
  std::uint64_t value = 0, bytes = 0;
};

// A symbol table is section 1, its names section 2; `sections` follow from 3 on.
inline std::string cubin_of(int architecture, const std::vector<CubinSection>& sections,
                            const std::vector<CubinSymbol>& symbols) {
  std::string names(1, '\0'), symbol_names(1, '\0'), table(24, '\0');
  for (const CubinSymbol& symbol : symbols) {
    table += number(static_cast<std::uint32_t>(symbol_names.size())) + number(symbol.kind) +
             number(symbol.section) + number(symbol.value) + number(symbol.bytes);
    symbol_names += symbol.name + '\0';
  }
  std::vector<CubinSection> all{
      {"", 0, "", 0, 0}, {".symtab", 2, table, 2, 0}, {".strtab", 3, symbol_names, 0, 0}};
  all.insert(all.end(), sections.begin(), sections.end());
  all.push_back({".shstrtab", 3, "", 0, 0});
  std::vector<std::uint32_t> places;
  for (const CubinSection& section : all) {
    places.push_back(static_cast<std::uint32_t>(names.size()));
    names += section.name + '\0';
  }
  all.back().data = names;
  std::string data, headers;
  for (std::size_t i = 0; i < all.size(); ++i) {
    headers += number(places[i]) + number(all[i].type) + number(std::uint64_t{0}) +
               number(std::uint64_t{0}) + number(std::uint64_t{64 + data.size()}) +
               number(std::uint64_t{all[i].data.size()}) + number(all[i].link) +
               number(all[i].info) + number(std::uint64_t{1}) + number(std::uint64_t{0});
    data += all[i].data;
  }
  std::string header(
      "\x7f"
      "ELF\x02\x01\x01\x33\x07",
      9);
  header.resize(16, '\0');
  header += number(std::uint16_t{2}) + number(std::uint16_t{190}) + number(std::uint32_t{1}) +
            number(std::uint64_t{0}) + number(std::uint64_t{0}) +
            number(std::uint64_t{64 + data.size()}) +
            number(static_cast<std::uint32_t>(architecture)) + number(std::uint16_t{64}) +
            number(std::uint16_t{0}) + number(std::uint16_t{0}) + number(std::uint16_t{64}) +
            number(static_cast<std::uint16_t>(all.size())) +
            number(static_cast<std::uint16_t>(all.size() - 1));
  return header + data + headers;
}

inline std::string attribute(std::uint8_t id, const std::string& payload) {
  return number(std::uint8_t{4}) + number(id) + number(static_cast<std::uint16_t>(payload.size())) +
         payload;
}

// A line program: its version, the bytes of the shortest instruction, and operations that follow
// the setting of address 0.
struct LineProgramText {
  std::string operations = std::string("\x03\x06\x01\x03\x02\x02\x10\x01\x02\x10\x00\x01\x01", 13);
  std::uint16_t version = 2;
  std::uint8_t minimum_bytes = 1;
};

// A kernel `add` for sm_80 of two instructions, MOV R1, c[0x0][0x28] and EXIT, with lines 7 and 9
// of add.cu.
inline std::string small_cubin(const LineProgramText& line_program = {}) {
  const std::string code =
      number(std::uint64_t{0x00000a0000017a02}) + number(std::uint64_t{0x000fe40000000f00}) +
      number(std::uint64_t{0x000000000000794d}) + number(std::uint64_t{0x000fea0003800000});
  const std::string common = attribute(0x2f, number(std::uint32_t{1}) + number(std::uint32_t{12})) +
                             attribute(0x12, number(std::uint32_t{1}) + number(std::uint32_t{32}));
  const std::string own =
      attribute(0x0a, number(std::uint32_t{0}) + number(std::uint16_t{0x160}) +
                          number(std::uint16_t{12})) +
      attribute(0x17, number(std::uint32_t{0}) + number(std::uint16_t{1}) +
                          number(std::uint16_t{8}) + number(std::uint32_t{4U << 18})) +
      attribute(0x17, number(std::uint32_t{0}) + number(std::uint16_t{0}) +
                          number(std::uint16_t{0}) + number(std::uint32_t{8U << 18})) +
      std::string("\x03\x4c\x02\x00", 4);
  // Header: minimum, is_stmt 1, base -5, range 14, opcodes 10; then the operations.
  const std::string prologue =
      number(line_program.minimum_bytes) +
      std::string("\x01\xfb\x0e\x0a\x00\x01\x01\x01\x01\x00\x00\x00\x01", 13) + '\0' +
      std::string("add.cu\0\0\0\0\0", 11);
  const std::string operations =
      std::string("\x00\x09\x02", 3) + number(std::uint64_t{0}) + line_program.operations;
  const std::string unit = number(line_program.version) +
                           number(static_cast<std::uint32_t>(prologue.size())) + prologue +
                           operations;
  const std::string lines = number(static_cast<std::uint32_t>(unit.size())) + unit;
  const std::uint64_t address_at = 10 + prologue.size() + 3;
  const std::string relocation =
      number(address_at) + number(std::uint32_t{2}) + number(std::uint32_t{1});
  return cubin_of(80,
                  {{".text.add", 1, code, 0, 0x0c000001},
                   {".nv.info", 0x70000000, common, 0, 0},
                   {".nv.info.add", 0x70000000, own, 0, 3},
                   {".nv.constant3", 1, "constant", 0, 0},
                   {".nv.constant0.add", 1, std::string(364, '\0'), 0, 3},
                   {".debug_line", 1, lines, 0, 0},
                   {".rel.debug_line", 9, relocation, 1, 8}},
                  {{"add", 3}});
}

}  // namespace heddle::sass
