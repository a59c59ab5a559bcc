#include "gpu/worker_team.h"

#include <immintrin.h>

#include <algorithm>
#include <utility>

namespace heddle::gpu {

namespace {

// How long a thread looks before it lets others run, and how often it does that before it sleeps. A window takes tens of
// microseconds, a pause about 20 nanoseconds.
constexpr int kPauses = 2000, kYields = 200;

constexpr std::uint64_t range_of(std::uint32_t phase, std::uint64_t first, std::uint64_t end) {
  return std::uint64_t{phase} << 32 | first << 16 | end;
}
constexpr std::uint32_t first_of(std::uint64_t range) { return static_cast<std::uint32_t>(range >> 16 & 0xFFFF); }
constexpr std::uint32_t end_of(std::uint64_t range) { return static_cast<std::uint32_t>(range & 0xFFFF); }

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
    const std::uint32_t phase = phase_.load(std::memory_order_relaxed) + 1;
    unfinished_.store(added(), std::memory_order_relaxed);
    for (auto& lane : lanes_) lane->range.store(range_of(phase, 0, lane->items.size()), std::memory_order_release);
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

void WorkerTeam::take_part(Lane& lane) {
  std::uint32_t item, done = 0;
  for (; take(lane, item); ++done) {
    // While one item is held its phase does not end, and the list stays.
    if (done == 0 && prepare_)
      for (const std::uint32_t each : lane.items) prepare_(context_, each);
    perform(item);
  }
  if (done) unfinished_.fetch_sub(done, std::memory_order_acq_rel);
}

// The range names its phase, so nothing is taken on the word of an earlier one; whoever takes an item sees what its phase is.
bool WorkerTeam::take(Lane& lane, std::uint32_t& item) {
  std::uint64_t range = lane.range.load(std::memory_order_acquire);
  while (first_of(range) < end_of(range)) {
    if (!lane.range.compare_exchange_weak(range, range + (1u << 16), std::memory_order_acq_rel, std::memory_order_acquire)) continue;
    item = lane.items[first_of(range)];
    return true;
  }
  return false;
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
