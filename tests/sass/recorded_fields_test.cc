// What execution and timing know of instructions of all forms stays what it is.
#include <gtest/gtest.h>

#include "base/fnv.h"
#include "tests/isa/instruction_text.h"
#include "tests/recorded.h"
#include "tests/sass/vectors.h"

namespace heddle::sass {
namespace {

std::string execution_of(const ptx::Instruction& i) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", static_cast<int>(i.opcode),
                     static_cast<int>(i.type), static_cast<int>(i.source_type),
                     static_cast<int>(i.atomic), static_cast<int>(i.bool_op), i.ftz, i.sat,
                     i.satfinite, i.aligned, i.cluster, i.shift_amount, i.payload.index());
}

TEST(RecordedFields, OfInstructionsOfEveryForm) {
  for (const auto& [name, instructions] : instructions_by_opcode()) {
    Fnv64 hash;
    for (const Instruction& code : instructions) {
      RegisterNumbering numbers;
      const KernelInstruction i = with_fields(code, numbers);
      hash.add(fmt::format("{} {}: {} / {}\n", numbers.registers, numbers.uniform_registers,
                           isa::text_of(i), execution_of(i)));
    }
    check_recorded_text("sass/recorded_fields.txt", name,
                        fmt::format("{} {:016x}", instructions.size(), hash.value()));
  }
}

}  // namespace
}  // namespace heddle::sass
