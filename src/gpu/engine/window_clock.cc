#include "gpu/engine/window_clock.h"

#include <immintrin.h>

#include <utility>

namespace heddle::gpu {

namespace {
// Threads share a window when at least so many SMs have something to do in it; the memory system
// counts as one.
constexpr std::uint32_t kMinSharedItems = 3;
}  // namespace

// The work of a window. SMs are free items: they run in any order. Memory partitions are gated
// items: they run between the two network phases.
class WindowClock::Work final : public WorkerTeam::Work {
 public:
  Work(WindowClock& clock, bool times_items)
      : clock_(clock),
        sms_(static_cast<std::uint32_t>(clock.sms_.size())),
        times_items_(times_items) {}
  void begin(Cycle to, bool memory) { to_ = to, memory_ = memory; }

  void prepare(std::uint32_t sm) override { clock_.ports_[sm]->prefetch_replies(); }
  void run_free(std::uint32_t sm, std::uint32_t next) override {
    timed(sm, [&] {
      if (next != WorkerTeam::kNone) clock_.sms_[next]->prefetch();
      clock_.run_sm(sm, to_);
    });
  }
  void run_gated(std::uint32_t partition) override {
    if (clock_.memory_.partition_sleeps(partition)) return;
    timed(sms_ + 1 + partition, [&] { clock_.memory_.run_partition(partition); });
  }
  void before_gated() override {
    if (!memory_) return;
    timed(sms_, [&] { clock_.memory_.take_requests(clock_.now_, to_); });
  }
  void after_gated() override {
    if (memory_) timed(sms_, [&] { clock_.memory_.make_replies(); });
  }

 private:
  template <class F>
  void timed(std::uint32_t item, F&& act) const {
    if (!times_items_) return act();
    const std::uint64_t start = __rdtsc();
    act();
    clock_.balance_.add_ticks(item, __rdtsc() - start);
  }

  WindowClock& clock_;
  const std::uint32_t sms_;
  const bool times_items_;  // for the balance between threads; reading the clock takes long
  Cycle to_;
  bool memory_ = false;  // the memory system has something to do
};

WindowClock::WindowClock(std::uint32_t window_cycles, std::vector<sm::WindowedSm*> sms,
                         std::vector<mem::SmPort*> ports, mem::MemorySystem& memory,
                         const Threads& threads)
    : window_cycles_(window_cycles),
      sms_(std::move(sms)),
      ports_(std::move(ports)),
      memory_(memory),
      progress_(sms_.size()),
      wake_cycle_(sms_.size()),
      balance_(static_cast<std::uint32_t>(sms_.size()), memory.partitions(),
               std::min(threads.count, static_cast<std::uint32_t>(sms_.size())),
               threads.share_always),
      work_(std::make_unique<Work>(*this, threads.count > 1)),
      team_(std::min(threads.count, static_cast<std::uint32_t>(sms_.size()))) {}

WindowClock::~WindowClock() = default;

// While the SMs run the window, the memory system handles the requests of the last window and makes
// the replies that the SMs see in the next one.
void WindowClock::run_window(Cycle to) {
  const auto sms = static_cast<std::uint32_t>(sms_.size());
  const bool memory = memory_.next_event(now_) < to;
  const std::uint32_t partitions = memory ? memory_.partitions() : 0;
  for (std::uint32_t p = 0; p < partitions; ++p) team_.add_gated(p, balance_.home(sms + 1 + p));
  std::uint32_t busy = memory;
  changed_ = {};
  for (std::uint32_t i = 0; i < sms; ++i) {
    if (wake_cycle_[i] >= to) continue;
    team_.add_free(i, balance_.home(i));
    changed_.set(i);
    ++busy;
  }
  const bool shared = balance_.worth_sharing() && busy >= kMinSharedItems;
  const std::uint64_t start = shared ? __rdtsc() : 0;
  work_->begin(to, memory);
  team_.run(shared, *work_);
  if (memory) changed_ |= memory_.changed_ports();
  balance_.window_done(shared ? __rdtsc() - start : 0);
}

void WindowClock::run_sm(std::size_t i, Cycle to) {
  sms_[i]->run(progress_[i].ran_until, to);
  progress_[i].ran_until = to;
  update_progress(i);
}

void WindowClock::update_progress(std::size_t i) {
  Progress& progress = progress_[i];
  progress.next_event = sms_[i]->next_event(progress.ran_until);
  progress.has_ctas = sms_[i]->has_ctas();
  progress.drained = sms_[i]->drained();
  progress.finished = sms_[i]->take_finished_ctas();
}

void WindowClock::kernels_began(bool after_idle) {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    if (after_idle) progress_[i].ran_until = now_;
    update_progress(i);
    update_wake_cycle(i);
  }
}

void WindowClock::cta_queued(std::size_t sm, Cycle at) {
  wake_cycle_[sm] = std::min(wake_cycle_[sm], at);
  progress_[sm].has_ctas = true;
  progress_[sm].drained = false;
}

bool WindowClock::without_ctas_are_drained() const {
  return std::all_of(progress_.begin(), progress_.end(),
                     [](const Progress& sm) { return sm.has_ctas || sm.drained; });
}

bool WindowClock::any_undrained() const {
  return std::any_of(progress_.begin(), progress_.end(),
                     [](const Progress& sm) { return !sm.drained; });
}

bool WindowClock::nothing_happens() const {
  return std::all_of(wake_cycle_.begin(), wake_cycle_.end(),
                     [](Cycle wake) { return wake == Cycle::never(); }) &&
         memory_.idle();
}

}  // namespace heddle::gpu
