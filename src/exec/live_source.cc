// Executes the warps of one SM, instruction by instruction.
#include <algorithm>
#include <array>
#include <utility>

#include "exec/isa/control.h"
#include "exec/isa/host_calls.h"
#include "exec/isa/remote.h"
#include "exec/livelock/livelock_detector.h"
#include "exec/state/warps.h"

namespace heddle::exec {
namespace {

class LiveSource final : public InstructionSource {
 public:
  LiveSource(const Launch& launch, GlobalMemory& memory, const MachineView& machine, int cta_slots,
             std::shared_ptr<const DecodedKernel> decoded)
      : warps_(launch, memory, machine, cta_slots, kMaxWarpsPerSm, false, std::move(decoded)) {}

  void start_cta(int cta_slot, std::uint64_t cta_linear, std::span<const WarpSlot> warps) override {
    std::array<int, kMaxWarpsPerSm> indices;
    std::transform(warps.begin(), warps.end(), indices.begin(), [](WarpSlot w) { return w.index; });
    warps_.start(cta_slot, cta_linear, std::span(indices).first(warps.size()));
  }
  void end_cta(int cta_slot) override { warps_.end(cta_slot); }
  LaneMask live_lanes(WarpSlot warp) const override {
    return LaneMask{warps_.warp(warp.index).live};
  }

  void step(WarpSlot slot, Cycle now, Step& out) override {
    Warp& w = warps_.warp(slot.index);
    check_invariant(!w.stack.finished(), "a warp that has ended executes an instruction");
    const Pc pc = w.stack.pc();
    const DecodedInstruction& r = machine().code[pc];
    const std::uint32_t active = w.stack.active(),
                        mask = active & (w.predicates[r.guard.row] ^ r.guard.flip);
    const std::pair before{w.live, w.cluster_arrived};
    w.pc = pc;
    w.now = now.value;
    w.step = &out;
    out.pc = pc;
    out.active = LaneMask{active};
    out.executed = LaneMask{mask};
    out.space = ptx::Space::none;
    out.taken = out.fell_through = LaneMask{};
    out.barrier_id = out.barrier_threads = 0;
    out.deferred = out.waits_for_call = false;
    out.remote_lanes = LaneMask{};
    if (machine().detector) [[unlikely]]
      machine().detector->observe(w, r, mask);
    if (r.flow == Flow::plain) {
      if (mask) r.handler(w, r, mask);
      w.stack.advance(pc + 1);
    } else {
      control(w, r, mask, &out);
    }
    out.next_pc = w.stack.finished() ? kNoPc : w.stack.pc();
    if (machine().launch.clusters) [[unlikely]]
      note_cluster_change(w, before);
  }

  void prefetch(WarpSlot slot) const override {
    const Warp& w = warps_.warp(slot.index);
    __builtin_prefetch(&w.stack);
    __builtin_prefetch(&w.bases);
    __builtin_prefetch(w.predicates);
  }

  void complete_barrier(int cta_slot, std::uint32_t barrier_id) override {
    exec::complete_barrier(warps_.cta(cta_slot), barrier_id);
  }
  void perform_atomic(std::uint32_t atomic, LaneMask lanes) override {
    perform_pending(machine(), atomic, lanes.bits);
  }
  LaneMask active_lanes(WarpSlot warp) const override {
    const Warp& w = warps_.warp(warp.index);
    return LaneMask{w.stack.finished() ? 0 : w.stack.active()};
  }
  bool call_returned(WarpSlot warp) const override {
    return warps_.warp(warp.index).host_request.done;
  }
  Warps* warps() override { return &warps_; }
  void synchronise() override {
    machine().stores.apply(machine().memory);
    if (!machine().sent_bytes.empty()) deliver_sent_bytes(machine());
    serve_host_calls(machine());
  }

 private:
  // Lanes have ended or arrived at the barrier of the cluster.
  void note_cluster_change(const Warp& w, std::pair<std::uint32_t, std::uint32_t> before) {
    if (before == std::pair{w.live, w.cluster_arrived}) return;
    w.cta->cluster_time = w.now;
    machine().cluster_changes.push_back(w.cta->linear);
  }
  Machine& machine() { return warps_.machine(); }
  const Machine& machine() const { return warps_.machine(); }

  Warps warps_;
};

}  // namespace

std::unique_ptr<InstructionSource> make_live_source(const Launch& launch, GlobalMemory& memory,
                                                    const MachineView& machine, int cta_slots,
                                                    std::shared_ptr<const DecodedKernel> decoded) {
  if (!decoded) decoded = decode_kernel(*launch.kernel);
  return std::make_unique<LiveSource>(launch, memory, machine, cta_slots, std::move(decoded));
}

}  // namespace heddle::exec
