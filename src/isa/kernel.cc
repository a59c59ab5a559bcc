#include "isa/kernel.h"

namespace heddle::isa {

const SourceLine& line_of(const Kernel& kernel, const Loop& loop) {
  const auto line_at = [&](Pc pc) -> const SourceLine& {
    return kernel.source_lines.at(kernel.instructions[pc].source);
  };
  for (const Pc pc : loop.back_edges)
    if (line_at(pc).line != 0) return line_at(pc);
  for (const auto& [first, end] : loop.ranges)
    for (Pc pc = first; pc < end; ++pc)
      if (line_at(pc).line != 0) return line_at(pc);
  return kernel.source_lines.at(0);
}

}  // namespace heddle::isa
