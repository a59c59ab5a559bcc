#include "config/address_bits.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

namespace heddle::config {
namespace {

constexpr std::string_view kLetters = "SCBR";
constexpr std::uint32_t kMaxBits = 48;

std::uint32_t bits_of(const std::vector<AddressField>& fields, AddressPart part) {
  std::uint32_t sum = 0;
  for (const AddressField& field : fields)
    if (field.part == part) sum += field.bits;
  return sum;
}

}  // namespace

std::vector<AddressField> parse_address_bits(std::string_view text, std::string* problem) {
  std::vector<AddressField> fields;
  std::uint32_t bit = 0;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) break;
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    const auto letter = kLetters.find(word[0]);
    std::uint32_t bits = 0;
    const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), bits);
    if (letter == std::string_view::npos || error != std::errc{} ||
        end != word.data() + word.size() || bits == 0 || bits > kMaxBits) {
      *problem =
          fmt::format("'{}' is not a letter S, C, B or R followed by a number of bits", word);
      return {};
    }
    fields.push_back({static_cast<AddressPart>(letter), bit, bits});
    bit += bits;
  }
  if (fields.empty()) *problem = "must list fields such as S6 C2 B1 C4 B3 R12, from bit 0 upwards";
  if (bit > kMaxBits) *problem = fmt::format("has {} bits, more than {}", bit, kMaxBits);
  return fields;
}

std::string address_bits_problem(const std::vector<AddressField>& fields,
                                 const MemorySpec& memory) {
  const auto count = [&](AddressPart part) { return bits_of(fields, part); };
  const auto atom_bits = static_cast<std::uint32_t>(std::countr_zero(memory.dram.atom_bytes()));
  const auto bank_bits = static_cast<std::uint32_t>(std::countr_zero(memory.dram.banks));
  if (fields.front().part != AddressPart::inside_atom || fields.front().bits != atom_bits ||
      count(AddressPart::inside_atom) != atom_bits)
    return fmt::format("must begin with S{}, the bytes inside an atom of {}", atom_bits,
                       memory.dram.atom_bytes());
  if (count(AddressPart::bank) != bank_bits)
    return fmt::format("has {} bank bits, but {} banks need {}", count(AddressPart::bank),
                       memory.dram.banks, bank_bits);
  if (count(AddressPart::column) == 0) return "has no column bits";
  if (fields.back().part != AddressPart::row) return "must end with the row bits R";
  if (memory.slices_per_channel > memory.dram.banks)
    return fmt::format("{} banks cannot select {} slices", memory.dram.banks,
                       memory.slices_per_channel);
  return {};
}

}  // namespace heddle::config
