// The work that the host has issued to streams and that has not finished: which operation waits for
// which, by CUDA's rules. It runs nothing; stream_executor.h does.
//
// An operation waits for the operation before it in its stream, for the operations that it is given
// (events, graph nodes), and across the legacy default stream: what is issued there waits for all
// blocking streams, and what is issued to a blocking stream waits for it. A kernel also waits until
// every kernel issued earlier to the same hardware queue has started (on Fermi all streams share
// one queue, which adds dependencies that the program does not have).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "cuda/objects/graph.h"

namespace heddle::cuda {

class StreamWork {
 public:
  using Id = std::uint64_t;  // ascending in order of issue; 0: no operation

  // Kernels that the device itself launches, those of a conditional node's body, wait in no queue.
  static constexpr std::uint32_t kNoQueue = ~std::uint32_t{0};

  // Where an operation is issued.
  struct Place {
    std::uintptr_t stream = 0;  // handle; 0 and 1: the legacy default stream
    bool blocking = true;       // false: a stream with cudaStreamNonBlocking
    int priority = 0;           // smaller is more urgent, as in CUDA
    std::uint32_t queue = 0;    // hardware queue of its kernels, or kNoQueue
    std::uint32_t number = 0;   // of the stream: queues are assigned in turn
  };
  struct Item {
    Operation operation;
    Place place;
    std::uint32_t waits_for = 0;  // unfinished operations
    std::vector<Id> dependents;
  };

  // Adds an operation at the end of a stream. It also waits for `after`; finished ones count not.
  Id add(const Place& place, Operation operation, const std::vector<Id>& after = {});
  // Adds an operation that waits only for `after` and for what place.stream waits for at this
  // moment. The stream does not wait for it. For the nodes of a graph.
  Id add_beside(const Place& place, Operation operation, const std::vector<Id>& after);

  // The next operation to start: the most urgent one that waits for nothing, then the oldest.
  // Kernels only if `kernel_may_start`. Marks it as started. Null when there is none.
  Id start_next(bool kernel_may_start);
  Item& item(Id id) { return items_.at(id); }
  // The operation is over; those that waited only for it can start.
  void finish(Id id);

  bool finished(Id id) const { return !items_.contains(id); }
  bool empty() const { return items_.empty(); }
  // The last unfinished operation issued to the stream; 0 when it is idle.
  Id last_of(std::uintptr_t stream) const;
  // What the host waits for when it waits for the stream; 0: nothing. Adds an operation to the
  // legacy default stream, which waits for all blocking streams.
  Id wait_target(const Place& place);
  // The oldest unfinished operation; 0: none.
  Id oldest() const { return items_.empty() ? 0 : items_.begin()->first; }
  // After a fault nothing runs any more.
  void drop_all();

 private:
  struct Tail {
    Id last = 0;
    bool blocking = true;
  };
  using Urgency = std::pair<int, Id>;  // priority, then age

  static std::uintptr_t normalized(std::uintptr_t stream) { return stream <= 1 ? 0 : stream; }
  std::vector<Id> before(const Place& place) const;
  Id insert(const Place& place, Operation operation, std::vector<Id> after);
  bool starts_out_of_turn(const Item& item, Id id) const;

  std::map<Id, Item> items_;
  std::set<Urgency> ready_;
  std::map<std::uint32_t, std::set<Id>> unstarted_kernels_;  // by hardware queue
  std::map<std::uintptr_t, Tail> tails_;                     // by stream
  Id last_id_ = 0;
};

}  // namespace heddle::cuda
