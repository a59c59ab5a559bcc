#include "cuda/process/machine_code.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "cuda/fatbin/cubins.h"

namespace heddle::cuda {
namespace {

// Types of symbols: STT_OBJECT, and those of texture and surface references.
constexpr std::uint8_t kObject = 1, kTexture = 10, kSurface = 12;
constexpr std::uint64_t kPageOfManaged = 4096;
constexpr std::uint32_t kAddress64 = 2, kGenericAddress64 = 4;

std::uint32_t architecture_of(const config::RunSpec& spec) {
  return spec.gpu.compute_major * 10 + spec.gpu.compute_minor;
}

}  // namespace

std::string ProgramCubins::code_for(const Registry::Binary& binary) const {
  const std::uint32_t architecture = architecture_of(spec_);
  if (spec_.cubin.empty()) return wrapper_cubin(*binary.wrapper, architecture);
  std::string nearest;
  int best = 0;
  for (CubinImage& image : cubins_of(spec_.cubin)) {
    const int has = image.read().architecture;
    if (!is_executed_by(static_cast<std::uint32_t>(has), architecture) || has <= best) continue;
    best = has;
    nearest = std::move(image.content);
  }
  return nearest;
}

void ProgramCubins::refuse_what_needs_ptx() const {
  const auto refuse = [](const char* what) {
    throw UserError(std::string(what) + " PTX: this program runs as machine code (use --isa ptx)");
  };
  if (spec_.analysis.enabled || spec_.analysis.check) refuse("the analysis of addresses needs");
  if (!spec_.capture.path.empty()) refuse("captures need");
}

bool ProgramCubins::add(const Registry::Binary& binary, const std::string& name) {
  if (spec_.isa == config::CodeKind::ptx) return false;
  const bool optional = spec_.isa == config::CodeKind::automatic && spec_.cubin.empty();
  if (optional && has_ptx(*binary.wrapper)) return false;
  // The code of the file is that of all binaries.
  if (of_file_) {
    modules_.emplace(&binary, of_file_);
    return true;
  }
  const std::string cubin = code_for(binary);
  if (cubin.empty()) {
    if (optional) return false;
    const std::uint32_t architecture = architecture_of(spec_);
    throw UserError(
        fmt::format("{} has no machine code that GPU {} (sm_{}) executes: compile it with nvcc "
                    "-gencode arch=compute_{},code=sm_{}, or use --isa ptx",
                    spec_.cubin.empty() ? name : spec_.cubin, spec_.gpu.name, architecture,
                    architecture, architecture));
  }
  load(&binary, cubin, name);
  if (!spec_.cubin.empty()) of_file_ = modules_.at(&binary);
  return true;
}

void ProgramCubins::load(const Registry::Binary* binary, const std::string& cubin,
                         const std::string& name) {
  refuse_what_needs_ptx();
  auto module = std::make_shared<Module>();
  module->cubin =
      sass::read_cubin({reinterpret_cast<const std::uint8_t*>(cubin.data()), cubin.size()});
  module->name = fmt::format("{} (sm_{})", name, module->cubin.architecture);
  const auto architecture = static_cast<std::uint32_t>(module->cubin.architecture);
  if (!is_executed_by(architecture, architecture_of(spec_)))
    throw UserError(fmt::format("{}: machine code of sm_{}, which GPU {} (sm_{}) does not execute",
                                name, architecture, spec_.gpu.name, architecture_of(spec_)));
  modules_.emplace(binary, std::move(module));
}

std::vector<std::string> ProgramCubins::kernel_names(const Registry::Binary* binary) const {
  std::vector<std::string> names;
  for (const sass::Code& code : modules_.at(binary)->cubin.code)
    if (code.kernel) names.push_back(code.name);
  return names;
}

bool ProgramCubins::made(const Registry::Binary* binary, const isa::Kernel* kernel) const {
  const auto module = modules_.find(binary);
  if (module == modules_.end()) return false;
  const auto& kernels = module->second->kernels;
  return std::any_of(kernels.begin(), kernels.end(),
                     [kernel](const auto& entry) { return entry.second.get() == kernel; });
}

ProgramCubins::Module& ProgramCubins::placed(const Registry::Binary* binary) {
  Module& module = *modules_.at(binary);
  if (!module.placed) place(module, binary);
  module.placed = true;
  return module;
}

const sass::Kernel* ProgramCubins::kernel(const Registry::Binary* binary, const std::string& name) {
  Module& module = placed(binary);
  const auto known = module.kernels.find(name);
  if (known != module.kernels.end()) return known->second.get();
  const bool exists =
      std::any_of(module.cubin.code.begin(), module.cubin.code.end(),
                  [&](const auto& code) { return code.kernel && code.name == name; });
  if (!exists) return nullptr;
  auto kernel = std::make_unique<sass::Kernel>(
      sass::make_kernel(module.cubin, name, module.name, module.places));
  return module.kernels.emplace(name, std::move(kernel)).first->second.get();
}

std::optional<PlacedVariable> ProgramCubins::variable(const Registry::Binary* binary,
                                                      const std::string& name) {
  Module& module = placed(binary);
  const auto place = module.places.variables.find(name);
  if (place == module.places.variables.end()) return std::nullopt;
  return PlacedVariable{place->second, module.sizes.at(name)};
}

std::optional<std::uint64_t> ProgramCubins::texture(const Registry::Binary* binary,
                                                    const std::string& name) {
  const Module& module = placed(binary);
  const auto handle = module.places.handles.find(name);
  if (handle == module.places.handles.end()) return std::nullopt;
  return exec::TextureTable::kFirstHandle + handle->second;
}

void ProgramCubins::place_references(Module& module) {
  for (const sass::Symbol& symbol : module.cubin.symbols) {
    if (symbol.type != kTexture && symbol.type != kSurface) continue;
    exec::Texture reference;  // nothing is bound to it
    if (symbol.type == kSurface) reference.kind = exec::HandleKind::surface;
    const std::uint64_t handle = textures_.add(reference) - exec::TextureTable::kFirstHandle;
    module.places.handles.emplace(symbol.name, static_cast<std::uint32_t>(handle));
  }
}

void ProgramCubins::place_constants(Module& module) {
  for (const sass::ConstantBank& bank : module.cubin.constants) {
    if (bank.bank != sass::kUserBank || bank.data.empty()) continue;
    const Address base = memory_.allocate_constant(bank.data.size(), "constants");
    if (base == Address{0}) throw UserError("the device's memory cannot hold the constants");
    std::memcpy(memory_.host(base), bank.data.data(), bank.data.size());
    memory_.allocations().notify_written(base, bank.data.size());
    module.places.user_constants = base;
    for (const sass::Symbol& symbol : module.cubin.symbols) {
      if (symbol.section != bank.section || symbol.type != kObject) continue;
      module.places.variables[symbol.name] = Address{base.value + symbol.value};
      module.sizes[symbol.name] = symbol.bytes;
    }
  }
}

// heddle cc marks __managed__ variables by an alignment to a page, of the host's variable, too.
void* ProgramCubins::host_of_managed(const sass::DataSection& section,
                                     const sass::Symbol& symbol) const {
  if (section.align < kPageOfManaged || symbol.value % kPageOfManaged != 0) return nullptr;
  for (const auto& [host, registered] : registry_.variables)
    if (registered.name == symbol.name &&
        reinterpret_cast<std::uintptr_t>(host) % kPageOfManaged == 0)
      return const_cast<void*>(host);
  return nullptr;
}

void ProgramCubins::place(Module& module, const Registry::Binary* binary) {
  place_constants(module);
  place_references(module);
  const auto is_managed = [&](const std::string& name) {
    return std::any_of(
        registry_.managed.begin(), registry_.managed.end(),
        [&](const auto& managed) { return managed.binary == binary && managed.name == name; });
  };
  for (const sass::DataSection& section : module.cubin.data) {
    for (const sass::Symbol& symbol : module.cubin.symbols) {
      if (symbol.section != section.section || symbol.type != kObject) continue;
      const std::uint64_t bytes = std::max<std::uint64_t>(symbol.bytes, 1);
      const std::string what = "variable " + symbol.name;
      void* const host = host_of_managed(section, symbol);
      const Address address = host                      ? memory_.adopt(host, bytes, what)
                              : is_managed(symbol.name) ? memory_.allocate_shared(bytes, what)
                                                        : memory_.allocate_variable(bytes, what);
      if (address == Address{0})
        throw UserError(fmt::format("the device's memory cannot hold {} of {} bytes", what, bytes));
      module.places.variables[symbol.name] = address;
      module.sizes[symbol.name] = symbol.bytes;
    }
  }
  for (const sass::DataSection& section : module.cubin.data) {
    for (const sass::Symbol& symbol : module.cubin.symbols)
      if (symbol.section == section.section && symbol.type == kObject)
        initialise(module, section, symbol);
  }
}

void ProgramCubins::initialise(Module& module, const sass::DataSection& section,
                               const sass::Symbol& symbol) {
  if (section.data.empty()) return;
  if (symbol.value > section.data.size() || section.data.size() - symbol.value < symbol.bytes)
    throw UserError(module.name + ": the cubin is corrupt: a variable lies outside of its section");
  const Address address = module.places.variables.at(symbol.name);
  std::uint8_t* const image = memory_.host(address);
  std::memcpy(image, section.data.data() + symbol.value, symbol.bytes);
  for (const sass::Relocation& relocation : section.relocations) {
    const std::uint64_t within = relocation.offset - symbol.value;
    if (within >= symbol.bytes) continue;
    const sass::Symbol& target = module.cubin.symbols[relocation.symbol];
    if ((relocation.type != kAddress64 && relocation.type != kGenericAddress64) ||
        symbol.bytes - within < 8)
      throw UserError(fmt::format("{}: variable {} has a relocation of type {}, which is not known",
                                  module.name, symbol.name, relocation.type));
    std::uint64_t value = 0;
    std::memcpy(&value, image + within, sizeof value);
    value += sass::address_of_symbol(module.cubin, target, module.places) +
             static_cast<std::uint64_t>(relocation.addend);
    std::memcpy(image + within, &value, sizeof value);
  }
  memory_.allocations().notify_written(address, symbol.bytes);
}

}  // namespace heddle::cuda
