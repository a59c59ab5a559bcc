// The start and the end of launches.
#include <algorithm>
#include <numeric>
#include <utility>

#include "gpu/engine.h"
#include "gpu/launch_builder.h"

namespace heddle::gpu {
namespace {

// whole times weight / weights, rounded down.
std::uint64_t part_of(std::uint64_t whole, std::uint64_t weight, std::uint64_t weights) {
  return whole / weights * weight + whole % weights * weight / weights;
}

}  // namespace

void Engine::begin(QueuedKernel kernel) {
  if (!kernel.nested) return queue(std::move(kernel));
  const Cycle at = kernel.earliest;
  later_.emplace(at, std::move(kernel));
}

void Engine::queue(QueuedKernel kernel) {
  const auto place =
      std::upper_bound(queued_.begin(), queued_.end(), kernel.priority,
                       [](int priority, const QueuedKernel& k) { return priority < k.priority; });
  queued_.insert(place, std::move(kernel));
}

bool Engine::busy(std::uint32_t program) const {
  const auto of_program = [&](const QueuedKernel& k) { return program_of(k) == program; };
  return std::any_of(queued_.begin(), queued_.end(), of_program) ||
         std::any_of(running_.begin(), running_.end(),
                     [&](const auto& k) { return of_program(*k); });
}

void Engine::set_programs(std::vector<std::uint32_t> present) {
  share_->programs_changed(present, now_);
  if (!running_.empty()) kernels_changed();
}

// The smallest free number; -1: none is free. A kernel takes the number of its program where it is
// free, and the numbers of other programs last. So programs that run one kernel at a time keep
// their numbers: K1 of "K0=gto,K1=lrr" is program 1.
int Engine::number_for(std::uint32_t program) const {
  const auto free_from = [&](std::size_t first) {
    const auto begin = by_number_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto free = std::find(begin, by_number_.end(), nullptr);
    return free == by_number_.end() ? -1 : static_cast<int>(free - by_number_.begin());
  };
  if (program < by_number_.size() && !by_number_[program]) return static_cast<int>(program);
  const int beyond = programs_ < by_number_.size() ? free_from(programs_) : -1;
  return beyond >= 0 ? beyond : free_from(0);
}

// The CTAs of a cooperative launch wait for each other, so all must be resident: it runs alone.
bool Engine::may_start(const QueuedKernel& kernel) const {
  const auto cooperates = [](const QueuedKernel& k) { return k.launch.grid_workspace != 0; };
  if (running_.empty()) return true;
  return number_for(program_of(kernel)) >= 0 && !cooperates(kernel) &&
         !cooperates(*running_.front());
}

CtaScheduler& Engine::cta_scheduler(int number) {
  const auto i = static_cast<std::size_t>(number);
  if (i >= cta_schedulers_.size()) cta_schedulers_.resize(i + 1);
  if (!cta_schedulers_[i]) cta_schedulers_[i] = make_cta_scheduler_();
  return *cta_schedulers_[i];
}

CtaScheduler& Engine::cooperative_scheduler(int number) {
  const auto i = static_cast<std::size_t>(number);
  if (i >= cooperative_schedulers_.size()) cooperative_schedulers_.resize(i + 1);
  if (!cooperative_schedulers_[i]) cooperative_schedulers_[i] = make_cooperative_();
  return *cooperative_schedulers_[i];
}

// Launches that the hardware takes in the same cycle wait for their launch latency together. On an
// idle GPU nothing else happens meanwhile.
void Engine::start_queued() {
  if (queued_.empty() || running_.size() == by_number_.size()) return;
  const bool idle = running_.empty();
  bool any_by_host = false;
  std::vector<QueuedKernel> starting;
  std::swap(starting, queued_);
  for (QueuedKernel& kernel : starting)
    if (queued_.empty() && may_start(kernel)) {
      any_by_host |= !kernel.nested;
      start(std::move(kernel));
    } else {
      queued_.push_back(std::move(kernel));
    }
  if (queued_.size() == starting.size()) return;
  if (idle) {
    if (any_by_host) now_ += spec_.kernel_launch_latency;
    for (std::size_t i = 0; i < sms_.size(); ++i) progress_[i].ran_until = now_;
    begin_epochs();
  }
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    update_progress(i);
    wake_cycle_[i] = std::min(progress_[i].next_event, ports_[i]->next_reply());
  }
  kernels_changed();
}

void Engine::start(QueuedKernel kernel) {
  auto owned = std::make_unique<RunningKernel>();
  RunningKernel& k = *owned;
  static_cast<QueuedKernel&>(k) = std::move(kernel);
  k.number = number_for(program_of(k));
  k.launch_cycle = k.last_cta_end = now_;
  k.ready = k.nested ? std::max(now_, k.earliest) : now_ + spec_.kernel_launch_latency;
  attribute_memory();
  k.policy_before = policy_report(sm::PolicyReport::Contents::counters, k.number);
  attribute_policies(k.policy_before.undivided(), nullptr);
  if (watcher_) watcher_->kernel_started(k);
  clear_grid_workspace(k.launch, *k.memory);
  begin_cta_scheduling(k);
  const std::shared_ptr<const exec::DecodedKernel> decoded = exec::decode_kernel(*k.launch.kernel);
  k.timing = sm::timing_of(*k.launch.kernel, spec_.sm);
  const bool idle = running_.empty();
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    if (!idle) run_sm(i, now_);
    const exec::MachineView view{static_cast<std::uint32_t>(i), spec_.sms(), spec_.sm.max_warps(),
                                 spec_.clocks.core_mhz};
    k.sources.push_back(
        exec::make_live_source(k.launch, *k.memory, view, k.placing.ctas_per_sm, decoded));
    sms_[i]->begin_kernel(k.launch, *k.sources[i], k.placing.ctas_per_sm, k.ready,
                          {k.number, k.placing.registers_per_thread, k.timing, k.analysis.get(),
                           k.cta_scheduler->direction()});
  }
  start_hang_watch(k);
  by_number_[static_cast<std::size_t>(k.number)] = &k;
  const auto place =
      std::upper_bound(running_.begin(), running_.end(), k.priority,
                       [](int priority, const auto& other) { return priority < other->priority; });
  running_.insert(place, std::move(owned));
  programs_overlapped_ |= std::any_of(running_.begin(), running_.end(), [&](const auto& other) {
    return program_of(*other) != program_of(k);
  });
  if (running_.size() > 1) memory_system_->count_by_kernel(by_number_.size());
  if (running_.size() > 1)
    for (const auto& other : running_)
      other->memory_before = memory_system_->of_kernel(static_cast<std::size_t>(other->number));
}

// A launch that shares the GPU when its first warp ends is not counted: its part of the L2's
// counters is not known then.
void Engine::record_first_warps() {
  for (const auto& k : running_) {
    if (k->first_warp_ended) continue;
    const sm::SmStats totals = kernel_totals(*k);
    if (totals.warps_finished == 0) continue;
    k->first_warp_ended = true;
    if (running_.size() > 1) continue;
    attribute_memory();
    k->result.first_warp = {1, now_ - k->launch_cycle, totals.l1d, k->result.memory.l2};
  }
}

// What the memory system has counted since the last call belongs to the kernels that ran since
// then. One kernel gets everything. Several get what counts for each by itself; the rest
// (write-backs of lines of earlier kernels, cycles, the networks) is divided in proportion to their
// replies. The first also gets the remainder of the division.
void Engine::attribute_memory() {
  mem::MemoryStats rest = memory_system_->stats();
  stats::subtract(rest, std::exchange(memory_attributed_, rest));
  if (running_.empty()) return;
  if (running_.size() == 1) return stats::add(running_.front()->result.memory, rest);
  std::vector<std::uint64_t> weights;
  std::uint64_t sum = 0;
  for (const auto& k : running_) {
    const mem::MemoryStats now = memory_system_->of_kernel(static_cast<std::size_t>(k->number));
    mem::MemoryStats own = now;
    stats::subtract(own, std::exchange(k->memory_before, now));
    stats::subtract(rest, own);
    stats::add(k->result.memory, own);
    weights.push_back(own.replies + 1);
    sum += weights.back();
  }
  const mem::MemoryStats whole = rest;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    mem::MemoryStats part;
    stats::add_part(part, whole, weights[i], sum);
    stats::subtract(rest, part);
    stats::add(running_[i]->result.memory, part);
  }
  stats::add(running_.front()->result.memory, rest);
}

// The growth of counters that policies do not count per kernel, since the last call, belongs to the
// kernels that ran since then: those that run and the one that ends. It is divided in proportion to
// the warp instructions that they issued.
void Engine::attribute_policies(const sm::PolicyReport::Values& undivided, RunningKernel* ending) {
  if (undivided.empty()) return;
  std::vector<RunningKernel*> kernels;
  for (const auto& k : running_)
    if (k.get() != ending) kernels.push_back(k.get());
  if (ending) kernels.push_back(ending);
  std::vector<std::uint64_t> weights;
  for (RunningKernel* const k : kernels) {
    std::uint64_t issued = 0;
    for (const auto& sm : sms_) issued += sm->issued(k->number).warp_instructions;
    weights.push_back(1 + issued - std::exchange(k->policy_weight, issued));
  }
  const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  for (const auto& [name, value] : undivided) {
    const auto known = std::find_if(policies_attributed_.begin(), policies_attributed_.end(),
                                    [&name](const auto& entry) { return entry.first == name; });
    const std::uint64_t whole = known == policies_attributed_.end() ? value : value - known->second;
    std::uint64_t rest = whole;
    for (std::size_t i = kernels.size(); i-- > 1;) {
      const std::uint64_t part = part_of(whole, weights[i], sum);
      kernels[i]->policy_part.add({{name, part}});
      rest -= part;
    }
    if (!kernels.empty()) kernels[0]->policy_part.add({{name, rest}});
  }
  policies_attributed_ = undivided;
}

// What ShareNeeds::memory asks for, since the start of the epoch.
void Engine::add_memory_figures(std::vector<SharedEpoch>& epochs) {
  const std::uint64_t data_cycles = memory_system_->stats().dram.data_cycles;
  const double dram_cycles = static_cast<double>(now_ - share_epoch_began_) *
                             spec_.clocks.dram_mhz / spec_.clocks.core_mhz * spec_.memory.channels;
  const auto busy =
      static_cast<double>(data_cycles - std::exchange(share_data_cycles_, data_cycles));
  auto epoch = epochs.begin();
  for (const auto& k : running_) {
    for (std::size_t i = 0; i < sms_.size(); ++i, ++epoch) {
      const sm::SmStats stats = sms_[i]->kernel_stats(k->number);
      const std::uint64_t slots = stats.scheduler_cycles,
                          lost = slots - stats.slots[static_cast<std::size_t>(sm::SlotUse::issued)];
      auto& before = k->slots_before[i];
      epoch->issue_slots = slots - std::exchange(before.first, slots);
      epoch->lost_slots = lost - std::exchange(before.second, lost);
      epoch->dram_busy_percent = dram_cycles > 0 ? 100 * busy / dram_cycles : 0;
    }
  }
}

void Engine::end_share_epoch() {
  std::vector<SharedEpoch> epochs;
  for (const auto& k : running_) {
    for (std::size_t i = 0; i < sms_.size(); ++i) {
      if (share_needs_.memory) run_sm(i, now_);  // it may have been quiescent
      const sm::Sm::Issued now = sms_[i]->issued(k->number);
      const sm::Sm::Issued before = std::exchange(k->issued_before[i], now);
      epochs.push_back({k->number, static_cast<int>(i), sms_[i]->ctas(k->number),
                        now.warp_instructions - before.warp_instructions,
                        now.thread_instructions - before.thread_instructions});
    }
  }
  if (share_needs_.memory) add_memory_figures(epochs);
  share_->on_epoch(epochs, now_);
  share_epoch_began_ = now_;
  share_epoch_end_ = now_ + share_needs_.epoch_cycles;
  ask_cta_schedulers_again();
  set_quotas();
}

void Engine::set_quotas() {
  if (!share_needs_.issue_quotas) return;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    run_sm(i, now_);
    for (const auto& k : running_)
      sms_[i]->set_quota(k->number, running_.size() > 1
                                        ? share_->quota(k->number, static_cast<int>(i))
                                        : sm::Sm::kNoQuota);
    wake_cycle_[i] = now_;
  }
}

void Engine::kernels_changed() {
  std::vector<SharedKernel> kernels;
  for (const auto& k : running_) {
    const exec::Launch& launch = k->launch;
    const std::uint64_t warps = (launch.block.count() + kWarpSize - 1) / kWarpSize;
    kernels.push_back({k->number,
                       k->launch_number,
                       {static_cast<int>(warps),
                        sm::registers_of_cta(warps * kWarpSize, k->placing.registers_per_thread),
                        std::uint64_t{launch.kernel->shared_bytes} + launch.dynamic_shared_bytes},
                       k->placing.ctas_per_sm,
                       k->all_placed(),
                       program_of(*k),
                       launch.kernel->name});
  }
  share_->kernels_changed(kernels, now_);
  ask_cta_schedulers_again();
  share_epoch_end_ = Cycle::never();
  if (running_.size() > 1 && share_needs_.epoch_cycles > 0) {
    for (const auto& k : running_) {
      k->issued_before.clear();
      for (const auto& sm : sms_) k->issued_before.push_back(sm->issued(k->number));
      k->slots_before.resize(sms_.size());
    }
    share_epoch_began_ = now_;
    if (share_needs_.memory) {
      std::vector<SharedEpoch> unused(running_.size() * sms_.size());
      add_memory_figures(unused);
    }
    share_epoch_end_ = now_ + share_needs_.epoch_cycles;
  }
  set_quotas();
}

// All CTAs have finished, so every request of the kernel has been answered. An SM without CTAs of
// other kernels must also have finished its write-backs and instruction fetches.
bool Engine::complete(const RunningKernel& k) const {
  return k.all_finished() &&
         std::all_of(progress_.begin(), progress_.end(),
                     [](const SmProgress& sm) { return sm.has_ctas || sm.drained; });
}

void Engine::end_complete(std::vector<QueuedKernel>& ended) {
  bool changed = false;
  if (std::any_of(running_.begin(), running_.end(), [&](const auto& k) { return complete(*k); }))
    attribute_memory();
  for (std::size_t i = 0; i < running_.size();) {
    if (!complete(*running_[i])) {
      ++i;
      continue;
    }
    const std::unique_ptr<RunningKernel> k = std::move(running_[i]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    by_number_[static_cast<std::size_t>(k->number)] = nullptr;
    end(*k, false);
    if (NestedLaunches* const nested = nested_of(*k)) nested->ctas_ended(k->launch_number);
    ended.push_back(std::move(static_cast<QueuedKernel&>(*k)));
    changed = true;
  }
  if (running_.empty()) share_epoch_end_ = Cycle::never();
  if (changed && running_.empty()) ended.back().result.repeated = take_repeated_cycles();
  if (changed && !running_.empty()) kernels_changed();
  if (changed) resume_callers();
}

// Of all SMs, since the last call.
sm::Sm::RepeatedCycles Engine::take_repeated_cycles() {
  sm::Sm::RepeatedCycles now;
  for (const auto& sm : sms_) {
    const sm::Sm::RepeatedCycles of_sm = sm->repeated_cycles();
    now.all += of_sm.all;
    now.without_issue += of_sm.without_issue;
  }
  const sm::Sm::RepeatedCycles before = std::exchange(repeated_taken_, now);
  // Launches of different programs have no common sum.
  if (std::exchange(programs_overlapped_, false)) return {};
  return {now.all - before.all, now.without_issue - before.without_issue};
}

void Engine::end(RunningKernel& k, bool truncated) {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    run_sm(i, now_);
    if (!truncated) sms_[i]->end_kernel(now_, k.number);
  }
  const bool alone = running_.empty();
  if (alone && !truncated) memory_system_->check_conservation();
  if (alone && !truncated && spec_.memory.flush_l2_at_kernel_end) memory_system_->empty_l2();

  KernelResult& result = k.result;
  result.start = k.launch_cycle;
  result.truncated = truncated;
  result.cycles = (truncated ? now_ : k.last_cta_end) - k.launch_cycle;
  result.sm = kernel_totals(k);
  result.policy = policy_report(sm::PolicyReport::Contents::counters_and_records, k.number);
  result.policy.subtract(k.policy_before);
  attribute_policies(result.policy.undivided(), &k);
  result.policy.add(k.policy_part);
  result.cta_sharing = cta_sharing();
  result.warp_instructions = result.sm.warp_instructions;
  result.thread_instructions = result.sm.thread_instructions;
  instructions_ended_ += result.thread_instructions;
  if (watcher_) watcher_->kernel_ended(k);
}

// At a limit the launches that run are computed to their end without timing.
std::vector<QueuedKernel> Engine::truncate(const exec::StopRequest* stop) {
  truncated_ = true;
  attribute_memory();
  std::vector<QueuedKernel> ended;
  for (const auto& k : running_) end(*k, true);
  // A launch waits for those that it has launched, so later launches are finished first.
  std::vector<RunningKernel*> order;
  for (const auto& k : running_) order.push_back(k.get());
  if (!nested_.empty()) {
    return_unstarted();
    std::sort(order.begin(), order.end(), [](const RunningKernel* a, const RunningKernel* b) {
      return a->launch_number > b->launch_number;
    });
  }
  for (RunningKernel* const k : order) {
    finish_untimed(*k, stop);
    if (NestedLaunches* const nested = nested_of(*k)) nested->ctas_ended(k->launch_number);
  }
  running_.back()->result.repeated = take_repeated_cycles();
  for (const auto& k : running_) ended.push_back(std::move(static_cast<QueuedKernel&>(*k)));
  running_.clear();
  std::fill(by_number_.begin(), by_number_.end(), nullptr);
  return ended;
}

}  // namespace heddle::gpu
