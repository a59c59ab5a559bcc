#include "sass/cubin/cubin.h"

#include <algorithm>
#include <charconv>

namespace heddle::sass {
namespace {

constexpr std::string_view kText = ".text.", kConstant = ".nv.constant";
constexpr std::uint8_t kEntry = 0x10;            // of st_other: a kernel
constexpr std::uint32_t kSymbolMask = 0xffffff;  // of sh_info; the rest is the register count

std::vector<InstructionWord> words_of(const Section& section) {
  if (section.data.size() % kInstructionBytes != 0)
    throw UserError("the cubin is corrupt: " + section.name +
                    " has a size that is no multiple of 16 bytes");
  std::vector<InstructionWord> words(section.data.size() / kInstructionBytes);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::memcpy(&words[i].low, section.data.data() + i * kInstructionBytes, 8);
    std::memcpy(&words[i].high, section.data.data() + i * kInstructionBytes + 8, 8);
  }
  return words;
}

Code read_code(const Elf& elf, const Section& section) {
  Code code;
  code.name = section.name.substr(kText.size());
  code.words = words_of(section);
  const Section* info = elf.section(".nv.info." + code.name);
  const auto at = static_cast<std::uint16_t>(&section - elf.sections.data());
  code.kernel = std::any_of(elf.symbols.begin(), elf.symbols.end(), [&](const Symbol& symbol) {
    return symbol.section == at && (symbol.other & kEntry) != 0;
  });
  code.info = read_kernel_info(elf, info, section.info & kSymbolMask);
  if (code.info.registers == 0) code.info.registers = section.info >> 24;
  if (const Section* shared = elf.section(".nv.shared." + code.name))
    code.shared_bytes = shared->bytes;
  code.relocations = elf.relocations_of(section.name);
  code.lines = source_lines(elf, section.name);
  return code;
}

// ".nv.constant0.kernel", ".nv.constant3"
std::optional<ConstantBank> read_bank(const Elf& elf, const Section& section) {
  const std::string_view rest = std::string_view(section.name).substr(kConstant.size());
  ConstantBank bank;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), bank.bank);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view owner = rest.substr(static_cast<std::size_t>(end - rest.data()));
  if (!owner.empty()) bank.code = owner.substr(1);
  bank.data.assign(section.data.begin(), section.data.end());
  bank.relocations = elf.relocations_of(section.name);
  return bank;
}

}  // namespace

Cubin read_cubin(Bytes bytes) {
  Elf elf = read_elf(bytes);
  Cubin cubin;
  cubin.architecture = elf.architecture;
  for (std::size_t n = 0; n < elf.sections.size(); ++n) {
    const Section& section = elf.sections[n];
    const auto index = static_cast<std::uint16_t>(n);
    if (section.name.starts_with(kText)) {
      cubin.code.push_back(read_code(elf, section));
      cubin.code.back().section = index;
    }
    if (section.name == ".nv.global" || section.name == ".nv.global.init")
      cubin.data.push_back({section.name,
                            index,
                            section.bytes,
                            section.align,
                            {section.data.begin(), section.data.end()},
                            elf.relocations_of(section.name)});
    if (!section.name.starts_with(kConstant)) continue;
    if (auto bank = read_bank(elf, section)) {
      bank->section = index;
      cubin.constants.push_back(std::move(*bank));
    }
  }
  cubin.symbols = std::move(elf.symbols);
  return cubin;
}

}  // namespace heddle::sass
