#include <algorithm>

#include "exec/state/global_memory.h"
#include "ptx/modes.h"
#include "sm/sm_impl.h"

namespace heddle::sm {

void Sm::Impl::issue(WarpSlot w, int scheduler, int through, Cycle now) {
  Warp& warp = warps[w];
  const Pc pc = warps.head_pc(w);
  source->step(w, now, step);
  check_invariant(step.pc == pc, "the instruction that executes is the one that was fetched");
  const ptx::Instruction& i = *step.instruction;

  const OpId id_of_op = pool.take();
  Op& op = pool[id_of_op];
  op.instruction = &i;
  op.timing = &timing[pc];
  op.sequence = next_sequence++;
  op.pc = pc;
  op.warp = w;
  op.scheduler = static_cast<std::uint8_t>(through);
  op.home = static_cast<std::uint8_t>(scheduler);
  op.space = step.space;
  op.executed = step.executed;
  op.atomic = step.atomic;
  op.pending = 0;
  const int lanes = step.executed.count();
  ++stats.warp_instructions;
  stats.thread_instructions += static_cast<std::uint64_t>(lanes);
  ++stats.active_lanes[static_cast<std::size_t>(lanes)];

  ++warp.in_flight;
  if (i.write_count) warps.scoreboard.reserve(w, i);
  if (ptx::is_memory(i.op_class)) {
    memory.prepare(op, step);
    if (i.op_class != ptx::OpClass::memory_barrier) ++warp.memory_ops;
    if (i.op_class == ptx::OpClass::atomic && lanes > 0) ++warp.atomics;
    if (i.opcode == ptx::Opcode::cp_async) op.copy_group = copies.start(w);
  }
  if (i.opcode == ptx::Opcode::cp_async_arrive && lanes > 0 &&
      !copies.put_off(w, step.atomic, op.sequence)) {
    source->perform_atomic(step.atomic, LaneMask::all());
  }
  stats.unit_lanes[static_cast<std::size_t>(index(op.timing->unit))] +=
      static_cast<std::uint64_t>(lanes);
  stats.register_reads += op.timing->operand_count;
  stats.register_writes += i.write_count;
  if (observer)
    observer->issued({now, w, through, pc, &i, step.executed, step.space,
                      static_cast<int>(op.accesses.size()), lsu.through_l1d(op)});
  issued.put(static_cast<std::size_t>(index(op.timing->unit)), id_of_op, through);
  schedulers.notify(w, Event::issue,
                    [&](WarpScheduler& s) { s.on_issue({now, w, &i, pc, step.active}); });
  track_control(w, pc, now);
}

// Buffer, barriers, branches and the warp's end.
void Sm::Impl::track_control(WarpSlot w, Pc pc, Cycle now) {
  (void)now;
  Warp& warp = warps[w];
  const ptx::Instruction& i = *step.instruction;
  ++warp.head;
  --warp.buffered;
  warp.next_pc = step.next_pc;
  warp.fetch_pc = pc + 1 < kernel->code.size() ? pc + 1 : step.next_pc;
  if (schedulers.has_subscriber(Event::loop)) track_loops(w, pc);
  if (i.op_class == ptx::OpClass::branch)
    schedulers.notify(w, Event::branch, [&](WarpScheduler& s) {
      s.on_branch({w, pc, step.taken, step.fell_through, i.reconvergence, i.target});
    });
  if (step.finished()) {
    end_warp(w);
    return;
  }
  if (warp.buffered == 0) warps.fetchable.set(w);
  if (i.op_class == ptx::OpClass::barrier && i.barrier != ptx::BarrierOp::warp_sync &&
      !step.deferred)
    reach_barrier(w);
  if (i.opcode == ptx::Opcode::cp_async_commit) copies.commit(w);
  if (i.opcode == ptx::Opcode::cp_async_wait) {
    wait_for_copies(w, i);
  } else if (i.op_class == ptx::OpClass::memory_barrier) {
    ++stats.memory_barriers;
    warp.at_memory_barrier = true;
    finish_memory_barrier(w);
  }
  warps.refresh_waiting(w);
}

void Sm::Impl::track_loops(WarpSlot w, Pc pc) {
  const auto tell = [&](std::uint16_t loop, bool begin) {
    schedulers.notify(w, Event::loop,
                      [&](WarpScheduler& s) { s.on_loop({w, loop, step.active, begin}); });
  };
  loops.issued(
      w, *kernel, pc, [&](std::uint16_t loop) { tell(loop, false); },
      [&](std::uint16_t loop) { tell(loop, true); });
}

void Sm::Impl::reach_barrier(WarpSlot w) {
  const ptx::BarrierOp op = step.instruction->barrier;
  const bool stays = op != ptx::BarrierOp::arrive;
  const bool reduces = stays && op != ptx::BarrierOp::sync;
  ++stats.barriers;
  warps[w].at_barrier = stays;
  if (stays)
    schedulers.notify(w, Event::barrier, [&](WarpScheduler& s) { s.on_barrier({w, true}); });
  const int cta = warps[w].cta;
  open_barrier(cta, barriers.arrive(cta, w, step.barrier_id, step.barrier_threads, stays, reduces));
}

void Sm::Impl::open_barrier(int cta, const BarrierUnit::Release& release) {
  if (!release.released) return;
  if (release.reduces) source->complete_barrier(cta, release.id);
  release.warps.for_each([&](WarpSlot w) {
    warps[w].at_barrier = false;
    warps.refresh_waiting(w);
    schedulers.notify(w, Event::barrier, [&](WarpScheduler& s) { s.on_barrier({w, false}); });
  });
}

void Sm::Impl::finish_memory_barrier(WarpSlot w) {
  Warp& warp = warps[w];
  if (!warp.at_memory_barrier || warp.memory_ops > 0 || warp.stores > 0) return;
  warp.at_memory_barrier = false;
  if (spec.sm.memory_barriers_empty_l1d && lsu.l1d()) lsu.l1d()->forget_what_came();
  warps.refresh_waiting(w);
}

void Sm::Impl::wait_for_copies(WarpSlot w, const ptx::Instruction& i) {
  warps[w].waits_for_copies = &i;
  finish_waiting_for_copies(w);
}

void Sm::Impl::finish_waiting_for_copies(WarpSlot w) {
  Warp& warp = warps[w];
  const ptx::Instruction* i = warp.waits_for_copies;
  if (!i || (i->mode == ptx::kWaitForAll ? copies.pending(w) : copies.pending(w, i->immediate)))
    return;
  warp.waits_for_copies = nullptr;
  warps.refresh_waiting(w);
}

void Sm::Impl::end_warp(WarpSlot w) {
  Warp& warp = warps[w];
  if (schedulers.has_subscriber(Event::loop)) track_loops(w, kNoPc);
  warps.live.reset(w);
  warps.fetchable.reset(w);
  warps.waiting.reset(w);
  warp.buffered = 0;
  warps.refresh(w);
  for (auto release = barriers.leave(warp.cta, w); release.released;
       release = barriers.leave(warp.cta, w))
    open_barrier(warp.cta, release);
  const WarpEvent event{w, warps.age[static_cast<std::size_t>(w.index)],
                        ctas[static_cast<std::size_t>(warp.cta)].linear, false, clock};
  schedulers.notify(w, Event::warp, [&](WarpScheduler& s) { s.on_warp(event); });
  schedulers.ask_again();
}

void Sm::Impl::complete(OpId id_of_op) {
  disturbed = true;
  const Op& op = pool[id_of_op];
  const WarpSlot w = op.warp;
  const ptx::Instruction& i = *op.instruction;
  Warp& warp = warps[w];
  if (i.write_count) warps.scoreboard.release(w, i);
  --warp.in_flight;
  if (ptx::is_memory(i.op_class) && i.op_class != ptx::OpClass::memory_barrier) {
    --warp.memory_ops;
    if (i.op_class == ptx::OpClass::atomic && op.executed.any() && --warp.atomics == 0)
      warps.refresh_waiting(w);
    if (warp.at_memory_barrier) finish_memory_barrier(w);
    if (i.opcode == ptx::Opcode::cp_async) {
      copies.finish(w, op.copy_group, op.sequence, [&](std::uint32_t arrival) {
        source->perform_atomic(arrival, LaneMask::all());
      });
      finish_waiting_for_copies(w);
    }
    if (i.opcode == ptx::Opcode::bulk_load && op.executed.any())
      source->perform_atomic(op.atomic, LaneMask::all());
  }
  pool.give_back(id_of_op);
  if (!warps.live.test(w)) return warps.refresh_done(w);
  if (!warps.valid.test(w) || warps.ready.test(w)) return;
  warps.refresh(w);
  if (warps.ready.test(w)) source->prefetch(w);
}

void Sm::Impl::stores_changed(WarpSlot w, std::int32_t sectors) {
  disturbed = true;
  if (!w) return;
  Warp& warp = warps[w];
  warp.stores += static_cast<std::uint32_t>(sectors);
  check_invariant(static_cast<std::int32_t>(warp.stores) >= 0, "a store is acknowledged once");
  if (warp.stores > 0) return;
  if (warp.at_memory_barrier) finish_memory_barrier(w);
  warps.refresh_done(w);
}

void Sm::Impl::l1_accessed(WarpSlot warp, Pc pc, Address address, bool load,
                           const mem::Access& access) {
  if (observer) observer->l1d_accessed(warp, pc, address, load, access);
  if (!schedulers.has_subscriber(Event::l1_access)) return;
  static constexpr std::array outcomes{L1Outcome::hit, L1Outcome::hit_reserved, L1Outcome::miss,
                                       L1Outcome::reservation_fail};
  const L1Access event{warp,
                       pc,
                       line_of(address, spec.sm.l1d.line_bytes),
                       load,
                       outcomes[static_cast<std::size_t>(access.outcome)],
                       access.owner.warp,
                       address < Address{exec::kHeapBase},
                       clock};
  schedulers.notify(warp, Event::l1_access, [&](WarpScheduler& s) { s.on_l1_access(event); });
}

void Sm::Impl::on_eviction(const mem::Eviction& e) {
  disturbed = true;
  schedulers.notify_all(Event::l1_evict, [&](WarpScheduler& s) {
    s.on_l1_evict({e.line, e.owner.warp, e.owner_pc});
  });
}

}  // namespace heddle::sm
