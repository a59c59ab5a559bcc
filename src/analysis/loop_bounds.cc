#include "analysis/loop_bounds.h"

#include <algorithm>
#include <optional>

namespace heddle::analysis {
namespace {

constexpr std::int64_t kUnknownRange = std::int64_t{1} << 30;
constexpr std::int64_t kManyIterations = std::int64_t{1} << 24;

// Loop counters are named by nesting depth.
std::string counter_name(const ptx::Kernel& kernel, std::uint16_t loop) {
  const std::uint16_t depth = kernel.loops[loop].depth;
  std::string name(1, static_cast<char>('i' + std::min(depth - 1, 10)));
  int before = 0;
  for (std::uint16_t l = 0; l < loop; ++l) before += kernel.loops[l].depth == depth;
  return before == 0 ? name : name + std::to_string(before + 1);
}

}  // namespace

void LoopBounds::carry(std::uint16_t reg, ValueId first) {
  Carried c;
  c.reg = reg;
  c.first = first;
  const Value::Kind kind = values_.value(first).kind;
  if (kind == Value::Kind::form) {
    const Interval start = forms_.interval(values_.value(first).form);
    // Registers of 64 bits may hold addresses.
    const std::int64_t reach = start.high >= kUnknownRange || start.low <= -kUnknownRange
                                   ? Interval::kMax / 2
                                   : kUnknownRange;
    c.atom = forms_.add_variable(kCarriedName, {-reach, reach});
    c.is_form = true;
    c.unknown = values_.add(Forms::of(c.atom));
  } else {
    c.unknown = values_.add_opaque("a value that the loop at " +
                                   values_.place(kernel_.loops[loop_].header) +
                                   " carries between iterations");
    if (kind == Value::Kind::opaque && c.first != 0)
      c.unknown = values_.add(values_.value(c.first));
  }
  carried_.push_back(c);
}

void LoopBounds::set_unknowns(RegisterState& state) const {
  for (const Carried& c : carried_) state[c.reg] = c.unknown;
}
void LoopBounds::set_solutions(RegisterState& state) const {
  for (const Carried& c : carried_) state[c.reg] = c.solution;
}

void LoopBounds::solve_register(Carried& c, const std::vector<BackEdge>& edges) {
  c.solution = c.unknown;
  if (!c.is_form) return;
  const std::string what = "a value that the loop at " +
                           values_.place(kernel_.loops[loop_].header) +
                           " changes other than by a constant step";
  const auto fail = [&](const Value* because) {
    c.solution = because && because->kind == Value::Kind::opaque ? values_.add(*because)
                                                                 : values_.add_opaque(what);
  };
  std::optional<Form> next;
  for (const BackEdge& e : edges) {
    const Value value = values_.value(e.state[c.reg]);
    if (value.kind != Value::Kind::form) return fail(&value);
    if (next && !(*next == value.form)) return fail(nullptr);
    next = value.form;
  }
  const Form first = values_.value(c.first).form;
  if (!next) {
    c.solution = c.first;
    c.solved = true;
    return;
  }
  const Form step = *next - Forms::of(c.atom);
  if (step.is_constant() && next->coefficient(c.atom) == 1) {
    c.solution = values_.add(first + Forms::of(counter_, step.constant));
    c.solved = true;
    return;
  }
  for (const Carried& other : carried_)
    if (other.is_form && forms_.uses(*next, other.atom)) {
      if (next->coefficient(c.atom) == 1 && !forms_.uses(step, other.atom)) break;
      return fail(nullptr);
    }
  if (next->coefficient(c.atom) != 0 || forms_.uses(*next, c.atom)) {
    c.solution = values_.add_opaque("a product of an index and the iterations of the loop at " +
                                    values_.place(kernel_.loops[loop_].header));
    return;
  }
  // The loop assigns the same value in every iteration.
  c.solution = values_.add(forms_.choose(forms_.zero(Forms::of(counter_)), first, *next));
  c.solved = true;
}

void LoopBounds::solve(const std::vector<BackEdge>& edges, const std::vector<ConditionId>& exits,
                       ConditionId entry) {
  counter_ = forms_.add_variable(counter_name(kernel_, loop_), {0, kManyIterations});
  for (Carried& c : carried_) solve_register(c, edges);
  std::optional<Form> last = last_iteration(exits, entry);
  // A known number of iterations needs no assumption: an address of 32 bits that the loop carries
  // may be near the bound that the assumption keeps values within.
  const std::int64_t most =
      last ? std::clamp<std::int64_t>(forms_.interval_where(*last, entry).high, 0, kManyIterations)
           : iterations_without_overflow();
  // The counter with the range that is known now.
  const AtomId before = counter_;
  counter_ = forms_.add_variable(counter_name(kernel_, loop_), {0, most});
  const Forms::Substitution again{{before, Forms::of(counter_)}};
  for (Carried& c : carried_) {
    const Value value = values_.value(c.solution);
    if (c.is_form && c.solved && value.kind == Value::Kind::form)
      c.solution = values_.add(forms_.substitute(value.form, again));
  }
  loop_result_.reached = true;
  loop_result_.counter = counter_;
  loop_result_.counted = last.has_value();
  if (last) loop_result_.last = *last;
}

std::int64_t LoopBounds::iterations_without_overflow() const {
  std::int64_t most = kManyIterations;
  for (const Carried& c : carried_) {
    const Value& value = values_.value(c.solution);
    if (!c.is_form || !c.solved || value.kind != Value::Kind::form) continue;
    const std::int64_t step = std::abs(value.form.coefficient(counter_));
    const Interval start = forms_.interval(values_.value(c.first).form);
    const std::int64_t reach = std::max(std::abs(start.low), std::abs(start.high));
    if (step == 0 || reach >= kUnknownRange) continue;
    most = std::min(most, std::max<std::int64_t>(1, (kUnknownRange - reach) / step));
  }
  return most;
}

std::optional<Form> LoopBounds::last_iteration(const std::vector<ConditionId>& exits,
                                               ConditionId entry) {
  const auto unknown = [this](std::string why) {
    loop_result_.reason = std::move(why);
    return std::nullopt;
  };
  Forms::Substitution solved;
  for (const Carried& c : carried_)
    if (c.is_form && c.solved) solved[c.atom] = values_.value(c.solution).form;
  std::optional<Form> last;
  for (ConditionId exit : exits) {
    const std::vector<ConditionId> held = forms_.conjuncts(exit);
    std::vector<ConditionId> parts = held;
    // That the loop did not end at an earlier exit of the same iteration is known. An earlier exit
    // lies on the same path up to the branch that takes it.
    std::erase_if(parts, [&](ConditionId part) {
      const ConditionId other = forms_.negate(part);
      return std::any_of(exits.begin(), exits.end(), [&](ConditionId e) {
        const std::vector<ConditionId> its = forms_.conjuncts(e);
        return std::find(its.begin(), its.end(), other) != its.end() &&
               std::all_of(its.begin(), its.end(), [&](ConditionId c) {
                 return c == other || std::find(held.begin(), held.end(), c) != held.end();
               });
      });
    });
    if (parts.size() != 1) return unknown("an exit of the loop is under a condition");
    for (const Carried& c : carried_)
      if (c.is_form && !c.solved && forms_.uses(parts.front(), c.atom))
        return unknown("its number of iterations depends on " +
                       values_.reason(values_.value(c.solution).reason).text);
    const Condition condition = forms_.condition(parts.front());
    if (condition.kind == Condition::Kind::unknown)
      return unknown("its number of iterations depends on " +
                     values_.reason(condition.origin).text);
    const std::vector<ConditionId> any = condition.kind == Condition::Kind::any_of
                                             ? condition.parts
                                             : std::vector<ConditionId>{parts.front()};
    for (ConditionId part : any) {
      const Condition c = forms_.condition(part);
      if (c.kind == Condition::Kind::unknown)
        return unknown("its number of iterations depends on " + values_.reason(c.origin).text);
      const bool only = exits.size() == 1 && any.size() == 1;
      const std::optional<Form> first =
          first_iteration(forms_.substitute(part, solved), entry, only);
      if (!first) return unknown("its exit condition is not affine");
      last = last ? forms_.minimum(*last, *first) : *first;
    }
  }
  if (!last) return unknown("it has no exit");
  return last;
}

Form LoopBounds::without_wrap(const Form& form) const {
  Form result{form.constant};
  for (const Term& t : form.terms) {
    const Atom& atom = forms_.atom(t.atom);
    // What a register of 32 bits drops: 2^32 for each wrap. mul.hi divides by 2^32, too.
    constexpr std::int64_t kWrap = std::int64_t{1} << 32;
    if (atom.kind == Atom::Kind::quotient && atom.divisor == kWrap &&
        t.coefficient.value % kWrap == 0)
      continue;
    result.terms.push_back(t);
  }
  return result;
}

std::optional<Form> LoopBounds::first_iteration(ConditionId exit, ConditionId entry, bool only) {
  if (exit == Forms::kAlways) return Form{0};
  const Condition c = forms_.condition(exit);
  if (c.kind != Condition::Kind::at_least_zero && c.kind != Condition::Kind::zero)
    return std::nullopt;
  const Form form = without_wrap(c.form);
  const std::int64_t step = form.coefficient(counter_);
  const Form rest = form - Forms::of(counter_, step);
  if (forms_.uses(rest, counter_)) return std::nullopt;
  if (c.kind == Condition::Kind::zero) {
    if (step == 0) return std::nullopt;
    const Form distance = step > 0 ? rest * -1 : rest;
    const std::int64_t stride = std::abs(step);
    // A loop with other exits may step over the value, or begin behind it.
    if (!only && (forms_.interval_where(distance, entry).low < 0 ||
                  !(forms_.remainder(distance, stride) == Form{0})))
      return std::nullopt;
    return forms_.quotient(distance, stride);
  }
  if (step <= 0) {
    if (forms_.interval_where(rest, entry).low >= 0) return Form{0};
    return std::nullopt;
  }
  const Form first = forms_.quotient(Form{step - 1} - rest, step);
  if (forms_.interval_where(Form{step - 1} - rest, entry).low >= 0) return first;
  return forms_.maximum(first, Form{0});
}

ValueId LoopBounds::after_loop(ValueId id, bool last_known) {
  const Value value = values_.value(id);
  const bool changes =
      (value.kind == Value::Kind::form && forms_.uses(value.form, counter_)) ||
      (value.kind == Value::Kind::condition && forms_.uses(value.condition, counter_));
  if (!changes) return id;
  if (!last_known)
    return values_.add_opaque("the number of iterations of the loop at " +
                              values_.place(kernel_.loops[loop_].header) + ", which is not known");
  const Forms::Substitution at_end{{counter_, loop_result_.last}};
  Value result = value;
  if (value.kind == Value::Kind::form)
    result.form = forms_.substitute(value.form, at_end);
  else
    result.condition = forms_.substitute(value.condition, at_end);
  return values_.add(std::move(result));
}

}  // namespace heddle::analysis
