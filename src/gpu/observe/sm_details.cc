#include "gpu/observe/sm_details.h"

#include <algorithm>

namespace heddle::gpu {
namespace {

std::size_t slot(WarpSlot w) { return static_cast<std::size_t>(w.index); }
std::size_t bucket(sm::SlotUse use) { return static_cast<std::size_t>(use); }

WarpSlot oldest(WarpMask among, const sm::WarpTable& warps) {
  WarpSlot best;
  among.for_each([&](WarpSlot w) {
    if (!best || warps.age[slot(w)] < warps.age[slot(best)]) best = w;
  });
  return best;
}

}  // namespace

void IssueIntervals::add(Cycle now, WarpSlot warp) {
  if (now < start) return;
  while ((now - start) / interval >= kMaxRows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto& into = rows[i / 2];
      if (i % 2 == 0)
        into = rows[i];
      else
        for (std::size_t w = 0; w < into.size(); ++w) into[w] += rows[i][w];
    }
    rows.resize((rows.size() + 1) / 2);
    interval *= 2;
  }
  const std::size_t row = (now - start) / interval;
  if (row >= rows.size()) rows.resize(row + 1);
  ++rows[row][slot(warp)];
}

SmDetails::SmDetails(int sm, const config::GpuSpec& spec, bool with_pattern)
    : sm_(sm),
      with_pattern_(with_pattern),
      history_(spec.sm.l1d),
      warps_(kMaxWarpsPerSm),
      slots_(spec.sm.schedulers),
      last_issue_(spec.sm.schedulers, Cycle::never()) {}

void SmDetails::begin_kernel(const isa::Kernel& kernel, Cycle launch) {
  kernel_ = &kernel;
  history_.clear();
  slots_.assign(slots_.size(), {});
  unattributed_ = {};
  l1d_ = {};
  instructions_.assign(kernel.instructions.size(), {});
  load_shapes_.assign(kernel.instructions.size(), {});
  loops_.assign(kernel.loops.size(), {});
  ctas_.clear();
  issued_.assign(kMaxWarpsPerSm, 0);
  pattern_ = {};
  pattern_.sm = sm_;
  pattern_.start = launch;
}

void SmDetails::warps_started(WarpMask warps) {
  warps.for_each([&](WarpSlot w) {
    WarpProgress& warp = warps_[slot(w)];
    warp = {};
    warp.iteration.assign(kernel_->loops.size(), 0);
  });
}

void SmDetails::issued(const sm::SmObserver::Issued& what) {
  InstructionDetail& detail = instructions_[what.pc];
  ++detail.executions;
  detail.active_lanes += static_cast<std::uint64_t>(what.executed.count());
  detail.accesses += static_cast<std::uint64_t>(what.accesses);
  detail.scattered += what.accesses > 2;
  if (what.instruction->is_load() && what.accesses > 0 &&
      (what.space == isa::Space::global || what.space == isa::Space::local))
    ++load_shapes_[what.pc][{static_cast<std::uint32_t>(what.executed.count()),
                             static_cast<std::uint32_t>(what.accesses)}];
  // A second instruction of the same cycle uses no additional slot.
  Cycle& last_issue = last_issue_[static_cast<std::size_t>(what.scheduler)];
  if (last_issue != what.now) {
    ++detail.slots[bucket(sm::SlotUse::issued)];
    ++slots_[static_cast<std::size_t>(what.scheduler)][bucket(sm::SlotUse::issued)];
    last_issue = what.now;
  }
  ++issued_[slot(what.warp)];
  if (with_pattern_) pattern_.add(what.now, what.warp);

  const isa::Instruction& i = *what.instruction;
  writers_.note(what.warp, what.pc, i);
  WarpProgress& warp = warps_[slot(what.warp)];
  track_loops(warp, what.pc, i);
  if (what.through_l1d && what.accesses > 0 && i.loop != isa::Loop::kNone)
    warp.in_flight.push_back({what.pc, i.loop, warp.iteration[i.loop], what.accesses});
}

void SmDetails::track_loops(WarpProgress& warp, Pc pc, const isa::Instruction& i) {
  if (i.loop != isa::Loop::kNone && i.loop_header) {
    const bool continues = warp.last != kNoPc && kernel_->loops[i.loop].contains(warp.last);
    warp.iteration[i.loop] += continues ? 1 : 2;
    ++loops_[i.loop].trips;
  }
  warp.last = pc;
}

void SmDetails::slots_lost(const sm::SmObserver::LostSlots& lost) {
  slots_[static_cast<std::size_t>(lost.scheduler)][bucket(lost.why)] += lost.cycles;
  const Pc pc = responsible_pc(lost);
  auto& slots = pc == kNoPc ? unattributed_ : instructions_[pc].slots;
  slots[bucket(lost.why)] += lost.cycles;
}

Pc SmDetails::responsible_pc(const sm::SmObserver::LostSlots& lost) const {
  const sm::WarpTable& warps = lost.warps;
  const auto head_of_oldest = [&](WarpMask among) {
    const WarpSlot w = oldest(among & lost.supervised, warps);
    return w ? warps.head_pc(w) : kNoPc;
  };
  switch (lost.why) {
    case sm::SlotUse::scoreboard: {
      const WarpSlot w = oldest(warps.valid & lost.supervised, warps);
      if (!w) return kNoPc;
      const Pc writer = writers_.pending(w, warps);
      return writer != kNoPc ? writer : warps.head_pc(w);
    }
    case sm::SlotUse::pipeline:
    case sm::SlotUse::throttled: return head_of_oldest(warps.ready);
    case sm::SlotUse::outstanding:
    case sm::SlotUse::barrier: {
      WarpMask waiting = warps.live & warps.waiting & lost.supervised;
      if (lost.why == sm::SlotUse::outstanding) waiting &= ~sm::at_barrier(warps, waiting);
      const WarpSlot w = oldest(waiting, warps);
      return w ? warps_[slot(w)].last : kNoPc;
    }
    case sm::SlotUse::instruction_buffer_empty: {
      const WarpSlot w = oldest(warps.live & ~warps.waiting & lost.supervised, warps);
      return w ? warps[w].next_pc : kNoPc;
    }
    default: return kNoPc;
  }
}

void SmDetails::l1d_accessed(WarpSlot w, Pc pc, Address address, bool load,
                             const mem::Access& access) {
  if (access.outcome == mem::Outcome::reservation_fail) return;
  const auto kind = static_cast<std::size_t>(
      history_.classify(address, {static_cast<std::uint16_t>(sm_), w}, !load, access));
  ++(load ? l1d_.reads : l1d_.writes)[kind];
  ++instructions_[pc].l1d[kind];
  count_in_loop(warps_[slot(w)], pc, history_.key(address), load, access.outcome);
}

// The iteration is that of the instruction's issue; the warp may be in a later one now.
void SmDetails::count_in_loop(WarpProgress& warp, Pc pc, std::uint64_t line, bool load,
                              mem::Outcome outcome) {
  const auto access = std::find_if(warp.in_flight.begin(), warp.in_flight.end(),
                                   [&](const auto& t) { return t.pc == pc; });
  if (access == warp.in_flight.end()) {  // an instruction outside of loops
    warp.touched[line] = {isa::Loop::kNone, 0};
    return;
  }
  const WarpProgress::Touch now{access->loop, access->iteration};
  if (--access->accesses == 0) warp.in_flight.erase(access);
  LoopDetail& loop = loops_[now.loop];
  ++loop.accesses;
  const auto [touched, first] = warp.touched.try_emplace(line, now);
  if (outcome == mem::Outcome::miss) {
    ++loop.misses;
  } else if (first) {
    ++loop.hits_other;
  } else if (touched->second.loop == now.loop && touched->second.iteration == now.iteration) {
    ++loop.hits_this_trip;
    loop.reused_this_trip += load;
  } else if (touched->second.loop == now.loop && touched->second.iteration + 1 == now.iteration) {
    ++loop.hits_last_trip;
    loop.reused_last_trip += load;
  } else {
    ++loop.hits_other;
    loop.reused_earlier += load;
  }
  touched->second = now;
}

void SmDetails::add_to(KernelDetails& all) const {
  all.slots.push_back(slots_);
  for (std::size_t i = 0; i < unattributed_.size(); ++i) all.unattributed[i] += unattributed_[i];
  all.l1d.push_back(l1d_);
  for (std::size_t i = 0; i < instructions_.size(); ++i)
    stats::add(all.instructions[i], instructions_[i]);
  all.load_shapes.resize(std::max(all.load_shapes.size(), load_shapes_.size()));
  for (std::size_t i = 0; i < load_shapes_.size(); ++i)
    for (const auto& [shape, executions] : load_shapes_[i]) all.load_shapes[i][shape] += executions;
  for (std::size_t i = 0; i < loops_.size(); ++i) stats::add(all.loops[i], loops_[i]);
  all.ctas.insert(all.ctas.end(), ctas_.begin(), ctas_.end());
  all.issued.push_back(issued_);
  if (with_pattern_) all.pattern = pattern_;
}

}  // namespace heddle::gpu
