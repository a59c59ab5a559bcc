#include "gpu/worker_team.h"

#include <immintrin.h>

#include <algorithm>
#include <utility>

#include "base/own_threads.h"

namespace heddle::gpu {

namespace {

// How long a thread looks before it lets others run, and how often it does that before it sleeps. A
// window takes tens of microseconds, a pause about 20 nanoseconds.
constexpr int kPauses = 2000, kYields = 200;

// Of failures the one of lowest rank counts: free items, then gated ones, then what opens and
// closes the gate.
constexpr std::uint32_t kGatedRank = IndexSet::kCapacity, kOpening = 2 * IndexSet::kCapacity,
                        kClosing = kOpening + 1;

}  // namespace

WorkerTeam::WorkerTeam(std::uint32_t threads) : plans_(std::max(threads, 1u)) {
  for (std::size_t i = 0; i < plans_.size(); ++i) lanes_.push_back(std::make_unique<Lane>());
  for (std::uint32_t i = 1; i < threads; ++i)
    workers_.emplace_back([this, i] {
      mark_own_thread();
      serve(i);
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
  attempt(kOpening, [&] { work.open(); });
  all.gated.for_each(
      [&](std::uint32_t item) { attempt(kGatedRank + item, [&] { work.gated(item); }); });
  attempt(kClosing, [&] { work.close(); });
  while (all.free.any()) do_next(work, all.free);
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
  take_part(*lanes_[0]);
  // Threads that were away are not waited for until they are back.
  for (auto& lane : lanes_)
    if (lane->absent && lane->answer.arrived.load(std::memory_order_relaxed) != phase)
      take_part(*lane);
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    if (plans_[i].gated.any()) wait_for(lanes_[i]->answer.gated_done, phase);
  attempt(kClosing, [&] { work.close(); });
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    if (plans_[i].any()) wait_for(lanes_[i]->answer.done, phase);
  for (std::size_t i = 1; i < lanes_.size(); ++i)
    if (plans_[i].any())
      lanes_[i]->absent = lanes_[i]->answer.arrived.load(std::memory_order_relaxed) != phase;
}

void WorkerTeam::open_gate(Work& work, std::uint32_t phase) {
  attempt(kOpening, [&] { work.open(); });
  gate_.store(phase, std::memory_order_release);
}

// A worker's life. It looks at its own order; only to sleep it needs to know of phases that have
// nothing for it.
void WorkerTeam::serve(std::uint32_t home) {
  Lane& lane = *lanes_[home];
  std::uint32_t seen = 0;
  for (int looks = 0; !stop_.load(std::memory_order_relaxed);) {
    if (const std::uint32_t phase = lane.order.phase.load(std::memory_order_acquire)) {
      lane.answer.arrived.store(phase, std::memory_order_relaxed);
      take_part(lane);
      looks = 0;
    } else if (++looks < kPauses) {
      _mm_pause();
    } else if (looks < kPauses + kYields) {
      std::this_thread::yield();
      seen = phase_.load(std::memory_order_acquire);
    } else {
      phase_.wait(seen);
      seen = phase_.load(std::memory_order_acquire);
    }
  }
}

// Whoever takes a lane sees the phase that it belongs to, whichever phase brought him here.
void WorkerTeam::take_part(Lane& lane) {
  if (lane.order.phase.load(std::memory_order_acquire) == 0) return;
  const std::uint32_t phase = lane.order.phase.exchange(0, std::memory_order_acq_rel);
  if (phase == 0) return;
  const Plan plan = lane.order.plan;
  Work& work = *lane.order.work;
  IndexSet left = plan.free;
  left.for_each([&](std::uint32_t item) { work.prepare(item); });
  if (plan.gated.any()) {  // they go first, for somebody waits for them; until the gate opens there
                           // is other work
    while (left.any() && gate_.load(std::memory_order_relaxed) != phase) do_next(work, left);
    wait_at_gate(phase);
    plan.gated.for_each(
        [&](std::uint32_t item) { attempt(kGatedRank + item, [&] { work.gated(item); }); });
  }
  lane.answer.gated_done.store(phase, std::memory_order_release);
  while (left.any()) do_next(work, left);
  lane.answer.done.store(phase, std::memory_order_release);
}

void WorkerTeam::do_next(Work& work, IndexSet& left) {
  const std::uint32_t item = left.lowest();
  left.reset(item);
  attempt(item, [&] { work.free(item, left.any() ? left.lowest() : kNone); });
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
  for (int looks = 0; gate_.load(std::memory_order_acquire) != phase; ++looks) {
    if (looks < kPauses)
      _mm_pause();
    else
      std::this_thread::yield();
  }
}

// The caller's waiting. Whose thread has not come by then is helped.
void WorkerTeam::wait_for(const std::atomic<std::uint32_t>& done, std::uint32_t phase) {
  for (int looks = 0; done.load(std::memory_order_acquire) != phase; ++looks) {
    if (looks < kPauses) {
      _mm_pause();
      continue;
    }
    if (looks == kPauses)
      for (auto& lane : lanes_) take_part(*lane);
    std::this_thread::yield();
  }
}

}  // namespace heddle::gpu
