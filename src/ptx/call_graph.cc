#include <algorithm>

#include "ptx/lower.h"

namespace heddle::ptx {

namespace {

// The definition, or an empty reference.
FunctionRef find_callee(const Ast& ast, std::uint32_t unit, const AstCall& call) {
  const AstFunction& callee = ast.units[unit].functions[call.callee];
  if (callee.is_defined) return {unit, call.callee};
  if (callee.alias_of != kNoIndex) return {unit, callee.alias_of};
  const auto found = ast.shared_functions.find(callee.name);
  return found == ast.shared_functions.end() ? FunctionRef{} : found->second;
}

class Walk {
 public:
  Walk(const Ast& ast, bool undefined_allowed) : ast_(ast), undefined_allowed_(undefined_allowed) {}
  std::vector<FunctionRef> order;

  // Depth first without recursion of our own: call chains may be long.
  void visit(FunctionRef root) {
    if (state_[root] != State::fresh) return;
    enter(root);
    while (!stack_.empty()) {
      auto& [ref, next] = stack_.back();
      const AstFunction& function = ast_.units[ref.unit].functions[ref.function];
      if (next == function.calls.size()) {
        state_[ref] = State::done;
        stack_.pop_back();
        continue;
      }
      const AstCall& call = function.calls[next++];
      const FunctionRef callee = undefined_allowed_ ? find_callee(ast_, ref.unit, call) : resolve_callee(ast_, ref.unit, call);
      if (callee.unit == kNoIndex) continue;
      if (state_[callee] == State::open) {
        throw UserError(ast_.units[ref.unit].where(call.at), "recursion is not supported: '" + name_of_callee(ref.unit, call) + "' calls itself");
      }
      if (state_[callee] == State::fresh) enter(callee);
    }
  }

 private:
  enum class State { fresh, open, done };
  void enter(FunctionRef ref) {
    state_[ref] = State::open;
    order.push_back(ref);
    stack_.emplace_back(ref, 0);
  }
  const std::string& name_of_callee(std::uint32_t unit, const AstCall& call) const { return ast_.units[unit].functions[call.callee].name; }

  const Ast& ast_;
  bool undefined_allowed_;
  std::map<FunctionRef, State> state_;
  std::vector<std::pair<FunctionRef, std::size_t>> stack_;
};

}  // namespace

FunctionRef resolve_callee(const Ast& ast, std::uint32_t unit, const AstCall& call) {
  const FunctionRef callee = find_callee(ast, unit, call);
  const AstFunction& declared = ast.units[unit].functions[call.callee];
  const SourceLocation where = ast.units[unit].where(call.at);
  if (callee.unit == kNoIndex) throw UserError(where, "the function '" + declared.name + "' is called but not defined");
  const AstFunction& defined = ast.units[callee.unit].functions[callee.function];
  const auto same = [&](const std::vector<std::uint32_t>& actual, const std::vector<std::uint32_t>& formal) {
    return std::equal(actual.begin(), actual.end(), formal.begin(), formal.end(), [&](std::uint32_t a, std::uint32_t f) {
      return ast.units[unit].variables[a].bytes <= ast.units[callee.unit].variables[f].bytes;
    });
  };
  if (!same(call.arguments, defined.parameters) || !same(call.results, defined.results)) {
    throw UserError(where, "this call does not fit the parameters of '" + declared.name + "'");
  }
  return callee;
}

std::vector<FunctionRef> reachable_functions(const Ast& ast, FunctionRef entry) {
  Walk walk(ast, false);
  walk.visit(entry);
  return walk.order;
}

void check_recursion(const Ast& ast) {
  Walk walk(ast, true);
  for (std::uint32_t u = 0; u < ast.units.size(); ++u) {
    for (std::uint32_t f = 0; f < ast.units[u].functions.size(); ++f) {
      if (ast.units[u].functions[f].is_defined) walk.visit({u, f});
    }
  }
}

}  // namespace heddle::ptx
