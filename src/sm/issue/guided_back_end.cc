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
}

void GuidedBackEnd::issue(OpId id) {
  const Op& op = pool_[id];
  SubCore& s = sub_cores_[op.scheduler];
  check_invariant(s.control == kNoOp, "an instruction issued while its sub-core was blocked");
  s.control = id;
  moving_ |= 1u << op.scheduler;
  if (op.timing->interval == 1) return;
  const int unit = index(op.timing->unit);
  s.busy |= 1u << unit;
  s.unit_free[static_cast<std::size_t>(unit)] = op.issued + op.timing->interval;
}

void GuidedBackEnd::cycle(Cycle now) {
  const std::uint64_t written = banks_.end_step();
  const std::uint64_t own = (std::uint64_t{1} << own_banks_) - 1;
  for (std::uint32_t rest = moving_; rest; rest &= rest - 1) {
    const int scheduler = std::countr_zero(rest);
    SubCore& s = sub_cores_[static_cast<std::size_t>(scheduler)];
    s.port_taken |= (written >> (scheduler * own_banks_) & own) != 0;
    cycle(scheduler, s, now);
  }
}

void GuidedBackEnd::cycle(int scheduler, SubCore& s, Cycle now) {
  const std::uint64_t passed = now - std::exchange(s.last, now);
  for (std::uint32_t& taken : s.taken) taken = passed < 32 ? taken >> passed : 0;
  if (!std::exchange(s.port_taken, false) && s.arrived > 0) --s.arrived, --s.results;
  if (s.reading != kNoOp && s.read_until <= now && to_memory_[kMemory].has_room(scheduler))
    to_memory_.put(kMemory, std::exchange(s.reading, kNoOp), scheduler);
  if (s.allocate != kNoOp) execute(s, now);
  if (s.control != kNoOp) pass_control(s);
  if (!s.memory.empty()) read_memory_operands(s, now);
  s.closed = closed_units(s, now);
  gates_.set_full(scheduler, s.closed);
  if (s.closed == 0 && is_quiet(s)) moving_ &= ~(1u << scheduler);
}

bool GuidedBackEnd::is_quiet(const SubCore& s) {
  return s.control == kNoOp && s.allocate == kNoOp && s.reading == kNoOp && s.memory.empty() &&
         s.arrived == 0;
}

// All operands are read inside the window, or the instruction waits and holds up those behind it.
void GuidedBackEnd::execute(SubCore& s, Cycle now) {
  const Op& op = pool_[s.allocate];
  const Reads reads = count_reads(s, op);
  if (!reserve(s, reads, std::max({kWindow, std::uint32_t{reads[0]}, std::uint32_t{reads[1]}}))) {
    ++conflicts_;
    return;
  }
  keep(s, op);
  // Without conflict two cycles after the issue, as the dependence assumes.
  const Cycle issued{now.value - 2};
  events_.add(issued + op.timing->dependence, {s.allocate, {}});
  schedule_read(op, now + kWindow);
  s.allocate = kNoOp;
}

void GuidedBackEnd::read_memory_operands(SubCore& s, Cycle now) {
  if (s.reading != kNoOp || s.address_free > now) return;
  const OpId id = s.memory.front();
  const Op& op = pool_[id];
  const Reads reads = count_reads(s, op);
  std::uint32_t window = std::max({1u, std::uint32_t{reads[0]}, std::uint32_t{reads[1]}});
  while (window < kWindow && !reserve(s, reads, window)) ++window;
  if (window >= kWindow && !reserve(s, reads, window)) {
    ++conflicts_;
    return;
  }
  keep(s, op);
  s.memory.pop();
  s.reading = id;
  s.read_until = now + window;
  s.address_free = now + address_interval_;
  schedule_read(op, now + (op.instruction->is_load() ? kLoadRelease : kStoreRelease));
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

// The units to which no instruction may issue in this cycle.
std::uint32_t GuidedBackEnd::closed_units(SubCore& s, Cycle now) {
  for (std::uint32_t rest = s.busy; rest; rest &= rest - 1)
    if (const auto unit = static_cast<std::size_t>(std::countr_zero(rest));
        s.unit_free[unit] <= now)
      s.busy &= ~(1u << unit);
  if (s.control != kNoOp) return kAllUnits;
  const std::uint32_t closed = s.results >= kResultQueue ? kAllUnits & ~(1u << kMemory) : 0;
  return closed | s.busy | std::uint32_t{s.memory.full()} << kMemory;
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

// Takes the first free cycles of both banks' ports in the next `window` cycles.
bool GuidedBackEnd::reserve(SubCore& s, const Reads& reads, std::uint32_t window) {
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

void GuidedBackEnd::arrive(OpId id) {
  const Op& op = pool_[id];
  SubCore& s = sub_cores_[op.scheduler];
  moving_ |= 1u << op.scheduler;
  if (!is_fixed(op))
    s.port_taken = true;
  else if (op.instruction->write_count > 0)
    ++s.arrived;
  else
    --s.results;
}

void GuidedBackEnd::schedule_read(const Op& op, Cycle at) {
  const std::uint8_t counter = op.timing->control.read_barrier;
  if (counter != isa::ControlWord::kNone) events_.add(at, {kNoOp, {op.warp, counter, op.sequence}});
}

bool GuidedBackEnd::settled() const {
  for (std::uint32_t rest = moving_; rest; rest &= rest - 1) {
    const int scheduler = std::countr_zero(rest);
    const SubCore& s = sub_cores_[static_cast<std::size_t>(scheduler)];
    // Only a memory instruction that waits for the load/store unit, and those behind it.
    const bool waits = s.reading != kNoOp && !to_memory_[kMemory].has_room(scheduler) &&
                       s.read_until <= s.last && s.address_free <= s.last;
    const bool others = s.control != kNoOp || s.allocate != kNoOp || s.arrived > 0;
    if (!waits || others || (s.closed & ~(1u << kMemory)) != 0) return false;
  }
  return true;
}

}  // namespace heddle::sm
