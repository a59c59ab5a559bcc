// FR-FCFS, first-ready, first-come-first-served (Rixner et al., "Memory access scheduling", ISCA
// 2000). A free bank gets its oldest request to the open row, or else its oldest request. The
// number of row hits that may overtake the oldest request is unbounded, as in GPGPU-Sim, or
// bounded, so that row hits cannot starve it.
#include <vector>

#include "mem/catalogue.h"

namespace heddle::mem {
namespace {

class FrFcfs final : public DramScheduler {
 public:
  explicit FrFcfs(const config::DramSpec& spec)
      : max_passes_(spec.frfcfs_passes),
        passes_{std::vector<std::uint32_t>(spec.banks), std::vector<std::uint32_t>(spec.banks)} {}

  WaitingRequests::Iterator next(const WaitingRequests& requests, const BankTurn& turn) override {
    std::uint32_t& passes = passes_[turn.writes][turn.bank];
    auto found = requests.begin();
    if (max_passes_ == 0 || passes < max_passes_)
      while (found != requests.end() && found->row != turn.open_row) ++found;
    if (found == requests.end()) found = requests.begin();
    passes = found == requests.begin() ? 0 : passes + 1;
    return found;
  }

 private:
  std::uint32_t max_passes_;
  // By bank, of reads and of writes: younger requests that have overtaken the oldest.
  std::vector<std::uint32_t> passes_[2];
};

}  // namespace

DramSchedulerEntry fr_fcfs() {
  return dram_scheduler<FrFcfs>(
      "fr-fcfs", "every free bank: its oldest request to the open row, else its oldest request",
      "Rixner et al., ISCA 2000");
}

}  // namespace heddle::mem
