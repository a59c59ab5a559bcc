// The control flow of a kernel as its trace shows it: which instruction follows which.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/code_table.h"

namespace heddle::trace {

class FlowTable {
 public:
  void begin_warp();
  // The warp's next instruction.
  void add(std::uint32_t number, const CodeTable::Entry& entry, LaneMask executed,
           std::uint32_t instruction_bytes);
  // Sets the kernel's loops, and targets, loops and reconvergence of its instructions.
  void mark(TracedKernel& kernel) const;

 private:
  struct Passed {
    std::uint32_t number = 0, end = 0;  // end: address of the instruction behind it
    LaneMask lanes, active;             // those that executed it; also those that did not
    bool branches = false;
  };
  void add_edge(std::uint32_t from, std::uint32_t to);
  void explain_jump(std::uint32_t number, std::uint32_t address, LaneMask executed);

  std::vector<std::vector<std::uint32_t>> followers_;  // by number
  bool begins_ = true;
  Passed last_;
  // Divergent branches of the warp, one of whose paths is still to come; the last one last.
  std::vector<Passed> open_;
};

}  // namespace heddle::trace
