#include "analysis/symbolic_values.h"

#include <algorithm>
#include <cstring>

namespace heddle::analysis {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::SpecialRegister;
using ptx::Type;

std::uint32_t bits_of(Type type) {
  switch (type) {
    case Type::b8:
    case Type::u8:
    case Type::s8: return 8;
    case Type::b16:
    case Type::u16:
    case Type::s16: return 16;
    case Type::b64:
    case Type::u64:
    case Type::s64: return 64;
    default: return 32;
  }
}
bool is_signed(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}
bool is_integer(Type type) {
  switch (type) {
    case Type::b8:
    case Type::u8:
    case Type::s8:
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::b32:
    case Type::u32:
    case Type::s32:
    case Type::b64:
    case Type::u64:
    case Type::s64: return true;
    default: return false;
  }
}

SymbolicValues::SymbolicValues(const ptx::Kernel& kernel, const LaunchShape& launch, Forms& forms)
    : kernel_(kernel), launch_(launch), forms_(forms) {
  reasons_.push_back({"the register is not set on every path", false});
  values_.push_back(Value{});
  for (const ptx::PresetRegister& p : kernel.preset_registers) presets_[p.row] = add(special(p));
}

ValueId SymbolicValues::add(Value value) {
  values_.push_back(std::move(value));
  return static_cast<ValueId>(values_.size() - 1);
}
ValueId SymbolicValues::add(Form form) { return add(of(std::move(form))); }
ValueId SymbolicValues::add_opaque(std::string text) { return add(opaque(std::move(text))); }
ConditionId SymbolicValues::add_unknown(std::uint32_t reason) {
  // Each unknown condition has an origin of its own.
  reasons_.push_back(reasons_[reason]);
  return forms_.unknown(static_cast<std::uint32_t>(reasons_.size() - 1));
}

Value SymbolicValues::of(Form form) {
  Value value;
  value.kind = Value::Kind::form;
  value.form = std::move(form);
  return value;
}
Value SymbolicValues::of(ConditionId condition) {
  Value value;
  value.kind = Value::Kind::condition;
  value.condition = condition;
  return value;
}
Value SymbolicValues::opaque(std::string text) {
  reasons_.push_back({std::move(text), false});
  Value value;
  value.reason = static_cast<std::uint32_t>(reasons_.size() - 1);
  return value;
}

std::string SymbolicValues::place(Pc pc) const {
  const ptx::SourceLine& line = kernel_.source_lines[kernel_.code[pc].source];
  if (line.line == 0) return "PTX line " + std::to_string(kernel_.code[pc].ptx_line);
  return line.file.substr(line.file.rfind('/') + 1) + ":" + std::to_string(line.line);
}

Value SymbolicValues::special(const ptx::PresetRegister& preset) {
  const Dim3 &grid = launch_.grid, &block = launch_.block;
  const auto axis = [&](AtomId id) {
    return forms_.atom(id).interval.is_point() ? of(Form{0}) : of(Forms::of(id));
  };
  switch (preset.special) {
    case SpecialRegister::tid_x: return axis(tid_x);
    case SpecialRegister::tid_y: return axis(tid_y);
    case SpecialRegister::tid_z: return axis(tid_z);
    case SpecialRegister::ctaid_x: return axis(ctaid_x);
    case SpecialRegister::ctaid_y: return axis(ctaid_y);
    case SpecialRegister::ctaid_z: return axis(ctaid_z);
    case SpecialRegister::ntid_x: return of(Form{block.x});
    case SpecialRegister::ntid_y: return of(Form{block.y});
    case SpecialRegister::ntid_z: return of(Form{block.z});
    case SpecialRegister::nctaid_x: return of(Form{grid.x});
    case SpecialRegister::nctaid_y: return of(Form{grid.y});
    case SpecialRegister::nctaid_z: return of(Form{grid.z});
    case SpecialRegister::laneid: {
      const Form thread = axis(tid_x).form + axis(tid_y).form * Number{block.x} +
                          axis(tid_z).form * Number{std::int64_t{block.x} * block.y};
      return of(forms_.remainder(thread, kWarpSize));
    }
    default: return opaque("a special register that the launch does not decide");
  }
}

const Value& SymbolicValues::read(const Operand& operand, const RegisterState& state) {
  if (operand.kind == Operand::Kind::constant) {
    const auto [place, added] = constants_.try_emplace({operand.row, operand.bytes}, 0);
    if (added) {
      const std::uint32_t* words = &kernel_.constants[std::size_t{operand.row} * kWarpSize];
      std::int64_t number = static_cast<std::int32_t>(words[0]);
      if (operand.bytes == 8) std::memcpy(&number, words, sizeof number);
      place->second = number > Interval::kMax || number < Interval::kMin
                          ? add_opaque("a constant of 64 bits")
                          : add(Form{number});
    }
    return values_[place->second];
  }
  if (operand.reg == Operand::kNoReg) {
    const auto preset = presets_.find(operand.row);
    return values_[preset == presets_.end() ? 0 : preset->second];
  }
  return values_[state[operand.reg]];
}

ConditionId SymbolicValues::predicate(const Operand& operand, const RegisterState& state) {
  if (operand.kind == Operand::Kind::constant) {
    const bool holds = kernel_.constants[std::size_t{operand.row} * kWarpSize] != 0;
    return holds != operand.negated ? Forms::kAlways : Forms::kNever;
  }
  const ValueId id = operand.reg == Operand::kNoReg ? 0 : state[operand.reg];
  ConditionId condition;
  if (values_[id].kind == Value::Kind::condition) {
    condition = values_[id].condition;
  } else {
    // The register's unknown value decides; every use of it means the same.
    condition = forms_.unknown(values_[id].reason);
  }
  return operand.negated ? forms_.negate(condition) : condition;
}

void SymbolicValues::execute_load_of_parameter(Pc pc, RegisterState& state) {
  const Instruction& i = kernel_.code[pc];
  for (std::uint32_t e = 0; e < i.vector && e < i.dst.size(); ++e) {
    const Operand& to = i.dst[e];
    if (!to || to.reg == Operand::kNoReg) continue;
    const std::uint64_t at = static_cast<std::uint64_t>(i.address_offset) + e * i.access_bytes;
    if (i.src[0] || at + i.access_bytes > launch_.parameters.size() || i.access_bytes > 8) {
      state[to.reg] = add_opaque("a parameter at an index that depends on data");
      continue;
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, launch_.parameters.data() + at, i.access_bytes);
    if (!is_integer(i.type)) {
      state[to.reg] = add_opaque("a parameter of floating-point type");
      continue;
    }
    std::int64_t number = static_cast<std::int64_t>(bits);
    const bool extends = is_signed(i.type) || i.access_bytes >= 4;
    if (i.access_bytes < 8 && extends) {
      const int shift = 64 - 8 * i.access_bytes;
      number = static_cast<std::int64_t>(bits << shift) >> shift;
    }
    std::string name = "param";
    for (const ptx::Parameter& p : kernel_.parameters)
      if (at >= p.offset && at < p.offset + p.bytes) {
        // clang names parameters KERNEL_param_N.
        name = p.name.starts_with(kernel_.name) ? p.name.substr(kernel_.name.size() + 1) : p.name;
        if (at > p.offset) name += "+" + std::to_string(at - p.offset);
      }
    if (number > Interval::kMax || number < Interval::kMin)
      state[to.reg] = add_opaque("a parameter of 64 bits that is not an address");
    else
      state[to.reg] = add(Form{forms_.named(name, number)});
  }
}

void SymbolicValues::execute(Pc pc, RegisterState& state, ConditionId path) {
  const Instruction& i = kernel_.code[pc];
  if (i.opcode == Opcode::wgmma)
    for (const ptx::Operand& d : kernel_.accumulators[i.as<ptx::Wgmma>().accumulators])
      state[d.reg] = add_opaque("a product of matrices, at " + place(pc));
  if (i.write_count == 0) return;
  const RegisterState before = i.guard ? state : RegisterState{};
  const ConditionId guard = i.guard ? predicate(i.guard, state) : Forms::kAlways;
  const ConditionId here = i.guard ? forms_.all_of({path, guard}) : path;
  const bool load = i.opcode == Opcode::ld || i.opcode == Opcode::ldu;
  if (load && i.space == Space::param) {
    execute_load_of_parameter(pc, state);
  } else if (i.opcode == Opcode::mov && i.vector > 1 && i.dst[1]) {
    // Unpacks a wide register; forms of narrower registers are modulo their width.
    const Value wide = read(i.src[0], state);
    const std::uint32_t bits = bits_of(i.type) / i.vector;
    for (std::uint32_t e = 0; e < i.vector; ++e) {
      if (!i.dst[e] || i.dst[e].reg == Operand::kNoReg) continue;
      Value part = wide;
      if (wide.kind == Value::Kind::form && e > 0)
        part = of(forms_.quotient(canonical(wide.form, bits_of(i.type), true, here),
                                  std::int64_t{1} << (bits * e)));
      state[i.dst[e].reg] = add(std::move(part));
    }
  } else {
    Value value;
    try {
      value = compute(pc, state, here);
    } catch (const NumberTooLarge&) {
      value = opaque("a number that does not fit into 63 bits, at " + place(pc));
    }
    if (value.kind == Value::Kind::opaque && i.opcode != Opcode::mov) {
      // An origin of its own: two comparisons with one loaded value are two conditions.
      reasons_.push_back(reasons_[value.reason]);
      value.reason = static_cast<std::uint32_t>(reasons_.size() - 1);
    }
    const ValueId id = add(std::move(value));
    for (std::uint32_t w = 0; w < i.write_count; ++w) state[i.writes[w]] = id;
    // The second predicate of setp is the negation, joined alike.
    if (i.opcode == Opcode::setp && i.dst[1] && i.dst[1].reg != Operand::kNoReg) {
      const bool plain = values_[id].kind == Value::Kind::condition && !i.src[2];
      state[i.dst[1].reg] = plain ? add(of(forms_.negate(values_[id].condition)))
                                  : add_opaque("a second predicate, at " + place(pc));
    }
  }
  if (!i.guard) return;
  for (std::uint32_t w = 0; w < i.write_count; ++w) {
    const std::uint16_t r = i.writes[w];
    state[r] = merge({{guard, state[r]}, {forms_.negate(guard), before[r]}});
  }
}

ValueId SymbolicValues::merge(const std::vector<std::pair<ConditionId, ValueId>>& paths) {
  const auto same = [this](ValueId a, ValueId b) {
    if (a == b) return true;
    const Value &x = values_[a], &y = values_[b];
    if (x.kind != y.kind) return false;
    if (x.kind == Value::Kind::form) return x.form == y.form;
    if (x.kind == Value::Kind::condition) return x.condition == y.condition;
    return x.reason == y.reason;
  };
  std::vector<std::pair<ConditionId, ValueId>> different;
  for (const auto& [condition, id] : paths) {
    const auto found = std::find_if(different.begin(), different.end(),
                                    [&, id = id](const auto& d) { return same(d.second, id); });
    if (found == different.end())
      different.emplace_back(condition, id);
    else
      found->first = forms_.any_of({found->first, condition});
  }
  if (different.size() == 1) return different.front().second;
  if (std::all_of(different.begin(), different.end(), [this](const auto& d) {
        return values_[d.second].kind == Value::Kind::condition;
      })) {
    std::vector<ConditionId> cases;
    for (const auto& [condition, id] : different)
      cases.push_back(forms_.all_of({condition, values_[id].condition}));
    return add(of(forms_.any_of(cases)));
  }
  for (const auto& [condition, id] : different)
    if (values_[id].kind != Value::Kind::form) {
      Value first = values_[id];
      if (first.kind == Value::Kind::condition) first = Value{};
      return add(std::move(first));
    }
  for (const auto& [condition, id] : different)
    if (forms_.depends_on_data(condition)) {
      // The first unknown part says why.
      std::vector<ConditionId> parts{condition};
      while (forms_.condition(parts.back()).kind != Condition::Kind::unknown) {
        const std::vector<ConditionId> inner = forms_.condition(parts.back()).parts;
        parts.push_back(*std::find_if(inner.begin(), inner.end(),
                                      [this](ConditionId p) { return forms_.depends_on_data(p); }));
      }
      return add_opaque("a branch decides about it: " +
                        reasons_[forms_.condition(parts.back()).origin].text);
    }
  Form result = values_[different.back().second].form;
  for (std::size_t d = different.size() - 1; d-- > 0;)
    result = forms_.choose(different[d].first, values_[different[d].second].form, result);
  return add(std::move(result));
}

// A form of 64 bits is taken as exact: an address computation does not wrap.
Form SymbolicValues::canonical(const Form& form, std::uint32_t bits, bool is_signed,
                               ConditionId path) {
  if (bits >= 64) return form;
  const std::int64_t modulus = std::int64_t{1} << bits,
                     offset = is_signed ? modulus / 2 : std::int64_t{0};
  const Interval range = forms_.interval_where(form, path);
  const std::int64_t low = floor_of(range.low + offset, modulus);
  if (range.bounded() && low == floor_of(range.high + offset, modulus))
    return low == 0 ? form : form - Form{low * modulus};
  return form - forms_.quotient(form + Form{offset}, modulus) * modulus;
}

Value SymbolicValues::address(const Instruction& i, const Operand& base, const RegisterState& state,
                              ConditionId path) {
  if (!base) return of(Form{i.address_offset});
  Value value = read(base, state);
  if (value.kind != Value::Kind::form) return value;
  try {
    value.form = canonical(value.form, base.bytes * 8u, false, path) + Form{i.address_offset};
    value.form = forms_.simplify_where(value.form, path);
  } catch (const NumberTooLarge&) {
    return opaque("a number that does not fit into 63 bits");
  }
  return value;
}

}  // namespace heddle::analysis
