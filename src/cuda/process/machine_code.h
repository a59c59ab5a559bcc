// The machine code of the running program: its cubins, where their variables are, and kernels that
// are ready to launch.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "config/run_spec.h"
#include "cuda/fatbin/fat_binary.h"
#include "cuda/process/registry.h"
#include "exec/state/global_memory.h"
#include "exec/state/texture.h"
#include "sass/kernel.h"

namespace heddle::cuda {

class ProgramCubins {
 public:
  ProgramCubins(const Registry& registry, const config::RunSpec& spec, exec::GlobalMemory& memory,
                exec::TextureTable& textures)
      : registry_(registry), spec_(spec), memory_(memory), textures_(textures) {}

  // Takes the machine code of the binary, if it is to be executed; false when its PTX is. UserError
  // when the run asks for machine code and the binary has none for the GPU.
  bool add(const Registry::Binary& binary, const std::string& name);
  // Of a module of the driver API. UserError when the GPU does not execute the machine code.
  void load(const Registry::Binary* binary, const std::string& cubin, const std::string& name);
  bool has(const Registry::Binary* binary) const { return modules_.contains(binary); }

  std::vector<std::string> kernel_names(const Registry::Binary* binary) const;
  // Whether the kernel is of this binary.
  bool made(const Registry::Binary* binary, const isa::Kernel* kernel) const;

  // Null: there is no such kernel.
  const sass::Kernel* kernel(const Registry::Binary* binary, const std::string& name);
  std::optional<PlacedVariable> variable(const Registry::Binary* binary, const std::string& name);
  // The handle of a texture or surface reference.
  std::optional<std::uint64_t> texture(const Registry::Binary* binary, const std::string& name);

 private:
  struct Module {
    std::string name;
    sass::Cubin cubin;
    bool placed = false;
    sass::SymbolPlaces places;
    std::map<std::string, std::uint64_t> sizes;  // of variables
    std::map<std::string, std::unique_ptr<sass::Kernel>> kernels;
  };
  void refuse_what_needs_ptx() const;
  std::string code_for(const Registry::Binary& binary) const;
  Module& placed(const Registry::Binary* binary);
  void place(Module& module, const Registry::Binary* binary);
  // Null: the variable is not managed, or nvcc registered it as such.
  void* host_of_managed(const sass::DataSection& section, const sass::Symbol& symbol) const;
  void place_constants(Module& module);
  void place_references(Module& module);
  void initialise(Module& module, const sass::DataSection& section, const sass::Symbol& symbol);

  const Registry& registry_;
  const config::RunSpec& spec_;
  exec::GlobalMemory& memory_;
  exec::TextureTable& textures_;
  std::map<const Registry::Binary*, std::shared_ptr<Module>> modules_;
  std::shared_ptr<Module> of_file_;  // of --cubin, once it is loaded
};

}  // namespace heddle::cuda
