#include "gpu/engine.h"

#include <immintrin.h>

#include <algorithm>

#include "exec/livelock/hang_report.h"

namespace heddle::gpu {

namespace {
// Threads share a window when at least so many SMs have something to do in it; the memory system
// counts as one.
constexpr std::uint32_t kMinSharedItems = 3;
}  // namespace

// A global atomic acts on memory when its packet reaches the L2 slice, through the source that
// issued it.
class Engine::Atomics final : public mem::AtomicUnit {
 public:
  explicit Atomics(const std::vector<std::unique_ptr<exec::InstructionSource>>& sources)
      : sources_(sources) {}
  void perform(const mem::Packet& packet) override {
    sources_[packet.sm]->perform_atomic(packet.atomic, packet.lanes);
  }

 private:
  const std::vector<std::unique_ptr<exec::InstructionSource>>& sources_;
};

namespace {

sched::PolicyContext policy_context(const config::GpuSpec& spec, std::uint64_t seed,
                                    std::shared_ptr<sched::SharedState> in_gpu) {
  sched::PolicyContext context;
  context.schedulers = static_cast<int>(spec.sm.schedulers);
  context.warp_slots = static_cast<int>(spec.sm.max_warps());
  context.seed = seed;
  context.in_sm = std::make_shared<sched::SharedState>();
  context.in_gpu = std::move(in_gpu);
  context.l1_line_bytes = std::max(1u, spec.sm.l1d.line_bytes);
  context.l1_lines = static_cast<std::uint32_t>(spec.sm.l1d.size_bytes / context.l1_line_bytes);
  return context;
}

std::unique_ptr<CtaDispatcher> dispatcher_of(const config::GpuSpec& spec) {
  const SmLayout layout{static_cast<int>(spec.clusters), static_cast<int>(spec.sms_per_cluster),
                        static_cast<int>(spec.first_cluster % spec.clusters)};
  if (spec.cta_placement == config::CtaPlacement::skipping_clusters)
    return std::make_unique<SkippingDispatcher>(layout);
  return std::make_unique<RoundRobinDispatcher>(layout);
}

}  // namespace

Engine::Engine(const config::GpuSpec& spec, const sched::Policy& policy, std::uint64_t seed,
               const Threads& threads, exec::GlobalMemory& memory)
    : spec_(spec),
      memory_(memory),
      atomics_(std::make_unique<Atomics>(sources_)),
      dispatcher_(dispatcher_of(spec)),
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
      return policy.build(context);
    };
    sms_.push_back(std::make_unique<sm::Sm>(i, spec_, *ports_[i], make_scheduler));
  }
  if (sms_.front()->has_subscriber(sm::Event::l2_reuse)) memory_system_->watch_reuse();
  progress_.resize(sms_.size());
  wake_cycle_.resize(sms_.size());
  work_ = std::make_unique<WindowWork>(*this);
  free_slots_.resize(sms_.size());
  placements_.reserve(sms * 16);
}

Engine::~Engine() = default;

void Engine::run(const exec::Launch& launch, int ctas_per_sm, KernelResult& result,
                 const Until& until, const AfterWindow& after_window) {
  check_invariant(!truncated_, "a launch is timed after a truncated one");
  const sm::SmStats sm_before = sm_totals();
  const mem::MemoryStats memory_before = memory_system_->stats();
  const sm::PolicyReport policy_before = policy_report(sm::PolicyReport::Contents::counters);
  start(launch, ctas_per_sm);
  while (!(dispatcher_->exhausted() && drained())) {
    const Cycle to = window_end();
    dispatch_ctas(to, result.ctas);
    run_window(to);
    exchange_packets(to, result.ctas);
    policy_state_->end_window();
    now_ = to;
    if (deadlocked())
      exec::throw_deadlock(launch, "kernel", describe_warps(exec::kMaxWarpsInFault));
    if (now_ >= hang_watch_->next_look()) look_for_hang();
    if (after_window) after_window();
    if (until.stop && until.stop->load(std::memory_order_relaxed))
      throw exec::Interrupted{until.stop->load(), describe_warps(8)};
    if (reached(until, sm_before.thread_instructions)) {
      truncated_ = true;
      break;
    }
  }
  if (dispatcher_->exhausted() && drained()) truncated_ = false;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    run_sm(i, now_);
    if (!truncated_) sms_[i]->end_kernel(now_);
  }
  if (!truncated_) memory_system_->check_conservation();
  if (!truncated_ && spec_.memory.flush_l2_at_kernel_end) memory_system_->empty_l2();

  result.start = launch_cycle_;
  result.truncated = truncated_;
  result.cycles = (truncated_ ? now_ : last_cta_end_) - launch_cycle_;
  result.sm = sm_totals();
  stats::subtract(result.sm, sm_before);
  result.memory = memory_system_->stats();
  stats::subtract(result.memory, memory_before);
  result.policy = policy_report(sm::PolicyReport::Contents::counters_and_records);
  result.policy.subtract(policy_before);
  result.warp_instructions = result.sm.warp_instructions;
  result.thread_instructions = result.sm.thread_instructions;
  if (truncated_) finish_untimed(launch, result, until.stop);
}

void Engine::start(const exec::Launch& launch, int ctas_per_sm) {
  launch_cycle_ = last_cta_end_ = now_;
  announced_last_cta_ = false;
  now_ += spec_.kernel_launch_latency;
  sources_.clear();
  const std::shared_ptr<const exec::DecodedKernel> decoded = exec::decode_kernel(*launch.kernel);
  timing_ = sm::timing_of(*launch.kernel, spec_.sm);
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const exec::MachineView view{static_cast<std::uint32_t>(i), spec_.sms(), spec_.sm.max_warps(),
                                 spec_.clocks.core_mhz};
    sources_.push_back(exec::make_live_source(launch, memory_, view, ctas_per_sm, decoded));
    sms_[i]->begin_kernel(launch, *sources_[i], ctas_per_sm, now_, {0, 0, timing_});
    progress_[i].ran_until = now_;
    update_progress(i);
    wake_cycle_[i] = progress_[i].next_event;
  }
  start_hang_watch(launch);
  dispatcher_->begin_kernel(launch.grid, static_cast<int>(sms_.size()), ctas_per_sm);
}

void Engine::dispatch_ctas(Cycle to, CtaTimes& times) {
  if (dispatcher_->exhausted()) return;
  for (std::size_t i = 0; i < sms_.size(); ++i) free_slots_[i] = progress_[i].free_cta_slots;
  placements_.clear();
  dispatcher_->dispatch(now_, to, free_slots_, placements_);
  for (const auto& placement : placements_) {
    sms_[placement.sm]->queue_cta(placement.cta, placement.at);
    SmProgress& progress = progress_[placement.sm];
    wake_cycle_[placement.sm] = std::min(wake_cycle_[placement.sm], placement.at);
    --progress.free_cta_slots;
    progress.drained = false;
    times.last_dispatch = placement.at - launch_cycle_;
    last_placed_cta_ = placement.cta;
  }
  if (dispatcher_->exhausted() && !announced_last_cta_) announce_last_cta();
}

void Engine::announce_last_cta() {
  announced_last_cta_ = true;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    run_sm(i, now_);
    sms_[i]->last_cta_dispatched(now_);
    wake_cycle_[i] = now_;
  }
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
void Engine::exchange_packets(Cycle to, CtaTimes& times) {
  if (team_.threads() > 1)
    for (std::size_t i = 0; i < sms_.size(); ++i)
      ports_[i]->prefetch_sent(), __builtin_prefetch(&progress_[i]);
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    SmProgress& progress = progress_[i];
    ports_[i]->settle();
    wake_cycle_[i] = std::min(progress.next_event, ports_[i]->next_reply());
    if (progress.ran_until == to) sources_[i]->synchronise();
    if (!progress.finished.empty()) record_finished_ctas(progress, times);
  }
  memory_system_->perform_atomics();
}

void Engine::record_finished_ctas(SmProgress& progress, CtaTimes& times) {
  for (const auto& cta : progress.finished) {
    const std::uint64_t cycles = cta.end - cta.start;
    ++times.count;
    times.total_cycles += cycles;
    times.longest_cycles = std::max(times.longest_cycles, cycles);
    if (cta.end >= last_cta_end_) times.last_cycles = cycles;
    last_cta_end_ = std::max(last_cta_end_, cta.end);
    if (dispatcher_->exhausted() && cta.cta == last_placed_cta_)
      times.last_dispatched_cycles = cycles;
  }
  progress.finished.clear();
}

void Engine::run_sm(std::size_t i, Cycle to) {
  sms_[i]->run(progress_[i].ran_until, to);
  progress_[i].ran_until = to;
  update_progress(i);
}

void Engine::update_progress(std::size_t i) {
  SmProgress& progress = progress_[i];
  progress.next_event = sms_[i]->next_event(progress.ran_until);
  progress.free_cta_slots = sms_[i]->free_cta_slots();
  progress.drained = sms_[i]->drained();
  progress.finished = sms_[i]->take_finished_ctas();
}

bool Engine::can_start_cta(std::size_t i) const {
  return !dispatcher_->exhausted() && progress_[i].free_cta_slots > 0;
}

// The end of the next window, or of the last of several windows in which nothing happens. Windows
// always begin at multiples of the window's length, because credits and CTAs are handed out only at
// these cycles.
Cycle Engine::window_end() const {
  const std::uint32_t window = spec_.network.window();
  const Cycle shortest = now_ + window;
  Cycle next = memory_system_->next_event(now_);
  for (std::size_t i = 0; i < sms_.size() && next > shortest; ++i) {
    if (can_start_cta(i)) return shortest;
    next = std::min({next, wake_cycle_[i], ports_[i]->next_request()});
  }
  if (next == Cycle::never() || next <= shortest) return shortest;
  return now_ + (next - now_) / window * window;
}

bool Engine::drained() const {
  return std::all_of(progress_.begin(), progress_.end(),
                     [](const SmProgress& progress) { return progress.drained; });
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

sm::PolicyReport Engine::policy_report(sm::PolicyReport::Contents asks) const {
  sm::PolicyReport report(asks);
  for (const auto& sm : sms_) sm->report(report, now_);
  return report;
}

std::uint64_t Engine::warp_instructions() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms_) sum += sm->stats().warp_instructions;
  return sum;
}

std::uint64_t Engine::thread_instructions() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms_) sum += sm->stats().thread_instructions;
  return sum;
}

}  // namespace heddle::gpu
