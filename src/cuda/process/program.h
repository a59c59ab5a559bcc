// The device side of the running program: what its objects registered at start, and what became of
// it on the simulated GPU. Texts are parsed at the first use of something in them; kernels are
// lowered at their first launch.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/run_spec.h"
#include "cuda/fatbin/fat_binary.h"
#include "cuda/fatbin/ptx_symbols.h"
#include "exec/state/global_memory.h"
#include "exec/state/texture.h"
#include "ptx/module.h"

namespace heddle::cuda {

// Filled before main, when there is no device yet.
struct Registry {
  struct Binary {
    const FatBinaryWrapper* wrapper;
  };  // no wrapper: a module of the driver API
  struct Symbol {
    const Binary* binary;
    std::string name;
    std::uint64_t bytes;
  };
  struct Managed {
    const Binary* binary;
    void** host;
    std::string name;
  };
  std::deque<Binary> binaries;              // addresses are handles
  std::map<const void*, Symbol> kernels;    // by the host function that stands for the kernel
  std::map<const void*, Symbol> variables;  // by the host variable that stands for the device's
  std::map<const void*, Symbol> textures;   // texture and surface references, by the host's
  std::vector<Managed> managed;  // host pointers to fill with the address of a __managed__ variable
};

struct PlacedVariable {
  Address address;
  std::uint64_t bytes = 0;
};

class Program {
 public:
  Program(const Registry& registry, const config::RunSpec& spec, exec::GlobalMemory& memory,
          exec::TextureTable& textures);

  // The kernel behind a host function, or itself when it is a loaded kernel's, ready to launch;
  // nullptr when no kernel is registered for it. UserError when its PTX is not supported.
  const ptx::Kernel* kernel(const void* host_function);
  // The variable behind a host variable; also by name, given as a C string, as CUDA before 5.0
  // allowed. None when not registered.
  std::optional<PlacedVariable> variable(const void* host_variable);
  // The handle of a texture or surface reference, by the host's or by name. None when no kernel
  // uses it.
  std::optional<std::uint64_t> texture(const void* host_reference);
  // Loads what holds __managed__ variables and fills the host's pointers to them.
  void place_managed();

  // A module of the driver API: its texts are linked with each other and with nothing else.
  // UserError as for kernel().
  const Registry::Binary* add_module(std::vector<std::string> texts, const std::string& name);
  std::vector<std::string> kernel_names(const Registry::Binary* module) const;
  const Registry::Binary* module_of(
      const ptx::Kernel* kernel) const;  // null unless a module holds it
  const ptx::Kernel* kernel_named(const Registry::Binary* module, const std::string& name);
  std::optional<PlacedVariable> variable_named(const Registry::Binary* module,
                                               const std::string& name);
  std::optional<std::uint64_t> texture_named(const Registry::Binary* module,
                                             const std::string& name);

  // The compute capability, as 75, of the PTX that a kernel comes from: libraries choose their
  // launch parameters by it.
  int target_of(const ptx::Kernel& kernel) const;

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
    std::unique_ptr<ptx::Module> module;
    ptx::SymbolAddresses addresses;
    std::map<std::string, std::unique_ptr<ptx::Kernel>> kernels;
  };

  void absorb_new_binaries();
  bool is_managed(const Group& group, const ptx::Variable& variable) const;
  Address place(const Group& group, const ptx::Variable& variable);
  std::optional<PlacedVariable> placed(Group& group, const std::string& name);
  const ptx::Kernel* lowered(Group& group, const std::string& name);
  void check_register_overrides() const;
  Group* group_with(const Registry::Binary* binary, const std::string& name, bool kernel);
  void load(Group& group);
  void place_variables(Group& group);
  std::optional<std::uint32_t> register_override(const std::string& kernel) const;

  const Registry& registry_;
  const config::RunSpec& spec_;
  exec::GlobalMemory& memory_;
  exec::TextureTable& textures_;
  std::deque<Registry::Binary> modules_;
  std::size_t absorbed_ = 0;  // binaries of the registry whose texts are known
  std::vector<Text> texts_;
  std::deque<Group> groups_;
  std::map<const ptx::Kernel*, int> targets_;
};

}  // namespace heddle::cuda
