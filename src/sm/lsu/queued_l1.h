// Accesses pass a pipeline of the hit latency for each bank before the tags of the L1 data cache.
// When the first access of a bank is refused it stays, is retried in the next cycle, and blocks the
// accesses behind it.
#pragma once

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
    return banks_.size() == 1 ? 0 : (a.value / mem::kSectorBytes) % banks_.size();
  }
  void pop(std::size_t bank) {
    banks_[bank].queue.pop();
    if (banks_[bank].queue.empty()) filled_ &= ~(std::uint64_t{1} << bank);
  }
  void serve_banks();

 private:
  // The bank's first access cannot proceed until something changes.
  virtual bool is_blocked(const Bank& bank) const { return bank.refusal.holds(l1_.cache()); }
  void serve_bank(std::size_t bank);
  template <class F>
  void for_each_filled(F&& f) const {
    for (std::uint64_t rest = filled_; rest; rest &= rest - 1)
      f(static_cast<std::size_t>(std::countr_zero(rest)));
  }

  std::uint32_t latency_;
  std::vector<Bank> banks_;
  std::uint64_t filled_ = 0;  // banks with accesses
};

}  // namespace heddle::sm
