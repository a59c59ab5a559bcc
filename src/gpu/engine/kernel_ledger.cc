#include "gpu/engine/kernel_ledger.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heddle::gpu {
namespace {

// whole times weight / weights, rounded down.
std::uint64_t part_of(std::uint64_t whole, std::uint64_t weight, std::uint64_t weights) {
  return whole / weights * weight + whole % weights * weight / weights;
}

}  // namespace

std::vector<std::uint64_t> divide(std::uint64_t whole, std::span<const std::uint64_t> weights) {
  const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<std::uint64_t> parts;
  std::uint64_t rest = whole;
  for (const std::uint64_t weight : weights) {
    parts.push_back(part_of(whole, weight, sum));
    rest -= parts.back();
  }
  if (!parts.empty()) parts.front() += rest;
  return parts;
}

KernelLedger::KernelLedger(Hardware& hardware, WindowClock& clock, RunningKernels& running,
                           const CtaDispatch& dispatch, const ShareEpochs& share)
    : hardware_(hardware), clock_(clock), running_(running), dispatch_(dispatch), share_(share) {}

void KernelLedger::begin_kernel(RunningKernel& k) {
  attribute_memory();
  k.attributed.policy_before = policy_report(sm::PolicyReport::Contents::counters, k.number);
  attribute_policies(k.attributed.policy_before.undivided(), nullptr);
}

void KernelLedger::kernel_began() {
  programs_overlapped_ |= running_.of_several_programs();
  if (running_.size() == 1) return;
  mem::MemorySystem& memory = hardware_.memory();
  memory.count_by_kernel(running_.most());
  for (const auto& k : running_)
    k->attributed.memory_before = memory.of_kernel(static_cast<std::size_t>(k->number));
}

// A launch that shares the GPU when its first warp ends is not counted: its part of the L2's
// counters is not known then.
void KernelLedger::record_first_warps() {
  if (!watches_first_warps_) return;
  for (const auto& k : running_) {
    if (k->first_warp_ended) continue;
    const sm::SmStats totals = hardware_.kernel_stats(k->number);
    if (totals.warps_finished == 0) continue;
    k->first_warp_ended = true;
    if (running_.size() > 1) continue;
    attribute_memory();
    k->result.first_warp = {1, clock_.now() - k->launch_cycle, totals.l1d, k->result.memory.l2,
                            totals.l1d_misses};
  }
}

// What the memory system has counted since the last call belongs to the kernels that ran since
// then. One kernel gets everything. Several get what counts for each by itself; the rest
// (write-backs of lines of earlier kernels, cycles, the networks) is divided in proportion to their
// replies. The first also gets the remainder of the division.
void KernelLedger::attribute_memory() {
  mem::MemoryStats rest = hardware_.memory().stats();
  stats::subtract(rest, std::exchange(memory_attributed_, rest));
  if (running_.empty()) return;
  if (running_.size() == 1) return stats::add(running_.front().result.memory, rest);
  std::vector<std::uint64_t> weights;
  std::uint64_t sum = 0;
  for (const auto& k : running_) {
    const mem::MemoryStats now = hardware_.memory().of_kernel(static_cast<std::size_t>(k->number));
    mem::MemoryStats own = now;
    stats::subtract(own, std::exchange(k->attributed.memory_before, now));
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
    stats::add(running_[i].result.memory, part);
  }
  stats::add(running_.front().result.memory, rest);
}

// The growth of counters that policies do not count per kernel, since the last call, belongs to the
// kernels that ran since then: those that run and the one that ends. It is divided in proportion to
// the warp instructions that they issued.
void KernelLedger::attribute_policies(const sm::PolicyReport::Values& undivided,
                                      RunningKernel* ending) {
  if (undivided.empty()) return;
  std::vector<RunningKernel*> kernels;
  for (const auto& k : running_)
    if (k.get() != ending) kernels.push_back(k.get());
  if (ending) kernels.push_back(ending);
  std::vector<std::uint64_t> weights;
  for (RunningKernel* const k : kernels) {
    const std::uint64_t issued = hardware_.warp_instructions(k->number);
    weights.push_back(1 + issued - std::exchange(k->attributed.policy_weight, issued));
  }
  for (const auto& [name, value] : undivided) {
    const auto known = std::find_if(policies_attributed_.begin(), policies_attributed_.end(),
                                    [&name](const auto& entry) { return entry.first == name; });
    const std::uint64_t whole = known == policies_attributed_.end() ? value : value - known->second;
    const std::vector<std::uint64_t> parts = divide(whole, weights);
    for (std::size_t i = 0; i < kernels.size(); ++i)
      kernels[i]->attributed.policy_part.add({{name, parts[i]}});
  }
  policies_attributed_ = undivided;
}

sm::CycleStats KernelLedger::take_repeated_cycles() {
  sm::CycleStats now;
  for (std::size_t i = 0; i < hardware_.sms(); ++i)
    stats::add(now, hardware_.sm(i).repeated_cycles());
  sm::CycleStats repeated = now;
  stats::subtract(repeated, std::exchange(repeated_taken_, now));
  // Launches of different programs have no common sum.
  if (std::exchange(programs_overlapped_, false)) return {};
  return repeated;
}

void KernelLedger::end_kernel(RunningKernel& k, End how) {
  KernelResult& result = k.result;
  result.start = k.launch_cycle;
  result.truncated = how == End::truncated;
  result.cycles = (result.truncated ? clock_.now() : k.last_cta_end) - k.launch_cycle;
  result.sm = hardware_.kernel_stats(k.number);
  result.policy = policy_report(sm::PolicyReport::Contents::counters_and_records, k.number);
  result.policy.subtract(k.attributed.policy_before);
  attribute_policies(result.policy.undivided(), &k);
  result.policy.add(k.attributed.policy_part);
  result.cta_sharing = hardware_.cta_sharing();
  result.warp_instructions = result.sm.warp_instructions;
  result.thread_instructions = result.sm.thread_instructions;
  instructions_ended_ += result.thread_instructions;
}

KernelResult KernelLedger::result_so_far(const RunningKernel& k) {
  attribute_memory();
  KernelResult result = k.result;
  result.cycles = clock_.now() - k.launch_cycle;
  result.sm = hardware_.kernel_stats(k.number);
  result.policy = policy_report(sm::PolicyReport::Contents::counters, k.number);
  attribute_policies(result.policy.undivided(), nullptr);
  result.policy.add(k.attributed.policy_part);
  result.warp_instructions = result.sm.warp_instructions;
  result.thread_instructions = result.sm.thread_instructions;
  return result;
}

sm::PolicyReport KernelLedger::policy_report(sm::PolicyReport::Contents asks, int kernel) const {
  sm::PolicyReport report(asks, kernel);
  for (std::size_t i = 0; i < hardware_.sms(); ++i) hardware_.sm(i).report(report, clock_.now());
  sm::PolicyReport of_ctas(asks);  // a CTA scheduler serves one kernel
  dispatch_.report_statistics(of_ctas, kernel);
  report.append(of_ctas);
  share_.report_statistics(report);
  return report;
}

}  // namespace heddle::gpu
