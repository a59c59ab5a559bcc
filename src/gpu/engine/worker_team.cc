#include "gpu/engine/worker_team.h"

#include <immintrin.h>

#include <algorithm>
#include <utility>

#include "base/own_threads.h"

namespace heddle::gpu {

namespace {

// A waiting thread pauses, then yields to other threads, then sleeps. A window takes tens of
// microseconds, a pause about 20 nanoseconds.
constexpr int kPauses = 2000, kYields = 200;

// The exception of the lowest rank is thrown again: of free items, gated items, before_gated,
// after_gated.
constexpr std::uint32_t kGatedRank = IndexSet::kCapacity, kBeforeGated = 2 * IndexSet::kCapacity,
                        kAfterGated = kBeforeGated + 1;

}  // namespace

WorkerTeam::WorkerTeam(std::uint32_t threads) : plans_(std::max(threads, 1u)) {
  for (std::size_t i = 0; i < plans_.size(); ++i) lanes_.push_back(std::make_unique<Lane>());
  for (std::uint32_t i = 1; i < threads; ++i)
    workers_.emplace_back([this, i] {
      mark_own_thread();
      run_worker(i);
    });
}

WorkerTeam::~WorkerTeam() {
  stop_ = true;
  ++phase_;
  phase_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void WorkerTeam::run(bool shared, Work& work) {
  if (shared && !workers_.empty())
    run_shared(work);
  else
    run_alone(work);
  for (Plan& plan : plans_) plan = {};
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void WorkerTeam::run_alone(Work& work) {
  Plan all;
  for (const Plan& plan : plans_) all.free |= plan.free, all.gated |= plan.gated;
  attempt(kBeforeGated, [&] { work.before_gated(); });
  all.gated.for_each(
      [&](std::uint32_t item) { attempt(kGatedRank + item, [&] { work.run_gated(item); }); });
  attempt(kAfterGated, [&] { work.after_gated(); });
  while (all.free.any()) run_next(work, all.free);
}

void WorkerTeam::run_shared(Work& work) {
  std::uint32_t phase = phase_.load(std::memory_order_relaxed) + 1;
  if (phase == 0) ++phase;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (!plans_[i].any()) continue;
    Lane::Order& order = lanes_[i]->order;
    order.plan = plans_[i];
    order.work = &work;
    order.phase.store(phase, std::memory_order_release);
  }
  phase_.store(phase);
  phase_.notify_all();
  open_gate(work, phase);
  run_lane(*lanes_[0]);
  // Runs the work of threads that did not begin the last phase and have not begun this one.
  for (auto& lane : lanes_)
    if (lane->absent && lane->answer.arrived.load(std::memory_order_relaxed) != phase)
      run_lane(*lane);
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    if (plans_[i].gated.any()) wait_for(lanes_[i]->answer.gated_done, phase);
  attempt(kAfterGated, [&] { work.after_gated(); });
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    if (plans_[i].any()) wait_for(lanes_[i]->answer.done, phase);
  for (std::size_t i = 1; i < lanes_.size(); ++i)
    if (plans_[i].any())
      lanes_[i]->absent = lanes_[i]->answer.arrived.load(std::memory_order_relaxed) != phase;
}

void WorkerTeam::open_gate(Work& work, std::uint32_t phase) {
  attempt(kBeforeGated, [&] { work.before_gated(); });
  gate_.store(phase, std::memory_order_release);
}

// The loop of a worker thread. It polls its own order; it reads the phase number only in order to
// sleep.
void WorkerTeam::run_worker(std::uint32_t home) {
  Lane& lane = *lanes_[home];
  std::uint32_t seen = 0;
  for (int polls = 0; !stop_.load(std::memory_order_relaxed);) {
    if (const std::uint32_t phase = lane.order.phase.load(std::memory_order_acquire)) {
      lane.answer.arrived.store(phase, std::memory_order_relaxed);
      run_lane(lane);
      polls = 0;
    } else if (++polls < kPauses) {
      _mm_pause();
    } else if (polls < kPauses + kYields) {
      std::this_thread::yield();
      seen = phase_.load(std::memory_order_acquire);
    } else {
      phase_.wait(seen);
      seen = phase_.load(std::memory_order_acquire);
    }
  }
}

// Several threads may try to run a lane; exactly one of them gets its phase.
void WorkerTeam::run_lane(Lane& lane) {
  if (lane.order.phase.load(std::memory_order_acquire) == 0) return;
  const std::uint32_t phase = lane.order.phase.exchange(0, std::memory_order_acq_rel);
  if (phase == 0) return;
  const Plan plan = lane.order.plan;
  Work& work = *lane.order.work;
  IndexSet left = plan.free;
  left.for_each([&](std::uint32_t item) { work.prepare(item); });
  if (plan.gated.any()) {  // first, because the caller waits for them
    while (left.any() && gate_.load(std::memory_order_relaxed) != phase) run_next(work, left);
    wait_at_gate(phase);
    plan.gated.for_each(
        [&](std::uint32_t item) { attempt(kGatedRank + item, [&] { work.run_gated(item); }); });
  }
  lane.answer.gated_done.store(phase, std::memory_order_release);
  while (left.any()) run_next(work, left);
  lane.answer.done.store(phase, std::memory_order_release);
}

void WorkerTeam::run_next(Work& work, IndexSet& left) {
  const std::uint32_t item = left.lowest();
  left.reset(item);
  attempt(item, [&] { work.run_free(item, left.any() ? left.lowest() : kNone); });
}

template <class F>
void WorkerTeam::attempt(std::uint32_t rank, F&& act) {
  try {
    act();
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (failure_ && failed_rank_ < rank) return;
    failure_ = std::current_exception();
    failed_rank_ = rank;
  }
}

void WorkerTeam::wait_at_gate(std::uint32_t phase) const {
  for (int polls = 0; gate_.load(std::memory_order_acquire) != phase; ++polls) {
    if (polls < kPauses)
      _mm_pause();
    else
      std::this_thread::yield();
  }
}

// The caller waits, and after a time runs the lanes whose threads have not begun.
void WorkerTeam::wait_for(const std::atomic<std::uint32_t>& done, std::uint32_t phase) {
  for (int polls = 0; done.load(std::memory_order_acquire) != phase; ++polls) {
    if (polls < kPauses) {
      _mm_pause();
      continue;
    }
    if (polls == kPauses)
      for (auto& lane : lanes_) run_lane(*lane);
    std::this_thread::yield();
  }
}

}  // namespace heddle::gpu
