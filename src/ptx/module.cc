#include "ptx/module.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "ptx/lower/lower.h"
#include "ptx/syntax/ast.h"
#include "ptx/syntax/parser.h"

namespace heddle::ptx {

namespace {

bool is_shared(Linkage linkage) { return linkage == Linkage::visible || linkage == Linkage::weak; }

// A name for a module-private variable that is unique in the linked module.
std::string fresh_name(const std::string& name, const std::map<std::string, std::size_t>& taken) {
  if (!taken.contains(name)) return name;
  for (int i = 2;; ++i) {
    std::string candidate = name + "$" + std::to_string(i);
    if (!taken.contains(candidate)) return candidate;
  }
}

Variable describe(const AstVariable& variable) {
  Variable out;
  out.name = variable.linked_name;
  switch (variable.space) {
    case Space::constant: out.space = VariableSpace::constant; break;
    case Space::texture: out.space = VariableSpace::texture; break;
    case Space::surface: out.space = VariableSpace::surface; break;
    case Space::sampler: out.space = VariableSpace::sampler; break;
    default: break;
  }
  out.bytes = variable.bytes;
  out.align = variable.align;
  out.external = variable.linkage == Linkage::external;
  out.initial = variable.initial;
  out.sampler = variable.sampler;
  return out;
}

// Addresses of functions are known when modules are linked. An undefined function has none; calling
// it is a fault.
void add_function_address(const Ast& ast, FunctionRef function,
                          const Variable::Relocation& relocation, Variable& variable) {
  if (function.unit == kNoIndex) return;
  std::uint64_t word = 0;
  std::memcpy(&word, variable.initial.data() + relocation.offset, relocation.bytes);
  word += address_of_function(ast, function);
  std::memcpy(variable.initial.data() + relocation.offset, &word, relocation.bytes);
}

// Fills Ast::variables and gives every global and constant variable its linked name: first shared
// definitions, then .extern declarations, then private variables, renamed where necessary.
void link_variables(Ast& ast) {
  std::map<std::string, std::size_t> index;  // linked name -> Ast::variables
  std::map<std::string, Linkage> how;
  const auto each = [&](auto&& f) {
    for (AstUnit& unit : ast.units) {
      for (AstVariable& variable : unit.variables) {
        if (variable.function == kNoIndex && is_placed(variable.space)) f(unit, variable);
      }
    }
  };
  const auto add = [&](AstVariable& variable) {
    index[variable.linked_name] = ast.variables.size();
    how[variable.linked_name] = variable.linkage;
    ast.variables.push_back(describe(variable));
  };
  ast.variables.clear();
  each([&](AstUnit& unit, AstVariable& variable) {
    if (!is_shared(variable.linkage)) return;
    variable.linked_name = variable.name;
    const auto found = index.find(variable.name);
    if (found == index.end()) return add(variable);
    if (variable.linkage == Linkage::weak) return;
    if (how[variable.name] != Linkage::weak)
      throw UserError(unit.where(variable.at), "'" + variable.name + "' is defined in two modules");
    ast.variables[found->second] = describe(variable);
    how[variable.name] = variable.linkage;
  });
  each([&](AstUnit&, AstVariable& variable) {
    if (variable.linkage != Linkage::external) return;
    variable.linked_name = variable.name;
    if (!index.contains(variable.name)) add(variable);
  });
  each([&](AstUnit&, AstVariable& variable) {
    if (variable.linkage != Linkage::internal) return;
    variable.linked_name = fresh_name(variable.name, index);
    add(variable);
  });
  std::set<std::string> relocated;
  each([&](AstUnit& unit, AstVariable& variable) {
    Variable& linked = ast.variables[index.at(variable.linked_name)];
    if (variable.relocations.empty() || !relocated.insert(variable.linked_name).second) return;
    for (Variable::Relocation relocation : variable.relocations) {
      if (const auto function = unit.function_names.find(relocation.symbol);
          function != unit.function_names.end()) {
        add_function_address(
            ast,
            find_definition(ast, static_cast<std::uint32_t>(&unit - ast.units.data()),
                            function->second),
            relocation, linked);
        continue;
      }
      relocation.symbol = unit.variables[unit.variable_names.at(relocation.symbol)].linked_name;
      linked.relocations.push_back(std::move(relocation));
    }
  });
}

void link_functions(Ast& ast) {
  ast.kernels.clear();
  ast.shared_functions.clear();
  std::uint32_t functions = 1;  // number 0 is not used
  for (std::uint32_t u = 0; u < ast.units.size(); ++u) {
    AstUnit& unit = ast.units[u];
    unit.first_function = functions;
    functions += static_cast<std::uint32_t>(unit.functions.size());
    for (std::uint32_t f = 0; f < unit.functions.size(); ++f) {
      const AstFunction& function = unit.functions[f];
      if (!function.is_defined || (!function.is_entry && !is_shared(function.linkage))) continue;
      auto& names = function.is_entry ? ast.kernels : ast.shared_functions;
      const auto [place, added] = names.try_emplace(function.name, FunctionRef{u, f});
      if (added || function.linkage == Linkage::weak) continue;
      const AstFunction& before = ast.units[place->second.unit].functions[place->second.function];
      if (before.linkage != Linkage::weak)
        throw UserError(unit.where(function.at),
                        "'" + function.name + "' is defined in two modules");
      place->second = {u, f};
    }
  }
}

// Linked modules must define everything that they call or name.
void check_complete(const Ast& ast) {
  for (std::uint32_t u = 0; u < ast.units.size(); ++u) {
    const AstUnit& unit = ast.units[u];
    for (const AstFunction& function : unit.functions)
      for (const AstCall& call : function.calls)
        if (call.callee != kNoIndex) resolve_callee(ast, u, call);
    for (const AstVariable& variable : unit.variables) {
      if (variable.linkage != Linkage::external || variable.function != kNoIndex ||
          variable.linked_name.empty())
        continue;
      const auto defined =
          std::find_if(ast.variables.begin(), ast.variables.end(),
                       [&](const Variable& v) { return v.name == variable.linked_name; });
      if (defined->external)
        throw UserError(unit.where(variable.at), "the variable '" + variable.name +
                                                     "' is declared but defined in no module");
    }
  }
}

void link_units(Ast& ast) {
  link_functions(ast);
  link_variables(ast);
}

}  // namespace

Module::Module() : ast_(std::make_unique<Ast>()) {}
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&&) noexcept = default;
Module::~Module() = default;

Module Module::parse(std::string_view text, std::string name) {
  Module module;
  module.ast_->name = name;
  AstUnit& unit = module.ast_->units.emplace_back();
  unit.name = std::move(name);
  Parser(text, unit).parse_module();
  link_units(*module.ast_);
  return module;
}

Module Module::survey(std::string_view text, std::string name, std::vector<std::string>& refusals) {
  Module module;
  module.ast_->name = name;
  AstUnit& unit = module.ast_->units.emplace_back();
  unit.name = std::move(name);
  try {
    Parser(text, unit, &refusals).parse_module();
    link_units(*module.ast_);
  } catch (const UserError& refusal) {
    refusals.push_back(refusal.what());
  }
  return module;
}

Module Module::join(std::vector<Module> modules) {
  Module linked;
  for (Module& module : modules) {
    if (!linked.ast_->name.empty()) linked.ast_->name += ", ";
    linked.ast_->name += module.ast_->name;
    for (AstUnit& unit : module.ast_->units) linked.ast_->units.push_back(std::move(unit));
  }
  link_units(*linked.ast_);
  return linked;
}

void Module::require_definitions() const { check_complete(*ast_); }

Module Module::link(std::vector<Module> modules) {
  Module linked = join(std::move(modules));
  linked.require_definitions();
  return linked;
}

const std::string& Module::name() const { return ast_->name; }

std::vector<std::string> Module::kernel_names() const {
  std::vector<std::string> names;
  for (const auto& [name, ref] : ast_->kernels) names.push_back(name);
  return names;
}

const std::vector<Variable>& Module::variables() const { return ast_->variables; }

int Module::target_of(std::string_view kernel) const {
  const auto found = ast_->kernels.find(kernel);
  return found == ast_->kernels.end() ? 0 : ast_->units[found->second.unit].target;
}

std::string Module::kernel_at(std::uint64_t address) const {
  for (const auto& [name, ref] : ast_->kernels)
    if (address_of_function(*ast_, ref) == address) return std::string(name);
  return {};
}

Kernel Module::lower(std::string_view kernel, const SymbolAddresses& addresses) const {
  const auto found = ast_->kernels.find(kernel);
  if (found == ast_->kernels.end()) {
    throw UserError("no kernel named '" + std::string(kernel) + "' in " + ast_->name +
                    did_you_mean(kernel, kernel_names()));
  }
  return lower_kernel(*ast_, found->second, addresses);
}

}  // namespace heddle::ptx
