#include "gpu/worker_team.h"

#include <immintrin.h>

#include <algorithm>
#include <utility>

namespace heddle::gpu {

namespace {

// How long a thread looks before it lets others run, and how often it does that before it sleeps. A window takes tens of
// microseconds, a pause about 20 nanoseconds.
constexpr int kPauses = 2000, kYields = 200;

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

std::uint32_t WorkerTeam::added() const {
  std::size_t sum = 0;
  for (const auto& lane : lanes_) sum += lane->items.size();
  return static_cast<std::uint32_t>(sum);
}

void WorkerTeam::run(bool shared) {
  if (shared && !workers_.empty()) {
    std::uint32_t phase = phase_.load(std::memory_order_relaxed) + 1;
    if (phase == 0) ++phase;
    unfinished_.store(added(), std::memory_order_relaxed);
    for (auto& lane : lanes_)
      if (!lane->items.empty()) lane->open.store(phase, std::memory_order_release);
    phase_.store(phase);
    phase_.notify_all();
    take_part(*lanes_[0]);
    wait_for_the_rest(phase);
  } else {
    for (auto& lane : lanes_)
      for (const std::uint32_t item : lane->items) perform(item);
  }
  for (auto& lane : lanes_) lane->items.clear();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
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
  if (lane.open.load(std::memory_order_acquire) == 0 || lane.open.exchange(0, std::memory_order_acq_rel) == 0) return;
  if (prepare_)
    for (const std::uint32_t item : lane.items) prepare_(context_, item);
  for (const std::uint32_t item : lane.items) perform(item);
  unfinished_.fetch_sub(static_cast<std::uint32_t>(lane.items.size()), std::memory_order_acq_rel);
}

void WorkerTeam::perform(std::uint32_t item) {
  try {
    call_(context_, item);
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (failure_ && failed_item_ < item) return;
    failure_ = std::current_exception();
    failed_item_ = item;
  }
}

void WorkerTeam::wait_for_the_rest(std::uint32_t phase) {
  // Threads that were away are not waited for until they are back.
  for (auto& lane : lanes_)
    if (lane->absent && lane->arrived.load(std::memory_order_relaxed) != phase) take_part(*lane);
  for (int looks = 0; unfinished_.load(std::memory_order_acquire) != 0; ++looks) {
    if (looks < kPauses) {
      _mm_pause();
      continue;
    }
    if (looks == kPauses)
      for (auto& lane : lanes_) take_part(*lane);
    std::this_thread::yield();
  }
  for (std::size_t i = 1; i < lanes_.size(); ++i) lanes_[i]->absent = lanes_[i]->arrived.load(std::memory_order_relaxed) != phase;
}

}  // namespace heddle::gpu
