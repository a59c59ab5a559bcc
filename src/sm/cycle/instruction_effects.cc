#include "sm/cycle/instruction_effects.h"

namespace heddle::sm {

// In a compiler-guided core neither counters nor the scoreboard wait for a result of fixed latency.
bool InstructionEffects::is_awaited(const Op& op) const {
  return !stages_.guided || op.timing->variable_latency || isa::is_product(op.instruction->copy) ||
         state_.warps.scoreboard.tracks_loaded();
}

void InstructionEffects::issue(WarpSlot w, int scheduler, int through, Cycle now) {
  Warp& warp = state_.warps[w];
  const Pc pc = warp.next_pc;
  const InstructionTiming& timing = state_.warps.timing_of(w);
  KernelContext& kernel = *warp.kernel;
  kernel.source->step(w, now, step_);
  check_invariant(step_.pc == pc, "a warp executed another instruction than it had fetched");
  const isa::Instruction& i = *timing.registers.instruction;

  const OpId id = state_.ops.take();
  Op& op = state_.ops[id];
  op.instruction = &i;
  op.timing = &timing;
  op.sequence = next_sequence_++;
  op.issued = now;
  op.pc = pc;
  op.warp = w;
  op.kernel = static_cast<std::uint8_t>(kernel.index);
  op.scheduler = static_cast<std::uint8_t>(through);
  op.home = static_cast<std::uint8_t>(scheduler);
  op.space = step_.space;
  op.executed = step_.executed;
  op.atomic = step_.atomic;
  op.pending = 0;
  op.awaited = is_awaited(op) ? Op::Awaited::yes : Op::Awaited::no;

  if (op.awaited == Op::Awaited::yes) {
    ++warp.in_flight;
    state_.warps.scoreboard.reserve(w, timing.registers);
  }
  if (state_.counters) [[unlikely]]
    state_.counters->count_issue(w, warp.cta);
  if (state_.has_quotas) [[unlikely]]
    ctas_.pauses().use_quota(kernel);
  if (isa::is_memory(i.op_class)) start_memory_instruction(op);
  if (i.copy != isa::CopyStep::none) [[unlikely]]
    start_asynchronous(op);
  std::size_t unit = static_cast<std::size_t>(index(timing.unit));
  if (timing.may_use_sfu() && !stages_.issued.has_room(unit, through))
    unit = static_cast<std::size_t>(index(UnitClass::sfu));
  count_issued(op, unit, kernel.stats);
  if (state_.observer)
    state_.observer->issued({now, w, through, pc, &i, step_.executed, step_.space,
                             static_cast<int>(op.accesses.size()), stages_.lsu.through_l1d(op)});
  if (stages_.guided) {
    obey_control_word(op);
    stages_.guided->issue(id);
  } else {
    stages_.issued.put(unit, id, through);
  }
  stages_.policies.notify(w, Event::issue, [&](WarpScheduler& s) {
    s.on_issue({now, w, &i, pc, step_.active, kernel.index});
  });
  update_control_flow(w, pc, timing);
}

void InstructionEffects::obey_control_word(const Op& op) {
  Warp& warp = state_.warps[op.warp];
  const isa::ControlWord& control = op.timing->control;
  state_.warps.control.issue(op.warp, control, op.issued);
  // The warp's slot stays occupied until its last read counter has fallen.
  if (control.read_barrier != isa::ControlWord::kNone) ++warp.in_flight;
  warp.kernel->stats.control_violations +=
      law_.issue(op, step_.active, state_.warps.age[static_cast<std::size_t>(op.warp.index)],
                 state_.spec.sm.guided.predicate_latency);
}

void InstructionEffects::operands_read(const GuidedBackEnd::Read& read) {
  quiescence_.disturb_core();
  WarpTable& warps = state_.warps;
  const WarpSlot w = read.warp;
  warps.control.lower(w, read.counter);
  if (read.counter != isa::ControlWord::kNone) law_.read(w, read.sequence);
  --warps[w].in_flight;
  if (!warps.live.test(w)) return warps.refresh_done(w);
  if (warps.valid.test(w)) warps.refresh_ready(w);
}

void InstructionEffects::start_memory_instruction(Op& op) {
  Warp& warp = state_.warps[op.warp];
  const isa::Instruction& i = *op.instruction;
  memory_.prepare(op, step_, warp);
  if (i.op_class != isa::OpClass::memory_barrier) ++warp.memory_ops;
  if (i.op_class == isa::OpClass::atomic && op.executed.any()) ++warp.atomics;
  if (i.copy == isa::CopyStep::start) op.copy_group = copies_.start(op.warp);
}

void InstructionEffects::start_asynchronous(Op& op) {
  const isa::CopyStep copy = op.instruction->copy;
  if (isa::is_product(copy)) op.copy_group = products_.start(op.warp);
  if (copy == isa::CopyStep::arrive && op.executed.any() &&
      !copies_.defer_arrival(op.warp, step_.atomic, op.sequence))
    state_.warps[op.warp].kernel->source->perform_atomic(step_.atomic, LaneMask::all());
}

void InstructionEffects::count_issued(const Op& op, std::size_t unit, SmStats& stats) {
  const auto lanes = static_cast<std::size_t>(op.executed.count());
  ++stats.warp_instructions;
  stats.thread_instructions += lanes;
  ++stats.active_lanes[lanes];
  stats.unit_lanes[unit] += lanes;
  stats.register_reads += op.timing->operand_count;
  stats.register_writes += op.instruction->write_count;
}

// The buffer moves on, and the warp branches, ends or begins to wait.
void InstructionEffects::update_control_flow(WarpSlot w, Pc pc, const InstructionTiming& timing) {
  Warp& warp = state_.warps[w];
  const isa::Instruction& i = *timing.registers.instruction;
  warp.head = static_cast<std::uint8_t>((warp.head + 1) % Warp::kBufferPlaces);
  --warp.buffered;
  warp.next_pc = step_.next_pc;
  if (!state_.warps.guided || (warp.buffered == 0 && !warp.fetching))
    warp.fetch_pc = pc + 1 < warp.kernel->code_size ? pc + 1 : step_.next_pc;
  if (stages_.policies.has_subscriber(Event::loop)) track_loops(w, pc);
  if (i.op_class == isa::OpClass::branch)
    stages_.policies.notify(w, Event::branch, [&](WarpScheduler& s) {
      s.on_branch({w, pc, step_.taken, step_.fell_through, i.reconvergence, i.target});
    });
  if (step_.finished()) return end_warp(w);
  if (warp.buffered == 0 ? !warp.fetching : state_.warps.guided && warp.wants_fetch())
    state_.warps.fetchable.set(w);
  if (!timing.may_wait && !step_.waits_for_call) return state_.warps.refresh(w);
  start_waiting(w, i);
  state_.warps.refresh_waiting(w);
}

void InstructionEffects::track_loops(WarpSlot w, Pc pc) {
  const auto notify = [&](std::uint16_t loop, bool begin) {
    stages_.policies.notify(w, Event::loop,
                            [&](WarpScheduler& s) { s.on_loop({w, loop, step_.active, begin}); });
  };
  state_.loops.issued(
      w, *state_.warps[w].kernel->kernel, pc, [&](std::uint16_t loop) { notify(loop, false); },
      [&](std::uint16_t loop) { notify(loop, true); });
}

void InstructionEffects::end_warp(WarpSlot w) {
  WarpTable& warps = state_.warps;
  Warp& warp = warps[w];
  if (stages_.policies.has_subscriber(Event::loop)) track_loops(w, kNoPc);
  warps.live.reset(w);
  warps.fetchable.reset(w);
  warps.waiting.reset(w);
  warp.buffered = 0;
  if (stages_.guided) warp.in_flight += stages_.guided->end_warp(w, state_.clock);
  warps.refresh(w);
  for (auto release = state_.barriers.remove_warp(warp.cta, w); release.released;
       release = state_.barriers.remove_warp(warp.cta, w))
    release_barrier(warp.cta, release);
  const WarpEvent event{w,
                        warps.age[static_cast<std::size_t>(w.index)],
                        ctas_.linear_of(w),
                        false,
                        state_.clock,
                        warp.kernel->index};
  stages_.policies.notify(w, Event::warp, [&](WarpScheduler& s) { s.on_warp(event); });
  stages_.policies.refresh_subscriptions();
}

void InstructionEffects::start_waiting(WarpSlot w, const isa::Instruction& i) {
  Warp& warp = state_.warps[w];
  if ((i.op_class == isa::OpClass::barrier || i.copy == isa::CopyStep::last_product) &&
      i.barrier != isa::BarrierOp::warp_sync && step_.executed.any() && !step_.deferred)
    arrive_at_barrier(w, i.barrier);
  if (step_.waits_for_call) warp.at_device_call = true;
  if (i.copy == isa::CopyStep::commit) copies_.commit(w);
  if (isa::ends_products(i.copy)) products_.commit(w);
  if (i.copy == isa::CopyStep::wait || i.copy == isa::CopyStep::wait_for_products) {
    warp.waits_for_copies = &i;
    try_to_pass_copy_wait(w);
  } else if (i.op_class == isa::OpClass::memory_barrier) {
    ++warp.kernel->stats.memory_barriers;
    warp.at_memory_barrier = true;
    try_to_pass_memory_barrier(w);
  }
}

void InstructionEffects::arrive_at_barrier(WarpSlot w, isa::BarrierOp op) {
  const bool waits = step_.waits_at_barrier;
  const bool reduces = op != isa::BarrierOp::arrive && op != isa::BarrierOp::sync;
  ++state_.warps[w].kernel->stats.barriers;
  if (!waits && step_.barrier_threads == exec::kThreadsOfCluster) return;  // it has opened
  state_.warps[w].at_barrier = waits;
  if (waits)
    stages_.policies.notify(w, Event::barrier, [&](WarpScheduler& s) { s.on_barrier({w, true}); });
  const int cta = state_.warps[w].cta;
  release_barrier(
      cta, state_.barriers.arrive(cta, w, step_.barrier_id, step_.barrier_threads, waits, reduces));
}

void InstructionEffects::release_barrier(int cta, const BarrierUnit::Release& release) {
  if (!release.released) return;
  if (release.reduces) ctas_.complete_barrier(cta, release.id);
  release.warps.for_each([&](WarpSlot w) {
    state_.warps[w].at_barrier = false;
    state_.warps.refresh_waiting(w);
    stages_.policies.notify(w, Event::barrier, [&](WarpScheduler& s) { s.on_barrier({w, false}); });
  });
}

void InstructionEffects::open_cluster_barrier(int cta) {
  ctas_.complete_barrier(cta, isa::kClusterBarrier);
  release_barrier(cta, state_.barriers.open_cluster(cta));
}

// A memory barrier ends when the loads, stores and atomics before it are done.
void InstructionEffects::try_to_pass_memory_barrier(WarpSlot w) {
  Warp& warp = state_.warps[w];
  if (!warp.at_memory_barrier || warp.memory_ops > 0 || warp.stores > 0) return;
  warp.at_memory_barrier = false;
  if (state_.spec.sm.memory_barriers_empty_l1d && stages_.lsu.l1d())
    stages_.lsu.l1d()->drop_filled_lines();
  state_.warps.refresh_waiting(w);
}

void InstructionEffects::try_to_pass_copy_wait(WarpSlot w) {
  Warp& warp = state_.warps[w];
  const isa::Instruction* const wait = warp.waits_for_copies;
  if (!wait) return;
  const AsyncCopies& work = wait->copy == isa::CopyStep::wait ? copies_ : products_;
  if (wait->waits_for_all_copies ? work.pending(w) : work.pending(w, wait->groups_left)) return;
  warp.waits_for_copies = nullptr;
  state_.warps.refresh_waiting(w);
}

void InstructionEffects::complete(OpId id) {
  WarpTable& warps = state_.warps;
  const Op& op = state_.ops[id];
  quiescence_.disturb_core();
  const WarpSlot w = op.warp;
  const isa::Instruction& i = *op.instruction;
  warps.scoreboard.release(w, op.timing->registers, op.at_once);
  --warps[w].in_flight;
  if (stages_.guided) {
    warps.control.lower(w, op.timing->control.write_barrier);
    law_.complete(op);
  }
  if (isa::is_memory(i.op_class) && i.op_class != isa::OpClass::memory_barrier)
    complete_memory_instruction(op);
  else if (isa::is_product(i.copy)) [[unlikely]]
    complete_product(op);
  state_.ops.release(id);
  const WarpMask one = WarpMask::only(w);
  if ((warps.live & one).none()) return warps.refresh_done(w);
  if ((warps.valid & one).none()) return warps.refresh_reads_loaded(w);
  if ((warps.ready & one).any()) return;
  warps.refresh_ready(w);
  if ((warps.ready & one).any()) warps[w].kernel->source->prefetch(w);
}

void InstructionEffects::complete_product(const Op& op) {
  products_.finish(op.warp, op.copy_group, op.sequence, [](std::uint32_t) {});
  try_to_pass_copy_wait(op.warp);
}

void InstructionEffects::complete_memory_instruction(const Op& op) {
  const WarpSlot w = op.warp;
  const isa::Instruction& i = *op.instruction;
  Warp& warp = state_.warps[w];
  --warp.memory_ops;
  if (i.op_class == isa::OpClass::load && op.executed.any() &&
      (op.space == isa::Space::global || op.space == isa::Space::local)) {
    ++warp.kernel->stats.loads_served;
    warp.kernel->stats.load_cycles += state_.clock - op.issued;
  }
  if (!state_.spec.sm.flow.loose_atomics) finish_atomic(op);
  if (warp.at_memory_barrier) try_to_pass_memory_barrier(w);
  if (i.copy == isa::CopyStep::start) {
    copies_.finish(w, op.copy_group, op.sequence, [&](std::uint32_t arrival) {
      warp.kernel->source->perform_atomic(arrival, LaneMask::all());
    });
    try_to_pass_copy_wait(w);
  }
  if (i.copy == isa::CopyStep::bulk_load && op.executed.any())
    warp.kernel->source->perform_atomic(op.atomic, LaneMask::all());
}

void InstructionEffects::answered(OpId id) {
  quiescence_.disturb_core();
  finish_atomic(state_.ops[id]);
}

void InstructionEffects::finish_atomic(const Op& op) {
  if (op.instruction->op_class == isa::OpClass::atomic && op.executed.any() &&
      --state_.warps[op.warp].atomics == 0)
    state_.warps.refresh_waiting(op.warp);
}

void InstructionEffects::stores_changed(WarpSlot w, std::int32_t sectors) {
  quiescence_.disturb_core();
  if (!w) return;
  Warp& warp = state_.warps[w];
  warp.stores += static_cast<std::uint32_t>(sectors);
  check_invariant(static_cast<std::int32_t>(warp.stores) >= 0, "a store was acknowledged twice");
  if (warp.stores > 0) return;
  if (warp.at_memory_barrier) try_to_pass_memory_barrier(w);
  state_.warps.refresh_done(w);
}

void InstructionEffects::l1_accessed(WarpSlot warp, Pc pc, Address address, bool load,
                                     const mem::Access& access) {
  if (state_.observer) state_.observer->l1d_accessed(warp, pc, address, load, access);
  if (state_.sharing && load && !state_.several_kernels())
    state_.sharing->count(warp, line_of(address, state_.spec.sm.l1d.line_bytes), access.outcome);
  events_.notify_l1_access(warp, pc, address, load, access);
}

}  // namespace heddle::sm
