// The address map of a memory channel. "S6 C2 B1 C4 B3 R12" lists fields with their numbers of
// bits, from bit 0 upwards.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/gpu_spec.h"

namespace heddle::config {

enum class AddressPart : std::uint8_t { inside_atom, column, bank, row };  // S C B R
struct AddressField {
  AddressPart part;
  std::uint32_t first_bit, bits;
};

// The fields in the order of the text. Empty, with *problem set, when the text is malformed.
std::vector<AddressField> parse_address_bits(std::string_view text, std::string* problem);
// How the map contradicts the atom, the banks or the slices of this memory; empty: it does not.
std::string address_bits_problem(const std::vector<AddressField>& fields, const MemorySpec& memory);

}  // namespace heddle::config
