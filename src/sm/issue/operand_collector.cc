#include "sm/issue/operand_collector.h"

#include <algorithm>
#include <bit>
#include <span>

namespace heddle::sm {
namespace {

constexpr std::uint32_t bit(UnitClass u) { return 1u << index(u); }

// The order in which an input port examines the unit classes, and for every set of classes (bit per
// class) the set of their places in that order.
constexpr std::array kPortOrder{UnitClass::sp,     UnitClass::sfu, UnitClass::mem,
                                UnitClass::tensor, UnitClass::dp,  UnitClass::int_};
constexpr auto kPlaces = [] {
  std::array<std::uint8_t, 1u << kUnitClasses> places{};
  for (std::size_t classes = 0; classes < places.size(); ++classes)
    for (std::size_t place = 0; place < kPortOrder.size(); ++place)
      if (classes & bit(kPortOrder[place]))
        places[classes] = static_cast<std::uint8_t>(places[classes] | 1u << place);
  return places;
}();

std::uint64_t range(int first, int count) {
  return (count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << first;
}

}  // namespace

OperandCollector::OperandCollector(const config::SmSpec& spec, OpPool& pool, RegisterBanks& banks,
                                   LatchSets& from_issue, LatchSets& to_units)
    : pool_(pool),
      banks_(banks),
      from_issue_(from_issue),
      to_units_(to_units),
      schedulers_(static_cast<int>(spec.schedulers)),
      steps_(std::max(1u, spec.register_bank_ports)),
      sub_cores_(spec.sub_cores),
      single_ported_(spec.single_ported_collectors) {
  std::uint32_t generic = (1u << kUnitClasses) - 1;
  const auto special = [&](const config::CollectorSpec& c, std::uint32_t classes) {
    if (c.units == 0) return;
    add_set(c, classes);
    if (spec.generic_collectors.units == 0) generic &= ~classes;
  };
  special(spec.sp_collectors, bit(UnitClass::sp) | bit(UnitClass::int_) | bit(UnitClass::tensor));
  special(spec.sfu_collectors, bit(UnitClass::sfu) | bit(UnitClass::dp));
  special(spec.mem_collectors, bit(UnitClass::mem));
  if (spec.generic_collectors.units > 0) add_set(spec.generic_collectors, generic);
  check_invariant(spec.generic_collectors.units > 0 || generic == 0,
                  "a unit class without operand collectors was configured");
  requests_ = BankRequests(count_, isa::kMaxReads);
}

void OperandCollector::add_set(const config::CollectorSpec& spec, std::uint32_t classes) {
  check_invariant(count_ + spec.units <= collectors_.size(),
                  "more than 64 operand collectors were configured");
  Set set;
  set.first = static_cast<int>(count_);
  set.count = static_cast<int>(spec.units);
  set.members = range(set.first, set.count);
  set.in_ports = std::max(1u, spec.in_ports);
  set.classes = classes;
  const int own = std::max(1, set.count / schedulers_);  // collectors of a sub-core
  for (int s = 0; s < std::min(schedulers_, kMaxSchedulers); ++s)
    set.usable[static_cast<std::size_t>(s)] =
        sub_cores_ && set.count >= schedulers_ ? range(set.first + s * own, own) : set.members;
  // The next collector, or the first of the next sub-core, and those after it.
  const auto after = [&](int c) {
    const int next = sub_cores_ ? c + own - c % own : c + 1;
    return ~std::uint64_t{0} << (set.first + (next < set.count ? next : 0));
  };
  for (int c = 0; c < set.count; ++c) after_[static_cast<std::size_t>(set.first + c)] = after(c);
  set.first_examined.assign(std::max(1u, spec.out_ports), after(0));
  sets_.push_back(std::move(set));
  count_ += spec.units;
}

// Removes from `untried` the collectors that it examines, those of `first` before the others.
void OperandCollector::dispatch_one(std::uint64_t& first, std::uint64_t& untried) {
  do {
    const std::uint64_t rest = untried & first;
    const int c = std::countr_zero(rest ? rest : untried);
    const std::uint64_t others = ~(std::uint64_t{1} << c);
    untried &= others;
    const Collector& collector = collectors_[static_cast<std::size_t>(c)];
    if (!can_dispatch(collector)) continue;
    to_units_.put(collector.unit, collector.op, collector.scheduler);
    complete_ &= others;
    occupied_ &= others;
    first = after_[static_cast<std::size_t>(c)];
    return;
  } while (untried);
}

// Each output port dispatches one complete instruction whose unit latch is free. It examines the
// collectors in round robin.
void OperandCollector::dispatch() {
  for (Set& set : sets_) {
    // A collector that finds no latch at one port finds none at the others.
    std::uint64_t untried = complete_ & set.members;
    if (untried == 0) continue;
    for (std::uint64_t& first : set.first_examined) {
      dispatch_one(first, untried);
      if (untried == 0) break;
    }
  }
}

// All operands of the collector have been read.
void OperandCollector::complete(std::size_t c) {
  if (foreign_delay_ > 0 && collectors_[c].foreign) [[unlikely]]
    return delay(c);
  complete_ |= std::uint64_t{1} << c;
}

void OperandCollector::delay(std::size_t c) {
  delayed_ |= std::uint64_t{1} << c;
  arrives_[c] = now_ + foreign_delay_;
}

// Every bank without a writeback serves the first request of its queue.
void OperandCollector::read() {
  conflicts_ += requests_.serve(
      ~banks_.written(), [](std::size_t, std::uint64_t banks) { return banks; },
      [this](std::size_t c) { complete(c); });
}

// Where several banks could serve the same collector, a diagonal that moves every step decides: the
// last bank up to it, or else the last one.
void OperandCollector::read_one_each(std::uint64_t step) {
  const std::size_t square = std::max(static_cast<std::size_t>(banks_.count()), count_);
  const std::size_t priority = step % square;
  const auto choose = [&](std::size_t c, std::uint64_t banks) {
    const std::size_t diagonal = c >= priority ? c - priority : c + square - priority;
    const std::uint64_t up_to = banks & (~std::uint64_t{0} >> (63 - diagonal));
    return std::bit_floor(up_to ? up_to : banks);
  };
  conflicts_ += requests_.serve(~banks_.written(), choose, [this](std::size_t c) { complete(c); });
}

void OperandCollector::complete_delayed() {
  for (std::uint64_t rest = delayed_; rest; rest &= rest - 1) {
    const int c = std::countr_zero(rest);
    if (now_ <= arrives_[static_cast<std::size_t>(c)]) continue;
    delayed_ &= ~(std::uint64_t{1} << c);
    complete_ |= std::uint64_t{1} << c;
  }
}

bool OperandCollector::has_free(std::size_t unit, int scheduler) const {
  return std::any_of(sets_.begin(), sets_.end(), [&](const Set& set) {
    return (set.classes >> unit & 1) != 0 && free_of(set, scheduler) != 0;
  });
}

bool OperandCollector::serves_alike() const {
  return std::all_of(sets_.begin(), sets_.end(), [&](const Set& set) {
    return std::all_of(set.usable.begin(),
                       set.usable.begin() + std::min(schedulers_, kMaxSchedulers),
                       [&](std::uint64_t usable) { return usable == set.members; });
  });
}

// Returns whether more instructions of the class may enter.
bool OperandCollector::allocate_one(const Set& set, std::size_t unit) {
  const LatchSet& latch = from_issue_[unit];
  const int place = latch.oldest(pool_);
  const Op& op = pool_[latch.at(place)];
  const std::uint64_t open = free_of(set, op.scheduler);
  if (open == 0) return false;
  const int c = std::countr_zero(open);
  const InstructionTiming& timing = *op.timing;
  collectors_[static_cast<std::size_t>(c)] = {
      static_cast<std::uint16_t>(from_issue_.take(unit, place)), op.scheduler,
      static_cast<std::uint8_t>(unit), op.home != op.scheduler};
  occupied_ |= std::uint64_t{1} << c;
  if (timing.operand_count == 0)
    complete_ |= std::uint64_t{1} << c;
  else
    requests_.enter(static_cast<std::size_t>(c),
                    std::span(timing.operands).first(timing.operand_count),
                    banks_.of(op.warp, op.home));
  return !latch.empty();
}

// Each input port takes the oldest instruction of every class.
void OperandCollector::allocate() {
  for (const Set& set : sets_) {
    std::uint32_t waiting = set.classes & from_issue_.filled();
    if (waiting == 0) continue;
    waiting = kPlaces[waiting];
    for (std::uint32_t port = set.in_ports; port > 0 && (set.members & ~occupied_) != 0; --port) {
      for (std::uint32_t rest = waiting; rest; rest &= rest - 1) {
        const int place = std::countr_zero(rest);
        const auto unit =
            static_cast<std::size_t>(index(kPortOrder[static_cast<std::size_t>(place)]));
        if (!allocate_one(set, unit)) waiting &= ~(1u << place);
      }
      if (waiting == 0) break;
    }
  }
}

void OperandCollector::step(Cycle now) {
  now_ = now;
  if (delayed_) complete_delayed();
  for (std::uint32_t s = 0; s < steps_; ++s) advance(now.value + s);
}

void OperandCollector::step_once(Cycle now, std::uint64_t step) {
  now_ = now;
  if (delayed_) complete_delayed();
  advance(step);
}

void OperandCollector::advance(std::uint64_t step) {
  if (complete_) dispatch();
  if (requests_.banks()) single_ported_ ? read_one_each(step) : read();
  if (from_issue_.filled()) allocate();
  banks_.end_step();
}

bool OperandCollector::stuck() const {
  if (requests_.banks() || delayed_) return false;
  for (std::uint64_t rest = complete_; rest; rest &= rest - 1)
    if (can_dispatch(collectors_[static_cast<std::size_t>(std::countr_zero(rest))])) return false;
  for (const Set& set : sets_) {
    if ((set.members & ~occupied_) != 0 && (set.classes & from_issue_.filled()) != 0) return false;
  }
  return true;
}

}  // namespace heddle::sm
