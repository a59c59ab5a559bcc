#include "cuda/process/program.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/diagnostics.h"
#include "gpu/kernel_names.h"
#include "gpu/launch_builder.h"

namespace heddle::cuda {
namespace {

constexpr std::uint64_t kManagedAlign = 4096;

std::string base_name(const config::RunSpec& spec) {
  if (spec.program.empty()) return "program";
  const std::string& path = spec.program.front();
  return path.substr(path.find_last_of('/') + 1);
}

// Adds the symbol's address to the little-endian word, which contains the addend.
void relocate(std::uint8_t* word, std::size_t bytes, std::uint64_t symbol) {
  check_invariant(bytes <= sizeof(std::uint64_t), "a relocated word is wider than an address");
  std::uint64_t value = 0;
  std::memcpy(&value, word, bytes);
  value += symbol;
  std::memcpy(word, &value, bytes);
}

// The state of a .texref, .surfref or .samplerref before anything is bound to it.
exec::Texture reference_of(const ptx::Variable& variable) {
  using Addressing = ptx::SamplerFields::Addressing;
  exec::Texture out;
  if (variable.space == ptx::VariableSpace::surface) out.kind = exec::HandleKind::surface;
  if (variable.space != ptx::VariableSpace::sampler) return out;
  out.kind = exec::HandleKind::sampler;
  out.bound = true;
  out.sampling.linear_filter = variable.sampler.linear_filter;
  out.sampling.force_unnormalized = variable.sampler.force_unnormalized;
  for (std::size_t a = 0; a < out.sampling.address.size(); ++a) {
    switch (variable.sampler.address[a]) {
      case Addressing::wrap: out.sampling.address[a] = exec::AddressMode::wrap; break;
      case Addressing::mirror: out.sampling.address[a] = exec::AddressMode::mirror; break;
      case Addressing::clamp_ogl: out.sampling.address[a] = exec::AddressMode::halfway; break;
      case Addressing::clamp_to_edge: out.sampling.address[a] = exec::AddressMode::clamp; break;
      case Addressing::clamp_to_border: out.sampling.address[a] = exec::AddressMode::border; break;
    }
  }
  return out;
}

}  // namespace

void check_register_overrides(const std::map<std::string, std::uint32_t>& registers,
                              const std::vector<std::string>& kernels) {
  std::vector<std::string> known;
  for (const std::string& kernel : kernels)
    for (auto& name : gpu::register_override_names(kernel)) known.push_back(std::move(name));
  for (const auto& [name, count] : registers) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string hint = did_you_mean(name, known);
    if (hint.empty()) {
      for (const std::string& kernel : kernels)
        hint += (hint.empty() ? "; it has " : ", ") + gpu::kernel_short_name(kernel);
    }
    throw UserError("--registers names kernel '" + name + "', but the program has no such kernel" +
                    hint);
  }
}

LoadedProgram::LoadedProgram(const Registry& registry, const config::RunSpec& spec,
                             exec::GlobalMemory& memory, exec::TextureTable& textures,
                             Recorder* recorder)
    : registry_(registry),
      spec_(spec),
      memory_(memory),
      textures_(textures),
      recorder_(recorder),
      machine_code_(registry, spec, memory, textures) {}

void LoadedProgram::read_new_binaries() {
  if (binaries_read_ == registry_.binaries.size()) return;
  const std::size_t first = texts_.size();
  const std::uint32_t architecture = spec_.gpu.compute_major * 10 + spec_.gpu.compute_minor;
  std::vector<PtxSymbols> symbols;
  std::vector<Text> texts;  // kept when every one of them could be read
  for (std::size_t b = binaries_read_; b < registry_.binaries.size(); ++b) {
    const Registry::Binary& binary = registry_.binaries[b];
    if (machine_code_.add(binary, binary.name.empty() ? base_name(spec_) : binary.name)) continue;
    for (std::string& text : wrapper_texts(*binary.wrapper, architecture)) {
      const std::size_t before = first + texts.size();
      const std::string number = before == 0 ? "" : " " + std::to_string(before + 1);
      const std::string name =
          binary.name.empty() ? base_name(spec_) + " (PTX" + number + ")" : binary.name;
      symbols.push_back(scan_symbols(text, name));
      texts.push_back({&binary, name, std::move(text), symbols.back()});
    }
  }
  binaries_read_ = registry_.binaries.size();
  std::move(texts.begin(), texts.end(), std::back_inserter(texts_));
  // The device code of conditional nodes: a handle is the address of a word
  // (graph/conditions.h).
  if (std::any_of(symbols.begin(), symbols.end(), [](const PtxSymbols& s) {
        return s.needed.contains("cudaGraphSetConditional");
      })) {
    std::string text =
        ".version 7.0\n.target sm_50\n.address_size 64\n.weak .func cudaGraphSetConditional(.param "
        ".b64 handle, .param .b32 value) {\n"
        ".reg .b64 %rd1;\n.reg .b32 %r1;\nld.param.u64 %rd1, [handle];\nld.param.u32 %r1, "
        "[value];\nst.volatile.global.u32 [%rd1], %r1;\nret;\n}\n";
    const std::string name = "cudaGraphSetConditional (PTX)";
    symbols.push_back(scan_symbols(text, name));
    texts_.push_back({texts_.back().binary, name, std::move(text), symbols.back()});
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

void LoadedProgram::check_register_overrides() const {
  std::vector<std::string> kernels;
  for (const auto& [host, symbol] : registry_.kernels) kernels.push_back(symbol.name);
  cuda::check_register_overrides(spec_.registers, kernels);
}

LoadedProgram::Group* LoadedProgram::group_with(const Registry::Binary* binary,
                                                const std::string& name, bool kernel) {
  for (const Text& text : texts_) {
    const auto& names = kernel ? text.symbols.entries : text.symbols.variables;
    if (text.binary == binary && names.contains(name)) return &groups_[text.group];
  }
  return nullptr;
}

void LoadedProgram::load(Group& group) {
  if (group.module) return;
  std::vector<ptx::Module> modules;
  for (const std::size_t member : group.texts) {
    modules.push_back(ptx::Module::parse(texts_[member].text, texts_[member].name));
    if (!recorder_) texts_[member].text = {};
  }
  group.module = std::make_unique<ptx::Module>(
      modules.size() == 1 ? std::move(modules.front()) : ptx::Module::link(std::move(modules)));
  if (group.defines_all) group.module->require_definitions();
  place_variables(group);
  if (recorder_) record(group);
}

void LoadedProgram::record(const Group& group) const {
  LoadedModule module;
  for (const std::size_t member : group.texts) {
    const Text& text = texts_[member];
    module.texts.emplace_back(text.name, &text.text);
    module.kernels.insert(module.kernels.end(), text.symbols.entries.begin(),
                          text.symbols.entries.end());
  }
  module.addresses.assign(group.addresses.begin(), group.addresses.end());
  recorder_->loads(&group, module);
}

// nvcc registers __managed__ variables as such. heddle cc marks them by an alignment to a page
// (decision 032).
bool LoadedProgram::is_managed(const Group& group, const ptx::Variable& variable) const {
  for (const auto& managed : registry_.managed) {
    for (const std::size_t text : group.texts) {
      if (texts_[text].binary == managed.binary && managed.name == variable.name) return true;
    }
  }
  return false;
}

Address LoadedProgram::place(const Group& group, const ptx::Variable& variable) {
  const std::uint64_t bytes = std::max<std::uint64_t>(variable.bytes, 1);
  const std::string what = "variable " + variable.name;
  if (variable.align >= kManagedAlign) {
    for (const auto& [host, symbol] : registry_.variables) {
      if (symbol.name == variable.name &&
          reinterpret_cast<std::uintptr_t>(host) % kManagedAlign == 0) {
        return memory_.adopt(const_cast<void*>(host), bytes, what);
      }
    }
    return memory_.allocate_shared(bytes, what);
  }
  if (is_managed(group, variable)) return memory_.allocate_shared(bytes, what);
  return variable.space == ptx::VariableSpace::constant ? memory_.allocate_constant(bytes, what)
                                                        : memory_.allocate_variable(bytes, what);
}

void LoadedProgram::place_variables(Group& group) {
  for (const ptx::Variable& variable : group.module->variables()) {
    if (variable.external)
      throw UserError(group.module->name() + ": variable " + variable.name +
                      " is declared extern, but nothing defines it");
    if (is_opaque(variable.space)) {
      group.addresses.emplace(variable.name, Address{textures_.add(reference_of(variable))});
      continue;
    }
    const Address address = place(group, variable);
    if (address == Address{0}) {
      const bool constant = variable.space == ptx::VariableSpace::constant;
      throw UserError("the device's memory cannot hold variable " + variable.name + " of " +
                      std::to_string(variable.bytes) + " bytes" +
                      (constant ? ": constants lie below 4 GiB, where all " +
                                      std::to_string(kConstantsBytes) + " reserved bytes are used"
                                : ""));
    }
    check_invariant(address.value % variable.align == 0, "a variable is not aligned as declared");
    group.addresses.emplace(variable.name, address);
  }
  for (const ptx::Variable& variable : group.module->variables()) {
    if (is_opaque(variable.space)) continue;
    std::uint8_t* const image = memory_.host(group.addresses.find(variable.name)->second);
    if (!variable.initial.empty())
      std::memcpy(image, variable.initial.data(), variable.initial.size());
    for (const auto& relocation : variable.relocations) {
      const auto symbol = group.addresses.find(relocation.symbol);
      if (symbol == group.addresses.end()) {
        throw UserError(group.module->name() + ": variable " + variable.name +
                        " holds the address of " + relocation.symbol +
                        ", which is not a variable; addresses of functions are not supported");
      }
      relocate(image + relocation.offset, relocation.bytes, symbol->second.value);
    }
    if (!variable.initial.empty())
      memory_.allocations().notify_written(group.addresses.find(variable.name)->second,
                                           variable.initial.size());
  }
}

const isa::Kernel* LoadedProgram::kernel(const void* host_function) {
  const auto registered = registry_.kernels.find(host_function);
  if (registered == registry_.kernels.end()) {
    const auto* const itself = static_cast<const isa::Kernel*>(host_function);
    return targets_.contains(itself) ? itself : nullptr;
  }
  read_new_binaries();
  const std::string& name = registered->second.name;
  if (machine_code_.has(registered->second.binary)) {
    const isa::Kernel* const kernel = machine_code_kernel(registered->second.binary, name);
    if (!kernel)
      throw UserError("kernel " + name +
                      " is registered, but the program's machine code does not define it");
    return kernel;
  }
  Group* const group = group_with(registered->second.binary, name, true);
  if (!group)
    throw UserError("kernel " + name + " is registered, but the program's PTX does not define it");
  return lowered(*group, name);
}

const isa::Kernel* LoadedProgram::machine_code_kernel(const Registry::Binary* binary,
                                                      const std::string& name) {
  const sass::Kernel* const kernel = machine_code_.kernel(binary, name);
  if (kernel) targets_[kernel] = kernel->architecture;
  return kernel;
}

const isa::Kernel* LoadedProgram::lowered(Group& group, const std::string& name) {
  if (const auto ready = group.kernels.find(name); ready != group.kernels.end())
    return ready->second.get();
  load(group);
  auto kernel = std::make_unique<ptx::Kernel>(group.module->lower(name, group.addresses));
  targets_[kernel.get()] = group.module->target_of(name);
  if (recorder_) recorder_->lowers(&group, name, kernel.get());
  return group.kernels.emplace(name, std::move(kernel)).first->second.get();
}

const isa::Kernel* LoadedProgram::kernel_at(const isa::Kernel& caller, std::uint64_t address) {
  for (Group& group : groups_) {
    for (const auto& [name, made] : group.kernels) {
      if (made.get() != &caller) continue;
      const std::string called = group.module->kernel_at(address);
      return called.empty() ? nullptr : lowered(group, called);
    }
  }
  return nullptr;
}

int LoadedProgram::target_of(const isa::Kernel& kernel) const {
  const auto found = targets_.find(&kernel);
  return found == targets_.end() ? 0 : found->second;
}

namespace {

// host: the host's object, or a C string with its name, as CUDA before 5.0 allowed.
const Registry::Symbol* find_symbol(const std::map<const void*, Registry::Symbol>& symbols,
                                    const void* host) {
  if (!host) return nullptr;
  if (const auto found = symbols.find(host); found != symbols.end()) return &found->second;
  for (const auto& [other, symbol] : symbols) {
    if (std::strncmp(static_cast<const char*>(host), symbol.name.c_str(), symbol.name.size() + 1) ==
        0)
      return &symbol;
  }
  return nullptr;
}

}  // namespace

std::optional<PlacedVariable> LoadedProgram::placed(Group& group, const std::string& name) {
  load(group);
  const auto place = group.addresses.find(name);
  if (place == group.addresses.end()) return std::nullopt;
  for (const ptx::Variable& variable : group.module->variables()) {
    if (variable.name == name) return PlacedVariable{place->second, variable.bytes};
  }
  return std::nullopt;
}

std::optional<PlacedVariable> LoadedProgram::variable(const void* host_variable) {
  const Registry::Symbol* const symbol = find_symbol(registry_.variables, host_variable);
  if (!symbol) return std::nullopt;
  read_new_binaries();
  if (machine_code_.has(symbol->binary))
    return machine_code_.variable(symbol->binary, symbol->name);
  Group* const group = group_with(symbol->binary, symbol->name, false);
  if (!group) return std::nullopt;  // the compiler removed it, because no kernel uses it
  return placed(*group, symbol->name);
}

std::optional<std::uint64_t> LoadedProgram::texture(const void* host_reference) {
  const Registry::Symbol* const symbol = find_symbol(registry_.textures, host_reference);
  if (!symbol) return std::nullopt;
  read_new_binaries();
  return texture_named(symbol->binary, symbol->name);
}

void LoadedProgram::place_managed() {
  read_new_binaries();
  for (const auto& managed : registry_.managed) {
    if (*managed.host) continue;
    Group* const group = group_with(managed.binary, managed.name, false);
    const auto variable = machine_code_.has(managed.binary)
                              ? machine_code_.variable(managed.binary, managed.name)
                          : group ? placed(*group, managed.name)
                                  : std::nullopt;
    if (variable) *managed.host = reinterpret_cast<void*>(variable->address.value);
  }
  // Page-aligned variables of heddle cc: the device uses the host's pages.
  for (const auto& [host, symbol] : registry_.variables) {
    if (reinterpret_cast<std::uintptr_t>(host) % kManagedAlign != 0) continue;
    if (Group* const group = group_with(symbol.binary, symbol.name, false)) load(*group);
  }
}

const Registry::Binary* LoadedProgram::add_module(std::vector<std::string> texts,
                                                  const std::string& name) {
  std::vector<PtxSymbols> symbols;
  for (const std::string& text : texts) symbols.push_back(scan_symbols(text, name));
  const std::size_t first = texts_.size();
  const Registry::Binary* const module = &modules_.emplace_back(Registry::Binary{nullptr});
  Group& group = groups_.emplace_back();
  group.defines_all = true;
  for (std::size_t n = 0; n < texts.size(); ++n) {
    group.texts.push_back(texts_.size());
    texts_.push_back(
        {module, name, std::move(texts[n]), std::move(symbols[n]), groups_.size() - 1});
  }
  try {
    load(group);
  } catch (const UserError&) {
    texts_.erase(texts_.begin() + static_cast<std::ptrdiff_t>(first), texts_.end());
    groups_.pop_back();
    modules_.pop_back();
    throw;
  }
  return module;
}

const Registry::Binary* LoadedProgram::add_machine_code(const std::string& cubin,
                                                        const std::string& name) {
  const Registry::Binary* const module = &modules_.emplace_back(Registry::Binary{nullptr});
  try {
    machine_code_.load(module, cubin, name);
  } catch (const UserError&) {
    modules_.pop_back();
    throw;
  }
  return module;
}

std::vector<std::string> LoadedProgram::kernel_names(const Registry::Binary* module) const {
  if (machine_code_.has(module)) return machine_code_.kernel_names(module);
  std::vector<std::string> names;
  for (const Text& text : texts_)
    if (text.binary == module)
      names.insert(names.end(), text.symbols.entries.begin(), text.symbols.entries.end());
  return names;
}

const Registry::Binary* LoadedProgram::module_of(const isa::Kernel* kernel) const {
  for (const Group& group : groups_)
    for (const auto& [name, made] : group.kernels)
      if (made.get() == kernel && !group.texts.empty()) return texts_[group.texts.front()].binary;
  for (const Registry::Binary& module : modules_)
    if (machine_code_.made(&module, kernel)) return &module;
  return nullptr;
}

const isa::Kernel* LoadedProgram::kernel_named(const Registry::Binary* module,
                                               const std::string& name) {
  if (machine_code_.has(module)) return machine_code_kernel(module, name);
  Group* const group = group_with(module, name, true);
  return group ? lowered(*group, name) : nullptr;
}

std::optional<PlacedVariable> LoadedProgram::variable_named(const Registry::Binary* module,
                                                            const std::string& name) {
  if (machine_code_.has(module)) return machine_code_.variable(module, name);
  Group* const group = group_with(module, name, false);
  return group ? placed(*group, name) : std::nullopt;
}

std::optional<std::uint64_t> LoadedProgram::texture_named(const Registry::Binary* module,
                                                          const std::string& name) {
  if (machine_code_.has(module)) return machine_code_.texture(module, name);
  Group* const group = group_with(module, name, false);
  if (!group) return std::nullopt;
  load(*group);
  const auto handle = group->addresses.find(name);
  const bool known = handle != group->addresses.end() && textures_.find(handle->second.value);
  return known ? std::optional(handle->second.value) : std::nullopt;
}

}  // namespace heddle::cuda
