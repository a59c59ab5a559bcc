// Execution without timing: CTA after CTA, each warp as far as it can go.
#include "exec/control.h"
#include "exec/fault.h"
#include "exec/warps.h"

namespace heddle::exec {
namespace {

class FunctionalRun {
 public:
  FunctionalRun(const Launch& launch, GlobalMemory& memory, const MachineView& view)
      : warp_count_(static_cast<int>((launch.block.count() + kWarpSize - 1) / kWarpSize)),
        warps_(launch, memory, view, 1, warp_count_, true), waits_(static_cast<std::size_t>(warp_count_)) {
    for (int i = 0; i < warp_count_; ++i) slots_.emplace_back(i);
  }

  FunctionalCounts run() {
    const std::uint64_t ctas = warps_.machine().launch.grid.count();
    for (std::uint64_t c = 0; c < ctas; ++c) run_cta(c);
    counts_.ctas = ctas;
    return counts_;
  }

 private:
  enum class Wait : std::uint8_t { none, barrier, ended };
  struct BarrierState { std::uint32_t arrived_threads = 0, expected = 0; };

  void run_cta(std::uint64_t linear) {
    warps_.start(0, linear, slots_);
    std::fill(waits_.begin(), waits_.end(), Wait::none);
    barriers_.fill({});
    live_warps_ = warp_count_;
    while (live_warps_ > 0) {
      bool went_on = false;
      for (int i = 0; i < warp_count_; ++i) {
        if (waits_[static_cast<std::size_t>(i)] != Wait::none) continue;
        went_on = true;
        run_warp(i);
      }
      if (!went_on) throw_deadlock(warps_.machine(), warps_.cta(0).warps);
    }
    warps_.end(0);
  }

  // Until the warp ends or waits at a barrier.
  void run_warp(int index) {
    Warp& w = warps_.warp(index);
    const Record* code = warps_.machine().code.data();
    std::uint64_t instructions = 0, threads = 0;
    bool blocked = false;
    while (!w.stack.finished() && !blocked) {
      const Pc pc = w.stack.pc();
      const Record& r = code[pc];
      const std::uint32_t mask = w.stack.active() & (w.predicates[r.guard.row] ^ r.guard.flip);
      w.pc = pc;
      ++instructions;
      threads += static_cast<std::uint64_t>(std::popcount(mask));
      if (r.flow == Flow::plain) [[likely]] {
        if (mask) r.handler(w, r, mask);
        w.stack.advance(pc + 1);
      } else {
        w.now = counts_.warp_instructions + instructions;
        if (control(w, r, mask, nullptr)) blocked = arrive(index, r, mask);
      }
    }
    counts_.warp_instructions += instructions;
    counts_.thread_instructions += threads;
    if (w.stack.finished()) {
      waits_[static_cast<std::size_t>(index)] = Wait::ended;
      --live_warps_;
      for (std::uint32_t id = 0; id < barriers_.size(); ++id) check_barrier(id);
    }
  }

  // True when the warp has to wait.
  bool arrive(int index, const Record& r, std::uint32_t mask) {
    const BarrierRequest request = barrier_request(warps_.warp(index), r, mask);
    BarrierState& barrier = barriers_[request.id];
    barrier.arrived_threads += kWarpSize;
    barrier.expected = request.threads;
    const bool waits = r.instruction->barrier != ptx::BarrierOp::arrive;
    if (waits) waits_[static_cast<std::size_t>(index)] = Wait::barrier;
    check_barrier(request.id);
    return waits && waits_[static_cast<std::size_t>(index)] == Wait::barrier;
  }

  // A barrier for all threads waits for those warps only that have not ended.
  void check_barrier(std::uint32_t id) {
    BarrierState& barrier = barriers_[id];
    if (barrier.arrived_threads == 0) return;
    const std::uint32_t needed = barrier.expected ? (barrier.expected + kWarpSize - 1) / kWarpSize * kWarpSize
                                                  : static_cast<std::uint32_t>(live_warps_) * kWarpSize;
    if (barrier.arrived_threads < needed) return;
    barrier = {};
    complete(warps_.cta(0), id);
    for (int i = 0; i < warp_count_; ++i)
      if (waits_[static_cast<std::size_t>(i)] == Wait::barrier && warps_.warp(i).waiting_id == id)
        waits_[static_cast<std::size_t>(i)] = Wait::none;
  }

  int warp_count_, live_warps_ = 0;
  Warps warps_;
  std::vector<WarpSlot> slots_;
  std::vector<Wait> waits_;
  std::array<BarrierState, 16> barriers_{};
  FunctionalCounts counts_;
};

}  // namespace

FunctionalCounts run_functionally(const Launch& launch, GlobalMemory& memory, const MachineView& machine) {
  return FunctionalRun{launch, memory, machine}.run();
}

}  // namespace heddle::exec
