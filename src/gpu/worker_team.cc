#include "gpu/worker_team.h"

#include <immintrin.h>

#include <algorithm>
#include <utility>

namespace heddle::gpu {

namespace {

// How long a thread looks before it lets others run, and how often it does that before it sleeps. A window takes tens of
// microseconds, a pause about 20 nanoseconds.
constexpr int kPauses = 2000, kYields = 200;

// What opens and closes the gate fails last.
constexpr std::uint32_t kOpening = ~std::uint32_t{1}, kClosing = ~std::uint32_t{0};

}  // namespace

WorkerTeam::WorkerTeam(std::uint32_t threads) {
  for (std::uint32_t i = 0; i < std::max(threads, 1u); ++i) lanes_.push_back(std::make_unique<Lane>());
  for (std::uint32_t i = 1; i < threads; ++i) workers_.emplace_back([this, i] { serve(i); });
}

WorkerTeam::~WorkerTeam() {
  stop_ = true;
  ++phase_;
  phase_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void WorkerTeam::run(bool shared) {
  if (shared && !workers_.empty()) run_shared();
  else run_alone();
  for (auto& lane : lanes_) lane->items.clear(), lane->gated.clear();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void WorkerTeam::run_alone() {
  if (open_) perform(open_, kOpening);
  for (auto& lane : lanes_)
    for (const std::uint32_t item : lane->gated) perform(call_, item);
  if (close_) perform(close_, kClosing);
  for (auto& lane : lanes_)
    for (const std::uint32_t item : lane->items) perform(call_, item);
}

void WorkerTeam::run_shared() {
  std::uint32_t phase = phase_.load(std::memory_order_relaxed) + 1;
  if (phase == 0) ++phase;
  std::uint32_t all = 0, gated = 0;
  for (const auto& lane : lanes_) all += lane->size(), gated += static_cast<std::uint32_t>(lane->gated.size());
  unfinished_.store(all, std::memory_order_relaxed);
  unfinished_gated_.store(gated, std::memory_order_relaxed);
  for (auto& lane : lanes_)
    if (lane->size()) lane->open.store(phase, std::memory_order_release);
  phase_.store(phase);
  phase_.notify_all();
  open_gate(phase);
  take_part(*lanes_[0]);
  // Threads that were away are not waited for until they are back.
  for (auto& lane : lanes_)
    if (lane->absent && lane->arrived.load(std::memory_order_relaxed) != phase) take_part(*lane);
  if (close_) {
    wait_for(unfinished_gated_);
    perform(close_, kClosing);
  }
  wait_for(unfinished_);
  for (std::size_t i = 1; i < lanes_.size(); ++i) lanes_[i]->absent = lanes_[i]->arrived.load(std::memory_order_relaxed) != phase;
}

void WorkerTeam::open_gate(std::uint32_t phase) {
  if (open_) perform(open_, kOpening);
  gate_.store(phase, std::memory_order_release);
}

// A worker's life.
void WorkerTeam::serve(std::uint32_t home) {
  std::uint32_t seen = 0;
  while (!stop_) {
    int looks = 0;
    while (phase_.load(std::memory_order_acquire) == seen) {
      if (++looks < kPauses) _mm_pause();
      else if (looks < kPauses + kYields) std::this_thread::yield();
      else phase_.wait(seen);
    }
    seen = phase_.load(std::memory_order_acquire);
    lanes_[home]->arrived.store(seen, std::memory_order_relaxed);
    take_part(*lanes_[home]);
  }
}

// Whoever takes a lane sees the phase that it belongs to, whichever phase brought him here.
void WorkerTeam::take_part(Lane& lane) {
  if (lane.open.load(std::memory_order_acquire) == 0) return;
  const std::uint32_t phase = lane.open.exchange(0, std::memory_order_acq_rel);
  if (phase == 0) return;
  if (prepare_)
    for (const std::uint32_t item : lane.items) prepare_(context_, item);
  std::size_t next = 0;
  if (!lane.gated.empty()) {  // they go first, for somebody waits for them; until the gate opens there is other work
    while (next < lane.items.size() && gate_.load(std::memory_order_relaxed) != phase) perform(call_, lane.items[next++]);
    wait_at_gate(phase);
    for (const std::uint32_t item : lane.gated) perform(call_, item);
    unfinished_gated_.fetch_sub(static_cast<std::uint32_t>(lane.gated.size()), std::memory_order_acq_rel);
  }
  while (next < lane.items.size()) perform(call_, lane.items[next++]);
  unfinished_.fetch_sub(lane.size(), std::memory_order_acq_rel);
}

void WorkerTeam::perform(Call call, std::uint32_t item) {
  try {
    call(context_, item);
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (failure_ && failed_item_ < item) return;
    failure_ = std::current_exception();
    failed_item_ = item;
  }
}

void WorkerTeam::wait_at_gate(std::uint32_t phase) const {
  for (int looks = 0; gate_.load(std::memory_order_acquire) != phase; ++looks) {
    if (looks < kPauses) _mm_pause();
    else std::this_thread::yield();
  }
}

// The caller's waiting. Whose thread has not come by then is helped.
void WorkerTeam::wait_for(const std::atomic<std::uint32_t>& left) {
  for (int looks = 0; left.load(std::memory_order_acquire) != 0; ++looks) {
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
