// The device code of the running program: what its object files registered at start, and its
// kernels and variables on the simulated GPU. A PTX text is parsed when something in it is first
// used; a kernel is lowered at its first launch.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/run_spec.h"
#include "cuda/capture/recorder.h"
#include "cuda/fatbin/ptx_symbols.h"
#include "cuda/process/machine_code.h"
#include "cuda/process/registry.h"
#include "exec/state/global_memory.h"
#include "exec/state/texture.h"
#include "ptx/module.h"

namespace heddle::cuda {

// UserError when --registers (registers by name) names a kernel that is not one of `kernels`.
void check_register_overrides(const std::map<std::string, std::uint32_t>& registers,
                              const std::vector<std::string>& kernels);

class LoadedProgram {
 public:
  // recorder: null unless the program is captured.
  LoadedProgram(const Registry& registry, const config::RunSpec& spec, exec::GlobalMemory& memory,
                exec::TextureTable& textures, Recorder* recorder = nullptr);

  // The kernel of a host function, ready to launch. Accepts the address of a kernel that this class
  // returned, too. Null when no kernel is registered. UserError when its PTX is not supported.
  const isa::Kernel* kernel(const void* host_function);
  // The device variable of a host variable, or of a C string with its name, as CUDA before 5.0
  // allowed. None when it is not registered.
  std::optional<PlacedVariable> variable(const void* host_variable);
  // The handle of a texture or surface reference, by host object or by name. None when no kernel
  // uses it.
  std::optional<std::uint64_t> texture(const void* host_reference);
  // Loads the modules with __managed__ variables and sets the host's pointers to them.
  void place_managed();

  // The kernel whose address code of `caller` took; null when there is none. UserError as for
  // kernel().
  const isa::Kernel* kernel_at(const isa::Kernel& caller, std::uint64_t address);

  // A module of the driver API. Its texts are linked with each other and with nothing else.
  // UserError as for kernel(), and when nothing defines what they call or declare.
  const Registry::Binary* add_module(std::vector<std::string> texts, const std::string& name);
  // The same of a cubin. UserError when the GPU does not execute it.
  const Registry::Binary* add_machine_code(const std::string& cubin, const std::string& name);
  std::vector<std::string> kernel_names(const Registry::Binary* module) const;
  // Null when the kernel is not of such a module.
  const Registry::Binary* module_of(const isa::Kernel* kernel) const;
  const isa::Kernel* kernel_named(const Registry::Binary* module, const std::string& name);
  std::optional<PlacedVariable> variable_named(const Registry::Binary* module,
                                               const std::string& name);
  std::optional<std::uint64_t> texture_named(const Registry::Binary* module,
                                             const std::string& name);

  // The compute capability of the kernel's PTX (75 for 7.5). Libraries choose launch parameters by
  // it. 0 for a kernel that this class did not create.
  int target_of(const isa::Kernel& kernel) const;

 private:
  struct Text {
    const Registry::Binary* binary;
    std::string name, text;
    PtxSymbols symbols;
    std::size_t group = 0;
  };
  // Texts that are linked into one module.
  struct Group {
    std::vector<std::size_t> texts;
    bool defines_all = false;  // a module of the driver API, which is refused otherwise
    std::unique_ptr<ptx::Module> module;
    ptx::SymbolAddresses addresses;
    std::map<std::string, std::unique_ptr<isa::Kernel>> kernels;
  };

  void read_new_binaries();
  // Null: there is no such kernel.
  const isa::Kernel* machine_code_kernel(const Registry::Binary* binary, const std::string& name);
  bool is_managed(const Group& group, const ptx::Variable& variable) const;
  Address place(const Group& group, const ptx::Variable& variable);
  std::optional<PlacedVariable> placed(Group& group, const std::string& name);
  const isa::Kernel* lowered(Group& group, const std::string& name);
  // UserError when --registers names a kernel that the program does not have.
  void check_register_overrides() const;
  Group* group_with(const Registry::Binary* binary, const std::string& name, bool kernel);
  void load(Group& group);
  void place_variables(Group& group);
  void record(const Group& group) const;

  const Registry& registry_;
  const config::RunSpec& spec_;
  exec::GlobalMemory& memory_;
  exec::TextureTable& textures_;
  Recorder* recorder_;
  ProgramCubins machine_code_;
  std::deque<Registry::Binary> modules_;
  std::size_t binaries_read_ = 0;  // of the registry, from the first on
  std::vector<Text> texts_;
  std::deque<Group> groups_;
  std::map<const isa::Kernel*, int> targets_;
};

}  // namespace heddle::cuda
