// Execution without timing: CTA after CTA, each warp as far as it can go. Warps that spin give others a turn; when all warps of a CTA spin and
// nothing changes, the next CTA starts beside it, since it may be what they wait for.
#include <algorithm>
#include <cstring>
#include <memory>

#include "exec/check/cta_check.h"
#include "exec/control.h"
#include "exec/fault.h"
#include "exec/warps.h"

namespace heddle::exec {
namespace {

// Rounds in which every warp spins and no register changes, after which a CTA is not expected to go on by itself.
constexpr int kStillRounds = 16;
constexpr std::size_t kMostResident = 2048;

// One CTA on its way.
class FunctionalCta {
 public:
  FunctionalCta(const Launch& launch, GlobalMemory& memory, const MachineView& view, Checker* checker)
      : warp_count_(static_cast<int>((launch.block.count() + kWarpSize - 1) / kWarpSize)),
        warps_(launch, memory, view, 1, warp_count_, true, decode_kernel(*launch.kernel)), waits_(static_cast<std::size_t>(warp_count_)),
        states_(static_cast<std::size_t>(warp_count_)) {
    for (int i = 0; i < warp_count_; ++i) slots_.emplace_back(i);
    if (checker) check_ = std::make_unique<CtaCheck>(*checker, warps_.machine());
  }

  void start(std::uint64_t linear) {
    warps_.start(0, linear, slots_);
    if (check_) check_->start(warps_.cta(0));
    std::fill(waits_.begin(), waits_.end(), Wait::none);
    barriers_.fill({});
    live_warps_ = warp_count_;
    still_ = 0;
  }
  bool finished() const { return live_warps_ == 0; }
  bool is_still() const { return still_ >= kStillRounds; }

  // Each warp that can go on does, until it ends, waits or spins.
  void run_round(FunctionalCounts& counts) {
    bool went_on = false, all_spin = true;
    for (int i = 0; i < warp_count_; ++i) {
      if (waits_[static_cast<std::size_t>(i)] != Wait::none) continue;
      went_on = true;
      if (!(check_ ? run_warp<true>(i, counts) : run_warp<false>(i, counts))) all_spin = false;
    }
    if (!went_on && !finished()) fail();
    still_ = all_spin && same_states() ? still_ + 1 : 0;
  }
  [[noreturn]] void fail() {
    if (check_) check_->deadlock(warps_.cta(0).warps);
    throw_deadlock(warps_.machine(), warps_.cta(0).warps);
  }
  std::span<const Record> code() { return warps_.machine().code; }

 private:
  enum class Wait : std::uint8_t { none, barrier, ended };
  struct BarrierState { std::uint32_t arrived_threads = 0, expected = 0; };

  // True when the warp spins; else it has ended or waits at a barrier.
  template <bool kChecked> bool run_warp(int index, FunctionalCounts& counts) {
    Warp& w = warps_.warp(index);
    const Record* code = warps_.machine().code.data();
    std::uint64_t instructions = 0, threads = 0;
    bool blocked = false;
    w.spins = false;
    while (!w.stack.finished() && !blocked) {
      const Pc pc = w.stack.pc();
      const Record& r = code[pc];
      std::uint32_t mask = w.stack.active() & (w.predicates[r.guard.row] ^ r.guard.flip);
      w.pc = pc;
      ++instructions;
      threads += static_cast<std::uint64_t>(std::popcount(mask));
      if constexpr (kChecked) mask = check_->before(w, r, mask);
      if (r.flow == Flow::plain) [[likely]] {
        if (mask) r.handler(w, r, mask);
        w.stack.advance(pc + 1);
      } else {
        w.now = counts.warp_instructions + instructions;
        if (control(w, r, mask, nullptr)) blocked = arrive(index, r, mask);
        if (w.spins) [[unlikely]] break;
      }
    }
    counts.warp_instructions += instructions;
    counts.thread_instructions += threads;
    if (w.stack.finished()) end_warp(index);
    return !w.stack.finished() && !blocked;
  }

  void end_warp(int index) {
    waits_[static_cast<std::size_t>(index)] = Wait::ended;
    --live_warps_;
    for (std::uint32_t id = 0; id < barriers_.size(); ++id) check_barrier(id);
    if (live_warps_ == 0) warps_.end(0);
  }

  // True when the warp has to wait.
  bool arrive(int index, const Record& r, std::uint32_t mask) {
    const BarrierRequest request = barrier_request(warps_.warp(index), r, mask);
    BarrierState& barrier = barriers_[request.id];
    barrier.arrived_threads += kWarpSize;
    barrier.expected = request.threads;
    const bool waits = r.instruction->barrier != ptx::BarrierOp::arrive;
    if (check_) check_->arrive(warps_.warp(index), request, waits);
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
    if (check_) check_->complete(id);
    for (int i = 0; i < warp_count_; ++i)
      if (waits_[static_cast<std::size_t>(i)] == Wait::barrier && warps_.warp(i).waiting_id == id)
        waits_[static_cast<std::size_t>(i)] = Wait::none;
  }

  // Do the warps hold the same values, at the same places, as when this was asked last?
  bool same_states() {
    const ptx::Kernel& kernel = *warps_.machine().launch.kernel;
    bool same = true;
    for (int i = 0; i < warp_count_; ++i) {
      const Warp& w = warps_.warp(i);
      std::uint64_t state = 1469598103934665603u;
      const auto mix = [&state](std::uint64_t v) { state = (state ^ v) * 1099511628211u; };
      for (std::size_t n = 0; n < kernel.register_rows * std::size_t{16}; ++n) {
        std::uint64_t word;
        std::memcpy(&word, w.bases[0] + 8 * n, 8);
        mix(word);
      }
      for (std::uint32_t n = 0; n < kernel.predicate_rows; ++n) mix(w.predicates[n]);
      if (!w.stack.finished()) mix(w.stack.pc()), mix(w.stack.active());
      same = same && states_[static_cast<std::size_t>(i)] == state;
      states_[static_cast<std::size_t>(i)] = state;
    }
    return same;
  }

  int warp_count_, live_warps_ = 0, still_ = 0;
  Warps warps_;
  std::vector<WarpSlot> slots_;
  std::vector<Wait> waits_;
  std::vector<std::uint64_t> states_;
  std::array<BarrierState, 16> barriers_{};
  std::unique_ptr<CtaCheck> check_;  // none unless the program is checked
};

}  // namespace

FunctionalCounts run_functionally(const Launch& launch, GlobalMemory& memory, const MachineView& machine, Checker* checker) {
  const auto make_cta = [&] { return std::make_unique<FunctionalCta>(launch, memory, machine, checker); };
  FunctionalCounts counts;
  counts.ctas = launch.grid.count();
  std::vector<std::unique_ptr<FunctionalCta>> resident;  // the first is used again and again; others as long as they last
  resident.push_back(make_cta());
  if (checker) checker->begin(launch, resident.front()->code());
  std::uint64_t next = 0;
  while (next < counts.ctas || !resident.front()->finished() || resident.size() > 1) {
    if (resident.front()->finished() && next < counts.ctas) resident.front()->start(next++);
    for (auto& cta : resident) if (!cta->finished()) cta->run_round(counts);
    if (resident.size() > 1) {
      std::erase_if(resident, [](const auto& cta) { return cta->finished(); });
      if (resident.empty()) resident.push_back(make_cta());
    }
    const bool stuck = std::all_of(resident.begin(), resident.end(), [](const auto& cta) { return !cta->finished() && cta->is_still(); });
    if (!stuck) continue;
    if (next == counts.ctas || resident.size() == kMostResident) resident.front()->fail();
    resident.push_back(make_cta());
    resident.back()->start(next++);
  }
  if (checker) checker->end();
  return counts;
}

}  // namespace heddle::exec
