#include "cuda/runtime/program.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/diagnostics.h"
#include "cuda/runtime/kernel_names.h"

namespace heddle::cuda {
namespace {

std::string base_name(const config::RunSpec& spec) {
  if (spec.program.empty()) return "program";
  const std::string& path = spec.program.front();
  return path.substr(path.find_last_of('/') + 1);
}

// Adds the address of `symbol` to the little-endian word that holds the addend.
void relocate(std::uint8_t* word, std::size_t bytes, std::uint64_t symbol) {
  promise(bytes <= sizeof(std::uint64_t), "a relocated word is wider than an address");
  std::uint64_t value = 0;
  std::memcpy(&value, word, bytes);
  value += symbol;
  std::memcpy(word, &value, bytes);
}

}  // namespace

Program::Program(const Registry& registry, const config::RunSpec& spec, exec::GlobalMemory& memory)
    : registry_(registry), spec_(spec), memory_(memory) {}

void Program::absorb_new_binaries() {
  if (absorbed_ == registry_.binaries.size()) return;
  const std::size_t first = texts_.size();
  const std::uint32_t architecture = spec_.gpu.compute_major * 10 + spec_.gpu.compute_minor;
  std::vector<PtxSymbols> symbols;
  for (; absorbed_ < registry_.binaries.size(); ++absorbed_) {
    const Registry::Binary& binary = registry_.binaries[absorbed_];
    for (std::string& text : wrapper_texts(*binary.wrapper, architecture)) {
      const std::string number = texts_.empty() ? "" : " " + std::to_string(texts_.size() + 1);
      symbols.push_back(scan_symbols(text));
      texts_.push_back({&binary, base_name(spec_) + " (PTX" + number + ")", std::move(text), symbols.back()});
    }
  }
  for (const auto& members : group_by_need(symbols)) {
    Group& group = groups_.emplace_back();
    for (const std::size_t member : members) {
      texts_[first + member].group = groups_.size() - 1;
      group.texts.push_back(first + member);
    }
  }
  check_register_overrides();
}

void Program::check_register_overrides() const {
  std::vector<std::string> known;
  for (const auto& [host, symbol] : registry_.kernels) {
    for (auto& alias : kernel_aliases(symbol.name)) known.push_back(std::move(alias));
  }
  for (const auto& [name, registers] : spec_.registers) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest_names(name, known);
    std::string hint = near.empty() ? "" : "; did you mean " + near + "?";
    if (near.empty()) {
      for (const auto& [host, symbol] : registry_.kernels) hint += (hint.empty() ? "; it has " : ", ") + kernel_short_name(symbol.name);
    }
    throw UserError("registers are given for '" + name + "', but the program has no such kernel" + hint);
  }
}

std::optional<std::uint32_t> Program::register_override(const std::string& kernel) const {
  for (const auto& alias : kernel_aliases(kernel)) {
    if (const auto found = spec_.registers.find(alias); found != spec_.registers.end()) return found->second;
  }
  return std::nullopt;
}

Program::Group* Program::group_with(const Registry::Binary* binary, const std::string& name, bool kernel) {
  for (const Text& text : texts_) {
    const auto& names = kernel ? text.symbols.entries : text.symbols.variables;
    if (text.binary == binary && names.contains(name)) return &groups_[text.group];
  }
  return nullptr;
}

void Program::load(Group& group) {
  if (group.module) return;
  std::vector<ptx::Module> modules;
  for (const std::size_t member : group.texts) {
    modules.push_back(ptx::Module::parse(texts_[member].text, texts_[member].name));
    texts_[member].text = {};
  }
  group.module = std::make_unique<ptx::Module>(modules.size() == 1 ? std::move(modules.front())
                                                                   : ptx::Module::link(std::move(modules)));
  place_variables(group);
}

void Program::place_variables(Group& group) {
  for (const ptx::Variable& variable : group.module->variables()) {
    if (variable.external) throw UserError(group.module->name() + ": variable " + variable.name + " is declared extern, but nothing defines it");
    const Address address = memory_.allocate(std::max<std::uint64_t>(variable.bytes, 1), "variable " + variable.name);
    if (address == Address{0}) {
      throw UserError("the device's memory cannot hold variable " + variable.name + " of " + std::to_string(variable.bytes) + " bytes");
    }
    promise(address.value % variable.align == 0, "a variable is not aligned as declared");
    group.addresses.emplace(variable.name, address);
  }
  for (const ptx::Variable& variable : group.module->variables()) {
    std::uint8_t* const image = memory_.host(group.addresses.find(variable.name)->second);
    if (!variable.initial.empty()) std::memcpy(image, variable.initial.data(), variable.initial.size());
    for (const auto& relocation : variable.relocations) {
      const auto symbol = group.addresses.find(relocation.symbol);
      if (symbol == group.addresses.end()) {
        throw UserError(group.module->name() + ": variable " + variable.name + " holds the address of " + relocation.symbol +
                        ", which is not a variable; addresses of functions are not supported");
      }
      relocate(image + relocation.offset, relocation.bytes, symbol->second.value);
    }
  }
}

const ptx::Kernel* Program::kernel(const void* host_function) {
  const auto registered = registry_.kernels.find(host_function);
  if (registered == registry_.kernels.end()) return nullptr;
  absorb_new_binaries();
  const std::string& name = registered->second.name;
  Group* const group = group_with(registered->second.binary, name, true);
  if (!group) throw UserError("kernel " + name + " is registered, but the program's PTX does not define it");
  if (const auto ready = group->kernels.find(name); ready != group->kernels.end()) return ready->second.get();
  load(*group);
  auto lowered = std::make_unique<ptx::Kernel>(group->module->lower(name, group->addresses));
  if (const auto registers = register_override(name)) lowered->registers_per_thread = *registers;
  return group->kernels.emplace(name, std::move(lowered)).first->second.get();
}

const Registry::Symbol* Program::find_variable(const void* host_variable) const {
  if (!host_variable) return nullptr;
  if (const auto found = registry_.variables.find(host_variable); found != registry_.variables.end()) return &found->second;
  for (const auto& [host, symbol] : registry_.variables) {
    if (std::strncmp(static_cast<const char*>(host_variable), symbol.name.c_str(), symbol.name.size() + 1) == 0) return &symbol;
  }
  return nullptr;
}

std::optional<PlacedVariable> Program::variable(const void* host_variable) {
  const Registry::Symbol* const symbol = find_variable(host_variable);
  if (!symbol) return std::nullopt;
  absorb_new_binaries();
  Group* const group = group_with(symbol->binary, symbol->name, false);
  if (!group) return std::nullopt;  // the compiler dropped it: no kernel uses it
  load(*group);
  const auto placed = group->addresses.find(symbol->name);
  if (placed == group->addresses.end()) return std::nullopt;
  for (const ptx::Variable& variable : group->module->variables()) {
    if (variable.name == symbol->name) return PlacedVariable{placed->second, variable.bytes};
  }
  return std::nullopt;
}

}  // namespace heddle::cuda
