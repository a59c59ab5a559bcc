#include "sass/cubin/line_table.h"

#include <algorithm>
#include <map>

namespace heddle::sass {
namespace {

// DWARF 2 to 4, section 6.2.
enum class Standard : std::uint8_t {
  copy = 1,
  advance_pc = 2,
  advance_line = 3,
  set_file = 4,
  const_add_pc = 8,
  fixed_advance_pc = 9
};
enum class Extended : std::uint8_t { end_sequence = 1, set_address = 2 };

struct Program {
  std::uint8_t minimum_bytes = 1;
  std::int8_t line_base = 0;
  std::uint8_t line_range = 1;
  std::vector<std::uint8_t> operands;  // of the standard opcodes, from 1
  std::vector<std::string> files;      // from 1
};

// Section of the symbol that an address in the table is relocated against, by offset.
using Sections = std::map<std::uint64_t, std::uint16_t>;

struct LineRow {
  std::uint16_t section = 0;
  std::uint64_t address = 0;
  std::uint64_t file = 1;
  std::uint64_t line = 1;
};

class LineProgram {
 public:
  LineProgram(const Program& program, const Sections& sections, std::uint64_t start)
      : program_(program), sections_(sections), start_(start) {}

  std::vector<LineRow> run(ByteReader& reader) {
    while (!reader.done()) step(reader);
    return std::move(rows_);
  }

 private:
  void step(ByteReader& reader) {
    const auto opcode = reader.number<std::uint8_t>();
    if (opcode > program_.operands.size()) {
      special(static_cast<std::uint8_t>(opcode - program_.operands.size() - 1));
      rows_.push_back(row_);
    } else if (opcode == 0) {
      extended(reader);
    } else {
      standard(static_cast<Standard>(opcode), reader);
    }
  }
  void special(std::uint8_t adjusted) {
    row_.address += std::uint64_t{adjusted} / program_.line_range * program_.minimum_bytes;
    row_.line += static_cast<std::uint64_t>(std::int64_t{program_.line_base} +
                                            adjusted % program_.line_range);
  }
  void standard(Standard opcode, ByteReader& reader) {
    switch (opcode) {
      case Standard::copy: rows_.push_back(row_); break;
      case Standard::advance_pc:
        row_.address += reader.unsigned_leb() * program_.minimum_bytes;
        break;
      case Standard::advance_line:
        row_.line += static_cast<std::uint64_t>(reader.signed_leb());
        break;
      case Standard::set_file: row_.file = reader.unsigned_leb(); break;
      case Standard::const_add_pc:
        row_.address +=
            (255 - program_.operands.size() - 1) / program_.line_range * program_.minimum_bytes;
        break;
      case Standard::fixed_advance_pc: row_.address += reader.number<std::uint16_t>(); break;
      default:
        for (int i = 0; i < program_.operands[static_cast<std::size_t>(opcode) - 1]; ++i)
          reader.unsigned_leb();
    }
  }
  void extended(ByteReader& reader) {
    const std::uint64_t bytes = reader.unsigned_leb();
    if (bytes == 0) return;
    const std::uint64_t place = start_ + reader.at();
    ByteReader body(reader.take(bytes), "an operation of .debug_line");
    const auto opcode = static_cast<Extended>(body.number<std::uint8_t>());
    if (opcode == Extended::end_sequence) {
      row_ = LineRow{};
    } else if (opcode == Extended::set_address) {
      row_.address = body.number<std::uint64_t>();
      const auto section = sections_.find(place + 1);
      row_.section = section == sections_.end() ? 0 : section->second;
    }
  }

  const Program& program_;
  const Sections& sections_;
  std::uint64_t start_;  // of the operations in the section
  LineRow row_;
  std::vector<LineRow> rows_;
};

Program read_header(ByteReader& reader) {
  Program program;
  program.minimum_bytes = reader.number<std::uint8_t>();
  reader.take(1);  // default of is_stmt
  program.line_base = reader.number<std::int8_t>();
  program.line_range = reader.number<std::uint8_t>();
  if (program.line_range == 0) reader.refuse("has a line range of 0");
  const auto opcodes = reader.number<std::uint8_t>();
  for (int i = 1; i < opcodes; ++i) program.operands.push_back(reader.number<std::uint8_t>());
  std::vector<std::string> folders{""};
  for (std::string name = reader.text(); !name.empty(); name = reader.text())
    folders.push_back(name);
  for (std::string name = reader.text(); !name.empty(); name = reader.text()) {
    const std::uint64_t folder = reader.unsigned_leb();
    reader.unsigned_leb();  // time
    reader.unsigned_leb();  // length
    const bool relative = !name.starts_with('/') && folder > 0 && folder < folders.size();
    program.files.push_back(relative ? folders[folder] + "/" + name : name);
  }
  return program;
}

constexpr std::uint16_t kNewestVersion = 4;

std::vector<ListedLine> lines_of_unit(Bytes unit, std::uint64_t unit_at, const Sections& sections,
                                      std::uint16_t code) {
  ByteReader reader(unit, ".debug_line");
  const auto version = reader.number<std::uint16_t>();
  if (version < 2 || version > kNewestVersion) return {};
  const auto header_bytes = reader.number<std::uint32_t>();
  const std::size_t header_at = reader.at();
  if (version == kNewestVersion) return {};  // one more field, which nvcc never writes
  const Program program = read_header(reader);
  reader.move_to(header_at + std::uint64_t{header_bytes});
  const std::size_t start = reader.at();
  ByteReader operations(reader.take(reader.rest()), ".debug_line");
  std::vector<ListedLine> lines;
  for (const LineRow& row : LineProgram(program, sections, unit_at + start).run(operations)) {
    if (row.section != code || row.file == 0 || row.file > program.files.size()) continue;
    lines.push_back({row.address, program.files[row.file - 1], row.line});
  }
  return lines;
}

}  // namespace

std::vector<ListedLine> source_lines(const Elf& elf, const std::string& code_section) {
  const Section* table = elf.section(".debug_line");
  const Section* code = elf.section(code_section);
  if (!table || !code) return {};
  Sections sections;
  for (const Relocation& relocation : elf.relocations_of(".debug_line"))
    sections[relocation.offset] = elf.symbols[relocation.symbol].section;
  std::vector<ListedLine> lines;
  ByteReader reader(table->data, ".debug_line");
  while (reader.rest() > 4) {
    const auto bytes = reader.number<std::uint32_t>();
    const std::size_t unit_at = reader.at();
    const auto found = lines_of_unit(reader.take(bytes), unit_at, sections,
                                     static_cast<std::uint16_t>(code - elf.sections.data()));
    lines.insert(lines.end(), found.begin(), found.end());
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.address < b.address; });
  return lines;
}

}  // namespace heddle::sass
