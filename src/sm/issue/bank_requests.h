// The register banks from which operand collectors wait for operands. A bank serves its requests in
// the order in which the collectors entered.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::sm {

class BankRequests {
 public:
  // At most 64 banks and collectors. operands: the most that a collector waits for.
  explicit BankRequests(std::size_t collectors = 0, std::size_t operands = 1)
      : levels_(operands + 1), sets_(collectors * levels_) {}

  std::uint64_t banks() const { return banks_; }  // a bit for each bank with a request

  // The collector, which has no requests, waits for these registers.
  template <class BankOf>
  void enter(std::size_t collector, std::span<const std::uint16_t> registers, BankOf&& bank_of) {
    std::uint64_t* const sets = of(collector);
    for (const std::uint16_t reg : registers) {
      const std::uint64_t bit = std::uint64_t{1} << bank_of(reg);
      std::uint64_t* set = sets;
      while (*set & bit) ++set;
      *set |= bit;
    }
    banks_ |= *sets;
    order_[waiting_++] = static_cast<std::uint8_t>(collector);
  }

  // Each of the `open` banks serves its first request, if choose(collector, banks) has the bank:
  // those of the banks whose first request is this collector's that it accepts an operand from.
  // Calls done(collector) for each that waits no longer. Returns the conflicts: banks that serve
  // and have further requests, and requests that are not accepted, each less one that is.
  template <class Choose, class Done>
  [[gnu::always_inline]] std::uint32_t serve(std::uint64_t open, Choose&& choose, Done&& done) {
    std::uint64_t served = 0, left = 0;
    std::uint32_t refused = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < waiting_; ++i) {
      const std::size_t c = order_[i];
      std::uint64_t* const sets = of(c);
      const std::uint64_t first = *sets & open, accepted = choose(c, first);
      open &= ~first;
      refused += static_cast<std::uint32_t>(std::popcount(first & ~accepted));
      served |= accepted;
      remove(sets, accepted);
      left |= *sets;
      order_[kept] = static_cast<std::uint8_t>(c);
      kept += *sets != 0;
      if (*sets == 0) done(c);
    }
    waiting_ = kept;
    banks_ = left;
    return refused + static_cast<std::uint32_t>(std::popcount(served & left));
  }

 private:
  std::uint64_t* of(std::size_t collector) { return &sets_[collector * levels_]; }
  static void remove(std::uint64_t* sets, std::uint64_t banks) {
    for (; banks; ++sets) {
      const std::uint64_t again = sets[1] & banks;
      *sets = (*sets & ~banks) | again;
      banks = again;
    }
  }

  std::size_t levels_;
  // By collector: the banks from which it waits for more than 0, 1, 2, ... operands.
  std::vector<std::uint64_t> sets_;
  std::array<std::uint8_t, 64> order_{};  // the collectors that wait
  std::size_t waiting_ = 0;
  std::uint64_t banks_ = 0;
};

}  // namespace heddle::sm
