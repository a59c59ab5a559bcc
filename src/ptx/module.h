// A PTX module: parsed text that can be linked with others and lowered kernel by kernel.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/kernel.h"

namespace heddle::ptx {

struct Ast;  // the syntax tree; ptx/syntax/ast.h

// The address of a texture, surface or sampler (.texref, .surfref, .samplerref) is a handle of
// exec::TextureTable.
enum class VariableSpace : std::uint8_t { global, constant, texture, surface, sampler };
constexpr bool is_opaque(VariableSpace s) { return s >= VariableSpace::texture; }

// Fields of a .samplerref: ".samplerref s = { filter_mode = linear, addr_mode_0 = wrap }".
struct SamplerFields {
  // In the order of the numbers that txq returns.
  enum class Addressing : std::uint8_t { wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border };
  std::array<Addressing, 3> address{Addressing::clamp_to_edge, Addressing::clamp_to_edge,
                                    Addressing::clamp_to_edge};
  bool linear_filter = false, force_unnormalized = false;
};

// A module-scope variable that needs device memory, or a handle, when the module is loaded.
struct Variable {
  std::string name;
  VariableSpace space = VariableSpace::global;
  std::uint64_t bytes = 0;
  std::uint64_t align = 1;
  bool external = false;              // .extern: defined by another module
  std::vector<std::uint8_t> initial;  // `bytes` long, or empty for zeros
  // A word of `initial` that holds an address: the loader adds the address of `symbol` to the
  // addend that is stored at `offset`.
  struct Relocation {
    std::uint64_t offset;
    std::string symbol;
    bool generic;
    std::uint8_t bytes;
  };
  std::vector<Relocation> relocations;
  SamplerFields sampler;  // of a sampler
};

// Addresses of module-scope variables, decided by the loader.
using SymbolAddresses = std::map<std::string, Address, std::less<>>;

class Module {
 public:
  // Parses and checks the text; `name` is its name in messages. Every unsupported instruction,
  // directive or type is refused: UserError with file, line, column and the text.
  static Module parse(std::string_view text, std::string name);
  // Like parse(), but skips each refused statement and continues. `refusals` receives a message
  // with file, line and column for each. The kernels can be described, not run.
  static Module survey(std::string_view text, std::string name, std::vector<std::string>& refusals);
  // Makes one module of separately compiled ones. UserError for duplicate definitions.
  static Module join(std::vector<Module> modules);
  // UserError when nothing defines a function that is called or a variable that is declared.
  void require_definitions() const;
  // Both: links separately compiled modules.
  static Module link(std::vector<Module> modules);

  Module(Module&&) noexcept;
  Module& operator=(Module&&) noexcept;
  ~Module();

  const std::string& name() const;
  std::vector<std::string> kernel_names() const;
  const std::vector<Variable>& variables() const;
  // The number of the kernel's .target, such as 75; 0 when there is no such kernel.
  int target_of(std::string_view kernel) const;
  // The name of the kernel whose address device code took; empty when there is none.
  std::string kernel_at(std::uint64_t address) const;

  // The lowered kernel. It contains the addresses of variables, so the loader places them first.
  // UserError when there is no such kernel.
  Kernel lower(std::string_view kernel, const SymbolAddresses& addresses) const;

 private:
  Module();
  std::unique_ptr<Ast> ast_;
};

}  // namespace heddle::ptx
