#include "gpu/engine/engine.h"

#include <algorithm>
#include <utility>

#include "gpu/launch_builder.h"

namespace heddle::gpu {

Engine::Engine(const config::GpuSpec& spec, const Policies& policies, std::uint64_t seed,
               const WindowClock::Threads& threads, std::uint32_t programs)
    : running_(spec.concurrent_kernels, programs),
      hardware_(spec, policies.warps, seed, running_,
                threads.count > 1 ? mem::SmPort::Sides::at_once : mem::SmPort::Sides::in_turn),
      clock_(spec.network.window(), hardware_.windowed_sms(), hardware_.ports(), hardware_.memory(),
             threads),
      cluster_network_(hardware_, clock_, running_),
      share_(policies.share.build({static_cast<int>(spec.sms()), spec.sm}), hardware_, clock_,
             running_),
      dispatch_(policies.ctas, seed, hardware_, clock_, running_, share_),
      cta_epochs_(dispatch_.needs(), hardware_, clock_, running_),
      ledger_(hardware_, clock_, running_, dispatch_, share_),
      hangs_(policies.warps.text() + ", CTA scheduler " + policies.ctas.text() + ", share policy " +
                 policies.share.text(),
             hardware_, clock_, running_, queue_, dispatch_),
      device_calls_(hardware_, clock_),
      waves_(hardware_, clock_, running_, ledger_),
      warming_(hardware_, clock_) {}

bool Engine::busy(std::uint32_t program) const {
  const auto of_program = [&](const QueuedKernel& k) { return program_of(k) == program; };
  return std::any_of(queue_.waiting().begin(), queue_.waiting().end(), of_program) ||
         std::any_of(running_.begin(), running_.end(),
                     [&](const auto& k) { return of_program(*k); });
}

void Engine::observe(const std::vector<sm::SmObserver*>& observers, mem::MemoryObserver* memory) {
  for (std::size_t i = 0; i < hardware_.sms(); ++i) hardware_.sm(i).observe(observers[i]);
  hardware_.memory().observe(memory);
}

void Engine::watch_cta_sharing() {
  for (std::size_t i = 0; i < hardware_.sms(); ++i) hardware_.sm(i).watch_cta_sharing();
}

std::vector<QueuedKernel> Engine::advance(const Until& until, const AfterWindow& after_window) {
  check_invariant(!truncated_, "a launch is timed after a truncated one");
  std::vector<QueuedKernel> ended;
  while (ended.empty() && now() < until.time) {
    release_nested(until.time);
    start_queued();
    if (running_.empty()) {
      if (until.time != Cycle::never()) clock_.skip_to(until.time);  // nothing happens until then
      break;
    }
    run_window(window_end());
    ledger_.record_first_warps();
    device_calls_.serve();
    cta_epochs_.serve();
    waves_.look();
    hangs_.look();
    if (after_window) after_window();
    if (until.stop && until.stop->load(std::memory_order_relaxed))
      throw exec::Interrupted{until.stop->load(), hangs_.describe_warps(8)};
    end_complete(ended, until.stop);
    share_.end_epoch_when_due();
    if (until.reached(now(), running_, [&] { return ledger_.thread_instructions_running(); })) {
      for (QueuedKernel& k : truncate(until.stop)) ended.push_back(std::move(k));
      break;
    }
  }
  return ended;
}

// Nested launches whose time comes in the next window. An idle GPU skips the time until then.
void Engine::release_nested(Cycle until) {
  const Cycle next = queue_.next_release();
  if (next == Cycle::never()) return;
  if (running_.empty() && queue_.empty()) clock_.skip_to(std::max(now(), std::min(next, until)));
  queue_.release(now() + clock_.window_cycles());
}

// The CTAs of a cooperative launch wait for each other, so all must be resident: it runs alone.
bool Engine::may_start(const QueuedKernel& kernel) const {
  if (running_.empty()) return true;
  return running_.free_number(program_of(kernel)) >= 0 && !cooperates(kernel) &&
         !cooperates(running_.front());
}

// Launches that the hardware takes in the same cycle wait for their launch latency together. On an
// idle GPU nothing else happens meanwhile.
void Engine::start_queued() {
  const bool idle = running_.empty();
  bool any = false, any_by_host = false;
  while (!queue_.empty() && may_start(queue_.front())) {
    any = true;
    any_by_host |= !queue_.front().nested;
    start(queue_.take_front());
  }
  if (!any) return;
  if (idle) {
    hardware_.memory().kernels_began(now());
    if (any_by_host) clock_.skip_to(now() + hardware_.spec().kernel_launch_latency);
    cta_epochs_.begin();
  }
  clock_.kernels_began(idle);
  share_.kernels_changed();
}

void Engine::start(QueuedKernel kernel) {
  const config::GpuSpec& spec = hardware_.spec();
  auto owned = std::make_unique<RunningKernel>();
  RunningKernel& k = *owned;
  static_cast<QueuedKernel&>(k) = std::move(kernel);
  k.number = running_.free_number(program_of(k));
  k.launch_cycle = k.last_cta_end = now();
  k.ready = k.nested ? std::max(now(), k.earliest) : now() + spec.kernel_launch_latency;
  ledger_.begin_kernel(k);
  if (watcher_) watcher_->kernel_started(k);
  clear_grid_workspace(k.launch, *k.memory);
  dispatch_.begin_kernel(k, cta_epochs_.control(k.number));
  const exec::ReplayedLaunch* const replay = k.launch.replay;
  const std::shared_ptr<const exec::DecodedKernel> decoded =
      replay ? nullptr : exec::decode_kernel(*k.launch.kernel);
  k.timing = sm::timing_of(*k.launch.kernel, spec.sm);
  const bool idle = running_.empty();
  for (std::size_t i = 0; i < hardware_.sms(); ++i) {
    if (!idle) clock_.catch_up(i);
    const exec::MachineView view{static_cast<std::uint32_t>(i), spec.sms(), spec.sm.max_warps(),
                                 spec.sm.flow.taken_lanes_first, spec.clocks.core_mhz};
    const int slots = k.placing.ctas_per_sm;
    k.sources.push_back(replay ? replay->make_source(slots)
                               : exec::make_live_source(k.launch, *k.memory, view, slots, decoded));
    hardware_.sm(i).begin_kernel(k.launch, *k.sources[i], k.placing.ctas_per_sm, k.ready,
                                 {k.number, k.placing.registers_per_thread, k.timing,
                                  k.analysis.get(), k.cta_scheduler->direction()});
  }
  HangDetection::watch(k);
  running_.add(std::move(owned));
  ledger_.kernel_began();
}

Cycle Engine::window_end() const {
  Cycle next =
      std::min({cta_epochs_.next(), queue_.next_release(), cluster_network_.next_arrival()});
  for (const auto& k : running_)
    if (k->ready > now()) next = std::min(next, k->ready);
  return clock_.window_end(next, [&] { return dispatch_.can_start(); });
}

void Engine::run_window(Cycle to) {
  dispatch_.dispatch(to);
  clock_.run_window(to);
  clock_.end_window(
      to,
      [&](std::size_t sm) {
        for (const auto& k : running_) k->sources[sm]->synchronise();
      },
      [&](std::size_t sm, const auto& ctas) { dispatch_.record_finished(sm, ctas); });
  cluster_network_.end_window();
  hardware_.end_window();
}

void Engine::end_complete(std::vector<QueuedKernel>& ended, const exec::StopRequest* stop) {
  if (std::none_of(running_.begin(), running_.end(),
                   [&](const auto& k) { return hangs_.complete(*k); }))
    return;
  ledger_.attribute_memory();
  for (std::size_t i = 0; i < running_.size();) {
    if (!hangs_.complete(running_[i])) {
      ++i;
      continue;
    }
    const std::unique_ptr<RunningKernel> k = running_.remove(i);
    end(*k, KernelLedger::End::complete);
    if (k->omits_ctas()) finish_omitted(*k, stop);
    device_calls_.ctas_ended(*k);
    ended.push_back(std::move(static_cast<QueuedKernel&>(*k)));
  }
  if (running_.empty()) {
    share_.stop();
    ended.back().result.repeated = ledger_.take_repeated_cycles();
  } else {
    share_.kernels_changed();
  }
  device_calls_.resume_callers();
}

// Complete launches do not run any more; truncated ones do.
void Engine::end(RunningKernel& k, KernelLedger::End how) {
  const bool complete = how == KernelLedger::End::complete;
  for (std::size_t i = 0; i < hardware_.sms(); ++i) {
    clock_.catch_up(i);
    if (complete) hardware_.sm(i).end_kernel(now(), k.number);
  }
  if (complete && running_.empty()) {
    hardware_.memory().check_conservation();
    if (hardware_.spec().memory.flush_l2_at_kernel_end) hardware_.memory().empty_l2();
  }
  ledger_.end_kernel(k, how);
  if (watcher_) watcher_->kernel_ended(k);
}

exec::FunctionalCounts Engine::finish(RunningKernel& k, const exec::StopRequest* stop,
                                      const exec::LastCtas& last) {
  const auto begun = std::chrono::steady_clock::now();
  const exec::FunctionalCounts rest = finish_untimed(k, hardware_, stop, last);
  untimed_time_ += std::chrono::steady_clock::now() - begun;
  return rest;
}

// The CTAs that were not timed run functionally; the last ones warm the L2.
void Engine::finish_omitted(RunningKernel& k, const exec::StopRequest* stop) {
  if (!running_.empty()) {
    finish(k, stop);
    return;
  }
  SteadyWaves& steady = k.result.steady.back();
  steady.warming_instructions =
      finish(k, stop, warming_.begin(k, k.placing.ctas_per_sm)).listened_warp_instructions;
  steady.warming_dram = warming_.dram();
}

// At a limit the launches that run are computed to their end without timing.
std::vector<QueuedKernel> Engine::truncate(const exec::StopRequest* stop) {
  truncated_ = true;
  ledger_.attribute_memory();
  for (const auto& k : running_) end(*k, KernelLedger::End::truncated);
  device_calls_.stop_timing(queue_);
  // A launch waits for those that it has launched, so later launches are finished first.
  std::vector<RunningKernel*> order;
  for (const auto& k : running_) order.push_back(k.get());
  std::sort(order.begin(), order.end(), [](const RunningKernel* a, const RunningKernel* b) {
    return a->launch_number > b->launch_number;
  });
  for (RunningKernel* const k : order) {
    finish(*k, stop);
    device_calls_.ctas_ended(*k);
  }
  std::vector<QueuedKernel> ended;
  for (const auto& k : running_.remove_all())
    ended.push_back(std::move(static_cast<QueuedKernel&>(*k)));
  ended.back().result.repeated = ledger_.take_repeated_cycles();
  return ended;
}

}  // namespace heddle::gpu
