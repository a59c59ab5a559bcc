// What each instruction computes, as forms and conditions.
#include <algorithm>
#include <bit>

#include "analysis/symbolic_values.h"

namespace heddle::analysis {

using ptx::BoolOp;
using ptx::Compare;
using ptx::Instruction;
using ptx::MulPart;
using ptx::Opcode;
using ptx::Space;
using ptx::Type;

namespace {

// An atom of a mask costs two quotients; masks with more runs of ones are not affine.
constexpr int kMaxRuns = 4;

std::uint64_t low_bits(std::uint32_t bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}
// The largest power of two, at most 2^40, that divides every value of the form.
std::int64_t alignment(const Form& form) {
  std::uint64_t bits = static_cast<std::uint64_t>(form.constant.value) | std::uint64_t{1} << 40;
  for (const Term& t : form.terms) bits |= static_cast<std::uint64_t>(t.coefficient.value);
  return std::int64_t{1} << std::countr_zero(bits);
}

}  // namespace

std::string SymbolicValues::described(Pc pc) const {
  const Instruction& i = kernel_.code[pc];
  switch (i.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::ld_wide:
      if (i.space == Space::frame) return "the result of a call at " + place(pc);
      return (i.space == Space::shared ? "data loaded from shared memory at " : "data loaded at ") +
             place(pc);
    case Opcode::atom:
    case Opcode::atom_wide: return "the result of an atomic at " + place(pc);
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux: return "a value of another lane at " + place(pc);
    case Opcode::tex:
    case Opcode::tld4:
    case Opcode::suld: return "data fetched from a texture at " + place(pc);
    case Opcode::call:
    case Opcode::call_through_site: return "the result of a call at " + place(pc);
    case Opcode::read_special: return "a clock at " + place(pc);
    default: break;
  }
  if (!is_integer(i.type) && i.type != Type::pred && i.type != Type::none)
    return "a floating-point value at " + place(pc);
  return "an operation that is not affine at " + place(pc);
}

Value SymbolicValues::compute(Pc pc, const RegisterState& state, ConditionId path) {
  const Instruction& i = kernel_.code[pc];
  // A value that is not known makes the result unknown, for the same reason.
  const bool from_memory = i.op_class == ptx::OpClass::load || i.op_class == ptx::OpClass::atomic ||
                           i.space == Space::frame;
  if (from_memory || i.op_class == ptx::OpClass::call) return opaque(described(pc));
  for (const ptx::Operand& operand : i.src) {
    if (operand.kind != ptx::Operand::Kind::reg) continue;
    if (i.opcode == Opcode::selp) break;
    const Value& value = read(operand, state);
    if (value.kind == Value::Kind::opaque) return value;
  }
  if (i.sat || i.carry_out) return opaque(described(pc));
  switch (i.opcode) {
    case Opcode::setp:
    case Opcode::set: return compute_comparison(pc, state, path);
    case Opcode::cvt:
    case Opcode::cvta: return compute_conversion(pc, state, path);
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::bfe: return compute_bits(pc, state, path);
    case Opcode::mov: {
      if (i.type == Type::pred) return of(predicate(i.src[0], state));
      if (i.vector > 1 && i.src[1]) {
        // Packs narrow registers into a wide one.
        const std::uint32_t bits = bits_of(i.type) / i.vector;
        Form wide;
        for (std::uint32_t e = 0; e < i.vector; ++e) {
          const Value& part = read(i.src[e], state);
          if (part.kind != Value::Kind::form) return opaque(described(pc));
          const bool last = e + 1u == i.vector;
          wide =
              wide + canonical(part.form, bits, last, path) * Number{std::int64_t{1} << (bits * e)};
        }
        return of(wide);
      }
      return read(i.src[0], state);
    }
    default: return compute_integer(pc, state, path);
  }
}

Value SymbolicValues::multiply(Pc pc, const Form& a, const Form& b, std::uint32_t shift) {
  Form product;
  if (b.is_constant())
    product = a * b.constant;
  else if (a.is_constant())
    product = b * a.constant;
  else
    return opaque("a product of two indices at " + place(pc));
  return of(shift == 0 ? product : forms_.quotient(product, std::int64_t{1} << shift));
}

// A value that a loop carries has no useful range before its loop is solved.
bool SymbolicValues::may_be_negative(const Form& form, ConditionId path) const {
  return std::none_of(form.terms.begin(), form.terms.end(),
                      [&](const Term& t) { return forms_.atom(t.atom).name == kCarriedName; }) &&
         forms_.interval_where(form, path).low < 0;
}

// Rounds towards zero.
Form SymbolicValues::divide(const Form& a, std::int64_t divisor) {
  const Form up = forms_.quotient(a, divisor);
  if (forms_.interval(a).low >= 0) return up;
  return forms_.choose(forms_.at_least_zero(a), up, forms_.quotient(a * -1, divisor) * -1);
}

Value SymbolicValues::compute_integer(Pc pc, const RegisterState& state, ConditionId path) {
  const Instruction& i = kernel_.code[pc];
  if (!is_integer(i.type)) return opaque(described(pc));
  const std::uint32_t bits = bits_of(i.type);
  const bool with_sign = is_signed(i.type);
  std::array<Form, 3> s;
  for (std::size_t n = 0; n < s.size(); ++n) {
    if (!i.src[n]) break;
    if (n == 2 && i.opcode == Opcode::selp) break;
    const Value& value = read(i.src[n], state);
    if (value.kind != Value::Kind::form) return value;
    s[n] = value.form;
  }
  const bool by_order = i.opcode == Opcode::min || i.opcode == Opcode::max ||
                        i.opcode == Opcode::div || i.opcode == Opcode::rem;
  if (by_order && bits == 64 && !with_sign &&
      (may_be_negative(s[0], path) || may_be_negative(s[1], path)))
    return opaque("an unsigned operation on a negative number at " + place(pc));
  const auto exact = [&](std::size_t n) { return canonical(s[n], bits, with_sign, path); };
  const auto wide_or_low = [&](bool add_third) {
    Value product;
    if (i.part == MulPart::wide)
      product = multiply(pc, exact(0), exact(1), 0);
    else if (i.part == MulPart::hi && bits <= 32)
      product = multiply(pc, exact(0), exact(1), bits);
    else if (i.part == MulPart::lo)
      product = multiply(pc, s[0], s[1], 0);
    else
      return opaque(described(pc));
    if (add_third && product.kind == Value::Kind::form) product.form = product.form + s[2];
    return product;
  };
  switch (i.opcode) {
    case Opcode::add: return of(s[0] + s[1]);
    case Opcode::sub: return of(s[0] - s[1]);
    case Opcode::neg: return of(s[0] * -1);
    case Opcode::mul: return wide_or_low(false);
    case Opcode::mad: return wide_or_low(true);
    case Opcode::mul24:
    case Opcode::mad24: {
      if (i.part != MulPart::lo) return opaque(described(pc));
      for (std::size_t n = 0; n < 2; ++n) s[n] = canonical(s[n], 24, with_sign, path);
      Value product = multiply(pc, s[0], s[1], 0);
      if (i.opcode == Opcode::mad24 && product.kind == Value::Kind::form)
        product.form = product.form + s[2];
      return product;
    }
    case Opcode::min: return of(forms_.minimum(exact(0), exact(1)));
    case Opcode::max: return of(forms_.maximum(exact(0), exact(1)));
    case Opcode::abs: return of(forms_.maximum(exact(0), exact(0) * -1));
    case Opcode::div:
    case Opcode::rem: {
      const Form a = exact(0), b = exact(1);
      if (!b.is_constant() || b.constant.value <= 0)
        return opaque("a division by an index at " + place(pc));
      Form quotient = divide(a, b.constant.value);
      if (a.is_constant() && (a.constant.symbolic || b.constant.symbolic))
        quotient = Form{Number{quotient.constant.value}};
      return i.opcode == Opcode::div ? of(quotient) : of(a - quotient * b.constant);
    }
    case Opcode::selp: {
      const Value first = read(i.src[0], state), second = read(i.src[1], state);
      const ConditionId chosen = predicate(i.src[2], state);
      return values_[merge({{chosen, add(first)}, {forms_.negate(chosen), add(second)}})];
    }
    default: return opaque(described(pc));
  }
}

// The bits of a form that a constant mask keeps, run of ones by run of ones.
Form SymbolicValues::mask(const Form& form, std::uint64_t bits) {
  Form sum;
  for (std::uint64_t rest = bits; rest != 0;) {
    const int first = std::countr_zero(rest), ones = std::countr_one(rest >> first);
    Form part = form;
    if (first + ones < 62) part = forms_.remainder(part, std::int64_t{1} << (first + ones));
    if (first > 0)
      part = forms_.quotient(part, std::int64_t{1} << first) * Number{std::int64_t{1} << first};
    sum = sum + part;
    rest = first + ones >= 64 ? 0 : rest & ~low_bits(static_cast<std::uint32_t>(first + ones));
  }
  return sum;
}

// a ^ b == a + b - 2 * (a & b)
Form SymbolicValues::exclusive_or(const Form& form, std::uint64_t bits) {
  return form + Form{static_cast<std::int64_t>(bits)} - mask(form, bits) * 2;
}

Value SymbolicValues::compute_bits(Pc pc, const RegisterState& state, ConditionId path) {
  const Instruction& i = kernel_.code[pc];
  if (i.type == Type::pred) {
    const ConditionId a = predicate(i.src[0], state);
    if (i.opcode == Opcode::not_) return of(forms_.negate(a));
    const ConditionId b = predicate(i.src[1], state);
    switch (i.opcode) {
      case Opcode::and_: return of(forms_.all_of({a, b}));
      case Opcode::or_: return of(forms_.any_of({a, b}));
      case Opcode::xor_:
        return of(forms_.any_of(
            {forms_.all_of({a, forms_.negate(b)}), forms_.all_of({forms_.negate(a), b})}));
      default: return opaque(described(pc));
    }
  }
  if (!is_integer(i.type)) return opaque(described(pc));
  const std::uint32_t bits = bits_of(i.type);
  const Value first = read(i.src[0], state);
  if (first.kind != Value::Kind::form) return first;
  const Form& a = first.form;
  if (i.opcode == Opcode::not_) return of(a * -1 - Form{1});
  const Value second = read(i.src[1], state);
  if (second.kind != Value::Kind::form) return second;
  const Form& b = second.form;
  const bool and_or =
      i.opcode == Opcode::and_ || i.opcode == Opcode::or_ || i.opcode == Opcode::xor_;
  if (and_or) {
    const bool left = a.is_constant() && !b.is_constant();
    const Form &variable = left ? b : a, &fixed = left ? a : b;
    const std::uint64_t constant =
        static_cast<std::uint64_t>(fixed.constant.value) & low_bits(bits);
    if (fixed.is_constant()) {
      // A mask that only clears low bits keeps the sign.
      const std::uint64_t cleared = ~constant & low_bits(bits);
      if (variable.is_constant()) {
        const auto x = static_cast<std::uint64_t>(variable.constant.value);
        std::uint64_t result = i.opcode == Opcode::and_  ? x & constant
                               : i.opcode == Opcode::or_ ? x | constant
                                                         : x ^ constant;
        if (bits < 64) {
          const std::uint32_t shift = 64 - bits;
          result = static_cast<std::uint64_t>(static_cast<std::int64_t>(result << shift) >> shift);
        }
        return of(Form{static_cast<std::int64_t>(result)});
      }
      const auto runs = [](std::uint64_t x) { return std::popcount(x & ~(x << 1)); };
      if (i.opcode == Opcode::and_ && cleared != 0 && (cleared & (cleared + 1)) == 0 &&
          std::popcount(cleared) < 62) {
        const std::int64_t unit = static_cast<std::int64_t>(cleared) + 1;
        return of(forms_.quotient(variable, unit) * Number{unit});
      }
      const std::uint64_t top = std::uint64_t{1} << (bits - 1);
      if (runs(constant) > kMaxRuns || (constant & top)) {
        if (i.opcode == Opcode::xor_ && constant == low_bits(bits))
          return of(variable * -1 - Form{1});
        return opaque("a mask of an index at " + place(pc));
      }
      if (i.opcode == Opcode::and_) return of(mask(variable, constant));
      if (i.opcode == Opcode::xor_) return of(exclusive_or(variable, constant));
      return of(variable + Form{static_cast<std::int64_t>(constant)} - mask(variable, constant));
    }
    // Disjoint bits: one value is a multiple of a power of two that the other does not reach.
    const Form x = canonical(a, bits, false, path), y = canonical(b, bits, false, path);
    const Interval x_range = forms_.interval_where(x, path),
                   y_range = forms_.interval_where(y, path);
    const bool disjoint = (y_range.low >= 0 && y_range.high < alignment(x)) ||
                          (x_range.low >= 0 && x_range.high < alignment(y));
    if (disjoint && i.opcode != Opcode::and_) return of(a + b);
    return opaque("combined bits of two indices at " + place(pc));
  }
  if (!b.is_constant()) return opaque("a shift by an index at " + place(pc));
  const std::int64_t count = canonical(b, 32, false, path).constant.value;
  if (i.opcode == Opcode::shl) {
    if (count >= bits) return of(Form{0});
    if (count > 61) return opaque(described(pc));
    return of(a * Number{std::int64_t{1} << count});
  }
  const Form exact = canonical(a, bits, is_signed(i.type), path);
  if (i.opcode == Opcode::shr) {
    const std::int64_t by = std::min<std::int64_t>(count, 61);
    const std::int64_t unit = std::int64_t{1} << by;
    const Form shifted = exact.is_constant() && exact.constant.symbolic
                             ? Form{Number{floor_of(exact.constant.value, unit)}}
                             : forms_.quotient(exact, unit);
    if (by == 0 || bits < 64 || is_signed(i.type) || !may_be_negative(exact, path))
      return of(shifted);
    // The 64-bit value is 2^64 larger.
    if (count < 4 || count > 61)
      return opaque("an unsigned operation on a negative number at " + place(pc));
    return of(forms_.choose(forms_.at_least_zero(exact), shifted,
                            shifted + Form{std::int64_t{1} << (64 - count)}));
  }
  // bfe of an unsigned value with constant position and length.
  const Value third = read(i.src[2], state);
  if (third.kind != Value::Kind::form || !third.form.is_constant() || is_signed(i.type))
    return opaque(described(pc));
  const std::int64_t length = third.form.constant.value;
  if (length <= 0 || length + count >= bits) return opaque(described(pc));
  return of(forms_.remainder(forms_.quotient(exact, std::int64_t{1} << count),
                             std::int64_t{1} << length));
}

Value SymbolicValues::compute_comparison(Pc pc, const RegisterState& state, ConditionId path) {
  const Instruction& i = kernel_.code[pc];
  const Type type = i.opcode == Opcode::set ? i.source_type : i.type;
  if (i.opcode == Opcode::set || !is_integer(type)) return opaque(described(pc));
  const Value a = read(i.src[0], state), b = read(i.src[1], state);
  if (a.kind != Value::Kind::form || b.kind != Value::Kind::form) return opaque(described(pc));
  const std::uint32_t bits = bits_of(type);
  const bool by_name = i.compare == Compare::lo || i.compare == Compare::ls ||
                       i.compare == Compare::hi || i.compare == Compare::hs;
  // Equality is the same for signed and unsigned values, and small values are more often signed.
  const bool equality = i.compare == Compare::eq || i.compare == Compare::ne;
  const bool with_sign = equality || (is_signed(type) && !by_name);
  const Form x = canonical(a.form, bits, with_sign, path),
             y = canonical(b.form, bits, with_sign, path);
  if (bits == 64 && !with_sign && (may_be_negative(x, path) || may_be_negative(y, path)))
    return opaque("an unsigned operation on a negative number at " + place(pc));
  ConditionId holds = Forms::kAlways;
  switch (i.compare) {
    case Compare::eq: holds = forms_.zero(x - y); break;
    case Compare::ne: holds = forms_.negate(forms_.zero(x - y)); break;
    case Compare::lt:
    case Compare::lo: holds = forms_.at_least_zero(y - x - Form{1}); break;
    case Compare::le:
    case Compare::ls: holds = forms_.at_least_zero(y - x); break;
    case Compare::gt:
    case Compare::hi: holds = forms_.at_least_zero(x - y - Form{1}); break;
    case Compare::ge:
    case Compare::hs: holds = forms_.at_least_zero(x - y); break;
    default: return opaque(described(pc));
  }
  if (i.src[2]) {
    const ConditionId joined = predicate(i.src[2], state);
    if (i.bool_op == BoolOp::and_) holds = forms_.all_of({holds, joined});
    if (i.bool_op == BoolOp::or_) holds = forms_.any_of({holds, joined});
    if (i.bool_op == BoolOp::xor_)
      holds = forms_.any_of({forms_.all_of({holds, forms_.negate(joined)}),
                             forms_.all_of({forms_.negate(holds), joined})});
  }
  return of(holds);
}

Value SymbolicValues::compute_conversion(Pc pc, const RegisterState& state, ConditionId path) {
  const Instruction& i = kernel_.code[pc];
  const Value& value = read(i.src[0], state);
  if (value.kind != Value::Kind::form) return value;
  if (i.opcode == Opcode::cvta) {
    if (i.space == Space::global || i.space == Space::constant) return value;
    Value result = opaque(i.space == Space::local
                              ? "the generic address of local memory, taken at " + place(pc)
                              : "the generic address of shared memory, taken at " + place(pc));
    reasons_[result.reason].shared_address = i.space == Space::shared;
    return result;
  }
  if (!is_integer(i.type) || !is_integer(i.source_type)) return opaque(described(pc));
  const std::uint32_t to = bits_of(i.type), from = bits_of(i.source_type);
  if (to >= 32 && to <= from) return value;
  const Form source =
      to > from ? canonical(value.form, from, is_signed(i.source_type), path) : value.form;
  // A narrow destination is extended to its register by the sign of its type.
  return of(to < 32 ? canonical(source, to, is_signed(i.type), path) : source);
}

}  // namespace heddle::analysis
