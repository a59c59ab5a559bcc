// What a register of one thread holds, as far as it is known.
#pragma once

#include <string>
#include <vector>

#include "analysis/affine_form.h"
#include "analysis/launch_analysis.h"
#include "ptx/kernel.h"

namespace heddle::analysis {

// Forms stand for values modulo 2^32 in 32-bit registers, and for exact values in 64-bit ones.
struct Value {
  enum class Kind : std::uint8_t { form, condition, opaque };
  Kind kind = Kind::opaque;
  Form form;
  ConditionId condition = Forms::kAlways;
  std::uint32_t reason = 0;  // opaque: index into Reasons
};

// Why values are not known. Reason 0: a register that is not set.
struct Reason {
  std::string text;
  bool shared_address = false;  // the generic address of shared memory
};

// The name of a variable that stands for a register which a loop carries.
inline constexpr const char* kCarriedName = "carried";

using ValueId = std::uint32_t;
using RegisterState = std::vector<ValueId>;  // by architectural register

// Evaluates instructions of straight-line code.
class SymbolicValues {
 public:
  SymbolicValues(const ptx::Kernel& kernel, const LaunchShape& launch, Forms& forms);

  ValueId add(Value value);
  ValueId add(Form form);
  ValueId add_opaque(std::string text);
  const Value& value(ValueId id) const { return values_[id]; }
  const Reason& reason(std::uint32_t id) const { return reasons_[id]; }
  ConditionId add_unknown(std::uint32_t reason);
  std::string place(Pc pc) const;  // "FILE:LINE", or the PTX line

  // The value of the operand before the instruction.
  const Value& read(const ptx::Operand& operand, const RegisterState& state);
  // The condition that a predicate operand states.
  ConditionId predicate(const ptx::Operand& operand, const RegisterState& state);
  // Changes the registers that the instruction writes. `path` holds where it executes.
  void execute(Pc pc, RegisterState& state, ConditionId path);
  // One value where several paths meet, each with the condition under which it is taken.
  ValueId merge(const std::vector<std::pair<ConditionId, ValueId>>& paths);
  // The value of a base register plus an offset.
  Value address(const ptx::Instruction& instruction, const ptx::Operand& base,
                const RegisterState& state, ConditionId path);
  Form canonical(const Form& form, std::uint32_t bits, bool is_signed, ConditionId path);

 private:
  Value compute(Pc pc, const RegisterState& state, ConditionId path);
  Value compute_integer(Pc pc, const RegisterState& state, ConditionId path);
  Value compute_bits(Pc pc, const RegisterState& state, ConditionId path);
  Value compute_comparison(Pc pc, const RegisterState& state, ConditionId path);
  Value compute_conversion(Pc pc, const RegisterState& state, ConditionId path);
  Value multiply(Pc pc, const Form& a, const Form& b, std::uint32_t shift);
  bool may_be_negative(const Form& form, ConditionId path) const;
  Form divide(const Form& a, std::int64_t divisor);
  Form mask(const Form& form, std::uint64_t bits);
  Form exclusive_or(const Form& form, std::uint64_t bits);
  void execute_load_of_parameter(Pc pc, RegisterState& state);
  Value special(const ptx::PresetRegister& preset);
  Value opaque(std::string text);
  std::string described(Pc pc) const;
  static Value of(Form form);
  static Value of(ConditionId condition);

  const ptx::Kernel& kernel_;
  const LaunchShape& launch_;
  Forms& forms_;
  std::vector<Value> values_;
  std::vector<Reason> reasons_;
  std::map<std::uint16_t, ValueId> presets_;                    // by row
  std::map<std::pair<std::uint16_t, int>, ValueId> constants_;  // by row and bytes
};

std::uint32_t bits_of(ptx::Type type);
bool is_signed(ptx::Type type);
bool is_integer(ptx::Type type);

}  // namespace heddle::analysis
