#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ptx/lower/lower.h"

namespace heddle::ptx {

namespace {

constexpr std::uint64_t kMaxSpaceBytes = std::uint64_t{1} << 31;

std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

class LayoutBuilder {
 public:
  explicit LayoutBuilder(const Ast& ast) : ast_(ast) {}
  Layout layout;

  void place(std::uint32_t unit, std::uint32_t index) {
    const AstVariable& variable = ast_.units[unit].variables[index];
    if (layout.offsets.contains({unit, index})) return;
    std::uint64_t* used = used_in(variable.space);
    if (!used) return;
    if (variable.space == Space::shared && variable.linkage == Linkage::external) {
      if (variable.unsized || variable.bytes == 0)
        dynamic_.emplace_back(unit, index);
      else
        place_definition(unit, index);
      return;
    }
    const std::uint64_t offset = align_up(*used, std::max<std::uint64_t>(1, variable.align));
    *used = offset + variable.bytes;
    if (*used > kMaxSpaceBytes)
      throw UserError(ast_.units[unit].where(variable.at),
                      "too much memory for '" + variable.name + "'");
    layout.offsets[{unit, index}] = offset;
  }

  void reserve_shared() {
    layout.reserved_shared = align_up(layout.shared_bytes, 16);
    layout.shared_bytes = layout.reserved_shared + kReservedSharedBytes;
  }

  // All dynamic arrays begin at the same offset, after the static ones.
  void place_dynamic() {
    if (dynamic_.empty()) return;
    std::uint64_t align = 16;
    for (const auto& [unit, index] : dynamic_)
      align = std::max(align, ast_.units[unit].variables[index].align);
    layout.shared_bytes = align_up(layout.shared_bytes, align);
    for (const auto& place : dynamic_) layout.offsets[place] = layout.shared_bytes;
  }

 private:
  // Gives a declaration of a shared variable the place of its definition in a linked module.
  void place_definition(std::uint32_t unit, std::uint32_t index) {
    const AstVariable& declared = ast_.units[unit].variables[index];
    for (std::uint32_t u = 0; u < ast_.units.size(); ++u) {
      const auto found = ast_.units[u].variable_names.find(declared.name);
      if (found == ast_.units[u].variable_names.end()) continue;
      const AstVariable& defined = ast_.units[u].variables[found->second];
      if (defined.space != Space::shared || defined.bytes < declared.bytes ||
          (defined.linkage != Linkage::visible && defined.linkage != Linkage::weak))
        continue;
      place(u, found->second);
      layout.offsets[{unit, index}] = layout.offsets.at({u, found->second});
      return;
    }
    throw UserError(ast_.units[unit].where(declared.at),
                    "the shared variable '" + declared.name + "' is not defined");
  }

  std::uint64_t* used_in(Space space) {
    switch (space) {
      case Space::shared: return &layout.shared_bytes;
      case Space::local: return &layout.local_bytes;
      case Space::frame: return &layout.frame_bytes;
      case Space::param: return &layout.parameter_bytes;
      default: return nullptr;
    }
  }
  const Ast& ast_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> dynamic_;
};

// Module-scope shared and local variables that the function uses.
void place_used(const Ast& ast, FunctionRef ref, LayoutBuilder& builder) {
  const AstUnit& unit = ast.units[ref.unit];
  const AstFunction& function = unit.functions[ref.function];
  const auto consider = [&](const AstOperand& operand) {
    const std::uint32_t index =
        operand.kind == AstOperand::Kind::symbol ? operand.index : operand.symbol;
    const bool names_variable =
        operand.kind == AstOperand::Kind::symbol || operand.kind == AstOperand::Kind::address;
    if (names_variable && index != kNoIndex && unit.variables[index].function == kNoIndex)
      builder.place(ref.unit, index);
  };
  for (const AstOperand& operand : function.operands) consider(operand);
  for (const AstOperand& operand : function.vector_pool) consider(operand);
}

bool uses_reserved_shared(const Ast& ast, FunctionRef ref) {
  const auto& operands = ast.units[ref.unit].functions[ref.function].operands;
  return std::any_of(operands.begin(), operands.end(), [](const AstOperand& operand) {
    return operand.kind == AstOperand::Kind::special &&
           static_cast<SpecialRegister>(operand.index) == SpecialRegister::reserved_shared;
  });
}

// The callee, when the caller stores its arguments directly in the callee's parameters; otherwise
// an empty reference.
FunctionRef direct_callee(const Ast& ast, const CallGraph& calls, const Layout& layout,
                          FunctionRef caller, std::size_t number) {
  const AstCall& call = ast.units[caller.unit].functions[caller.function].calls[number];
  if (call.callee == kNoIndex || layout.copied_calls.contains({caller, number})) return {};
  const FunctionRef callee = resolve_callee(ast, caller.unit, call);
  return callee.unit == kNoIndex || calls.is_framed(callee) ? FunctionRef{} : callee;
}

// The variables of a direct call with their places, those of the callee's parameters.
std::vector<std::pair<std::uint32_t, std::uint64_t>> places_in_callee(const Ast& ast,
                                                                      const Layout& layout,
                                                                      const AstCall& call,
                                                                      FunctionRef callee) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> places;
  const AstFunction& defined = ast.units[callee.unit].functions[callee.function];
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    places.emplace_back(call.arguments[i], layout.offsets.at({callee.unit, defined.parameters[i]}));
  for (std::size_t i = 0; i < call.results.size(); ++i)
    places.emplace_back(call.results[i], layout.offsets.at({callee.unit, defined.results[i]}));
  return places;
}

// Arguments of a direct call have the offsets of the callee's parameters, unless a variable would
// need two places or belongs to a call that copies: then this call copies, too.
void place_call_arguments(const Ast& ast, const CallGraph& calls, FunctionRef ref, Layout& layout) {
  const AstUnit& unit = ast.units[ref.unit];
  const auto& all = unit.functions[ref.function].calls;
  std::set<std::uint32_t> copied;  // variables
  std::map<std::uint32_t, std::uint64_t> places;
  for (bool changed = true; changed;) {
    changed = false;
    places.clear();
    for (std::size_t c = 0; c < all.size(); ++c) {
      const FunctionRef callee = direct_callee(ast, calls, layout, ref, c);
      if (callee.unit == kNoIndex) {
        for (const auto* list : {&all[c].arguments, &all[c].results})
          for (const std::uint32_t v : *list) changed |= copied.insert(v).second;
        continue;
      }
      for (const auto& [v, place] : places_in_callee(ast, layout, all[c], callee)) {
        const bool fits = unit.variables[v].call_argument && !copied.contains(v) &&
                          places.try_emplace(v, place).first->second == place;
        if (!fits) changed |= layout.copied_calls.emplace(ref, c).second;
      }
    }
  }
  for (const auto& [v, place] : places) layout.offsets.emplace(std::pair{ref.unit, v}, place);
}

// Another call of the same function would overwrite the arguments, so no other call may come
// between the access to an argument or result and its call.
void check_call_sequences(const Ast& ast, const CallGraph& graph, const Layout& layout,
                          FunctionRef ref) {
  const AstUnit& unit = ast.units[ref.unit];
  const AstFunction& function = unit.functions[ref.function];
  std::vector<std::size_t> calls;     // instructions
  std::vector<std::uint32_t> copied;  // variables of calls that copy their arguments
  for (std::size_t i = 0; i < function.code.size(); ++i) {
    if (unit.forms[function.code[i].form].prototype.opcode != Opcode::call) continue;
    const AstCall& call = function.calls[function.code[i].target];
    if (direct_callee(ast, graph, layout, ref, function.code[i].target).unit != kNoIndex)
      calls.push_back(i);
    else
      copied.insert(copied.end(), call.arguments.begin(), call.arguments.end()),
          copied.insert(copied.end(), call.results.begin(), call.results.end());
  }
  const auto names = [](const std::vector<std::uint32_t>& list, std::uint32_t v) {
    return std::find(list.begin(), list.end(), v) != list.end();
  };
  for (std::size_t i = 0; i < function.code.size() && !calls.empty(); ++i) {
    const AstInstruction& instruction = function.code[i];
    for (std::size_t o = 0; o < instruction.operand_count; ++o) {
      const AstOperand& operand = function.operands[instruction.first_operand + o];
      if (operand.kind != AstOperand::Kind::address || operand.symbol == kNoIndex ||
          !unit.variables[operand.symbol].call_argument)
        continue;
      const auto next = std::lower_bound(calls.begin(), calls.end(), i);
      const auto call_at = [&](auto it) -> const AstCall& {
        return function.calls[function.code[*it].target];
      };
      const bool goes_in = next != calls.end() && names(call_at(next).arguments, operand.symbol);
      const bool comes_out =
          next != calls.begin() && names(call_at(next - 1).results, operand.symbol);
      if (!goes_in && !comes_out && !names(copied, operand.symbol)) {
        throw UserError(unit.where(operand.at), "there is another call between this access to '" +
                                                    unit.variables[operand.symbol].name +
                                                    "' and its call");
      }
    }
  }
}

}  // namespace

Layout lay_out(const Ast& ast, const CallGraph& calls) {
  LayoutBuilder builder(ast);
  const auto place_formals = [&](FunctionRef ref) {
    const AstFunction& function = ast.units[ref.unit].functions[ref.function];
    for (std::uint32_t v : function.parameters) builder.place(ref.unit, v);
    for (std::uint32_t v : function.results) builder.place(ref.unit, v);
  };
  const auto place_variables = [&](FunctionRef ref) {
    place_call_arguments(ast, calls, ref, builder.layout);
    check_call_sequences(ast, calls, builder.layout, ref);
    const auto& variables = ast.units[ref.unit].variables;
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      if (variables[v].function == ref.function && variables[v].space != Space::param)
        builder.place(ref.unit, v);
    }
  };
  const auto each = [&](bool framed, auto&& f) {
    for (std::size_t i = 0; i < calls.functions.size(); ++i)
      if (static_cast<bool>(calls.framed[i]) == framed) f(calls.functions[i]);
  };
  each(false, place_formals);
  each(false, place_variables);
  each(true, [&](FunctionRef ref) {
    Layout::Frame frame{builder.layout.frame_bytes, 0, 0};
    const std::uint64_t fixed = std::exchange(builder.layout.local_bytes, 0);
    place_formals(ref);
    place_variables(ref);
    frame.bytes = builder.layout.frame_bytes - frame.first;
    frame.local_bytes = std::exchange(builder.layout.local_bytes, fixed);
    builder.layout.frames[ref] = frame;
  });
  for (const FunctionRef& ref : calls.functions) place_used(ast, ref, builder);
  if (std::any_of(calls.functions.begin(), calls.functions.end(),
                  [&](FunctionRef ref) { return uses_reserved_shared(ast, ref); }))
    builder.reserve_shared();
  builder.place_dynamic();
  return builder.layout;
}

}  // namespace heddle::ptx
