// Quasi-affine forms: sums of integer multiples of atoms. An atom is a variable (thread index, CTA
// index, loop counter), a quotient floor(form / divisor), or a choice between two forms.
//
// Coefficients are numbers of one launch. A number that was computed from a parameter also keeps
// the polynomial over parameters, for printing only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heddle::analysis {

using AtomId = std::uint32_t;
using ConditionId = std::uint32_t;

// A closed interval; bounds saturate at kMin and kMax.
struct Interval {
  static constexpr std::int64_t kMin = -(std::int64_t{1} << 62), kMax = std::int64_t{1} << 62;
  std::int64_t low = kMin, high = kMax;
  bool is_point() const { return low == high; }
  bool contains(const Interval& other) const { return low <= other.low && other.high <= high; }
  bool bounded() const { return low > kMin && high < kMax; }
};
Interval operator+(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, std::int64_t factor);
Interval intersect(const Interval& a, const Interval& b);  // of intervals that overlap
std::int64_t floor_of(std::int64_t value, std::int64_t divisor);

// A polynomial over symbols: products of symbols (ascending ids) with their coefficients.
using Polynomial = std::map<std::vector<std::uint32_t>, std::int64_t>;

struct Number {
  std::int64_t value = 0;
  std::shared_ptr<const Polynomial> symbolic;  // null: only the value is known

  Number(std::int64_t v = 0) : value(v) {}
};

// Thrown when a number does not fit into 63 bits.
struct NumberTooLarge {};

Number operator+(const Number& a, const Number& b);
Number operator*(const Number& a, const Number& b);

struct Term {
  AtomId atom = 0;
  Number coefficient;
};

struct Form {
  Number constant;
  std::vector<Term> terms;  // ascending atoms, no coefficient is zero

  Form() = default;
  Form(const Number& number) : constant(number) {}
  Form(std::int64_t number) : constant(number) {}
  bool is_constant() const { return terms.empty(); }
  std::int64_t coefficient(AtomId atom) const;
  // Equal numbers; symbols are not compared.
  bool operator==(const Form& other) const;
};

Form operator+(const Form& a, const Form& b);
Form operator-(const Form& a, const Form& b);
Form operator*(const Form& form, const Number& factor);

struct Atom {
  enum class Kind : std::uint8_t { variable, quotient, choice };
  Kind kind = Kind::variable;
  Interval interval;
  std::string name;           // variable
  Form first, second;         // quotient: the dividend; choice: the forms
  std::int64_t divisor = 1;   // quotient, positive
  ConditionId condition = 0;  // choice: decides for `first`
  ConditionId otherwise = 0;  // choice: its negation
};

// A condition in negation normal form. `unknown` depends on data: it and its negation may both
// hold. Comparisons are form >= 0, form == 0.
struct Condition {
  enum class Kind : std::uint8_t { never, always, at_least_zero, zero, unknown, all_of, any_of };
  Kind kind = Kind::always;
  Form form;
  std::uint32_t origin = 0;  // unknown: which one
  bool negated = false;      // unknown
  std::vector<ConditionId> parts;
};

enum class Truth : std::uint8_t { no, yes, open };

// The variables that every launch has; loop counters follow.
enum Axis : AtomId { tid_x, tid_y, tid_z, ctaid_x, ctaid_y, ctaid_z, kAxes };

// Owns atoms and conditions. Equal ones are stored once.
class Forms {
 public:
  static constexpr ConditionId kNever = 0, kAlways = 1;
  Forms();

  AtomId add_variable(std::string name, Interval interval);
  std::uint32_t add_symbol(std::string name);
  Number symbol(std::uint32_t id, std::int64_t value) const;
  const std::string& symbol_name(std::uint32_t id) const { return symbols_[id]; }
  // A number that was computed from `text`, which is not a polynomial.
  Number named(std::string text, std::int64_t value);

  const Atom& atom(AtomId id) const { return atoms_[id]; }
  std::size_t atoms() const { return atoms_.size(); }
  static Form of(AtomId id, const Number& coefficient = 1);

  Form quotient(const Form& dividend, std::int64_t divisor);
  Form remainder(const Form& dividend, std::int64_t divisor);
  Form choose(ConditionId condition, const Form& first, const Form& second);
  Form maximum(const Form& a, const Form& b) { return choose(at_least_zero(a - b), a, b); }
  Form minimum(const Form& a, const Form& b) { return choose(at_least_zero(b - a), a, b); }

  const Condition& condition(ConditionId id) const { return conditions_[id]; }
  ConditionId at_least_zero(const Form& form);
  ConditionId zero(const Form& form);
  ConditionId unknown(std::uint32_t origin, bool negated = false);
  ConditionId all_of(const std::vector<ConditionId>& parts);
  ConditionId any_of(const std::vector<ConditionId>& parts);
  ConditionId negate(ConditionId id);
  // The parts of a conjunction; a condition of another kind is its only part.
  std::vector<ConditionId> conjuncts(ConditionId id) const;
  bool depends_on_data(ConditionId id) const;

  Interval interval(const Form& form) const { return interval(form, {}, 0); }
  // Under variables with these intervals instead of their own.
  Interval interval(const Form& form, std::span<const Interval> variables) const {
    return interval(form, variables, 0);
  }
  // Of points at which the condition holds.
  Interval interval_where(const Form& form, ConditionId condition) const {
    return interval_where(form, condition, 0);
  }
  Truth truth(ConditionId id, std::span<const Interval> variables) const;
  // Without quotients and choices that the condition decides.
  Form simplify_where(const Form& form, ConditionId condition);

  std::int64_t evaluate(const Form& form, std::span<const std::int64_t> variables) const;
  // Unknown conditions count as holding.
  bool may_hold(ConditionId id, std::span<const std::int64_t> variables) const;

  using Substitution = std::map<AtomId, Form>;
  Form substitute(const Form& form, const Substitution& with);
  ConditionId substitute(ConditionId id, const Substitution& with);
  // Does a value depend on the variable?
  bool uses(const Form& form, AtomId variable) const;
  bool uses(ConditionId id, AtomId variable) const;

 private:
  using Key = std::vector<std::int64_t>;
  Interval interval(const Form& form, std::span<const Interval> variables, int depth) const;
  Interval interval_where(const Form& form, ConditionId condition, int depth) const;
  Interval atom_interval(AtomId id, std::span<const Interval> variables, int depth) const;
  ConditionId add(Condition condition, Key key);
  ConditionId join(bool all, const std::vector<ConditionId>& parts);
  ConditionId compare(bool equal, const Form& form);
  AtomId add(Atom atom, Key key);

  std::vector<Atom> atoms_;
  std::vector<Condition> conditions_;
  std::vector<std::string> symbols_;
  std::map<Key, AtomId> atom_ids_;
  std::map<Key, ConditionId> condition_ids_;
};

}  // namespace heddle::analysis
