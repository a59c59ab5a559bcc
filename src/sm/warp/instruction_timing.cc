#include "sm/warp/instruction_timing.h"

#include <algorithm>

#include "sm/warp/control_words.h"
#include "sm/warp/latency_law.h"

namespace heddle::sm {
namespace {

using isa::OpClass;

bool is_plain(const isa::Instruction& i, const config::SmSpec& spec) {
  return i.minor_opcode && spec.products.minor_in_a_cycle;
}

UnitClass unit_of(const isa::Instruction& i, const config::SmSpec& spec) {
  const OpClass c = i.op_class;
  const config::PerUnit& units = spec.units;
  if (isa::is_memory(c)) return UnitClass::mem;
  if (is_plain(i, spec)) return UnitClass::sp;
  // Divisions of every type use the special function unit, as in GPGPU-Sim.
  if (c == OpClass::int_div || c == OpClass::fp_div || c == OpClass::dp_div || c == OpClass::sfu)
    return units.sfu ? UnitClass::sfu : UnitClass::sp;
  if (c >= OpClass::dp_add && c <= OpClass::dp_fma && !spec.products.floats_on_either)
    return units.dp ? UnitClass::dp : units.sfu ? UnitClass::sfu : UnitClass::sp;
  if (c == OpClass::tensor) return UnitClass::tensor;
  const bool integer_product = c == OpClass::int_mul || c == OpClass::int_mad;
  if (integer_product && spec.products.integers_on_sfu && units.sfu) return UnitClass::sfu;
  const bool floating = (c >= OpClass::fp_add && c <= OpClass::fp_fma) ||
                        (c >= OpClass::dp_add && c <= OpClass::dp_fma);
  return units.int_ && !floating ? UnitClass::int_ : UnitClass::sp;
}

bool is_product_of_either_unit(const isa::Instruction& i, const config::SmSpec& spec) {
  return spec.products.floats_on_either && spec.units.sfu > 0 &&
         (i.op_class == OpClass::fp_mul || i.op_class == OpClass::dp_mul);
}

struct Pace {
  std::uint32_t latency, interval;
};

// Of a compiler-guided core: the integer unit executes logic, shifts and comparisons at the pace of
// additions (CUDA C++ Programming Guide, throughput of native arithmetic instructions).
constexpr std::uint32_t kReadCycles = 3;  // the read window, part of every dependence

Pace pace_of(OpClass c, const config::SmSpec& spec) {
  const auto entry = [](const config::LatencySpec& s, std::size_t i) {
    return Pace{s.latency[i], s.interval[i]};
  };
  const auto offset = [c](OpClass first) {
    return static_cast<std::size_t>(c) - static_cast<std::size_t>(first);
  };
  if (c == OpClass::alu && spec.core == config::Core::compiler_guided) return entry(spec.int_op, 0);
  if (c >= OpClass::int_add && c <= OpClass::shuffle)
    return entry(spec.int_op, offset(OpClass::int_add));
  const auto fused = [&](const config::LatencySpec& s) {
    constexpr std::size_t kMad = 3, kFma = 5;
    return entry(s, s.latency[kFma] == 0 ? kMad : kFma);
  };
  if (c == OpClass::fp_fma) return fused(spec.fp_op);
  if (c == OpClass::dp_fma) return fused(spec.dp_op);
  if (c >= OpClass::fp_add && c <= OpClass::fp_div)
    return entry(spec.fp_op, offset(OpClass::fp_add));
  if (c >= OpClass::dp_add && c <= OpClass::dp_div)
    return entry(spec.dp_op, offset(OpClass::dp_add));
  if (c == OpClass::sfu) return {spec.sfu_latency, spec.sfu_interval};
  if (c == OpClass::tensor) return {spec.tensor_latency, spec.tensor_interval};
  return {1, 1};
}

// The configured interval is that of m16n16k16 on 16-bit elements. The interval of other shapes and
// types is proportional to their work; the latency is the same for all.
// A warpgroup's products have twice the throughput of a warp's: an H100 multiplies m64n256k16 in
// 128 cycles, 512 products per cycle and tensor core, and reaches half of that with mma (Luo et
// al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture", arXiv 2402.13499, section
// IV).
std::uint32_t matrix_interval(const isa::Instruction& i, std::uint32_t interval) {
  constexpr std::uint64_t kFull = 16 * 16 * 16 * 16;
  const std::uint64_t work = isa::is_product(i.copy) ? i.matrix_work / 2 : i.matrix_work;
  return static_cast<std::uint32_t>((interval * work + kFull - 1) / kFull);
}

// Its address has 64 bits.
bool reads_global(const isa::Instruction& i) {
  return i.space == isa::Space::global || i.space == isa::Space::generic;
}

bool may_wait(const isa::Instruction& i) {
  return i.op_class == OpClass::barrier || i.op_class == OpClass::memory_barrier ||
         i.op_class == OpClass::atomic || i.copy == isa::CopyStep::commit ||
         i.copy == isa::CopyStep::wait || isa::ends_products(i.copy) ||
         i.copy == isa::CopyStep::wait_for_products;
}

// Atomics of a warp act in the order of their issue. Loads and stores must see what they did, and
// so must other warps behind a barrier. Their results have dependence counters.
bool passes_atomics(const isa::Instruction& i) {
  if (i.copy != isa::CopyStep::none) return false;
  if (i.op_class == OpClass::atomic) return i.space == isa::Space::global;
  if (i.op_class == OpClass::load)
    return i.space == isa::Space::constant || i.space == isa::Space::param;
  return i.op_class < OpClass::load || i.op_class == OpClass::branch;
}

void count_bank_reads(InstructionTiming& t) {
  t.bank_reads = {};
  for (std::size_t k = 0; k < t.operand_count; ++k) {
    const std::size_t bank = t.operands[k] % t.bank_reads.size();
    ++t.bank_reads[bank];
    if (t.is_wide) ++t.bank_reads[bank ^ 1];
  }
}

}  // namespace

InstructionTiming timing_of(const isa::Instruction& instruction, const config::SmSpec& spec) {
  InstructionTiming t;
  const bool loose = spec.flow.loose_atomics && instruction.op_class == OpClass::atomic;
  t.registers = RegisterUse(instruction, loose);
  t.may_wait = may_wait(instruction);
  t.passes_atomics = spec.core == config::Core::compiler_guided && spec.combined_atomics &&
                     passes_atomics(instruction);
  t.unit = unit_of(instruction, spec);
  t.kinds = static_cast<std::uint16_t>(1u << index(t.unit) | instruction.is_l1_load() << kL1Load |
                                       instruction.is_long() << kLong |
                                       is_product_of_either_unit(instruction, spec) << kOrSfu);
  Pace pace = is_plain(instruction, spec) ? Pace{1, 1} : pace_of(instruction.op_class, spec);
  // A 32-bit multiplier first truncates the operands of mul24 and mad24, which takes one cycle
  // more, as in GPGPU-Sim 4.x.
  if (instruction.minor_opcode && instruction.op_class != OpClass::int_div &&
      !is_plain(instruction, spec))
    pace = {pace.latency + 1, pace.interval + 1};
  const bool multiplies_matrices = instruction.matrix_work > 0;
  t.interval = static_cast<std::uint16_t>(std::max(
      1u, multiplies_matrices ? matrix_interval(instruction, pace.interval) : pace.interval));
  t.latency = static_cast<std::uint16_t>(std::max({1u, pace.latency, std::uint32_t{t.interval}}));
  t.dependence = static_cast<std::uint16_t>(std::max(1u, pace.latency) + kReadCycles);
  t.is_wide = t.unit == UnitClass::dp || (t.unit == UnitClass::mem && reads_global(instruction));
  t.control = instruction.control;
  t.find_variable_latency();
  t.result_count = instruction.write_count;
  t.results = instruction.writes;
  if (spec.duplicate_operands_read_twice) {
    for (std::size_t i = 0; i < instruction.operand_count; ++i)
      if (t.registers.waits_for(instruction.operands[i]))
        t.operands[t.operand_count++] = instruction.reads[instruction.operands[i]];
  } else {
    for (std::size_t i = 0; i < instruction.read_count; ++i)
      if (const std::uint16_t reg = instruction.reads[i];
          reg != instruction.guard_register && t.registers.waits_for(static_cast<int>(i)))
        t.operands[t.operand_count++] = reg;
  }
  count_bank_reads(t);
  return t;
}

std::vector<InstructionTiming> timing_of(const isa::Kernel& kernel, const config::SmSpec& spec) {
  std::vector<InstructionTiming> all;
  all.reserve(kernel.instructions.size());
  for (const isa::Instruction& i : kernel.instructions) all.push_back(timing_of(i, spec));
  if (spec.core == config::Core::compiler_guided) {
    if (!kernel.has_control_words)
      compute_control_words(kernel, spec.guided.predicate_latency, all);
    for (InstructionTiming& t : all) t.find_variable_latency();
    const ProvenLaw proven = prove_law(kernel, all, spec.guided.predicate_latency);
    for (InstructionTiming& t : all) t.proven = proven;
  }
  if (spec.register_numbers == config::RegisterNumbers::dense) return all;
  const auto rename = [&](std::uint16_t& reg) { reg = kernel.register_names.at(reg); };
  for (InstructionTiming& t : all) {
    std::for_each_n(t.operands.begin(), t.operand_count, rename);
    std::for_each_n(t.results.begin(), t.result_count, rename);
    count_bank_reads(t);
  }
  return all;
}

std::uint32_t count_of(const config::PerUnit& units, UnitClass unit) {
  switch (unit) {
    case UnitClass::sp: return units.sp;
    case UnitClass::dp: return units.dp;
    case UnitClass::int_: return units.int_;
    case UnitClass::sfu: return units.sfu;
    case UnitClass::mem: return units.mem;
    case UnitClass::tensor: return units.tensor;
  }
  return 0;
}

}  // namespace heddle::sm
