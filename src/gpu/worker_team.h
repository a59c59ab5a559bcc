// Threads that share out the work of a phase. The caller works too and goes on when all is done. An
// item has a home, the thread whose caches know it, and is done there: what moves from one core to
// another costs more than what is won by evening out one phase. Only when a thread does not come,
// because the operating system lets others run, the caller does its part. Some items stand behind a
// gate: they wait for the opening, a first part of the work that the caller does, and its closing
// part waits for them. Both run beside the items that are free.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/index_set.h"

namespace heddle::gpu {

class WorkerTeam {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // What there is to do. Free and gated items are numbered separately, both from 0 and below
  // IndexSet::kCapacity.
  class Work {
   public:
    virtual ~Work() = default;
    virtual void prepare(std::uint32_t /*item*/) {
    }  // for all free items of a home, by the thread that is about to do them
    virtual void free(
        std::uint32_t item,
        std::uint32_t next) = 0;  // next: what the same thread does afterwards, or kNone
    virtual void gated(std::uint32_t /*item*/) {}
    virtual void open() {}   // before the gated items
    virtual void close() {}  // after them
  };

  explicit WorkerTeam(std::uint32_t threads);  // the caller is one of them
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  std::uint32_t threads() const { return static_cast<std::uint32_t>(lanes_.size()); }

  // The next phase's items, given between phases. home < threads(); the caller is thread 0.
  void add(std::uint32_t item, std::uint32_t home) { plans_[home].free.set(item); }
  void add_behind_gate(std::uint32_t item, std::uint32_t home) { plans_[home].gated.set(item); }

  // Does what was added, and forgets it. shared = false: on the calling thread alone. When calls
  // throw, the rest is done all the same, and what the first item threw is thrown again, free ones
  // before gated ones: the same for every number of threads.
  void run(bool shared, Work& work);

 private:
  struct Plan {
    IndexSet free, gated;
    bool any() const { return free.any() || gated.any(); }
  };
  // The work of one home, taken all together. What a thread is told is one cache line and what it
  // answers another, for every line that both write costs each phase a journey between cores.
  struct Lane {
    struct alignas(64) Order {
      Plan plan;
      Work* work = nullptr;
      std::atomic<std::uint32_t> phase{0};  // whose items nobody has taken; 0 = none
    } order;
    struct alignas(64) Answer {
      std::atomic<std::uint32_t> arrived{0};  // the last phase in which its thread came
      std::atomic<std::uint32_t> gated_done{0},
          done{0};  // the last phase whose gated items, whose items are done
    } answer;
    bool absent = false;  // it did not come to the last phase
  };
  static_assert(sizeof(Lane::Order) == 64);

  void run_alone(Work& work);
  void run_shared(Work& work);
  void serve(std::uint32_t home);
  void take_part(Lane& lane);
  void do_next(Work& work, IndexSet& left);
  void open_gate(Work& work, std::uint32_t phase);
  void wait_at_gate(std::uint32_t phase) const;
  void wait_for(const std::atomic<std::uint32_t>& done, std::uint32_t phase);
  template <class F>
  void attempt(std::uint32_t rank, F&& act);

  std::vector<Plan> plans_;  // of the next phase, by home
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::uint32_t failed_rank_ = 0;
  alignas(64) std::atomic<std::uint32_t> phase_{0};
  std::atomic<bool> stop_{false};
  alignas(64) std::atomic<std::uint32_t> gate_{0};  // the last phase whose gate was opened
  std::vector<std::thread> workers_;                // last: they use everything above
};

}  // namespace heddle::gpu
