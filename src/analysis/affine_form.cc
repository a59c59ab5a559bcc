#include "analysis/affine_form.h"

#include <algorithm>

namespace heddle::analysis {
namespace {

__extension__ using Wide = __int128;

std::int64_t saturate(Wide value) {
  return static_cast<std::int64_t>(std::clamp<Wide>(value, Interval::kMin, Interval::kMax));
}
std::int64_t checked(Wide value) {
  if (value > Interval::kMax || value < Interval::kMin) throw NumberTooLarge{};
  return static_cast<std::int64_t>(value);
}

Polynomial polynomial_of(const Number& n) {
  return n.symbolic ? *n.symbolic : Polynomial{{{}, n.value}};
}
// A polynomial with more products is not printed.
constexpr std::size_t kMaxProducts = 12;
std::shared_ptr<const Polynomial> share(Polynomial polynomial) {
  std::erase_if(polynomial, [](const auto& product) { return product.second == 0; });
  if (polynomial.size() > kMaxProducts) return nullptr;
  return std::make_shared<const Polynomial>(std::move(polynomial));
}

}  // namespace

std::int64_t floor_of(std::int64_t value, std::int64_t divisor) {
  const std::int64_t quotient = value / divisor;
  return quotient - (value % divisor != 0 && (value < 0) != (divisor < 0));
}

Interval operator+(const Interval& a, const Interval& b) {
  const auto bound = [](std::int64_t x, std::int64_t y) {
    if (x <= Interval::kMin || y <= Interval::kMin) return Interval::kMin;
    if (x >= Interval::kMax || y >= Interval::kMax) return Interval::kMax;
    return saturate(Wide{x} + y);
  };
  return {bound(a.low, b.low), bound(a.high, b.high)};
}
Interval operator*(const Interval& a, std::int64_t factor) {
  if (factor == 0) return {0, 0};
  const std::int64_t low = saturate(Wide{a.low} * factor), high = saturate(Wide{a.high} * factor);
  return factor > 0 ? Interval{low, high} : Interval{high, low};
}
Interval intersect(const Interval& a, const Interval& b) {
  const Interval both{std::max(a.low, b.low), std::min(a.high, b.high)};
  return both.low <= both.high ? both : a;
}

Number operator+(const Number& a, const Number& b) {
  Number sum{checked(Wide{a.value} + b.value)};
  if (!a.symbolic && !b.symbolic) return sum;
  Polynomial polynomial = polynomial_of(a);
  for (const auto& [product, coefficient] : polynomial_of(b))
    polynomial[product] = saturate(Wide{polynomial[product]} + coefficient);
  sum.symbolic = share(std::move(polynomial));
  return sum;
}

Number operator*(const Number& a, const Number& b) {
  Number result{checked(Wide{a.value} * b.value)};
  if (!a.symbolic && !b.symbolic) return result;
  Polynomial polynomial;
  for (const auto& [first, x] : polynomial_of(a))
    for (const auto& [second, y] : polynomial_of(b)) {
      std::vector<std::uint32_t> product = first;
      product.insert(product.end(), second.begin(), second.end());
      std::sort(product.begin(), product.end());
      polynomial[product] = saturate(Wide{polynomial[product]} + saturate(Wide{x} * y));
    }
  result.symbolic = share(std::move(polynomial));
  return result;
}

std::int64_t Form::coefficient(AtomId atom) const {
  for (const Term& t : terms)
    if (t.atom == atom) return t.coefficient.value;
  return 0;
}

bool Form::operator==(const Form& other) const {
  return constant.value == other.constant.value &&
         std::equal(terms.begin(), terms.end(), other.terms.begin(), other.terms.end(),
                    [](const Term& a, const Term& b) {
                      return a.atom == b.atom && a.coefficient.value == b.coefficient.value;
                    });
}

Form operator+(const Form& a, const Form& b) {
  Form sum;
  sum.constant = a.constant + b.constant;
  sum.terms.reserve(a.terms.size() + b.terms.size());
  auto x = a.terms.begin();
  auto y = b.terms.begin();
  while (x != a.terms.end() || y != b.terms.end()) {
    if (y == b.terms.end() || (x != a.terms.end() && x->atom < y->atom)) {
      sum.terms.push_back(*x++);
    } else if (x == a.terms.end() || y->atom < x->atom) {
      sum.terms.push_back(*y++);
    } else {
      Number both = x->coefficient + y->coefficient;
      if (both.value != 0) sum.terms.push_back({x->atom, std::move(both)});
      ++x, ++y;
    }
  }
  return sum;
}
Form operator-(const Form& a, const Form& b) { return a + b * -1; }
Form operator*(const Form& form, const Number& factor) {
  if (factor.value == 0) return {};
  Form product;
  product.constant = form.constant * factor;
  for (const Term& t : form.terms) product.terms.push_back({t.atom, t.coefficient * factor});
  return product;
}

namespace {

// A part of a quotient that the divisor divides, and the rest.
struct Split {
  Form whole, rest;
};
Split split(const Form& dividend, std::int64_t divisor) {
  Split parts;
  const auto divide = [divisor](const Number& n) {
    Number result{n.value / divisor};
    if (n.symbolic) {
      Polynomial polynomial = *n.symbolic;
      for (auto& [product, coefficient] : polynomial) {
        if (coefficient % divisor != 0) return result;
        coefficient /= divisor;
      }
      result.symbolic = std::make_shared<const Polynomial>(std::move(polynomial));
    }
    return result;
  };
  for (const Term& t : dividend.terms)
    if (t.coefficient.value % divisor == 0)
      parts.whole.terms.push_back({t.atom, divide(t.coefficient)});
    else
      parts.rest.terms.push_back(t);
  const std::int64_t quotient = floor_of(dividend.constant.value, divisor);
  if (quotient * divisor == dividend.constant.value) {
    parts.whole.constant = divide(dividend.constant);
  } else {
    parts.whole.constant = quotient;
    parts.rest.constant =
        quotient == 0 ? dividend.constant : Number{dividend.constant.value - quotient * divisor};
  }
  return parts;
}

void append_key(std::vector<std::int64_t>& key, const Form& form) {
  key.push_back(form.constant.value);
  key.push_back(static_cast<std::int64_t>(form.terms.size()));
  for (const Term& t : form.terms) {
    key.push_back(t.atom);
    key.push_back(t.coefficient.value);
  }
}

}  // namespace

AtomId Forms::add_variable(std::string name, Interval interval) {
  Atom atom;
  atom.name = std::move(name);
  atom.interval = interval;
  atoms_.push_back(std::move(atom));
  return static_cast<AtomId>(atoms_.size() - 1);
}

std::uint32_t Forms::add_symbol(std::string name) {
  symbols_.push_back(std::move(name));
  return static_cast<std::uint32_t>(symbols_.size() - 1);
}
Number Forms::symbol(std::uint32_t id, std::int64_t value) const {
  Number number{value};
  number.symbolic = std::make_shared<const Polynomial>(Polynomial{{{id}, 1}});
  return number;
}
Number Forms::named(std::string text, std::int64_t value) {
  const auto found = std::find(symbols_.begin(), symbols_.end(), text);
  if (found != symbols_.end())
    return symbol(static_cast<std::uint32_t>(found - symbols_.begin()), value);
  return symbol(add_symbol(std::move(text)), value);
}

Form Forms::of(AtomId id, const Number& coefficient) {
  Form form;
  if (coefficient.value != 0) form.terms.push_back({id, coefficient});
  return form;
}

AtomId Forms::add(Atom atom, Key key) {
  const auto [place, added] = atom_ids_.try_emplace(std::move(key), 0);
  if (added) {
    place->second = static_cast<AtomId>(atoms_.size());
    atoms_.push_back(std::move(atom));
  }
  return place->second;
}

Form Forms::quotient(const Form& dividend, std::int64_t divisor) {
  if (divisor == 1) return dividend;
  Split parts = split(dividend, divisor);
  const Interval range = interval(parts.rest);
  const std::int64_t low = floor_of(range.low, divisor), high = floor_of(range.high, divisor);
  if (range.bounded() && low == high) return parts.whole + Form{low};
  if (parts.rest.terms.size() == 1 && parts.rest.constant.value == 0) {
    const Term& t = parts.rest.terms.front();
    const Atom& inner = atoms_[t.atom];
    // floor(floor(x / a) / b) == floor(x / (a * b))
    if (inner.kind == Atom::Kind::quotient && t.coefficient.value == 1 &&
        inner.divisor < (std::int64_t{1} << 40) && divisor < (std::int64_t{1} << 20))
      return parts.whole + quotient(Form{inner.first}, inner.divisor * divisor);
    // Division by multiplication: floor(x * m / 2^k) == floor(x / d) for the x that occur.
    const std::int64_t factor = t.coefficient.value;
    if (factor > 1 && range.low >= 0 && atom_interval(t.atom, {}, 0).low >= 0) {
      const std::int64_t d = (divisor + factor - 1) / factor;
      const Wide error = Wide{factor} * d - divisor;
      if (d < divisor && d > 1 && error * atom_interval(t.atom, {}, 0).high < divisor)
        return parts.whole + quotient(of(t.atom), d);
    }
  } else if (!parts.rest.terms.empty()) {
    // The same for a sum whose terms share the factor.
    std::int64_t common = 0;
    for (const Term& t : parts.rest.terms) {
      std::int64_t a = common,
                   b = t.coefficient.value < 0 ? -t.coefficient.value : t.coefficient.value;
      while (b != 0) std::swap(a %= b, b);
      common = a;
    }
    if (common > 1 && parts.rest.constant.value % common == 0) {
      Form reduced;
      reduced.constant = parts.rest.constant.value / common;
      for (const Term& t : parts.rest.terms)
        reduced.terms.push_back({t.atom, t.coefficient.value / common});
      if (divisor % common == 0) return parts.whole + quotient(reduced, divisor / common);
      const Interval values = interval(reduced);
      const std::int64_t d = (divisor + common - 1) / common;
      const Wide error = Wide{common} * d - divisor;
      if (values.low >= 0 && d < divisor && d > 1 && error * values.high < divisor)
        return parts.whole + quotient(reduced, d);
    }
  }
  Atom atom;
  atom.kind = Atom::Kind::quotient;
  atom.divisor = divisor;
  atom.first = parts.rest;
  atom.interval = {range.low <= Interval::kMin ? Interval::kMin : low,
                   range.high >= Interval::kMax ? Interval::kMax : high};
  Key key{1, divisor};
  append_key(key, parts.rest);
  return parts.whole + of(add(std::move(atom), std::move(key)));
}

Form Forms::remainder(const Form& dividend, std::int64_t divisor) {
  return dividend - quotient(dividend, divisor) * divisor;
}

Form Forms::choose(ConditionId condition, const Form& first, const Form& second) {
  if (condition == kAlways || first == second) return first;
  if (condition == kNever) return second;
  Atom atom;
  atom.kind = Atom::Kind::choice;
  atom.condition = condition;
  atom.otherwise = negate(condition);
  // A common part stays outside, so that a translation of both forms is one of the choice.
  Form common;
  for (const Term& t : first.terms)
    if (second.coefficient(t.atom) == t.coefficient.value) common.terms.push_back(t);
  atom.first = first - common;
  atom.second = second - common;
  const Interval a = interval_where(atom.first, condition),
                 b = interval_where(atom.second, atom.otherwise);
  atom.interval = {std::min(a.low, b.low), std::max(a.high, b.high)};
  Key key{2, condition};
  append_key(key, atom.first);
  append_key(key, atom.second);
  return common + of(add(std::move(atom), std::move(key)));
}

Interval Forms::atom_interval(AtomId id, std::span<const Interval> variables, int depth) const {
  const Atom& atom = atoms_[id];
  if (variables.empty() || depth > 8) return atom.interval;
  switch (atom.kind) {
    case Atom::Kind::variable: return id < variables.size() ? variables[id] : atom.interval;
    case Atom::Kind::quotient: {
      const Interval x = interval(atom.first, variables, depth + 1);
      return intersect({floor_of(x.low, atom.divisor), floor_of(x.high, atom.divisor)},
                       atom.interval);
    }
    case Atom::Kind::choice: {
      const Truth t = truth(atom.condition, variables);
      const Interval x = interval(atom.first, variables, depth + 1);
      if (t == Truth::yes) return x;
      const Interval y = interval(atom.second, variables, depth + 1);
      if (t == Truth::no) return y;
      return intersect({std::min(x.low, y.low), std::max(x.high, y.high)}, atom.interval);
    }
  }
  return atom.interval;
}

Interval Forms::interval(const Form& form, std::span<const Interval> variables, int depth) const {
  Interval sum{form.constant.value, form.constant.value};
  for (const Term& t : form.terms)
    sum = sum + atom_interval(t.atom, variables, depth) * t.coefficient.value;
  if (depth > 6) return sum;
  // Each form of a choice together with the rest, where it is chosen: x - max(x - 1, 0) <= 1.
  for (const Term& t : form.terms) {
    const Atom& atom = atoms_[t.atom];
    if (atom.kind != Atom::Kind::choice || form.terms.size() < 2 || depth > 2) continue;
    const Form rest = form - of(t.atom, t.coefficient.value);
    const Form first = rest + atom.first * t.coefficient.value,
               second = rest + atom.second * t.coefficient.value;
    const Interval a = intersect(interval(first, variables, depth + 1),
                                 interval_where(first, atom.condition, depth + 1)),
                   b = intersect(interval(second, variables, depth + 1),
                                 interval_where(second, atom.otherwise, depth + 1));
    return intersect({std::min(a.low, b.low), std::max(a.high, b.high)}, sum);
  }
  // m * (x - d * floor(x / d)) is m times a remainder.
  for (const Term& t : form.terms) {
    const Atom& atom = atoms_[t.atom];
    if (atom.kind != Atom::Kind::quotient || t.coefficient.value % atom.divisor != 0) continue;
    const std::int64_t m = -t.coefficient.value / atom.divisor;
    Form rest = form - of(t.atom, t.coefficient.value);
    bool all = true;
    for (const Term& inner : atom.first.terms)
      all = all && rest.coefficient(inner.atom) == m * inner.coefficient.value;
    if (!all) continue;
    rest = rest - atom.first * m;
    return intersect(interval(rest, variables, depth + 1) + Interval{0, atom.divisor - 1} * m, sum);
  }
  return sum;
}

std::int64_t Forms::evaluate(const Form& form, std::span<const std::int64_t> variables) const {
  std::int64_t sum = form.constant.value;
  for (const Term& t : form.terms) {
    const Atom& atom = atoms_[t.atom];
    std::int64_t value = 0;
    switch (atom.kind) {
      case Atom::Kind::variable: value = variables[t.atom]; break;
      case Atom::Kind::quotient:
        value = floor_of(evaluate(atom.first, variables), atom.divisor);
        break;
      case Atom::Kind::choice:
        value = evaluate(may_hold(atom.condition, variables) ? atom.first : atom.second, variables);
        break;
    }
    sum += t.coefficient.value * value;
  }
  return sum;
}

Form Forms::substitute(const Form& form, const Substitution& with) {
  Form result{form.constant};
  for (const Term& t : form.terms) {
    if (const auto found = with.find(t.atom); found != with.end()) {
      result = result + found->second * t.coefficient;
      continue;
    }
    const Atom atom = atoms_[t.atom];
    Form value = of(t.atom);
    if (atom.kind == Atom::Kind::quotient)
      value = quotient(substitute(atom.first, with), atom.divisor);
    if (atom.kind == Atom::Kind::choice)
      value = choose(substitute(atom.condition, with), substitute(atom.first, with),
                     substitute(atom.second, with));
    result = result + value * t.coefficient;
  }
  return result;
}

bool Forms::uses(const Form& form, AtomId variable) const {
  return std::any_of(form.terms.begin(), form.terms.end(), [&](const Term& t) {
    const Atom& atom = atoms_[t.atom];
    if (atom.kind == Atom::Kind::variable) return t.atom == variable;
    if (uses(atom.first, variable)) return true;
    return atom.kind == Atom::Kind::choice &&
           (uses(atom.second, variable) || uses(atom.condition, variable));
  });
}

}  // namespace heddle::analysis
