// The families of instructions.
#pragma once

#include <memory>

#include "exec/state/decoded_instruction.h"
#include "exec/state/warp.h"

namespace heddle::exec {

// UserError names an instruction that cannot be executed.
std::shared_ptr<const DecodedKernel> decode_ptx(const ptx::Kernel& kernel);

// Decoding, by family: null when the family does not know the instruction's form.
Handler integer_handler(const ptx::Instruction& instruction);
Handler logic_handler(const ptx::Instruction& instruction);
Handler float32_handler(const ptx::Instruction& instruction);
Handler float32x2_handler(const ptx::Instruction& instruction);
Handler float64_handler(const ptx::Instruction& instruction);
Handler half_handler(const ptx::Instruction& instruction);
Handler convert_handler(const ptx::Instruction& instruction);
Handler packed_convert_handler(const ptx::Instruction& instruction);
Handler video_handler(const ptx::Instruction& instruction);
Handler compare_handler(const ptx::Instruction& instruction);
CompareFunction compare_function(const ptx::Instruction& instruction);
Handler stack_handler(const ptx::Instruction& instruction);
Handler move_handler(const ptx::Instruction& instruction);
Handler wide_memory_handler(const ptx::Instruction& instruction);
Handler memory_handler(const ptx::Instruction& instruction);
Handler async_copy_handler(const ptx::Instruction& instruction);
Handler bulk_copy_handler(const ptx::Instruction& instruction);
Handler mbarrier_handler(const ptx::Instruction& instruction);
Handler atomic_handler(const ptx::Instruction& instruction);
Handler surface_handler(const ptx::Instruction& instruction);
Handler warp_handler(const ptx::Instruction& instruction);
Handler texture_handler(const ptx::Instruction& instruction);
Handler matrix_multiply_handler(const ptx::Instruction& instruction);
Handler warpgroup_handler(const ptx::Instruction& instruction);
Handler matrix_memory_handler(const ptx::Instruction& instruction);

}  // namespace heddle::exec
