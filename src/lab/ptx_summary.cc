#include "lab/ptx_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "lab/text_table.h"
#include "ptx/module.h"

namespace heddle::lab {
namespace {

// Any addresses do: nothing runs.
ptx::SymbolAddresses some_addresses(const ptx::Module& module) {
  ptx::SymbolAddresses addresses;
  std::uint64_t next = 0x1000;
  for (const ptx::Variable& variable : module.variables()) {
    addresses[variable.name] = Address{next};
    next += (variable.bytes + 255) / 256 * 256;
  }
  return addresses;
}

enum class Kind : std::uint8_t {
  integer,
  single,
  twice,
  special,
  load,
  store,
  atomic,
  control,
  barrier,
  other
};
constexpr std::array<std::string_view, 10> kKinds = {
    "integer", "float",  "double",  "special function", "load",
    "store",   "atomic", "control", "barrier or fence", "move, logic and compare"};

Kind kind_of(ptx::OpClass c) {
  using C = ptx::OpClass;
  if (c >= C::int_add && c <= C::int_div) return Kind::integer;
  if (c >= C::fp_add && c <= C::fp_div) return Kind::single;
  if (c >= C::dp_add && c <= C::dp_div) return Kind::twice;
  switch (c) {
    case C::sfu: return Kind::special;
    case C::load: return Kind::load;
    case C::store: return Kind::store;
    case C::atomic: return Kind::atomic;
    case C::branch:
    case C::call:
    case C::return_:
    case C::exit_: return Kind::control;
    case C::barrier:
    case C::memory_barrier: return Kind::barrier;
    default: return Kind::other;
  }
}

std::string mix_of(const ptx::Kernel& kernel) {
  std::array<std::size_t, kKinds.size()> counts{};
  for (const ptx::Instruction& i : kernel.code)
    ++counts[static_cast<std::size_t>(kind_of(i.op_class))];
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k]) order.push_back(k);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  std::string text;
  for (std::size_t k : order)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[k], kKinds[k]);
  return text;
}

std::string loops_of(const ptx::Kernel& kernel) {
  if (kernel.loops.empty()) return "0";
  std::uint16_t deepest = 0;
  for (const ptx::Loop& loop : kernel.loops) deepest = std::max(deepest, loop.depth);
  return deepest > 1 ? fmt::format("{}, {} deep", kernel.loops.size(), deepest)
                     : std::to_string(kernel.loops.size());
}

std::string variables_of(const ptx::Module& module) {
  std::uint64_t global = 0, constant = 0;
  for (const ptx::Variable& v : module.variables()) {
    if (v.space == ptx::VariableSpace::global) global += v.bytes;
    if (v.space == ptx::VariableSpace::constant) constant += v.bytes;
  }
  if (global + constant == 0) return "";
  return fmt::format("variables: {} bytes global, {} bytes constant\n", global, constant);
}

}  // namespace

PtxSummary summarise_ptx(const std::string& name, std::string_view text) {
  std::vector<std::string> refusals;
  const ptx::Module module = ptx::Module::survey(text, name, refusals);
  const ptx::SymbolAddresses addresses = some_addresses(module);
  TextTable table({{"kernel", Align::left},
                   {"registers", Align::right},
                   {"shared", Align::right},
                   {"local", Align::right},
                   {"parameters", Align::right},
                   {"instructions", Align::right},
                   {"loops", Align::right}});
  std::string mixes;
  std::size_t kernels = 0;
  for (const std::string& kernel_name : module.kernel_names()) {
    try {
      const ptx::Kernel kernel = module.lower(kernel_name, addresses);
      const std::string shown = plain_name(kernel_name);
      ++kernels;
      table.add_row({shown, std::to_string(kernel.registers_per_thread),
                     fmt::format("{} B", kernel.shared_bytes),
                     fmt::format("{} B", kernel.local_bytes),
                     fmt::format("{} B", kernel.parameter_bytes),
                     std::to_string(kernel.code.size()), loops_of(kernel)});
      mixes += fmt::format("  {}: {}\n", shown, mix_of(kernel));
    } catch (const UserError& refusal) {
      refusals.push_back(refusal.what());
    }
  }
  PtxSummary out;
  out.text = name + "\n" + (kernels ? table.text({}, 200) + mixes : std::string("no kernels\n")) +
             variables_of(module);
  std::sort(refusals.begin(), refusals.end());
  refusals.erase(std::unique(refusals.begin(), refusals.end()), refusals.end());
  out.refusals = refusals.size();
  if (refusals.empty()) return out.text += "everything in it is supported\n", out;
  out.text += fmt::format("not supported ({}):\n", refusals.size());
  for (const std::string& refusal : refusals) out.text += "  " + refusal + "\n";
  return out;
}

}  // namespace heddle::lab
