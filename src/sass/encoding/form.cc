#include "sass/encoding/form.h"

#include <array>
#include <charconv>

#include "base/diagnostics.h"
#include "sass/architecture.h"
#include "sass/encoding/row_text.h"

namespace heddle::sass {
namespace {

struct Place {
  std::string_view name;
  OperandKind kind;
  BitField::Range range;
  int negate_bit = kNoBit, absolute_bit = kNoBit, reuse_bit = kNoBit;
  bool written = false;
};

using K = OperandKind;
constexpr int kReuseA = 122, kReuseB = 123, kReuseC = 124;
constexpr BitField::Range kWideRegister{39, 32}, kThirdRegister{71, 64}, kWideUniform{37, 32},
    kThirdUniform{69, 64}, kWideImmediate{63, 32}, kBank{58, 54}, kWordOffset{53, 40};

constexpr std::array kPlaces{
    Place{"Rd", K::reg, {23, 16}, kNoBit, kNoBit, kNoBit, true},
    Place{"Ra", K::reg, {31, 24}, 72, 73, kReuseA},
    Place{"Rb", K::reg, kWideRegister, 63, 62, kReuseB},
    Place{"Rc", K::reg, kThirdRegister, 75, 74, kReuseC},
    Place{"URd", K::uniform, {21, 16}, kNoBit, kNoBit, kNoBit, true},
    Place{"URa", K::uniform, {29, 24}, 72, 73},
    Place{"URb", K::uniform, kWideUniform, 63, 62},
    Place{"URc", K::uniform, kThirdUniform, 75, 74},
    Place{"Pu", K::predicate, {83, 81}, kNoBit, kNoBit, kNoBit, true},
    Place{"Pv", K::predicate, {86, 84}, kNoBit, kNoBit, kNoBit, true},
    Place{"Pp", K::predicate, {89, 87}, 90},
    Place{"Pq", K::predicate, {79, 77}, 80},
    Place{"Pr", K::predicate, {70, 68}, 71},
    Place{"UPu", K::uniform_predicate, {83, 81}, kNoBit, kNoBit, kNoBit, true},
    Place{"UPv", K::uniform_predicate, {86, 84}, kNoBit, kNoBit, kNoBit, true},
    Place{"UPp", K::uniform_predicate, {89, 87}, 90},
    Place{"UPq", K::uniform_predicate, {79, 77}, 80},
    Place{"UPr", K::uniform_predicate, {70, 68}, 71},
    Place{"Bd", K::barrier, {19, 16}},
};

struct Elsewhere {
  std::string_view name;
  OperandKind kind;
  bool is_signed = false;
};
constexpr std::array kElsewhere{
    Elsewhere{"R", K::reg},           Elsewhere{"UR", K::uniform},
    Elsewhere{"P", K::predicate},     Elsewhere{"UP", K::uniform_predicate},
    Elsewhere{"SB", K::scoreboard},   Elsewhere{"SR", K::special},
    Elsewhere{"u", K::immediate},     Elsewhere{"s", K::immediate, true},
    Elsewhere{"u4", K::immediate},    Elsewhere{"s4", K::immediate, true},
    Elsewhere{"shape", K::shape},     Elsewhere{"flat", K::shape, true},
    Elsewhere{"rel", K::label, true}, Elsewhere{"B", K::barrier},
    Elsewhere{"SBs", K::scoreboards}, Elsewhere{"next", K::label, true},
};

BitField field_of(BitField::Range range) {
  BitField field;
  field.ranges[0] = range;
  field.count = 1;
  return field;
}

// The wide slot of a form: bits 63:32.
void place_wide(OperandForm& operand, int form, bool uniform_datapath) {
  operand.negate_bit = 63;
  operand.absolute_bit = 62;
  if (form == 1) {
    operand.kind = uniform_datapath ? K::uniform : K::reg;
    operand.field = field_of(uniform_datapath ? kWideUniform : kWideRegister);
  } else if (form == 2 || form == 4) {
    operand.kind = K::immediate;
    operand.field = field_of(kWideImmediate);
    operand.signed_value = true;
    operand.negate_bit = operand.absolute_bit = kNoBit;
  } else if (form == 3 || form == 5) {
    operand.kind = K::constant;
    operand.bank = field_of(kBank);
    operand.offset = field_of(kWordOffset);
    operand.offset_scale = 4;
    operand.signed_value = true;
  } else {
    operand.kind = K::uniform;
    operand.field = field_of(kWideUniform);
  }
}

void place_third(OperandForm& operand, bool uniform_datapath) {
  operand.kind = uniform_datapath ? K::uniform : K::reg;
  operand.field = field_of(uniform_datapath ? kThirdUniform : kThirdRegister);
  operand.negate_bit = 75;
  operand.absolute_bit = 74;
}

bool place_slot(OperandForm& operand, std::string_view name, int form) {
  const bool uniform_datapath = name.starts_with('U');
  if (uniform_datapath) name.remove_prefix(1);
  const bool wide_is_b = form == 1 || (form >= 4 && form <= 6);
  if (name == "Sb" || name == "Sc") {
    place_wide(operand, form, uniform_datapath);
  } else if (name == "B" || name == "C") {
    if (wide_is_b == (name == "B"))
      place_wide(operand, form, uniform_datapath);
    else
      place_third(operand, uniform_datapath);
  } else {
    return false;
  }
  const bool is_b = name == "B" || name == "Sb";
  if (operand.kind == K::reg) operand.reuse_bit = is_b ? kReuseB : kReuseC;
  return true;
}

void place_named(OperandForm& operand, std::string_view name) {
  for (const Place& place : kPlaces) {
    if (place.name != name) continue;
    operand.kind = place.kind;
    operand.field = field_of(place.range);
    operand.negate_bit = place.negate_bit;
    operand.absolute_bit = place.absolute_bit;
    operand.reuse_bit = place.reuse_bit;
    operand.written = place.written;
    return;
  }
  report_violation("an encoding row has an unknown operand");
}

void place_elsewhere(OperandForm& operand, const OperandText& text) {
  for (const Elsewhere& kind : kElsewhere) {
    if (kind.name != text.name) continue;
    operand.kind = kind.kind;
    operand.signed_value = kind.is_signed;
    if (text.name.ends_with('4') || text.name == "rel") operand.offset_scale = 4;
    operand.field = text.field;
    operand.negate_bit = text.not_bit;
    operand.absolute_bit = text.absolute_bit;
    operand.reuse_bit = text.reuse_bit;
    operand.written = text.written;
    operand.text = text.literal;
    return;
  }
  report_violation("an encoding row has an unknown kind of operand");
}

ImmediateType type_of(std::string_view name) {
  constexpr std::array<std::string_view, 7> kNames{"i32", "u32", "f32", "f64", "f16", "h2", "b2"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<ImmediateType>(i);
  }
  report_violation("an encoding row has an unknown type of immediate");
}

ModifierForm modifier_form(const ModifierText& text, int operand) {
  ModifierForm form;
  form.kind = modifier_kind(text.name);
  form.name = text.name;
  form.field = text.field;
  form.inverted = text.inverted;
  form.operand = operand;
  check_invariant(form.kind != ModifierKind::flag || form.field.width() == 1,
                  "a flag of an encoding row has several bits");
  return form;
}

void add_memory(OperandForm& operand, const OperandText& text) {
  operand.kind = text.constant ? K::constant : K::memory;
  for (const OperandText& part : text.parts) {
    OperandForm place;
    if (part.field.count == 0)
      place_named(place, part.name);
    else
      place_elsewhere(place, part);
    if (place.kind == K::reg) {
      operand.field = place.field;
      operand.text = part.literal;
    } else if (place.kind == K::uniform) {
      (part.in_descriptor ? operand.descriptor : operand.uniform) = place.field;
      if (part.in_descriptor) operand.descriptor_ahead = part.registers_ahead;
    } else {
      operand.offset = place.field;
      operand.signed_value = place.signed_value;
    }
  }
  if (text.constant) operand.bank = field_of(kBank);
}

OperandForm operand_form(const OperandText& text, int form) {
  OperandForm operand;
  if (text.quoted) {
    operand.text = text.name;
  } else if (text.memory) {
    add_memory(operand, text);
  } else if (text.field.count > 0) {
    place_elsewhere(operand, text);
  } else if (!place_slot(operand, text.name, form)) {
    place_named(operand, text.name);
  }
  const bool predicate = operand.kind == K::predicate || operand.kind == K::uniform_predicate;
  if (!text.negatable && !(predicate && text.logical_not) && !text.complement)
    operand.negate_bit = kNoBit;
  if (text.complement) {
    operand.invert_bit = operand.negate_bit;
    if (!text.negatable) operand.negate_bit = kNoBit;
  }
  if (!text.absolute) operand.absolute_bit = kNoBit;
  operand.optional = text.optional;
  operand.hidden = text.hidden;
  operand.after_blank = text.after_blank;
  if (text.registers > 0) operand.registers = text.registers;
  if (!text.type.empty()) operand.type = type_of(text.type);
  if (operand.kind == K::immediate && operand.type == ImmediateType::u32)
    operand.signed_value = false;
  return operand;
}

void cover_operand(InstructionWord& covered, const OperandForm& operand) {
  for (const BitField* field :
       {&operand.field, &operand.bank, &operand.offset, &operand.uniform, &operand.descriptor})
    field->cover(covered);
  for (int bit :
       {operand.negate_bit, operand.absolute_bit, operand.invert_bit, operand.reuse_bit}) {
    if (bit != kNoBit) covered.set(bit, bit);
  }
}

constexpr BitField::Range kOpcodeBits{11, 0}, kGuardBits{15, 12}, kControlBits{121, 105};
constexpr int kHighOpcodeBit = 91;

EncodingForm form_of(const Row& row, std::uint16_t code) {
  EncodingForm form;
  form.name = row.name;
  const std::string_view mnemonic = std::string_view(row.name).substr(0, form.name.find('.'));
  const auto opcode = opcode_of(mnemonic);
  check_invariant(opcode.has_value(), "an encoding row has an opcode that opcodes.inc lacks");
  form.opcode = *opcode;
  form.code = code;
  form.first_architecture = kArchitectures.front();
  form.last_architecture = kArchitectures.back();
  for (const ModifierText& text : modifier_texts(row.modifiers))
    form.modifiers.push_back(modifier_form(text, kMnemonic));
  for (const OperandText& text : operand_texts(row.operands)) {
    const int index = static_cast<int>(form.operands.size());
    form.operands.push_back(operand_form(text, code >> 9 & 7));
    for (const ModifierText& modifier : text.modifiers)
      form.modifiers.push_back(modifier_form(modifier, index));
  }
  for (const ConditionText& text : condition_texts(row.when)) {
    if (text.kind == ConditionText::Kind::from_architecture)
      form.first_architecture = static_cast<int>(text.value);
    else if (text.kind == ConditionText::Kind::below_architecture)
      form.last_architecture = static_cast<int>(text.value) - 1;
    else if (text.kind == ConditionText::Kind::uniform_guard)
      form.uniform_guard = true;
    else if (text.kind == ConditionText::Kind::no_reuse)
      for (OperandForm& operand : form.operands) operand.reuse_bit = kNoBit;
    else
      form.conditions.push_back(
          {text.field, text.value, text.kind == ConditionText::Kind::power_of_two});
  }
  for (const auto& range : {kOpcodeBits, kGuardBits, kControlBits})
    form.covered.set(range.last, range.first);
  form.covered.set(kHighOpcodeBit, kHighOpcodeBit);
  for (const ModifierForm& modifier : form.modifiers) modifier.field.cover(form.covered);
  for (const OperandForm& operand : form.operands) cover_operand(form.covered, operand);
  for (const EncodingForm::Condition& condition : form.conditions)
    condition.field.cover(form.covered);
  check_invariant(form.modifiers.size() <= Instruction::kMostModifiers &&
                      form.operands.size() <= Instruction::kMostOperands,
                  "an encoding row has too many operands or modifiers");
  return form;
}

}  // namespace

// Before sm_80, and with a uniform register, an address without a base has a form of its own.
bool keeps_zero(const EncodingForm& form, const OperandForm& operand) {
  if (operand.kind != OperandKind::memory || operand.field.count == 0) return false;
  if (operand.text == ".U32") return form.first_architecture >= 90;
  return operand.text == ".64" && form.first_architecture >= 80 &&
         (operand.uniform.count == 0 || form.opcode == Opcode::LDGSTS);
}

std::vector<EncodingForm> forms_of(const Row& row) {
  std::vector<EncodingForm> forms;
  std::string_view rest = row.opcodes;
  while (!rest.empty()) {
    std::uint16_t code = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), code, 16);
    check_invariant(error == std::errc{}, "an encoding row has an opcode that is not a number");
    forms.push_back(form_of(row, code));
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.empty()) rest.remove_prefix(1);
  }
  return forms;
}

}  // namespace heddle::sass
