#include "sass/listing.h"

#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isa/control_word.h"
#include "sass/encoding/form.h"
#include "sass/special_registers.h"

namespace heddle::sass {
namespace {

constexpr std::array<std::string_view, 8> kShapes{"1D",       "2D",       "3D", "CUBE",
                                                  "ARRAY_1D", "ARRAY_2D", "",   "ARRAY_CUBE"};

std::string hex_text(std::int64_t value) {
  return value < 0 ? fmt::format("-{:#x}", -static_cast<std::uint64_t>(value))
                   : fmt::format("{:#x}", value);
}

std::string float_text(double value, bool negative, bool quiet) {
  if (std::isnan(value)) return fmt::format("{}{}NAN", negative ? '-' : '+', quiet ? 'Q' : 'S');
  if (std::isinf(value)) return negative ? "-INF" : "+INF";
  if (value == 0 && negative) return "-0.0";
  return std::fabs(value) < 1e9 ? fmt::format("{:.20g}", value) : fmt::format("{:.20e}", value);
}

std::string float32_text(std::uint32_t bits) {
  return float_text(std::bit_cast<float>(bits), bits >> 31 != 0, true);
}

// The upper half of a double; the lower half is 0.
std::string float64_text(std::uint32_t bits) {
  return float_text(std::bit_cast<double>(std::uint64_t{bits} << 32), bits >> 31 != 0,
                    (bits >> 19 & 1) != 0);
}

std::string float16_text(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const int fraction = static_cast<int>(bits & 1023);
  const bool negative = (bits >> 15 & 1) != 0;
  double value = exponent == 0    ? std::ldexp(fraction, -24)
                 : exponent == 31 ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                                  : std::ldexp(1024 + fraction, exponent - 25);
  return float_text(negative ? -value : value, negative, true);
}

std::string immediate_text(const OperandForm& form, std::int64_t value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(value);
  switch (form.type) {
    case ImmediateType::f32: return float32_text(bits);
    case ImmediateType::f64: return float64_text(bits);
    case ImmediateType::f16: return float16_text(bits & 0xffff);
    case ImmediateType::b2:
      return float32_text(bits & 0xffff0000) + ", " + float32_text(bits << 16);
    case ImmediateType::h2: return float16_text(bits >> 16) + ", " + float16_text(bits & 0xffff);
    default: return hex_text(value);
  }
}

std::string register_text(OperandKind kind, std::uint8_t index) {
  const bool uniform = kind == OperandKind::uniform || kind == OperandKind::uniform_predicate;
  const bool predicate = kind == OperandKind::predicate || kind == OperandKind::uniform_predicate;
  std::string text = uniform ? "U" : "";
  text += predicate ? 'P' : 'R';
  if (predicate) return index == kTruePredicate ? text + 'T' : text + std::to_string(index);
  const bool zero = index == (uniform ? kZeroUniformRegister : kZeroRegister);
  return zero ? text + 'Z' : text + std::to_string(index);
}

// The modifiers of an operand, or of the mnemonic.
std::string modifiers_text(const Instruction& instruction, int operand) {
  std::string text;
  const EncodingForm& form = *instruction.form;
  for (std::size_t i = 0; i < form.modifiers.size(); ++i) {
    const ModifierForm& modifier = form.modifiers[i];
    if (modifier.operand != operand) continue;
    std::string_view name;
    if (modifier.kind == ModifierKind::flag)
      name = instruction.modifiers[i] != 0 ? std::string_view(modifier.name) : std::string_view{};
    else
      name = modifier_name(modifier.kind, instruction.modifiers[i]).text;
    if (!name.empty()) text.append(".").append(name);
  }
  return text;
}

// shows_zero: RZ as a base is written. Otherwise only its multiple is, and only before a uniform
// register.
std::string address_text(const OperandForm& form, const Operand& operand,
                         const std::string& modifiers, bool shows_zero) {
  std::string text;
  const bool shows_multiple = !modifiers.empty() && form.uniform.count > 0;
  if (form.field.count > 0 && (operand.index != kZeroRegister || shows_multiple || shows_zero))
    text = register_text(OperandKind::reg, operand.index) + modifiers + form.text;
  if (form.uniform.count > 0)
    text += (text.empty() ? "" : "+") + register_text(OperandKind::uniform, operand.uniform);
  if (operand.value != 0 || text.empty()) {
    if (text.empty() && operand.value == 0 && form.field.count > 0) return "RZ" + form.text;
    text += (text.empty() ? "" : "+") + hex_text(operand.value);
  }
  return text;
}

std::string scoreboards_text(unsigned set) {
  std::vector<int> members;
  for (int i = isa::kDependenceCounters; i-- > 0;)
    if ((set >> i & 1) != 0) members.push_back(i);
  return fmt::format("{{{}}}", fmt::join(members, ","));
}

std::string place_text(const OperandForm& form, const Operand& operand,
                       const std::string& modifiers, bool shows_zero) {
  switch (form.kind) {
    case OperandKind::uniform:
      if (!form.text.empty()) return form.text + register_text(form.kind, operand.index) + "]";
      [[fallthrough]];
    case OperandKind::reg:
    case OperandKind::predicate:
    case OperandKind::uniform_predicate: return register_text(form.kind, operand.index);
    case OperandKind::barrier: return fmt::format("B{}", operand.index);
    case OperandKind::scoreboard: return fmt::format("SB{}", operand.index);
    case OperandKind::scoreboards: return scoreboards_text(operand.index);
    case OperandKind::special: return std::string(special_register_name(operand.index));
    case OperandKind::shape: return std::string(kShapes[operand.index]);
    case OperandKind::immediate: return immediate_text(form, operand.value);
    case OperandKind::label: return hex_text(operand.value);
    case OperandKind::constant:
      return fmt::format("c[{:#x}][{}]", operand.bank,
                         address_text(form, operand, modifiers, shows_zero));
    case OperandKind::memory: {
      std::string text;
      if (form.descriptor.count > 0)
        text = "desc[" + register_text(OperandKind::uniform, operand.descriptor) + "]";
      if (form.field.count == 0 && form.uniform.count == 0) return text;
      return text + "[" + address_text(form, operand, modifiers, shows_zero) + "]";
    }
    default: return form.text;
  }
}

bool has_modifier_of(const Instruction& instruction, std::size_t operand, ModifierKind kind) {
  for (const ModifierForm& modifier : instruction.form->modifiers) {
    if (modifier.operand == static_cast<int>(operand) && modifier.kind == kind) return true;
  }
  return false;
}
// |R2.H1|, |UR2.H1_H1| and |c[0x0] [0x10].F32|, but |R2|.H1_H1.
bool has_half_inside(const Instruction& instruction, std::size_t operand) {
  return has_modifier_of(instruction, operand, ModifierKind::Half) ||
         (instruction.form->operands[operand].kind != OperandKind::reg &&
          (has_modifier_of(instruction, operand, ModifierKind::HalfPair) ||
           has_modifier_of(instruction, operand, ModifierKind::HalfOrSingle)));
}

std::string operand_text(const Instruction& instruction, std::size_t index) {
  const OperandForm& form = instruction.form->operands[index];
  const Operand& operand = instruction.operands[index];
  const std::string modifiers = modifiers_text(instruction, static_cast<int>(index));
  std::string text = place_text(form, operand, modifiers, keeps_zero(*instruction.form, form));
  const bool half_inside = has_half_inside(instruction, index);
  if (form.kind == OperandKind::constant &&
      (has_modifier_of(instruction, index, ModifierKind::HalfPair) ||
       has_modifier_of(instruction, index, ModifierKind::HalfOrSingle)))
    text.insert(text.find("][") + 1, " ");
  if (operand.absolute) text = "|" + text + (half_inside ? modifiers : "") + "|";
  const bool predicate =
      form.kind == OperandKind::predicate || form.kind == OperandKind::uniform_predicate;
  if (operand.negated) text.insert(0, predicate ? "!" : "-");
  if (operand.inverted) text.insert(0, "~");
  if (operand.reuse) text += ".reuse";
  const bool inside = form.kind == OperandKind::memory || form.kind == OperandKind::constant;
  return (operand.absolute && half_inside) || (inside && form.field.count > 0) ? text
                                                                               : text + modifiers;
}

bool is_left_out(const OperandForm& form, const Operand& operand) {
  if (form.hidden) return true;
  if (!form.optional) return false;
  switch (form.kind) {
    case OperandKind::predicate:
    case OperandKind::uniform_predicate: return operand.index == kTruePredicate && !operand.negated;
    case OperandKind::reg: return operand.index == kZeroRegister;
    case OperandKind::uniform: return operand.index == kZeroUniformRegister;
    case OperandKind::scoreboards: return operand.index == 0;
    default: return operand.value == 0;
  }
}

std::string guard_text(const Guard& guard) {
  if (guard.predicate == kTruePredicate && !guard.negated) return {};
  return fmt::format(
      "@{}{} ", guard.negated ? "!" : "",
      register_text(guard.uniform ? OperandKind::uniform_predicate : OperandKind::predicate,
                    guard.predicate));
}

}  // namespace

std::string instruction_text(const Instruction& instruction) {
  const EncodingForm& form = *instruction.form;
  std::string text =
      guard_text(instruction.guard) + form.name + modifiers_text(instruction, kMnemonic);
  bool first = true;
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    if (is_left_out(form.operands[i], instruction.operands[i])) continue;
    text += first || form.operands[i].after_blank ? " " : ", ";
    text += operand_text(instruction, i);
    first = false;
  }
  return text;
}

std::string control_text(const Control& control) {
  std::string waits = "------";
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (control.wait_mask >> i & 1) waits[i] = static_cast<char>('0' + i);
  }
  const auto counter = [](std::uint8_t number) {
    return number == 7 ? std::string("-") : std::to_string(number);
  };
  return fmt::format("B{}:R{}:W{}:{}:S{:02}", waits, counter(control.read_barrier),
                     counter(control.write_barrier), control.yield ? 'Y' : '-',
                     control.stall_cycles);
}

}  // namespace heddle::sass
