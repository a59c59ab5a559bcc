#include "gpu/engine.h"

#include <immintrin.h>

#include <algorithm>

#include "exec/livelock/hang_report.h"
#include "gpu/cta/round_robin.h"

namespace heddle::gpu {

namespace {
// Threads share a window when at least so many SMs have something to do in it; the memory system
// counts as one.
constexpr std::uint32_t kMinSharedItems = 3;
}  // namespace

// A global atomic acts on memory when its packet reaches the L2 slice, through the source that
// issued it. Its kernel runs, because it waits for the reply.
class Engine::Atomics final : public mem::AtomicUnit {
 public:
  explicit Atomics(const std::vector<RunningKernel*>& by_number) : by_number_(by_number) {}
  void perform(const mem::Packet& packet) override {
    by_number_[packet.kernel]->sources[packet.sm]->perform_atomic(packet.atomic, packet.lanes);
  }

 private:
  const std::vector<RunningKernel*>& by_number_;
};

namespace {

std::uint32_t l1_lines(const config::GpuSpec& spec) {
  return static_cast<std::uint32_t>(spec.sm.l1d.size_bytes / std::max(1u, spec.sm.l1d.line_bytes));
}

sched::PolicyContext policy_context(const config::GpuSpec& spec, std::uint64_t seed,
                                    std::shared_ptr<sched::SharedState> in_gpu) {
  sched::PolicyContext context;
  context.schedulers = static_cast<int>(spec.sm.schedulers);
  context.warp_slots = static_cast<int>(spec.sm.max_warps());
  context.seed = seed;
  context.in_sm = std::make_shared<sched::SharedState>();
  context.in_gpu = std::move(in_gpu);
  context.l1_line_bytes = std::max(1u, spec.sm.l1d.line_bytes);
  context.l1_lines = l1_lines(spec);
  return context;
}

CtaContext cta_context(const config::GpuSpec& spec, std::uint64_t seed) {
  CtaContext context;
  context.layout = {static_cast<int>(spec.clusters), static_cast<int>(spec.sms_per_cluster),
                    static_cast<int>(spec.first_cluster % spec.clusters)};
  context.skips_clusters = spec.cta_placement == config::CtaPlacement::skipping_clusters;
  context.seed = seed;
  return context;
}

}  // namespace

Engine::Engine(const config::GpuSpec& spec, const Policies& policies, std::uint64_t seed,
               const Threads& threads, std::uint32_t programs)
    : spec_(spec),
      programs_(programs),
      by_number_(std::max(1u, spec.concurrent_kernels)),
      atomics_(std::make_unique<Atomics>(by_number_)),
      make_cta_scheduler_([&ctas = policies.ctas, context = cta_context(spec, seed)] {
        return ctas.build(context);
      }),
      make_cooperative_([context = cta_context(spec, seed)] { return make_round_robin(context); }),
      share_(policies.share.build({static_cast<int>(spec.sms()), spec.sm})),
      share_needs_(share_->needs()),
      analyses_({spec.sm.l1d.line_bytes, l1_lines(spec)}),
      balance_(spec.sms(), spec.memory.channels, std::min(threads.count, spec.sms()),
               threads.share_always),
      team_(std::min(threads.count, spec.sms())) {
  const int sms = static_cast<int>(spec.sms());
  std::vector<mem::SmPort*> ports;
  for (int i = 0; i < sms; ++i) {
    ports_.push_back(std::make_unique<mem::SmPort>(2 * spec.network.injection_packets,
                                                   spec.network.ejection_packets,
                                                   mem::SmPort::Sides::at_once));
    ports.push_back(ports_.back().get());
  }
  memory_system_ = std::make_unique<mem::MemorySystem>(spec_, ports, *atomics_);
  for (int i = 0; i < sms; ++i) {
    sched::PolicyContext context = policy_context(spec, seed, policy_state_);
    context.sm = i;
    const auto make_scheduler = [&](int scheduler) {
      context.scheduler = scheduler;
      return policies.warps.build(context);
    };
    sms_.push_back(std::make_unique<sm::Sm>(i, spec_, *ports_[i], make_scheduler));
  }
  if (sms_.front()->has_subscriber(sm::Event::l2_reuse)) memory_system_->watch_reuse();
  progress_.resize(sms_.size());
  wake_cycle_.resize(sms_.size());
  work_ = std::make_unique<WindowWork>(*this);
  free_slots_.resize(sms_.size());
  next_start_.resize(sms_.size());
  placements_.reserve(sms * 16);
  count_for_cta_schedulers();
}

Engine::~Engine() = default;

std::vector<QueuedKernel> Engine::advance(const Until& until, const AfterWindow& after_window) {
  check_invariant(!truncated_, "a launch is timed after a truncated one");
  std::vector<QueuedKernel> ended;
  while (ended.empty() && now_ < until.time) {
    queue_nested(until.time);
    start_queued();
    if (running_.empty()) {
      if (until.time != Cycle::never()) now_ = until.time;  // nothing happens until then
      break;
    }
    const Cycle to = window_end();
    dispatch_ctas(to);
    run_window(to);
    exchange_packets(to);
    policy_state_->end_window();
    now_ = to;
    if (watches_first_warp_) record_first_warps();
    serve_device_calls();
    serve_cta_schedulers();
    if (deadlocked())
      exec::throw_deadlock(running_.front()->launch, "kernel",
                           describe_warps(exec::kMaxWarpsInFault));
    look_for_hangs();
    if (after_window) after_window();
    if (until.stop && until.stop->load(std::memory_order_relaxed))
      throw exec::Interrupted{until.stop->load(), describe_warps(8)};
    end_complete(ended);
    if (now_ >= share_epoch_end_) end_share_epoch();
    if (reached(until)) {
      for (QueuedKernel& k : truncate(until.stop)) ended.push_back(std::move(k));
      break;
    }
  }
  return ended;
}

// The work of a window. SMs are free items: they run in any order. Memory partitions are gated
// items: they run between the two network phases.
class Engine::WindowWork final : public WorkerTeam::Work {
 public:
  explicit WindowWork(Engine& engine)
      : engine_(engine), sms_(static_cast<std::uint32_t>(engine.sms_.size())) {}
  void begin(Cycle to, bool memory) { to_ = to, memory_ = memory; }

  void prepare(std::uint32_t sm) override { engine_.ports_[sm]->prefetch_replies(); }
  void run_free(std::uint32_t sm, std::uint32_t next) override {
    timed(sm, [&] {
      if (next != WorkerTeam::kNone) engine_.sms_[next]->prefetch();
      engine_.run_sm(sm, to_);
    });
  }
  void run_gated(std::uint32_t partition) override {
    timed(sms_ + 1 + partition, [&] { engine_.memory_system_->run_partition(partition); });
  }
  void before_gated() override {
    if (!memory_) return;
    for (const auto& port : engine_.ports_) port->prefetch_requests();
    timed(sms_, [&] { engine_.memory_system_->take_requests(engine_.now_, to_); });
  }
  void after_gated() override {
    if (memory_) timed(sms_, [&] { engine_.memory_system_->make_replies(); });
  }

 private:
  template <class F>
  void timed(std::uint32_t item, F&& act) const {
    const std::uint64_t start = __rdtsc();
    act();
    engine_.balance_.add_ticks(item, __rdtsc() - start);
  }

  Engine& engine_;
  const std::uint32_t sms_;
  Cycle to_;
  bool memory_ = false;  // the memory system has something to do
};

// While the SMs run the window, the memory system handles the requests of the last window and makes
// the replies that the SMs see in the next one.
void Engine::run_window(Cycle to) {
  const auto sms = static_cast<std::uint32_t>(sms_.size());
  const bool memory = memory_system_->next_event(now_) < to;
  std::uint32_t busy = memory;
  if (memory)
    for (std::uint32_t p = 0; p < memory_system_->partitions(); ++p)
      team_.add_gated(p, balance_.home(sms + 1 + p));
  for (std::uint32_t i = 0; i < sms; ++i) {
    if (wake_cycle_[i] >= to) continue;
    team_.add_free(i, balance_.home(i));
    ++busy;
  }
  const bool shared = balance_.worth_sharing() && busy >= kMinSharedItems;
  const std::uint64_t start = __rdtsc();
  work_->begin(to, memory);
  team_.run(shared, *work_);
  balance_.window_done(shared ? __rdtsc() - start : 0);
}

// SMs and memory system exchange the packets of the window that ends at `to`. Global memory
// receives the window's stores, then its atomics.
void Engine::exchange_packets(Cycle to) {
  if (team_.threads() > 1)
    for (std::size_t i = 0; i < sms_.size(); ++i)
      ports_[i]->prefetch_sent(), __builtin_prefetch(&progress_[i]);
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    SmProgress& progress = progress_[i];
    ports_[i]->settle();
    wake_cycle_[i] = std::min(progress.next_event, ports_[i]->next_reply());
    if (progress.ran_until == to) synchronise(i);
    if (!progress.finished.empty()) record_finished_ctas(i);
  }
  memory_system_->perform_atomics();
}

void Engine::synchronise(std::size_t sm) {
  for (const auto& k : running_) k->sources[sm]->synchronise();
}

void Engine::run_sm(std::size_t i, Cycle to) {
  sms_[i]->run(progress_[i].ran_until, to);
  progress_[i].ran_until = to;
  update_progress(i);
}

void Engine::update_progress(std::size_t i) {
  SmProgress& progress = progress_[i];
  progress.next_event = sms_[i]->next_event(progress.ran_until);
  progress.has_ctas = sms_[i]->has_ctas();
  progress.drained = sms_[i]->drained();
  progress.finished = sms_[i]->take_finished_ctas();
}

// The end of the next window, or of the last of several windows in which nothing happens. Windows
// always begin at multiples of the window's length, because credits and CTAs are handed out only at
// these cycles.
Cycle Engine::window_end() const {
  const std::uint32_t window = spec_.network.window();
  const Cycle shortest = now_ + window;
  Cycle next = std::min(memory_system_->next_event(now_), next_epoch_);
  if (!later_.empty()) next = std::min(next, later_.begin()->first);
  for (const auto& k : running_)
    if (k->ready > now_) next = std::min(next, k->ready);
  for (std::size_t i = 0; i < sms_.size() && next > shortest; ++i) {
    if (can_start_cta(i)) return shortest;
    next = std::min({next, wake_cycle_[i], ports_[i]->next_request()});
  }
  if (next == Cycle::never() || next <= shortest) return shortest;
  return now_ + (next - now_) / window * window;
}

void Engine::observe(const std::vector<sm::SmObserver*>& observers, mem::MemoryObserver* memory) {
  for (std::size_t i = 0; i < sms_.size(); ++i) sms_[i]->observe(observers[i]);
  memory_system_->observe(memory);
}

sm::SmStats Engine::sm_totals() const {
  sm::SmStats sum;
  for (const auto& sm : sms_) stats::add(sum, sm->stats());
  return sum;
}

sm::SmStats Engine::kernel_totals(const RunningKernel& k) const {
  sm::SmStats sum;
  for (const auto& sm : sms_) stats::add(sum, sm->kernel_stats(k.number));
  return sum;
}

sm::PolicyReport Engine::policy_report(sm::PolicyReport::Contents asks, int kernel) const {
  sm::PolicyReport report(asks, kernel);
  for (const auto& sm : sms_) sm->report(report, now_);
  sm::PolicyReport of_ctas(asks);  // a CTA scheduler serves one kernel
  for (std::size_t i = 0; i < cta_schedulers_.size(); ++i)
    if (cta_schedulers_[i] &&
        (kernel == sm::PolicyReport::kAllKernels || static_cast<int>(i) == kernel))
      cta_schedulers_[i]->report_statistics(of_ctas);
  report.append(of_ctas);
  share_->report_statistics(report);
  return report;
}

}  // namespace heddle::gpu
