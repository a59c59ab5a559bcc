// The device side of the running program: what its objects registered at start, and what became of it on the simulated GPU.
// Texts are parsed at the first use of something in them; kernels are lowered at their first launch.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/run_spec.h"
#include "cuda/runtime/fat_binary.h"
#include "cuda/runtime/ptx_symbols.h"
#include "exec/global_memory.h"
#include "ptx/module.h"

namespace heddle::cuda {

// Filled before main, when there is no device yet.
struct Registry {
  struct Binary { const FatBinaryWrapper* wrapper; };
  struct Symbol { const Binary* binary; std::string name; std::uint64_t bytes; };
  std::deque<Binary> binaries;              // addresses are handles
  std::map<const void*, Symbol> kernels;    // by the host function that stands for the kernel
  std::map<const void*, Symbol> variables;  // by the host variable that stands for the device's
};

struct PlacedVariable {
  Address address;
  std::uint64_t bytes = 0;
};

class Program {
 public:
  Program(const Registry& registry, const config::RunSpec& spec, exec::GlobalMemory& memory);

  // The kernel behind a host function, ready to launch; nullptr when no kernel is registered for it. UserError when its PTX is
  // not supported.
  const ptx::Kernel* kernel(const void* host_function);
  // The variable behind a host variable; also by name, given as a C string, as CUDA before 5.0 allowed. None when not registered.
  std::optional<PlacedVariable> variable(const void* host_variable);

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
  void check_register_overrides() const;
  Group* group_with(const Registry::Binary* binary, const std::string& name, bool kernel);
  void load(Group& group);
  void place_variables(Group& group);
  const Registry::Symbol* find_variable(const void* host_variable) const;
  std::optional<std::uint32_t> register_override(const std::string& kernel) const;

  const Registry& registry_;
  const config::RunSpec& spec_;
  exec::GlobalMemory& memory_;
  std::size_t absorbed_ = 0;  // binaries of the registry whose texts are known
  std::vector<Text> texts_;
  std::deque<Group> groups_;
};

}  // namespace heddle::cuda
