// The unit, latency, initiation interval and source operands of each instruction, computed once per
// kernel.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "config/gpu_spec.h"
#include "isa/control_word.h"
#include "isa/kernel.h"
#include "sm/warp/scoreboard.h"

namespace heddle::sm {

enum class UnitClass : std::uint8_t { sp, dp, int_, sfu, mem, tensor };
inline constexpr int kUnitClasses = 6;
constexpr int index(UnitClass u) { return static_cast<int>(u); }

// What schedulers ask of a warp's next instruction, a bit each: its unit class, whether it is
// isa::Instruction::is_l1_load(), whether it is_long(), and whether
// config::SmSpec::fp_products_on_either_unit lets it use the SFU instead of the SP.
inline constexpr std::size_t kL1Load = kUnitClasses, kLong = kL1Load + 1, kOrSfu = kLong + 1,
                             kHeadKinds = kOrSfu + 1;

// What is proven of the law of control words (latency_law.h): nothing, that no instruction breaks
// it with an older one of fixed latency, or with any.
enum class ProvenLaw : std::uint8_t { nothing, fixed_latencies, all };

// The members that every issue reads are in the first of the host's cache lines.
struct alignas(64) InstructionTiming {
  RegisterUse registers;
  UnitClass unit = UnitClass::sp;
  std::uint16_t kinds = 0;  // bit per kind below kHeadKinds
  bool may_wait = false;    // its warp may wait at it for other warps or for memory
  std::uint8_t result_count = 0;
  std::uint8_t operand_count = 0;
  bool passes_atomics = false;  // may issue while atomics of its warp are on their way
  std::uint16_t latency = 1;    // cycles from the unit's acceptance to the result
  std::uint16_t interval = 1;   // cycles from one acceptance to the next
  // Of a compiler-guided core: cycles from the issue to that of an instruction that needs the
  // result (memory instructions: unknown), and whether a register is a pair of both banks.
  std::uint16_t dependence = 1;
  bool is_wide = false;
  ProvenLaw proven = ProvenLaw::nothing;  // of its whole kernel
  bool variable_latency = false;          // only a dependence counter says when the result is there
  std::array<std::uint8_t, 2> bank_reads{};  // operands by such a bank
  isa::ControlWord control;
  std::array<std::uint16_t, isa::kMaxReads>
      operands{};  // registers read through the collector: sources without the guard
  std::array<std::uint16_t, isa::kMaxWrites> results{};  // registers written

  bool may_use_sfu() const { return (kinds >> kOrSfu & 1) != 0; }
  void find_variable_latency() {
    variable_latency = unit == UnitClass::mem || control.write_barrier != isa::ControlWord::kNone;
  }
};

InstructionTiming timing_of(const isa::Instruction& instruction, const config::SmSpec& spec);
std::vector<InstructionTiming> timing_of(const isa::Kernel& kernel, const config::SmSpec& spec);
// The number of units of a class.
std::uint32_t count_of(const config::PerUnit& units, UnitClass unit);

}  // namespace heddle::sm
