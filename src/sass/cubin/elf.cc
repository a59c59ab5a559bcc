#include "sass/cubin/elf.h"

namespace heddle::sass {
namespace {

// ELF-64 (System V ABI), offsets in bytes.
constexpr std::size_t kHeaderBytes = 64, kMachineAt = 18, kFlagsAt = 48, kSectionsAt = 40,
                      kAbiVersionAt = 8, kSectionBytes = 64, kSymbolBytes = 24, kRelBytes = 16,
                      kRelaBytes = 24, kEntryBytesAt = 58;
constexpr std::uint16_t kMachineCuda = 190;
constexpr std::uint8_t kAbiCuda13 = 8;  // the architecture moves from bits 7:0 to bits 15:8
constexpr std::uint32_t kSymbols = 2, kRela = 4, kNoBits = 8, kRel = 9;

Bytes part_of(Bytes bytes, std::uint64_t offset, std::uint64_t count, const std::string& part) {
  ByteReader reader(bytes, part);
  reader.move_to(offset);
  return reader.take(count);
}

std::string text_at(Bytes strings, std::uint64_t offset, const std::string& part) {
  ByteReader reader(strings, part);
  reader.move_to(offset);
  return reader.text();
}

struct RawSection {
  Section section;
  std::uint32_t name = 0;
};

RawSection read_section(Bytes file, Bytes header) {
  ByteReader reader(header, "a section header");
  RawSection raw;
  raw.name = reader.number<std::uint32_t>();
  raw.section.type = reader.number<std::uint32_t>();
  raw.section.flags = reader.number<std::uint64_t>();
  reader.take(8);  // address
  const auto offset = reader.number<std::uint64_t>();
  raw.section.bytes = reader.number<std::uint64_t>();
  raw.section.link = reader.number<std::uint32_t>();
  raw.section.info = reader.number<std::uint32_t>();
  raw.section.align = reader.number<std::uint64_t>();
  if (raw.section.type != kNoBits && raw.section.type != 0)
    raw.section.data = part_of(file, offset, raw.section.bytes, "a section");
  return raw;
}

void read_sections(Bytes file, Elf& elf) {
  ByteReader header(file, "the ELF header");
  header.move_to(kSectionsAt);
  const auto table_at = header.number<std::uint64_t>();
  header.move_to(kEntryBytesAt);
  const auto entry_bytes = header.number<std::uint16_t>();
  const auto count = header.number<std::uint16_t>();
  const auto names_index = header.number<std::uint16_t>();
  if (entry_bytes != kSectionBytes) header.refuse("has section headers of another size");
  if (names_index >= count) header.refuse("names no section of names");
  ByteReader table(
      part_of(file, table_at, std::uint64_t{count} * kSectionBytes, "the table of sections"),
      "the table of sections");
  std::vector<std::uint32_t> names;
  for (int i = 0; i < count; ++i) {
    RawSection raw = read_section(file, table.take(kSectionBytes));
    names.push_back(raw.name);
    elf.sections.push_back(std::move(raw.section));
  }
  const Bytes strings = elf.sections[names_index].data;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (elf.sections[i].type != 0) elf.sections[i].name = text_at(strings, names[i], "a name");
  }
}

void read_symbols(Elf& elf) {
  for (const Section& section : elf.sections) {
    if (section.type != kSymbols) continue;
    ByteReader reader(section.data, "the table of symbols");
    if (section.link >= elf.sections.size()) reader.refuse("names no section of names");
    const Bytes strings = elf.sections[section.link].data;
    while (reader.rest() >= kSymbolBytes) {
      Symbol symbol;
      const auto name = reader.number<std::uint32_t>();
      symbol.type = reader.number<std::uint8_t>() & 15;
      symbol.other = reader.number<std::uint8_t>();
      symbol.section = reader.number<std::uint16_t>();
      symbol.value = reader.number<std::uint64_t>();
      symbol.bytes = reader.number<std::uint64_t>();
      if (name != 0) symbol.name = text_at(strings, name, "the name of a symbol");
      elf.symbols.push_back(std::move(symbol));
    }
    return;
  }
}

}  // namespace

const Section* Elf::section(std::string_view name) const {
  for (const Section& section : sections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

std::vector<Relocation> Elf::relocations_of(std::string_view name) const {
  std::vector<Relocation> relocations;
  for (const Section& section : sections) {
    if (section.type != kRel && section.type != kRela) continue;
    if (section.info >= sections.size() || sections[section.info].name != name) continue;
    ByteReader reader(section.data, section.name);
    while (reader.rest() >= (section.type == kRel ? kRelBytes : kRelaBytes)) {
      Relocation relocation;
      relocation.offset = reader.number<std::uint64_t>();
      relocation.type = reader.number<std::uint32_t>();
      relocation.symbol = reader.number<std::uint32_t>();
      if (section.type == kRela) relocation.addend = reader.number<std::int64_t>();
      if (relocation.symbol >= symbols.size()) reader.refuse("names no symbol");
      relocations.push_back(relocation);
    }
  }
  return relocations;
}

bool is_cubin(Bytes bytes) {
  if (bytes.size() < kHeaderBytes || bytes[0] != 0x7f || bytes[1] != 'E' || bytes[2] != 'L' ||
      bytes[3] != 'F' || bytes[4] != 2) {
    return false;
  }
  std::uint16_t machine = 0;
  std::memcpy(&machine, bytes.data() + kMachineAt, sizeof machine);
  return machine == kMachineCuda;
}

Elf read_elf(Bytes bytes) {
  if (!is_cubin(bytes)) throw UserError("no cubin: the bytes are no ELF file for an NVIDIA GPU");
  Elf elf;
  ByteReader header(bytes, "the ELF header");
  header.move_to(kFlagsAt);
  const auto flags = header.number<std::uint32_t>();
  elf.architecture =
      static_cast<int>(bytes[kAbiVersionAt] >= kAbiCuda13 ? flags >> 8 & 0xff : flags & 0xff);
  read_sections(bytes, elf);
  read_symbols(elf);
  return elf;
}

}  // namespace heddle::sass
