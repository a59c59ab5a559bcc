// First come, first served: the requests of a channel in the order in which they entered its queue.
// A request whose bank is busy delays all others.
#include "mem/catalogue.h"

namespace heddle::mem {
namespace {

class Fcfs final : public DramScheduler {
 public:
  bool in_order() const override { return true; }
  WaitingRequests::Iterator next(const WaitingRequests& requests, const BankTurn&) override {
    return requests.begin();
  }
};

}  // namespace

DramSchedulerEntry fcfs() {
  return dram_scheduler<Fcfs>("fcfs", "the channel's oldest request; the others wait for its bank",
                              "Rixner et al., ISCA 2000 (as a baseline)");
}

}  // namespace heddle::mem
