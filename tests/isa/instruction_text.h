// All that timing knows of an instruction, as text.
#pragma once

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isa/instruction.h"

namespace heddle::isa {

inline std::string text_of(const ControlWord& c) {
  return fmt::format("{} {} {} {} {} {} {} {}", c.stall_cycles, c.yield, c.write_barrier,
                     c.read_barrier, c.wait_mask, c.threshold_counter, c.threshold, c.reuse);
}
inline std::string text_of(const Instruction& i) {
  const auto first = [](const auto& values, int count) {
    return fmt::join(values.begin(), values.begin() + count, ",");
  };
  return fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} | {} | {} | {} | {}",
      static_cast<int>(i.op_class), static_cast<int>(i.space), static_cast<int>(i.cache),
      static_cast<int>(i.ordering), static_cast<int>(i.barrier), static_cast<int>(i.copy),
      i.access_bytes, i.vector, i.minor_opcode, i.on_uniform_datapath, i.loop_header,
      i.waits_for_all_copies, i.loop, i.guard_register, i.base_register, i.target, i.reconvergence,
      i.not_values, i.matrix_work, i.groups_left, i.ptx_line, i.source, i.address_offset,
      first(i.reads, i.read_count), first(i.writes, i.write_count),
      first(i.operands, i.operand_count), text_of(i.control));
}

}  // namespace heddle::isa
