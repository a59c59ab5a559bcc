// The results of fixed latency of a sub-core in a compiler-guided core: on their way, or in the
// result queue before the write port. One is written in each cycle in which no result of
// variable latency takes the port. Nothing waits for them but the room that they take, so they are
// written only when it matters.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/diagnostics.h"
#include "base/types.h"

namespace heddle::sm {

class ResultQueue {
 public:
  static constexpr std::size_t kPlaces = 8;

  std::size_t size() const { return count_; }
  // A result is ready in the cycle `due`. One that writes no register needs no port.
  void add(Cycle due, bool needs_port) {
    check_invariant(count_ < kPlaces, "a result came into a full result queue");
    std::size_t k = count_++;
    for (; k > 0 && results_[k - 1].due > due; --k) results_[k] = results_[k - 1];
    results_[k] = {due, needs_port};
  }
  // Takes out the results that are written up to the writeback of the cycle `now`.
  void write(Cycle now) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      const Result& r = results_[k];
      const Cycle exit = exit_of(r);
      if (exit > now)
        results_[kept++] = r;
      else if (r.needs_port)
        port_free_ = exit + 1;
    }
    count_ = kept;
  }
  // In the writeback of the cycle `now` a result of variable latency takes the write port. The
  // cycles of the calls do not fall.
  void take_port(Cycle now) {
    if (count_ == 0) return;
    write(Cycle{now.value - 1});
    port_free_ = std::max(port_free_, now + 1);
  }
  // The first cycle in which a place becomes free, unless the port is taken.
  Cycle next_exit() const {
    Cycle next = Cycle::never();
    for (std::size_t k = 0; k < count_; ++k) next = std::min(next, exit_of(results_[k]));
    return next;
  }

 private:
  struct Result {
    Cycle due;
    bool needs_port = false;
  };
  // The first of the results that need the port: the others wait for it.
  Cycle exit_of(const Result& r) const {
    return r.needs_port ? std::max(r.due, port_free_) : r.due;
  }

  std::array<Result, kPlaces> results_;  // by cycle
  std::size_t count_ = 0;
  Cycle port_free_;  // the first cycle in which the next of them may take the port
};

}  // namespace heddle::sm
