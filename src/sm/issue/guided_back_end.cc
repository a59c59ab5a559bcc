#include "sm/issue/guided_back_end.h"

#include <algorithm>
#include <bit>

namespace heddle::sm {
namespace {

constexpr auto kMemory = static_cast<std::size_t>(index(UnitClass::mem));
constexpr std::uint32_t kAllUnits = (1u << kUnitClasses) - 1;

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
      gates_(gates),
      to_memory_(to_memory),
      banks_(banks),
      address_interval_(spec.guided.address_interval),
      memory_interval_(spec.guided.memory_interval),
      own_banks_(static_cast<int>(std::bit_floor(spec.register_banks / spec.schedulers))),
      sub_cores_(spec.schedulers),
      events_(longest_wait(spec)) {
  for (std::size_t i = 0; i < sub_cores_.size(); ++i) gates_.set_full(static_cast<int>(i), 0);
  next_.fill(Cycle::never());
}

// Nothing can come between an instruction and the read ports when none is before it: where they are
// free it needs no cycle of its own.
void GuidedBackEnd::issue(OpId id) {
  const Op& op = pool_[id];
  SubCore& s = sub_cores_[op.scheduler];
  check_invariant(s.control == kNoOp, "an instruction issued while its sub-core was blocked");
  if (s.allocate != kNoOp || !s.memory.empty())
    s.control = id;
  else if (is_memory(op))
    s.control = read_memory_operands(s, id, op.issued + 1) ? kNoOp : id;
  else if (execute(s, id, op.issued + kToAllocation))
    s.results += is_fixed(op);
  else
    s.control = id;
  if (s.control == id || is_memory(op) || op.timing->interval > 1 || s.results >= kResultQueue)
    issued_ |= 1u << op.scheduler;
  if (op.timing->interval == 1) return;
  const int unit = index(op.timing->unit);
  s.busy |= 1u << unit;
  s.unit_free[static_cast<std::size_t>(unit)] = op.issued + op.timing->interval;
}

void GuidedBackEnd::close_units(Cycle now) {
  if (issued_ == 0) return;
  for (std::uint32_t rest = std::exchange(issued_, 0); rest; rest &= rest - 1) {
    const int scheduler = std::countr_zero(rest);
    SubCore& s = sub_cores_[static_cast<std::size_t>(scheduler)];
    if (s.control == kNoOp) close_units(scheduler, s, now + 1);
    next_[static_cast<std::size_t>(scheduler)] = find_next_move(scheduler, s, now);
  }
  find_first_move();
}

void GuidedBackEnd::find_first_move() {
  next_move_ = next_[0];
  for (std::size_t i = 1; i < sub_cores_.size(); ++i) next_move_ = std::min(next_move_, next_[i]);
}

// A full queue has room again.
void GuidedBackEnd::end_result(int scheduler, SubCore& s, Cycle now) {
  if (s.results-- == kResultQueue) move_at(scheduler, now);
}

void GuidedBackEnd::memory_accepted(Cycle now) {
  memory_free_ = now + memory_interval_;
  for (std::size_t i = 0; i < sub_cores_.size(); ++i)
    if (sub_cores_[i].reading != kNoOp) move_at(static_cast<int>(i), now);
}

void GuidedBackEnd::write_results(Cycle now) {
  std::uint64_t written = banks_.end_step();
  if (arrived_ != 0) {
    const std::uint64_t own = (std::uint64_t{1} << own_banks_) - 1;
    for (int scheduler = 0; written != 0; ++scheduler, written >>= own_banks_)
      if ((written & own) != 0) ports_taken_ |= 1u << scheduler;
    for (std::uint32_t rest = arrived_ & ~ports_taken_; rest; rest &= rest - 1) {
      const int scheduler = std::countr_zero(rest);
      SubCore& s = sub_cores_[static_cast<std::size_t>(scheduler)];
      end_result(scheduler, s, now);
      if (--s.arrived == 0) arrived_ &= ~(1u << scheduler);
    }
  }
  ports_taken_ = 0;
}

void GuidedBackEnd::move(Cycle now) {
  for (std::size_t i = 0; i < sub_cores_.size(); ++i)
    if (next_[i] <= now) move(static_cast<int>(i), sub_cores_[i], now);
  find_first_move();
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
  if (s.control != kNoOp) pass_control(s);
  if (!s.memory.empty()) begin_memory_read(s, now);
  close_units(scheduler, s, now);
  next_[static_cast<std::size_t>(scheduler)] = find_next_move(scheduler, s, now);
}

// An instruction that waits for room in to_memory moves when memory_accepted() says so.
Cycle GuidedBackEnd::find_next_move(int scheduler, const SubCore& s, Cycle now) const {
  Cycle next = Cycle::never();
  for (std::uint32_t rest = s.busy; rest; rest &= rest - 1)
    next = std::min(next, s.unit_free[static_cast<std::size_t>(std::countr_zero(rest))]);
  if (s.control != kNoOp || s.allocate != kNoOp) return now + 1;
  if (s.reading != kNoOp) {
    if (to_memory_[kMemory].has_room(scheduler)) next = std::min(next, s.read_until);
  } else if (!s.memory.empty()) {
    next = std::min(next, s.address_free);
  }
  return std::max(next, now + 1);
}

// All operands are read inside the window, or the instruction waits and holds up those behind it.
bool GuidedBackEnd::execute(SubCore& s, OpId id, Cycle start) {
  const Op& op = pool_[id];
  const Reads reads = count_reads(s, op);
  const std::uint32_t window =
      std::max({kWindow, std::uint32_t{reads[0]}, std::uint32_t{reads[1]}});
  if (!reserve(s, reads, start, window)) return false;
  keep(s, op);
  // Without conflict two cycles after the issue, as the dependence assumes.
  const Cycle issued{start.value - kToAllocation};
  events_.add(issued + op.timing->dependence, {id, {}});
  schedule_read(op, start + kWindow);
  return true;
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

void GuidedBackEnd::pass_control(SubCore& s) {
  const Op& op = pool_[s.control];
  if (is_memory(op)) {
    if (s.memory.full()) return;
    s.memory.push(s.control);
  } else {
    if (s.allocate != kNoOp) return;
    s.allocate = s.control;
    s.results += is_fixed(op);
  }
  s.control = kNoOp;
}

// The units to which no instruction may issue in the cycle `now`.
void GuidedBackEnd::close_units(int scheduler, SubCore& s, Cycle now) {
  for (std::uint32_t rest = s.busy; rest; rest &= rest - 1)
    if (const auto unit = static_cast<std::size_t>(std::countr_zero(rest));
        s.unit_free[unit] <= now)
      s.busy &= ~(1u << unit);
  std::uint32_t closed = s.busy | std::uint32_t{s.memory.full()} << kMemory;
  if (s.results >= kResultQueue) closed |= kAllUnits & ~(1u << kMemory);
  gates_.set_full(scheduler, s.control != kNoOp ? kAllUnits : closed);
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

// Takes the first free cycles of both banks' ports in the `window` cycles after `start`.
bool GuidedBackEnd::reserve(SubCore& s, const Reads& reads, Cycle start, std::uint32_t window) {
  if (start > s.last) {
    const std::uint64_t passed = start - s.last;
    for (std::uint32_t& taken : s.taken) taken = passed < 32 ? taken >> passed : 0;
    s.last = start;
  }
  const std::uint32_t cycles = ((std::uint32_t{1} << window) - 1) << 1;
  if ((s.taken[0] | s.taken[1]) == 0) {  // the window has a place for each
    for (std::size_t bank = 0; bank < kBanks; ++bank)
      s.taken[bank] = ((std::uint32_t{1} << reads[bank]) - 1) << 1;
    return true;
  }
  for (std::size_t bank = 0; bank < kBanks; ++bank)
    if (static_cast<std::uint32_t>(std::popcount(cycles & ~s.taken[bank])) < reads[bank])
      return false;
  for (std::size_t bank = 0; bank < kBanks; ++bank)
    for (std::uint32_t n = 0; n < reads[bank]; ++n) {
      const std::uint32_t free = cycles & ~s.taken[bank];
      s.taken[bank] |= free & (~free + 1);
    }
  return true;
}

void GuidedBackEnd::arrive(OpId id, Cycle now) {
  const Op& op = pool_[id];
  SubCore& s = sub_cores_[op.scheduler];
  const std::uint32_t bit = 1u << op.scheduler;
  if (!is_fixed(op)) {
    ports_taken_ |= bit;
  } else if (op.instruction->write_count > 0) {
    ++s.arrived;
    arrived_ |= bit;
  } else {
    end_result(op.scheduler, s, now);
  }
}

void GuidedBackEnd::schedule_read(const Op& op, Cycle at) {
  const std::uint8_t counter = op.timing->control.read_barrier;
  if (counter != isa::ControlWord::kNone) events_.add(at, {kNoOp, {op.warp, counter, op.sequence}});
}

}  // namespace heddle::sm
