// Gives an SM the instructions that a trace recorded.

#include "base/diagnostics.h"
#include "trace/cta_records.h"
#include "trace/traced_launch.h"

namespace heddle::trace {
namespace {

using isa::OpClass;

class TracedSource final : public exec::InstructionSource {
 public:
  struct Launch {
    const KernelHeader& header;
    const TracedKernel& kernel;
    const std::vector<std::vector<std::uint8_t>>& ctas;
    std::uint64_t local_begin;
  };

  TracedSource(const Launch& launch, int cta_slots)
      : launch_(launch), ctas_(static_cast<std::size_t>(cta_slots)) {}

  void start_cta(int cta_slot, std::uint64_t cta_linear, std::span<const WarpSlot> warps) override {
    auto& cta = ctas_[static_cast<std::size_t>(cta_slot)];
    cta = std::make_unique<CtaReader>(launch_.ctas[cta_linear]);
    for (std::size_t i = 0; i < warps.size(); ++i) {
      Warp& warp = of(warps[i]);
      warp = {};
      warp.left = cta->warp(i);
      warp.live = warp.active = launch_.header.lanes(static_cast<std::uint32_t>(i));
      warp.next.number = ~std::uint32_t{0};
      warp.more = warp.left.next(warp.next);
    }
  }
  void end_cta(int cta_slot) override { ctas_[static_cast<std::size_t>(cta_slot)].reset(); }
  LaneMask live_lanes(WarpSlot warp) const override { return of(warp).live; }
  LaneMask active_lanes(WarpSlot warp) const override {
    const Warp& w = of(warp);
    return w.active_at(launch_.kernel.pcs[w.next.number]);
  }

  void step(WarpSlot slot, Cycle, exec::Step& out) override {
    Warp& w = of(slot);
    check_invariant(w.more, "a warp that has ended executes an instruction");
    const Executed& e = w.next;
    const Pc pc = launch_.kernel.pcs[e.number];
    const isa::Instruction& i = launch_.kernel.instructions[pc];
    w.active = w.active_at(pc);
    out.pc = pc;
    out.active = w.active;
    out.executed = e.lanes;
    out.space = i.space == isa::Space::generic ? e.space : i.space;
    out.deferred = out.waits_for_call = false;
    out.barrier_id = out.barrier_threads = 0;
    out.taken = out.fell_through = LaneMask{};
    if (e.has_addresses) set_addresses(e, out);
    w.jumped = false;
    if (i.op_class == OpClass::branch) {
      out.taken = e.lanes;
      out.fell_through = w.active & ~e.lanes;
      w.jumped = e.lanes.any();
    } else if (i.op_class == OpClass::barrier) {
      const TracedKernel::Barrier& barrier = launch_.kernel.barriers[pc];
      out.barrier_id = barrier.id;
      out.barrier_threads = barrier.threads;
      out.waits_at_barrier = i.barrier != isa::BarrierOp::arrive;
      out.deferred = !e.arrives;
    } else if (i.op_class == OpClass::exit_) {
      w.live &= ~e.lanes;
      w.active &= ~e.lanes;
    }
    w.pc = pc;
    w.more = w.left.next(w.next);
    out.next_pc = w.more ? launch_.kernel.pcs[w.next.number] : kNoPc;
  }

  // Values that nobody has.
  void complete_barrier(int, std::uint32_t) override {}
  void perform_atomic(std::uint32_t, LaneMask) override {}
  void synchronise() override {}

 private:
  struct Warp {
    CtaReader::Warp left;
    Executed next;
    bool more = false;
    bool jumped = false;  // some lanes left the sequence with the last instruction
    Pc pc = kNoPc;        // of the last instruction
    LaneMask live, active;

    // The lanes with the next instruction. A trace has no lanes whose guard is false. Those that
    // were active before stay so in a sequence of instructions.
    LaneMask active_at(Pc next_pc) const {
      const bool follows = pc == kNoPc || (next_pc == pc + 1 && !jumped);
      const LaneMask found = follows ? (active & live) | next.lanes : next.lanes;
      return found.any() ? found : live;
    }
  };
  Warp& of(WarpSlot warp) { return warps_[static_cast<std::size_t>(warp.index)]; }
  const Warp& of(WarpSlot warp) const { return warps_[static_cast<std::size_t>(warp.index)]; }

  void set_addresses(const Executed& e, exec::Step& out) const {
    out.addresses = e.addresses;
    if (out.space == isa::Space::local)
      e.lanes.for_each(
          [&](int lane) { out.addresses[static_cast<std::size_t>(lane)] -= launch_.local_begin; });
  }

  Launch launch_;
  std::vector<std::unique_ptr<CtaReader>> ctas_;
  std::array<Warp, kMaxWarpsPerSm> warps_;
};

}  // namespace

std::unique_ptr<exec::InstructionSource> TracedLaunch::make_source(int cta_slots) const {
  return std::make_unique<TracedSource>(
      TracedSource::Launch{header_, *kernel_, ctas_, local_begin_}, cta_slots);
}

}  // namespace heddle::trace
