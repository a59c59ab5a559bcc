// A team of threads that shares the work of a phase. The calling thread works too and returns when
// all work is done.
//
// An item has a home: the thread whose core holds the item's data in its caches. It runs there,
// because moving data between cores costs more than an uneven distribution of one phase. When the
// operating system does not run a thread, the caller does that thread's work.
//
// Gated items run after a first part of the work (before_gated) and before a last part
// (after_gated), which the caller does. Free items run at any time.
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

  // The work of a phase. Free and gated items are numbered separately, both from 0 and below
  // IndexSet::kCapacity.
  class Work {
   public:
    virtual ~Work() = default;
    // Called for all free items of a home by the thread that will run them.
    virtual void prepare(std::uint32_t /*item*/) {}
    // next: the item that the same thread runs afterwards, or kNone.
    virtual void run_free(std::uint32_t item, std::uint32_t next) = 0;
    virtual void run_gated(std::uint32_t /*item*/) {}
    virtual void before_gated() {}
    virtual void after_gated() {}
  };

  explicit WorkerTeam(std::uint32_t threads);  // the caller is one of them
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  std::uint32_t threads() const { return static_cast<std::uint32_t>(lanes_.size()); }

  // Adds an item to the next phase, between phases. home < threads(); the caller is thread 0.
  void add_free(std::uint32_t item, std::uint32_t home) { plans_[home].free.set(item); }
  void add_gated(std::uint32_t item, std::uint32_t home) { plans_[home].gated.set(item); }

  // Runs the added items and removes them. shared = false: on the calling thread alone. When items
  // throw, the others run all the same; then the exception of the first item is thrown again, free
  // items before gated ones: the same one for every number of threads.
  void run(bool shared, Work& work);

 private:
  struct Plan {
    IndexSet free, gated;
    bool any() const { return free.any() || gated.any(); }
  };
  // The work of one home. A thread receives its work in one cache line and answers in another: a
  // line that two cores write costs a transfer in each phase.
  struct Lane {
    struct alignas(64) Order {
      Plan plan;
      Work* work = nullptr;
      std::atomic<std::uint32_t> phase{0};  // whose items wait for a thread; 0 = none
    } order;
    struct alignas(64) Answer {
      // The last phase that the home's thread has begun, whose gated items are done, and whose
      // items are all done.
      std::atomic<std::uint32_t> arrived{0}, gated_done{0}, done{0};
    } answer;
    bool absent = false;  // its thread did not begin the last phase
  };
  static_assert(sizeof(Lane::Order) == 64);

  void run_alone(Work& work);
  void run_shared(Work& work);
  void run_worker(std::uint32_t home);
  void run_lane(Lane& lane);
  void run_next(Work& work, IndexSet& left);
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
  std::vector<std::thread> workers_;                // last: the threads use all other members
};

}  // namespace heddle::gpu
