#include "ptx/flow/call_graph.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "ptx/device_runtime.h"

namespace heddle::ptx {

namespace {

bool fits(const Ast& ast, std::uint32_t unit, const AstCall& call, FunctionRef callee) {
  const AstFunction& defined = ast.units[callee.unit].functions[callee.function];
  const auto same = [&](const std::vector<std::uint32_t>& actual,
                        const std::vector<std::uint32_t>& formal) {
    return std::equal(actual.begin(), actual.end(), formal.begin(), formal.end(),
                      [&](std::uint32_t a, std::uint32_t f) {
                        return ast.units[unit].variables[a].bytes <=
                               ast.units[callee.unit].variables[f].bytes;
                      });
  };
  return same(call.arguments, defined.parameters) && same(call.results, defined.results);
}

using Edges = std::vector<std::vector<std::uint32_t>>;

std::vector<FunctionRef> callees_of(const Ast& ast, std::uint32_t unit, const AstCall& call) {
  if (call.callee == kNoIndex) return possible_callees(ast, unit, call);
  const FunctionRef callee = resolve_callee(ast, unit, call);
  return callee.unit == kNoIndex ? std::vector<FunctionRef>{} : std::vector{callee};
}

// A depth-first walk of the calls. Not recursive: call chains may be long.
class Walk {
 public:
  explicit Walk(const Ast& ast) : ast_(ast) {}
  std::vector<FunctionRef> order;
  Edges callees;                         // by place in `order`
  std::vector<std::uint32_t> postorder;  // places

  void visit(FunctionRef root) {
    enter(root);
    while (!stack_.empty()) {
      auto& [place, next] = stack_.back();
      const std::vector<FunctionRef>& pending = targets_[place];
      if (next == pending.size()) {
        postorder.push_back(place);
        stack_.pop_back();
        continue;
      }
      const FunctionRef callee = pending[next++];
      const std::uint32_t from = place;
      const auto known = places_.find(callee);
      const std::uint32_t to = known == places_.end() ? enter(callee) : known->second;
      callees[from].push_back(to);
    }
  }

 private:
  std::uint32_t enter(FunctionRef ref) {
    const auto place = static_cast<std::uint32_t>(order.size());
    places_[ref] = place;
    order.push_back(ref);
    callees.emplace_back();
    targets_.emplace_back();
    for (const AstCall& call : ast_.units[ref.unit].functions[ref.function].calls) {
      const auto found = callees_of(ast_, ref.unit, call);
      targets_.back().insert(targets_.back().end(), found.begin(), found.end());
    }
    stack_.emplace_back(place, 0);
    return place;
  }

  const Ast& ast_;
  std::map<FunctionRef, std::uint32_t> places_;
  std::vector<std::vector<FunctionRef>> targets_;
  std::vector<std::pair<std::uint32_t, std::size_t>> stack_;
};

// Marks the functions in cycles (Kosaraju's algorithm, whose first walk is Walk).
std::vector<char> in_cycles(const Walk& walk) {
  const std::size_t count = walk.order.size();
  Edges callers(count);
  for (std::uint32_t f = 0; f < count; ++f)
    for (std::uint32_t callee : walk.callees[f]) callers[callee].push_back(f);
  std::vector<char> cyclic(count, 0), seen(count, 0);
  for (std::size_t i = count; i-- > 0;) {
    const std::uint32_t root = walk.postorder[i];
    if (seen[root]) continue;
    std::vector<std::uint32_t> members{root};
    seen[root] = 1;
    for (std::size_t m = 0; m < members.size(); ++m) {
      for (std::uint32_t caller : callers[members[m]])
        if (!seen[caller]) seen[caller] = 1, members.push_back(caller);
    }
    const auto& own = walk.callees[root];
    const bool cycle = members.size() > 1 || std::find(own.begin(), own.end(), root) != own.end();
    for (std::uint32_t member : members) cyclic[member] = cycle;
  }
  return cyclic;
}

bool moves_stack(const Ast& ast, FunctionRef ref) {
  const AstUnit& unit = ast.units[ref.unit];
  const auto& code = unit.functions[ref.function].code;
  return std::any_of(code.begin(), code.end(), [&](const AstInstruction& i) {
    return unit.forms[i.form].prototype.opcode == Opcode::alloca;
  });
}

}  // namespace

Opcode host_function(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Opcode>, 10> known = {
      {{"vprintf", Opcode::vprintf},
       {"__assertfail", Opcode::assertfail},
       {"malloc", Opcode::device_malloc},
       {"_Znwm", Opcode::device_malloc},
       {"_Znam", Opcode::device_malloc},
       {"free", Opcode::device_free},
       {"_ZdlPv", Opcode::device_free},
       {"_ZdaPv", Opcode::device_free},
       {"_ZdlPvm", Opcode::device_free},
       {"_ZdaPvm", Opcode::device_free}}};
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  if (found != known.end()) return found->second;
  return runtime_function(name) ? Opcode::device_runtime : Opcode::nop;
}

FunctionRef find_definition(const Ast& ast, std::uint32_t unit, std::uint32_t function) {
  const AstFunction& named = ast.units[unit].functions[function];
  if (named.is_defined) return {unit, function};
  if (named.alias_of != kNoIndex) return {unit, named.alias_of};
  const auto found = ast.shared_functions.find(named.name);
  if (found != ast.shared_functions.end()) return found->second;
  // A kernel of another unit, which code launches.
  const auto kernel = ast.kernels.find(named.name);
  return kernel == ast.kernels.end() ? FunctionRef{} : kernel->second;
}

FunctionRef resolve_callee(const Ast& ast, std::uint32_t unit, const AstCall& call) {
  const FunctionRef callee = find_definition(ast, unit, call.callee);
  const AstFunction& declared = ast.units[unit].functions[call.callee];
  const SourceLocation where = ast.units[unit].where(call.at);
  if (callee.unit == kNoIndex && host_function(declared.name) != Opcode::nop) return {};
  if (callee.unit == kNoIndex)
    throw UserError(where, "the function '" + declared.name + "' is called but not defined");
  if (!fits(ast, unit, call, callee))
    throw UserError(where, "the arguments do not match the parameters of '" + declared.name + "'");
  return callee;
}

std::uint64_t address_of_function(const Ast& ast, FunctionRef ref) {
  return kFunctionBase +
         kFunctionStride * (std::uint64_t{ast.units[ref.unit].first_function} + ref.function);
}

std::vector<FunctionRef> possible_callees(const Ast& ast, std::uint32_t unit, const AstCall& call) {
  std::vector<FunctionRef> possible;
  for (std::uint32_t u = 0; u < ast.units.size(); ++u) {
    for (std::uint32_t function : ast.units[u].pointed) {
      const FunctionRef ref = find_definition(ast, u, function);
      if (ref.unit == kNoIndex || ast.units[ref.unit].functions[ref.function].is_entry ||
          !fits(ast, unit, call, ref))
        continue;
      if (std::find(possible.begin(), possible.end(), ref) == possible.end())
        possible.push_back(ref);
    }
  }
  return possible;
}

std::uint32_t CallGraph::place_of(FunctionRef ref) const {
  return static_cast<std::uint32_t>(std::find(functions.begin(), functions.end(), ref) -
                                    functions.begin());
}

CallGraph find_calls(const Ast& ast, FunctionRef entry) {
  Walk walk(ast);
  walk.visit(entry);
  CallGraph graph{walk.order, in_cycles(walk)};
  for (std::size_t f = 1; f < graph.functions.size(); ++f)
    if (moves_stack(ast, graph.functions[f])) graph.framed[f] = 1;
  return graph;
}

}  // namespace heddle::ptx
