// A kernel as far as its trace shows it: the instructions that some warp executed, at their places
// in the code. Between them are instructions of which nothing is known and that no warp reaches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/kernel.h"

namespace heddle::trace {

struct TracedKernel final : isa::Kernel {
  // Which barrier of the CTA a BAR instruction names, and its threads; 0: all of the CTA.
  struct Barrier {
    std::uint8_t id = 0;
    std::uint16_t threads = 0;
  };
  std::vector<Barrier> barriers;  // by pc
  std::vector<Pc> pcs;            // by the number of the instruction in traces (code_table.h)
  std::string text;               // two kernels with the same text are the same
};

}  // namespace heddle::trace
