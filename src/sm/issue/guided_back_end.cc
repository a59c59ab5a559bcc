#include "sm/issue/guided_back_end.h"

#include <algorithm>
#include <bit>

namespace heddle::sm {
namespace {

constexpr auto kMemory = static_cast<std::size_t>(index(UnitClass::mem));
constexpr std::uint32_t kAllUnits = (1u << kUnitClasses) - 1;

// Of a bank's read port: the first n cycles, as in GuidedBackEnd::SubCore::taken.
constexpr auto kFirstCycles = [] {
  std::array<std::uint64_t, isa::kMaxReads + 1> cycles{};
  for (std::size_t n = 1; n < cycles.size(); ++n)
    cycles[n] = cycles[n - 1] | std::uint64_t{1} << 2 * n;
  return cycles;
}();
std::uint64_t first_cycles(std::size_t n, std::size_t bank) { return kFirstCycles[n] << bank; }

bool is_memory(const Op& op) { return op.timing->unit == UnitClass::mem; }

// From the start of an instruction to its last event.
std::uint64_t longest_wait(const config::SmSpec& spec) {
  // The largest product, wgmma.m64n256k16, takes 8 intervals.
  std::uint32_t longest = std::max(
      {spec.sfu_latency, spec.tensor_latency, spec.sfu_interval, 8 * spec.tensor_interval});
  for (const config::LatencySpec* op : {&spec.int_op, &spec.fp_op, &spec.dp_op})
    for (std::size_t i = 0; i < op->latency.size(); ++i)
      longest = std::max({longest, op->latency[i], op->interval[i]});
  constexpr std::uint64_t kMargin = 16;  // read window, 24-bit multipliers, read counters
  return longest + kMargin;
}

}  // namespace

GuidedBackEnd::GuidedBackEnd(const config::SmSpec& spec, OpPool& pool, LatchSets& gates,
                             LatchSets& to_memory, RegisterBanks& banks)
    : pool_(pool),
      units_(gates, std::bit_ceil(longest_wait(spec))),
      to_memory_(to_memory),
      banks_(banks),
      address_interval_(spec.guided.address_interval),
      memory_interval_(spec.guided.memory_interval),
      own_banks_(static_cast<int>(std::bit_floor(spec.register_banks / spec.schedulers))),
      sub_cores_(spec.schedulers),
      events_(longest_wait(spec)) {
  next_.fill(Cycle::never());
}

// Nothing can come between an instruction and the read ports when none reads before it: where they
// are free it needs no cycle of its own. The memory queue has room for one that issues.
void GuidedBackEnd::issue(OpId id) {
  const Op& op = pool_[id];
  const InstructionTiming& timing = *op.timing;
  const Cycle issued = op.issued;
  const int scheduler = op.scheduler;
  SubCore& s = sub_cores_[op.scheduler];
  check_invariant(s.control == kNoOp, "an instruction issued while its sub-core was blocked");
  if (timing.interval > 1) units_.occupy(scheduler, timing.unit, issued + timing.interval);
  const bool first = s.allocate == kNoOp && s.memory.empty();
  if (is_memory(op)) {
    if (!first || !read_memory_operands(s, id, issued + 1)) s.memory.push(id);
  } else {
    const bool next = first || (s.allocate == kNoOp && s.address_free > issued + 1);
    if (next && execute(s, id, issued + kToAllocation)) {
      if (!is_full(s)) return;
    } else {
      s.control = id;
    }
  }
  issued_ |= 1u << scheduler;
}

std::uint32_t GuidedBackEnd::end_warp(WarpSlot w, Cycle now) {
  std::uint32_t events = 0;
  for (const SubCore& s : sub_cores_)
    for (const OpId id : {s.control, s.allocate})
      if (id != kNoOp && pool_[id].warp == w && pool_[id].awaited == Op::Awaited::no) {
        pool_[id].awaited = Op::Awaited::by_ended_warp;
        ++events;
      }
  if (last_result_[static_cast<std::size_t>(w.index)] > now) {
    events_.add(last_result_[static_cast<std::size_t>(w.index)], {kNoOp, {w}});
    ++events;
  }
  return events;
}

void GuidedBackEnd::move_on_after_issue(Cycle now) {
  for (std::uint32_t rest = std::exchange(issued_, 0); rest; rest &= rest - 1) {
    const int scheduler = std::countr_zero(rest);
    end_move(scheduler, sub_cores_[static_cast<std::size_t>(scheduler)], now);
    next_move_ = std::min(next_move_, next_[static_cast<std::size_t>(scheduler)]);
  }
}

// An instruction that has read its operands and waited for room behind it moves on.
void GuidedBackEnd::memory_accepted(Cycle now) {
  memory_free_ = now + memory_interval_;
  if (blocked_ == 0) return;
  for (std::uint32_t rest = blocked_; rest; rest &= rest - 1)
    next_[static_cast<std::size_t>(std::countr_zero(rest))] = now;
  next_move_ = now;
}

void GuidedBackEnd::write_results(Cycle now) {
  std::uint64_t written = banks_.end_step();
  const std::uint64_t own = (std::uint64_t{1} << own_banks_) - 1;
  for (int scheduler = 0; written != 0; ++scheduler, written >>= own_banks_)
    if ((written & own) != 0) ports_taken_ |= 1u << scheduler;
  for (std::uint32_t rest = std::exchange(ports_taken_, 0); rest; rest &= rest - 1)
    sub_cores_[static_cast<std::size_t>(std::countr_zero(rest))].results.take_port(now);
}

void GuidedBackEnd::move(Cycle now) {
  next_move_ = Cycle::never();
  for (std::size_t i = 0; i < sub_cores_.size(); ++i) {
    if (next_[i] <= now) move(static_cast<int>(i), sub_cores_[i], now);
    next_move_ = std::min(next_move_, next_[i]);
  }
}

void GuidedBackEnd::move(int scheduler, SubCore& s, Cycle now) {
  if (s.reading != kNoOp && s.read_until <= now && to_memory_[kMemory].has_room(scheduler))
    to_memory_.put(kMemory, std::exchange(s.reading, kNoOp), scheduler);
  if (s.allocate != kNoOp) {
    if (execute(s, s.allocate, now))
      s.allocate = kNoOp;
    else
      ++conflicts_;
  }
  if (s.allocate == kNoOp) s.allocate = std::exchange(s.control, kNoOp);
  if (!s.memory.empty()) begin_memory_read(s, now);
  end_move(scheduler, s, now);
}

// Closes the units that take no instruction, and finds the next move. No instruction issues behind
// one that waits in the control stage.
void GuidedBackEnd::end_move(int scheduler, SubCore& s, Cycle now) {
  std::uint32_t closed = std::uint32_t{s.memory.full()} << kMemory;
  Cycle next = Cycle::never();
  if (is_full(s)) s.results.write(now);
  if (is_full(s)) {
    closed |= kAllUnits & ~(1u << kMemory);
    next = s.results.next_exit();
  }
  blocked_ &= ~(1u << scheduler);
  if (s.reading == kNoOp) {
    if (!s.memory.empty()) next = std::min(next, s.address_free);
  } else if (to_memory_[kMemory].has_room(scheduler)) {
    next = std::min(next, s.read_until);
  } else {
    blocked_ |= 1u << scheduler;
  }
  if (s.control != kNoOp) closed = kAllUnits;
  if (s.control != kNoOp || s.allocate != kNoOp) next = now + 1;
  units_.close(scheduler, closed);
  next_[static_cast<std::size_t>(scheduler)] = std::max(next, now + 1);
}

// All operands are read inside the window, or the instruction waits and holds up those behind it.
bool GuidedBackEnd::execute(SubCore& s, OpId id, Cycle start) {
  const Op& op = pool_[id];
  const Reads reads = count_reads(s, op);
  if (!reserve(s, reads, start, kWindow)) return false;
  keep(s, op);
  // Without conflict two cycles after the issue, as the dependence assumes.
  const Cycle issued{start.value - kToAllocation};
  const Cycle due = issued + op.timing->dependence;
  schedule_read(op, start + kWindow);
  if (!op.timing->variable_latency) s.results.add(due, op.instruction->write_count > 0);
  if (op.awaited == Op::Awaited::yes)
    events_.add(due, {id, {}});
  else
    forget(id, due);
  return true;
}

// Its result is on its way, and its place in the result queue is all that is left of it.
void GuidedBackEnd::forget(OpId id, Cycle due) {
  const Op& op = pool_[id];
  Cycle& last = last_result_[static_cast<std::size_t>(op.warp.index)];
  last = std::max(last, due);
  if (op.awaited == Op::Awaited::by_ended_warp) events_.add(due, {kNoOp, {op.warp}});
  pool_.release(id);
}

void GuidedBackEnd::begin_memory_read(SubCore& s, Cycle now) {
  if (s.reading != kNoOp || s.address_free > now) return;
  if (read_memory_operands(s, s.memory.front(), now))
    s.memory.pop();
  else
    ++conflicts_;
}

bool GuidedBackEnd::read_memory_operands(SubCore& s, OpId id, Cycle start) {
  if (s.reading != kNoOp || s.address_free > start) return false;
  const Op& op = pool_[id];
  const Reads reads = count_reads(s, op);
  std::uint32_t window = std::max({1u, std::uint32_t{reads[0]}, std::uint32_t{reads[1]}});
  while (window < kWindow && !reserve(s, reads, start, window)) ++window;
  if (window >= kWindow && !reserve(s, reads, start, window)) return false;
  keep(s, op);
  s.reading = id;
  s.read_until = start + window;
  s.address_free = start + address_interval_;
  schedule_read(op, start + (op.instruction->is_load() ? kLoadRelease : kStoreRelease));
  return true;
}

GuidedBackEnd::Reads GuidedBackEnd::count_reads(const SubCore& s, const Op& op) {
  const InstructionTiming& t = *op.timing;
  Reads reads = t.bank_reads;
  if (s.kept == 0) return reads;
  for (std::size_t k = 0; k < std::min<std::size_t>(kReuseSlots, t.operand_count); ++k) {
    const std::uint16_t reg = t.operands[k];
    const std::size_t bank = reg % kBanks;
    if (s.reuse[k][bank] != Register{op.warp, reg}) continue;
    --reads[bank];
    if (t.is_wide) --reads[bank ^ 1];
  }
  return reads;
}

// The reuse cache after the instruction's reads: an entry stays for one read of its slot unless
// that read asks for it again.
void GuidedBackEnd::keep(SubCore& s, const Op& op) {
  const InstructionTiming& t = *op.timing;
  if (s.kept == 0 && t.control.reuse == 0) return;
  for (std::size_t k = 0; k < std::min<std::size_t>(kReuseSlots, t.operand_count); ++k) {
    const std::uint16_t reg = t.operands[k];
    Register& entry = s.reuse[k][reg % kBanks];
    reuse_hits_ += entry == Register{op.warp, reg};
    s.kept -= entry != Register{};
    entry = t.control.reuse >> k & 1 ? Register{op.warp, reg} : Register{};
    s.kept += entry != Register{};
  }
}

// Takes the first free cycles of both banks' ports in the `window` cycles after `start`, or in as
// many as there are reads.
bool GuidedBackEnd::reserve(SubCore& s, const Reads& reads, Cycle start, std::uint32_t window) {
  if (start > s.last) {
    const std::uint64_t passed = start - s.last;
    s.taken = passed < 64 / kBanks ? s.taken >> kBanks * passed : 0;
    s.last = start;
  }
  if (s.taken == 0) {  // the window has a place for each
    s.taken = first_cycles(reads[0], 0) | first_cycles(reads[1], 1);
    return true;
  }
  window = std::max({window, std::uint32_t{reads[0]}, std::uint32_t{reads[1]}});
  const std::array<std::uint64_t, kBanks> free{first_cycles(window, 0) & ~s.taken,
                                               first_cycles(window, 1) & ~s.taken};
  for (std::size_t bank = 0; bank < kBanks; ++bank)
    if (std::popcount(free[bank]) < reads[bank]) return false;
  for (std::size_t bank = 0; bank < kBanks; ++bank) {
    std::uint64_t rest = free[bank];
    for (std::uint32_t n = 0; n < reads[bank]; ++n) rest &= rest - 1;
    s.taken |= free[bank] & ~rest;
  }
  return true;
}

void GuidedBackEnd::schedule_read(const Op& op, Cycle at) {
  const std::uint8_t counter = op.timing->control.read_barrier;
  if (counter != isa::ControlWord::kNone) events_.add(at, {kNoOp, {op.warp, counter, op.sequence}});
}

}  // namespace heddle::sm
