// Kernels of machine code made by hand, instruction by instruction, and their execution.
#pragma once

#include <string_view>
#include <vector>

#include "exec/state/warps.h"
#include "sass/ptx_fields.h"
#include "sass/timing_fields.h"
#include "tests/exec/builder.h"
#include "tests/exec/machine_code_bench.h"

namespace heddle::exec::machine_test {

// An instruction of which all operands are RZ, PT, URZ or 0.
inline sass::KernelInstruction plain(std::string_view form, Pc target = kNoPc) {
  sass::KernelInstruction i;
  i.code = MachineCode(form).instruction;
  for (sass::Operand& o : i.code.operands) {
    if (o.kind == sass::OperandKind::reg) o.index = sass::kZeroRegister;
    if (o.kind == sass::OperandKind::uniform) o.index = sass::kZeroUniformRegister;
    if (o.kind == sass::OperandKind::predicate || o.kind == sass::OperandKind::uniform_predicate)
      o.index = sass::kTruePredicate;
    if (o.kind == sass::OperandKind::memory || o.kind == sass::OperandKind::constant)
      o.index = sass::kZeroRegister;
    if (o.kind == sass::OperandKind::barrier) o.index = 0;
  }
  i.target = target;
  return i;
}
inline sass::KernelInstruction guarded(sass::KernelInstruction i, int predicate,
                                       bool negated = false) {
  i.code.guard = {false, static_cast<std::uint8_t>(predicate), negated};
  return i;
}

inline sass::Kernel machine_kernel(std::vector<sass::KernelInstruction> code) {
  sass::Kernel kernel;
  kernel.name = "by_hand";
  kernel.architecture = 80;
  kernel.source_lines.emplace_back();
  kernel.segments.push_back({"by_hand", sass::kCodeBase, 0, static_cast<Pc>(code.size())});
  kernel.first_system_call = static_cast<Pc>(code.size());
  sass::RegisterNumbering numbers;
  for (sass::KernelInstruction& i : code) sass::count_registers(i.code, numbers);
  for (sass::KernelInstruction& i : code) {
    sass::set_ptx_fields(i);
    sass::set_timing_fields(i, numbers);
  }
  kernel.registers = static_cast<std::uint32_t>(numbers.registers);
  kernel.uniform_registers = static_cast<std::uint32_t>(numbers.uniform_registers);
  kernel.code = std::move(code);
  for (const sass::KernelInstruction& i : kernel.code) kernel.instructions.push_back(i);
  return kernel;
}

// One warp that executes the kernel step by step.
class MachineRun {
 public:
  explicit MachineRun(const sass::Kernel& kernel, GlobalMemory& memory,
                      std::vector<std::uint8_t> parameters = {}) {
    launch_.kernel = &kernel;
    launch_.grid = {1, 1, 1};
    launch_.block = {32, 1, 1};
    launch_.parameters = std::move(parameters);
    source_ = make_live_source(launch_, memory, {}, 1);
    const WarpSlot slot{0};
    source_->start_cta(0, 0, std::span(&slot, 1));
  }
  Warp& warp() { return source_->warps()->warp(0); }
  std::uint32_t& predicate(int n) { return warp().predicates[n]; }
  std::uint32_t* reg(int n) { return reinterpret_cast<std::uint32_t*>(warp().bases[0] + 128 * n); }
  Step step() {
    Step step;
    source_->step(WarpSlot{0}, Cycle{now_++}, step);
    return step;
  }
  // "pc:lanes" of each instruction, until the warp has ended.
  std::vector<std::pair<Pc, std::uint32_t>> trace() {
    std::vector<std::pair<Pc, std::uint32_t>> places;
    for (int n = 0; n < 1000 && !warp().stack.finished(); ++n) {
      const Step s = step();
      places.emplace_back(s.pc, s.active.bits);
    }
    return places;
  }
  InstructionSource& source() { return *source_; }

 private:
  Launch launch_;
  std::unique_ptr<InstructionSource> source_;
  std::uint64_t now_ = 0;
};

}  // namespace heddle::exec::machine_test
