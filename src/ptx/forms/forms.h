// The instruction forms that Heddle accepts: opcode, modifiers and operand shapes. The table is
// forms_table.cc, written nearly as the PTX manual prints its syntax; everything not in it is
// refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/instruction.h"
#include "ptx/type_info.h"

namespace heddle::ptx {

// What stands at one operand position. `d` in a signature means a register destination, and so on;
// see forms_table.cc.
struct OperandShape {
  enum class Role : std::uint8_t {
    destination,
    destination_pair /* p or p|q */,
    destination_optional_pair /* d or d|p */,
    source,
    predicate,
    constant,
    address,
    texel /* [handle, {coordinates}] */,
    handle /* [handle] */,
    gradient,
    offsets /* in texels */,
    label,
    call,
    table,
    hint /* a cache policy: checked, and nothing depends on it */
  };
  Role role = Role::source;
  Type type = Type::none;
  bool optional = false;
  bool relaxed = false;  // the register may be wider than the type
  bool vector = false;   // {a, b, ...} with as many elements as the instruction's vector modifier
  bool pack = false;     // mov: may be a vector whose elements add up to the type
  bool sink = false;     // _ may stand here
  bool address_of = false;    // the name of a variable may stand here
  bool or_predicate = false;  // a predicate may stand here instead
  Space space = Space::none;  // of an address, when not the instruction's
  std::uint8_t elements = 0;  // a fragment: so many registers in braces
  std::uint8_t place = 0;  // of a source fragment: its first register in MatrixOperands::src; of a
                           // bulk copy's address: its source
};

// A decoded instruction name: what lowering starts from.
struct Form {
  Instruction prototype;
  std::vector<OperandShape> operands;
};

// Decodes "mad.lo.s32". Returns an empty string, or why the name is refused.
std::string decode_form(std::string_view name, Form& form);

// matrix_forms.cc: what the modifiers of a matrix instruction mean, and the registers of its
// fragments ('Fa', 'Fb', 'Fc', 'Fd', 'Fs').
void apply_matrix_words(Instruction& instruction, const std::vector<std::string_view>& words);
OperandShape fragment_shape(char letter, const Instruction& instruction);
// async_forms.cc: likewise; true when the word was one of them.
bool apply_mbarrier_word(Mbarrier& mbarrier, std::string_view word);

// One row of the table of forms.
struct FormRow {
  std::string_view mnemonic;
  Opcode opcode;
  // Slots separated by blanks: alternatives joined by '|', a set by its name in capitals; '?' at
  // the end: may be left out.
  std::string_view modifiers;
  std::string_view operands;  // signature: letters explained in forms_table.cc
};
struct FormSet {
  std::string_view name, members;
};
const std::vector<FormRow>& form_rows();
const std::vector<FormRow>& matrix_rows();  // those of them for matrices
const std::vector<FormRow>& async_rows();   // those for mbarriers, bulk copies and clusters
const std::vector<FormSet>& form_sets();
// Every accepted form that holds the pattern, one line each.
std::string forms_text(std::string_view pattern);

}  // namespace heddle::ptx
