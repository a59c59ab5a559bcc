// Runs a launch through a LiveSource as an SM would.
#pragma once

#include <algorithm>
#include <map>

#include "tests/exec/builder.h"

namespace heddle::exec::test {

// One CTA at a time. The warps execute one instruction each in rotation. Stores become visible and
// atomics act after `window` steps.
inline FunctionalCounts run_by_steps(const Launch& launch, GlobalMemory& memory, int window = 7) {
  const auto source = make_live_source(launch, memory, {}, 1);
  const ptx::Kernel& kernel = ptx::as_ptx(*launch.kernel);
  const int warps = static_cast<int>((launch.block.count() + 31) / 32);
  std::vector<WarpSlot> slots;
  for (int i = 0; i < warps; ++i) slots.emplace_back(i + 3);
  FunctionalCounts counts;
  std::vector<std::uint32_t> atomics;
  std::uint64_t now = 0;
  const auto settle = [&] {
    source->synchronise();
    for (const std::uint32_t a : atomics) {  // in two halves, as if sent to two slices
      source->perform_atomic(a, LaneMask{0x0f0f0f0f});
      source->perform_atomic(a, LaneMask{0xf0f0f0f0});
    }
    atomics.clear();
  };
  for (std::uint64_t c = 0; c < launch.grid.count(); ++c) {
    source->start_cta(0, c, slots);
    std::vector<int> waits(slots.size(), -1);
    std::vector<bool> ended(slots.size(), false);
    std::map<int, std::uint32_t> wanted;
    while (std::find(ended.begin(), ended.end(), false) != ended.end()) {
      for (std::size_t i = 0; i < slots.size(); ++i) {
        if (ended[i] || waits[i] >= 0) continue;
        Step step;
        source->step(slots[i], Cycle{now++}, step);
        const ptx::Instruction& instruction = kernel.code.at(step.pc);
        ++counts.warp_instructions;
        counts.thread_instructions += static_cast<std::uint64_t>(step.executed.count());
        const bool global_atomic =
            instruction.op_class == ptx::OpClass::atomic && step.space == Space::global;
        if (global_atomic && step.executed.any()) atomics.push_back(step.atomic);
        const bool follows_copies = instruction.opcode == Opcode::cp_async_arrive ||
                                    instruction.opcode == Opcode::bulk_load;
        if (follows_copies && step.executed.any()) atomics.push_back(step.atomic);
        if (global_atomic || now % static_cast<std::uint64_t>(window) == 0) settle();
        if (step.finished())
          ended[i] = true;
        else if (instruction.op_class == ptx::OpClass::barrier &&
                 instruction.barrier != ptx::BarrierOp::warp_sync && step.executed.any() &&
                 !step.deferred) {
          waits[i] = static_cast<int>(step.barrier_id);
        }
      }
      for (int id = 0; id < static_cast<int>(ptx::kBarriers); ++id) {
        const auto at = std::count(waits.begin(), waits.end(), id);
        if (at == 0 ||
            at < static_cast<long>(slots.size()) - std::count(ended.begin(), ended.end(), true))
          continue;
        source->complete_barrier(0, static_cast<std::uint32_t>(id));
        std::replace(waits.begin(), waits.end(), id, -1);
      }
    }
    source->end_cta(0);
    ++counts.ctas;
  }
  settle();
  return counts;
}

}  // namespace heddle::exec::test
