// Accesses pass a pipeline of the hit latency for each bank before the tags of the L1 data cache.
// When the first access of a bank is refused it stays, is retried in the next cycle, and blocks the
// accesses behind it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/bounded_queue.h"
#include "sm/lsu/l1_front_end.h"

namespace heddle::sm {

class QueuedL1 : public L1FrontEnd {
 public:
  QueuedL1(const config::SmSpec& spec, L1Lookup& l1, LsuContext& context);

  bool dispatch(Op& op, OpId id, SmStats& stats) override;
  void serve() override;
  bool is_stuck(const Op& op) const override;
  Cycle next_event() const override;
  bool empty() const override { return filled_ == 0; }
  void repeat(std::uint64_t times) override;
  void repeat_dispatch(SmStats&, std::uint64_t) override {}

 protected:
  struct Bank {
    BoundedQueue<QueuedAccess> queue;
    Refusal refusal;  // of the first access
  };
  std::vector<Bank>& banks() { return banks_; }
  std::size_t bank_of(Address a) const {
    return count_ == 1 ? 0 : (a.value / mem::kSectorBytes) % count_;
  }
  void pop(std::size_t bank) {
    banks_[bank].queue.pop();
    banks_[bank].refusal = {};
    if (banks_[bank].queue.empty()) filled_ &= ~(std::uint64_t{1} << bank);
  }
  void serve_banks();
  // When the first access of a bank reaches the tags, of the banks for which is_blocked(bank) does
  // not hold.
  template <class IsBlocked>
  Cycle next_access(IsBlocked&& is_blocked) const {
    Cycle next = Cycle::never();
    for_each_filled([&](std::size_t b) {
      if (!is_blocked(banks_[b])) next = std::min(next, banks_[b].queue.front().at);
    });
    return next;
  }
  // Whether dispatch() waits for the only bank, which is_blocked().
  template <class IsBlocked>
  bool waits_for_bank(IsBlocked&& is_blocked) const {
    return count_ == 1 && banks_[0].queue.full() && is_blocked(banks_[0]);
  }
  bool repeats_refusal(const Bank& bank) const { return bank.refusal.holds(l1_.cache()); }

 private:
  [[gnu::always_inline]] inline void serve_bank(std::size_t bank);
  template <class F>
  void for_each_filled(F&& f) const {
    for (std::uint64_t rest = filled_; rest; rest &= rest - 1)
      f(static_cast<std::size_t>(std::countr_zero(rest)));
  }

  std::uint32_t latency_;
  std::size_t count_;  // of banks
  std::vector<Bank> banks_;
  std::uint64_t filled_ = 0;  // banks with accesses
};

}  // namespace heddle::sm
