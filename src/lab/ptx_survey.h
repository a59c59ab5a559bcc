// What a PTX module contains, and which parts of it are not supported.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::lab {

// Kinds of instructions that `heddle ptx` counts.
inline constexpr std::array<std::string_view, 10> kInstructionKinds{
    "integer", "float",  "double",  "special function", "load",
    "store",   "atomic", "control", "barrier or fence", "move, logic and compare"};

struct KernelSurvey {
  std::string name;  // demangled
  std::uint64_t registers = 0, shared_bytes = 0, local_bytes = 0, parameter_bytes = 0;
  std::size_t instructions = 0;
  std::array<std::size_t, kInstructionKinds.size()> instructions_by_kind{};
  std::size_t loops = 0, deepest_loop = 0;
  // From pragmas: the direction of CTAs ("x", empty: none given), and the loops marked for ps.
  std::string cta_direction;
  struct MarkedLoop {
    std::uint32_t line, group;  // CUDA line, 0: unknown; warps
  };
  std::vector<MarkedLoop> marked_loops;
};

struct PtxSurvey {
  std::string name;
  std::vector<KernelSurvey> kernels;
  std::uint64_t global_bytes = 0, constant_bytes = 0;  // of variables
  std::vector<std::string> unsupported;                // one message each, sorted
};

// name: of the module, for messages.
PtxSurvey survey_ptx(const std::string& name, std::string_view text);

}  // namespace heddle::lab
