// What every kind of code says of a kernel before it is launched.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/types.h"
#include "isa/instruction.h"

namespace heddle::isa {

struct SourceLine {
  std::string file;  // CUDA source file from .loc/.file; empty = unknown
  std::uint32_t line = 0;
};

// A natural loop. Loops are listed outermost first; `parent` is kNone for an outermost one.
struct Loop {
  static constexpr std::uint16_t kNone = kNoLoop;
  Pc header = kNoPc;  // first instruction of the header block
  std::uint16_t parent = kNone;
  std::uint16_t depth = 1;
  std::vector<Pc> back_edges;  // the branch instructions that close it
  std::vector<std::pair<Pc, Pc>>
      ranges;  // instructions of the body: half-open ranges, ascending, inner loops included
  bool contains(Pc pc) const {
    for (const auto& [first, last] : ranges)
      if (pc >= first && pc < last) return true;
    return false;
  }
  // Warps of a high-priority group of the warp scheduler ps, from a heddle_ps pragma; 0: no mark.
  std::uint32_t marked_group = 0;
};

// The direction along which a heddle_cta_direction pragma asks a CTA scheduler to place
// neighbouring CTAs on one SM. automatic: the analysis of each launch decides.
enum class CtaDirectionHint : std::uint8_t { absent, none, x, y, automatic };

struct Parameter {
  std::string name;
  std::uint32_t offset = 0;  // bytes from the start of the parameter block
  std::uint32_t bytes = 0;
  std::uint32_t align = 1;
};

// How a kernel asks for clusters, besides their shape.
struct ClusterRules {
  bool is_explicit = false;          // .explicitcluster
  bool blocks_are_clusters = false;  // a launch counts clusters of blocks of .reqntid
  std::uint32_t most_ctas = 0;       // .maxclusterrank; 0: not given
};

// What the executor derives from a kernel at its first launch and keeps for the others.
class DerivedCode {
 public:
  virtual ~DerivedCode() = default;
};

// Belongs to one kernel: a copy of it has none, and one that was moved derives it again.
class DerivedCodePlace {
 public:
  DerivedCodePlace() = default;
  DerivedCodePlace(const DerivedCodePlace& /*other*/) {}
  DerivedCodePlace& operator=(const DerivedCodePlace& /*other*/) {
    code.reset();
    return *this;
  }
  ~DerivedCodePlace() = default;
  std::unique_ptr<DerivedCode> code;
};

// The kinds of code derive from it; its owner may hold it as a Kernel.
struct Kernel {
  std::string name;                       // mangled name of the entry
  std::string module;                     // file name of the code, or name of its program
  std::vector<Instruction> instructions;  // by pc: the entry first, then the called functions
  std::vector<Loop> loops;
  std::vector<SourceLine> source_lines;  // [0] is the unknown line
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t architectural_registers = 0;  // scoreboard numbers used: 0..n-1
  std::vector<std::uint16_t> register_names;  // of each: the digits of its name in PTX
  std::uint32_t instructions_before = 0;      // those of earlier functions of the module
  std::uint32_t registers_per_thread = 0;     // 32-bit registers, for occupancy
  std::uint32_t shared_bytes = 0;  // static shared memory per CTA; dynamic shared memory starts at
                                   // this offset, aligned to 16
  std::uint32_t local_bytes = 0;   // local memory per thread
  bool has_control_words = false;  // the compiler gave each instruction one
  bool uses_stack = false;  // a stack follows local_bytes in local memory; the launch sets its size
  bool uses_heap = false;   // calls malloc or free
  bool uses_device_runtime = false;                        // calls CUDA's device runtime
  bool launches_kernels = false, launches_graphs = false;  // through the device runtime
  std::uint32_t max_threads = 0;                           // of .maxntid or .reqntid; 0 = not given
  std::optional<Dim3> required_block;                      // .reqntid
  Dim3 cluster;                                            // .reqnctapercluster, in CTAs
  ClusterRules cluster_rules;
  CtaDirectionHint cta_direction_hint = CtaDirectionHint::absent;
  std::uint32_t constant_bytes =
      0;  // bytes of .const variables in the module, for function attributes
  mutable DerivedCodePlace derived;

  Kernel() = default;
  Kernel(const Kernel&) = default;
  Kernel(Kernel&&) = default;
  Kernel& operator=(const Kernel&) = default;
  Kernel& operator=(Kernel&&) = default;
  virtual ~Kernel() = default;
};

// The CUDA line of a loop: that of the branch that closes it, which is the line of the for, while
// or do statement, otherwise that of its first instruction with a known line. Line 0: none is
// known.
const SourceLine& line_of(const Kernel& kernel, const Loop& loop);

}  // namespace heddle::isa
