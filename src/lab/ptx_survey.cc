#include "lab/ptx_survey.h"

#include <algorithm>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "ptx/flow/loops.h"
#include "ptx/module.h"

namespace heddle::lab {
namespace {

// Lowering needs an address for every variable. Nothing runs, so any addresses will do.
ptx::SymbolAddresses arbitrary_addresses(const ptx::Module& module) {
  ptx::SymbolAddresses addresses;
  std::uint64_t next = 0x1000;
  for (const ptx::Variable& variable : module.variables()) {
    addresses[variable.name] = Address{next};
    next += (variable.bytes + 255) / 256 * 256;
  }
  return addresses;
}

// In the order of kInstructionKinds.
enum class Kind : std::uint8_t {
  integer,
  float32,
  float64,
  special,
  load,
  store,
  atomic,
  control,
  barrier,
  other
};

Kind kind_of(ptx::OpClass c) {
  using C = ptx::OpClass;
  if (c >= C::int_add && c <= C::int_div) return Kind::integer;
  if (c >= C::fp_add && c <= C::fp_fma) return Kind::float32;
  if (c >= C::dp_add && c <= C::dp_fma) return Kind::float64;
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

KernelSurvey survey_kernel(const std::string& name, const ptx::Kernel& kernel) {
  KernelSurvey survey;
  survey.name = plain_name(name);
  survey.registers = kernel.registers_per_thread;
  survey.shared_bytes = kernel.shared_bytes;
  survey.local_bytes = kernel.local_bytes;
  survey.parameter_bytes = kernel.parameter_bytes;
  survey.instructions = kernel.code.size();
  for (const ptx::Instruction& i : kernel.code)
    ++survey.instructions_by_kind[static_cast<std::size_t>(kind_of(i.op_class))];
  survey.loops = kernel.loops.size();
  for (const ptx::Loop& loop : kernel.loops)
    survey.deepest_loop = std::max<std::size_t>(survey.deepest_loop, loop.depth);
  constexpr std::array<const char*, 5> kDirections{"", "none", "x", "y", "auto"};
  survey.cta_direction = kDirections[static_cast<std::size_t>(kernel.cta_direction_hint)];
  for (const ptx::Loop& loop : kernel.loops)
    if (loop.marked_group > 0)
      survey.marked_loops.push_back({ptx::line_of(kernel, loop).line, loop.marked_group});
  return survey;
}

}  // namespace

PtxSurvey survey_ptx(const std::string& name, std::string_view text) {
  PtxSurvey survey;
  survey.name = name;
  const ptx::Module module = ptx::Module::survey(text, name, survey.unsupported);
  const ptx::SymbolAddresses addresses = arbitrary_addresses(module);
  for (const std::string& kernel : module.kernel_names()) {
    try {
      survey.kernels.push_back(survey_kernel(kernel, module.lower(kernel, addresses)));
    } catch (const UserError& refusal) {
      survey.unsupported.push_back(refusal.what());
    }
  }
  for (const ptx::Variable& v : module.variables()) {
    if (v.space == ptx::VariableSpace::global) survey.global_bytes += v.bytes;
    if (v.space == ptx::VariableSpace::constant) survey.constant_bytes += v.bytes;
  }
  // Line 9 comes before line 10.
  std::sort(survey.unsupported.begin(), survey.unsupported.end(),
            [](const auto& a, const auto& b) { return strverscmp(a.c_str(), b.c_str()) < 0; });
  survey.unsupported.erase(std::unique(survey.unsupported.begin(), survey.unsupported.end()),
                           survey.unsupported.end());
  return survey;
}

}  // namespace heddle::lab
