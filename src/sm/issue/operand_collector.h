// Operand collection: reads the source registers of issued instructions from a banked register
// file. An instruction enters a free collector, requests one read from each register's bank, and is
// dispatched to its unit's latch when all operands have arrived. A bank serves one read per step,
// or a writeback. A collector receives one operand per step from every bank, or one in all when it
// is single-ported.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "sm/issue/bank_requests.h"
#include "sm/issue/latches.h"
#include "sm/issue/register_banks.h"

namespace heddle::sm {

class OperandCollector {
 public:
  OperandCollector(const config::SmSpec& spec, OpPool& pool, RegisterBanks& banks,
                   LatchSets& from_issue, LatchSets& to_units);

  // The steps of a cycle: dispatch, read, allocate.
  void step(Cycle now);
  // One of them; the load/store unit steps the collectors in each of its own cycles.
  void step_once(Cycle now, std::uint64_t step);
  // With warp sharing: operands of a warp that issues through another scheduler arrive so many
  // steps later.
  void delay_foreign(std::uint32_t cycles) { foreign_delay_ = cycles; }
  // Whether a collector that serves this scheduler's instructions of the unit class is free.
  bool has_free(std::size_t unit, int scheduler) const;
  // Every collector serves all schedulers.
  bool serves_alike() const;
  bool idle() const { return occupied_ == 0; }
  // Nothing changes until a unit's latch becomes free or another instruction issues.
  bool stuck() const;
  std::uint64_t conflicts() const { return conflicts_; }

 private:
  struct Collector {
    std::uint16_t op = 0;
    std::uint8_t scheduler = 0, unit = 0;
    bool foreign = false;  // the warp belongs to another scheduler
  };
  // Collectors first..first+count-1 serve the unit classes of `classes`.
  struct Set {
    int first = 0, count = 0;
    std::uint64_t members = 0;  // the same as bits
    std::uint32_t classes = 0;  // bit per unit class
    std::uint32_t in_ports = 1;
    std::array<std::uint64_t, kMaxSchedulers> usable{};  // by scheduler: those for its instructions
    // By output port: the collectors that are examined before the others.
    std::vector<std::uint64_t> first_examined;
  };
  void add_set(const config::CollectorSpec& spec, std::uint32_t classes);
  void dispatch();
  [[gnu::always_inline]] inline void dispatch_one(std::uint64_t& first, std::uint64_t& untried);
  [[gnu::always_inline]] inline void read();
  void advance(std::uint64_t step);
  void read_one_each(std::uint64_t step);
  [[gnu::always_inline]] inline void complete(std::size_t c);
  void delay(std::size_t c);
  void allocate();
  [[gnu::always_inline]] inline bool allocate_one(const Set& set, std::size_t unit);
  void complete_delayed();
  bool can_dispatch(const Collector& c) const {
    return !(to_units_.full(c.scheduler) >> c.unit & 1);
  }
  // The free collectors of the set for an instruction of the scheduler.
  std::uint64_t free_of(const Set& set, int scheduler) const {
    return set.usable[static_cast<std::size_t>(scheduler)] & ~occupied_;
  }

  OpPool& pool_;
  RegisterBanks& banks_;
  LatchSets& from_issue_;
  LatchSets& to_units_;
  int schedulers_;
  std::uint32_t steps_, foreign_delay_ = 0;
  bool sub_cores_, single_ported_;
  std::vector<Set> sets_;
  std::array<Collector, 64> collectors_{};
  // Of a collector with a dispatched instruction: those that its port examines next.
  std::array<std::uint64_t, 64> after_{};
  std::array<Cycle, 64> arrives_{};  // of the delayed: the cycle after which all operands are here
  std::size_t count_ = 0;            // of collectors
  BankRequests requests_;
  std::uint64_t occupied_ = 0, complete_ = 0;  // sets of collectors
  std::uint64_t delayed_ = 0;  // collectors that wait for the penalty of warp sharing
  std::uint64_t conflicts_ = 0;
  Cycle now_;  // of the last step
};

}  // namespace heddle::sm
