// Conditions of Forms.
#include <algorithm>

#include "analysis/affine_form.h"

namespace heddle::analysis {

Forms::Forms() {
  conditions_.push_back({Condition::Kind::never, {}, 0, false, {}});
  conditions_.push_back({Condition::Kind::always, {}, 0, false, {}});
}

ConditionId Forms::add(Condition condition, Key key) {
  const auto [place, added] = condition_ids_.try_emplace(std::move(key), 0);
  if (added) {
    place->second = static_cast<ConditionId>(conditions_.size());
    conditions_.push_back(std::move(condition));
  }
  return place->second;
}

ConditionId Forms::compare(bool equal, const Form& form) {
  const Interval range = interval(form);
  if (equal) {
    if (range.low > 0 || range.high < 0) return kNever;
    if (range.low == 0 && range.high == 0) return kAlways;
  } else {
    if (range.low >= 0) return kAlways;
    if (range.high < 0) return kNever;
  }
  Condition condition;
  condition.kind = equal ? Condition::Kind::zero : Condition::Kind::at_least_zero;
  condition.form = form;
  // x == 0 and -x == 0 are one condition.
  if (equal && !form.terms.empty() && form.terms.front().coefficient.value < 0)
    condition.form = form * -1;
  Key key{equal, condition.form.constant.value};
  for (const Term& t : condition.form.terms) {
    key.push_back(t.atom);
    key.push_back(t.coefficient.value);
  }
  return add(std::move(condition), std::move(key));
}
ConditionId Forms::at_least_zero(const Form& form) { return compare(false, form); }
ConditionId Forms::zero(const Form& form) { return compare(true, form); }

ConditionId Forms::unknown(std::uint32_t origin, bool negated) {
  Condition condition;
  condition.kind = Condition::Kind::unknown;
  condition.origin = origin;
  condition.negated = negated;
  return add(std::move(condition), {2, origin, negated});
}

ConditionId Forms::negate(ConditionId id) {
  const Condition c = conditions_[id];
  switch (c.kind) {
    case Condition::Kind::never: return kAlways;
    case Condition::Kind::always: return kNever;
    case Condition::Kind::at_least_zero: return at_least_zero(c.form * -1 - Form{1});
    case Condition::Kind::zero:
      return any_of({at_least_zero(c.form - Form{1}), at_least_zero(c.form * -1 - Form{1})});
    case Condition::Kind::unknown: return unknown(c.origin, !c.negated);
    case Condition::Kind::all_of:
    case Condition::Kind::any_of: {
      // x >= 1 or x <= -1 is the negation of x == 0.
      if (c.kind == Condition::Kind::any_of && c.parts.size() == 2) {
        const Condition &a = conditions_[c.parts[0]], &b = conditions_[c.parts[1]];
        if (a.kind == Condition::Kind::at_least_zero && b.kind == a.kind &&
            a.form + b.form == Form{-2})
          return zero(a.form + Form{1});
      }
      std::vector<ConditionId> parts;
      for (ConditionId part : c.parts) parts.push_back(negate(part));
      return c.kind == Condition::Kind::all_of ? any_of(parts) : all_of(parts);
    }
  }
  return kAlways;
}

ConditionId Forms::all_of(const std::vector<ConditionId>& parts) { return join(true, parts); }
ConditionId Forms::any_of(const std::vector<ConditionId>& parts) { return join(false, parts); }

ConditionId Forms::join(bool all, const std::vector<ConditionId>& parts) {
  const auto kind = all ? Condition::Kind::all_of : Condition::Kind::any_of;
  const ConditionId neutral = all ? kAlways : kNever, decisive = all ? kNever : kAlways;
  std::vector<ConditionId> flat;
  for (ConditionId part : parts) {
    if (part == decisive) return decisive;
    if (part == neutral) continue;
    const Condition& c = conditions_[part];
    if (c.kind == kind)
      flat.insert(flat.end(), c.parts.begin(), c.parts.end());
    else
      flat.push_back(part);
  }
  const auto make_set = [](std::vector<ConditionId>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  make_set(flat);
  const auto member = [](const std::vector<ConditionId>& list, ConditionId id) {
    return std::binary_search(list.begin(), list.end(), id);
  };
  for (ConditionId part : flat)
    if (member(flat, negate(part))) return decisive;
  // x or (not x and y) is x or y; x and (not x or y) is x and y.
  for (ConditionId& part : flat) {
    const Condition c = conditions_[part];
    if (c.kind != Condition::Kind::all_of && c.kind != Condition::Kind::any_of) continue;
    std::vector<ConditionId> rest;
    bool absorbed = false;
    for (ConditionId inner : c.parts) {
      absorbed = absorbed || member(flat, inner);
      if (!member(flat, negate(inner))) rest.push_back(inner);
    }
    if (absorbed) {
      part = neutral;
      continue;
    }
    if (rest.size() == c.parts.size()) continue;
    std::vector<ConditionId> again = flat;
    std::erase(again, part);
    again.push_back(join(!all, rest));
    return join(all, again);
  }
  std::erase(flat, neutral);
  make_set(flat);
  if (flat.empty()) return neutral;
  if (flat.size() == 1) return flat.front();
  Condition condition;
  condition.kind = kind;
  condition.parts = flat;
  Key key{3, all};
  key.insert(key.end(), flat.begin(), flat.end());
  return add(std::move(condition), std::move(key));
}

std::vector<ConditionId> Forms::conjuncts(ConditionId id) const {
  if (id == kAlways) return {};
  const Condition& c = conditions_[id];
  return c.kind == Condition::Kind::all_of ? c.parts : std::vector<ConditionId>{id};
}

bool Forms::depends_on_data(ConditionId id) const {
  const Condition& c = conditions_[id];
  return c.kind == Condition::Kind::unknown ||
         std::any_of(c.parts.begin(), c.parts.end(),
                     [this](ConditionId part) { return depends_on_data(part); });
}

Truth Forms::truth(ConditionId id, std::span<const Interval> variables) const {
  const Condition& c = conditions_[id];
  switch (c.kind) {
    case Condition::Kind::never: return Truth::no;
    case Condition::Kind::always: return Truth::yes;
    case Condition::Kind::unknown: return Truth::open;
    case Condition::Kind::at_least_zero: {
      const Interval range = interval(c.form, variables);
      return range.low >= 0 ? Truth::yes : range.high < 0 ? Truth::no : Truth::open;
    }
    case Condition::Kind::zero: {
      const Interval range = interval(c.form, variables);
      if (range.low == 0 && range.high == 0) return Truth::yes;
      return range.low > 0 || range.high < 0 ? Truth::no : Truth::open;
    }
    case Condition::Kind::all_of:
    case Condition::Kind::any_of: {
      const Truth decisive = c.kind == Condition::Kind::all_of ? Truth::no : Truth::yes;
      bool open = false;
      for (ConditionId part : c.parts) {
        const Truth t = truth(part, variables);
        if (t == decisive) return decisive;
        open = open || t == Truth::open;
      }
      if (open) return Truth::open;
      return decisive == Truth::no ? Truth::yes : Truth::no;
    }
  }
  return Truth::open;
}

bool Forms::may_hold(ConditionId id, std::span<const std::int64_t> variables) const {
  const Condition& c = conditions_[id];
  const auto holds = [&](ConditionId part) { return may_hold(part, variables); };
  switch (c.kind) {
    case Condition::Kind::never: return false;
    case Condition::Kind::always:
    case Condition::Kind::unknown: return true;
    case Condition::Kind::at_least_zero: return evaluate(c.form, variables) >= 0;
    case Condition::Kind::zero: return evaluate(c.form, variables) == 0;
    case Condition::Kind::all_of: return std::all_of(c.parts.begin(), c.parts.end(), holds);
    case Condition::Kind::any_of: return std::any_of(c.parts.begin(), c.parts.end(), holds);
  }
  return true;
}

Interval Forms::interval_where(const Form& form, ConditionId condition, int depth) const {
  Interval range = interval(form, {}, depth);
  for (ConditionId part : conjuncts(condition)) {
    const Condition& c = conditions_[part];
    if (c.kind != Condition::Kind::at_least_zero && c.kind != Condition::Kind::zero) continue;
    if (c.form.terms.empty() || c.form.terms.size() > form.terms.size()) continue;
    // form = m * c.form + rest
    const Term& lead = c.form.terms.front();
    const std::int64_t mine = form.coefficient(lead.atom);
    if (mine == 0 || mine % lead.coefficient.value != 0) continue;
    const std::int64_t m = mine / lead.coefficient.value;
    const Form rest = form - c.form * m;
    if (rest.terms.size() >= form.terms.size()) continue;
    const Interval held =
        c.kind == Condition::Kind::zero ? Interval{0, 0} : Interval{0, Interval::kMax};
    range = intersect(range, interval(rest, {}, depth) + held * m);
  }
  return range;
}

Form Forms::simplify_where(const Form& form, ConditionId condition) {
  Form result{form.constant};
  for (const Term& t : form.terms) {
    const Atom atom = atoms_[t.atom];
    Form value = of(t.atom);
    if (atom.kind == Atom::Kind::quotient) {
      const Form dividend = simplify_where(atom.first, condition);
      const Interval range = interval_where(dividend, condition);
      const std::int64_t low = floor_of(range.low, atom.divisor);
      if (range.bounded() && low == floor_of(range.high, atom.divisor))
        value = Form{low};
      else if (!(dividend == atom.first))
        value = quotient(dividend, atom.divisor);
    } else if (atom.kind == Atom::Kind::choice) {
      const std::vector<ConditionId> held = conjuncts(condition);
      const auto implied = [&](ConditionId part) {
        if (std::find(held.begin(), held.end(), part) != held.end()) return true;
        const Condition& c = conditions_[part];
        return c.kind == Condition::Kind::at_least_zero &&
               interval_where(c.form, condition).low >= 0;
      };
      const auto all_implied = [&](ConditionId id) {
        const std::vector<ConditionId> parts = conjuncts(id);
        return std::all_of(parts.begin(), parts.end(), implied);
      };
      if (all_implied(atom.condition))
        value = simplify_where(atom.first, condition);
      else if (all_implied(negate(atom.condition)))
        value = simplify_where(atom.second, condition);
    }
    result = result + value * t.coefficient;
  }
  return result;
}

ConditionId Forms::substitute(ConditionId id, const Substitution& with) {
  const Condition c = conditions_[id];
  switch (c.kind) {
    case Condition::Kind::never:
    case Condition::Kind::always:
    case Condition::Kind::unknown: return id;
    case Condition::Kind::at_least_zero: return at_least_zero(substitute(c.form, with));
    case Condition::Kind::zero: return zero(substitute(c.form, with));
    case Condition::Kind::all_of:
    case Condition::Kind::any_of: {
      std::vector<ConditionId> parts;
      for (ConditionId part : c.parts) parts.push_back(substitute(part, with));
      return join(c.kind == Condition::Kind::all_of, parts);
    }
  }
  return id;
}

bool Forms::uses(ConditionId id, AtomId variable) const {
  const Condition& c = conditions_[id];
  return uses(c.form, variable) ||
         std::any_of(c.parts.begin(), c.parts.end(),
                     [&](ConditionId part) { return uses(part, variable); });
}

}  // namespace heddle::analysis
