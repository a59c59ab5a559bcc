#include "gpu/engine/hang_detection.h"

#include <algorithm>
#include <utility>

#include "base/demangle.h"
#include "exec/livelock/hang_report.h"
#include "exec/state/warps.h"

namespace heddle::gpu {
namespace {

// Of a stall, in which something happens in each window and no warp issues. nanosleep, the longest
// wait of a warp, is below 2 ms.
constexpr std::uint64_t kStalledWindows = 1 << 20, kStalledCycles = 1 << 23;

}  // namespace

// A running launch as its hang watch sees it. A launch that waits for another one is not
// livelocked, so other launches of its program count as pending work.
class HangDetection::Launch final : public exec::ObservedRun {
 public:
  Launch(const HangDetection& all, const RunningKernel& kernel) : all_(all), k_(kernel) {}

  std::vector<exec::LiveWarp> live_warps() const override {
    std::vector<exec::LiveWarp> list;
    for (std::size_t i = 0; i < all_.hardware_.sms(); ++i) {
      const sm::Sm& sm = all_.hardware_.sm(i);
      const WarpMask at_barrier = sm.warps_at_barrier(k_.number);
      sm.live_warps(k_.number).for_each([&](WarpSlot w) {
        const exec::Warp& warp = k_.sources[i]->warps()->warp(w.index);
        list.push_back({.warp = &warp,
                        .detector = i,
                        .at_barrier = at_barrier.test(w),
                        .spins = warp.spin_pc != kNoPc});
      });
    }
    return list;
  }

  bool pending_work() const override {
    if (others_of_program() || all_.queue_.next_release() != Cycle::never() ||
        all_.dispatch_.can_start(k_))
      return true;
    for (std::size_t i = 0; i < all_.hardware_.sms(); ++i)
      if (!all_.hardware_.sm(i).queued_ctas(k_.number).empty() ||
          k_.sources[i]->warps()->machine().atomics.pending() > 0 ||
          k_.sources[i]->warps()->machine().remote.pending() > 0)
        return true;
    return false;
  }

  std::string describe_warps(int max_warps) const override {
    return all_.describe_warps(max_warps);
  }

 private:
  bool others_of_program() const {
    const auto same = [&](const QueuedKernel& k) { return program_of(k) == program_of(k_); };
    return std::any_of(all_.queue_.waiting().begin(), all_.queue_.waiting().end(), same) ||
           std::any_of(all_.running_.begin(), all_.running_.end(),
                       [&](const auto& k) { return k.get() != &k_ && same(*k); });
  }

  const HangDetection& all_;
  const RunningKernel& k_;
};

// Replayed warps have no state that could be compared, so they are not observed.
void HangDetection::watch(RunningKernel& k) {
  std::vector<exec::Machine*> machines;
  for (const auto& source : k.sources)
    if (source->warps()) machines.push_back(&source->warps()->machine());
  k.hang_watch = std::make_unique<exec::TimedHangWatch>(k.launch, *k.memory, std::move(machines),
                                                        k.launch_cycle, k.ready);
}

void HangDetection::look() {
  if (deadlocked() || stalled())
    exec::throw_deadlock(running_.front().launch, "kernel",
                         "\n  policies " + policies_ + describe_warps(exec::kMaxWarpsInFault));
  for (const auto& k : running_) {
    if (clock_.now() < k->hang_watch->next_look()) continue;
    const Launch launch(*this, *k);
    if (k->hang_watch->look(clock_.now(), launch) != exec::Verdict::livelock) continue;
    if (!k->omits_ctas()) k->hang_watch->throw_livelock(launch);
    k->time_all_ctas();  // they may wait for one that would not be timed
  }
}

// CTAs remain, but nothing is in flight and no future cycle has an event. Without a resident CTA it
// is a policy that starts none.
bool HangDetection::deadlocked() const {
  if (!clock_.nothing_happens() || queue_.next_release() != Cycle::never()) return false;
  for (const auto& k : running_) {
    if (k->ready > clock_.now() || complete(*k)) return false;
  }
  if (dispatch_.can_start()) return false;
  return clock_.any_undrained() || std::any_of(running_.begin(), running_.end(),
                                               [](const auto& k) { return !k->all_placed(); });
}

// A pipeline or a policy is at work for ever and lets no warp issue.
bool HangDetection::stalled() {
  if (++windows_ % kStalledWindows != 0) return false;
  std::uint64_t issued = 0;
  for (std::size_t i = 0; i < hardware_.sms(); ++i)
    issued += hardware_.sm(i).stats().warp_instructions;
  if (issued != std::exchange(issued_, issued)) last_issue_ = clock_.now();
  return clock_.now() - last_issue_ >= kStalledCycles;
}

std::string HangDetection::describe_warps(int max_warps) const {
  std::string lines;
  int shown = 0;
  for (std::size_t i = 0; i < hardware_.sms(); ++i) {
    const sm::Sm& sm = hardware_.sm(i);
    WarpMask repeating;
    for (const auto& k : running_)
      sm.live_warps(k->number).for_each([&](WarpSlot w) {
        exec::Warps* const warps = k->sources[i]->warps();
        repeating.assign(w, warps && k->hang_watch->repeats(i, warps->warp(w.index)));
      });
    for (const auto& line : sm.describe_warps(repeating))
      if (shown++ < max_warps) lines += "\n  SM " + std::to_string(i) + "  " + line;
  }
  return lines + exec::more_warps_line(shown, max_warps) + describe_unstarted();
}

// CTAs that no SM holds: all, or nested launches.
std::string HangDetection::describe_unstarted() const {
  std::string lines;
  if (!clock_.any_undrained())
    for (const auto& k : running_)
      lines += "\n  " + std::to_string(k->placed.size() - k->ctas_placed) + " CTAs of launch " +
               std::to_string(k->launch_number) + " have not started, and no CTA is resident";
  std::string names;
  const auto add = [&](const QueuedKernel& kernel) {
    if (!kernel.nested) return;
    names += (names.empty() ? "" : ", ") + plain_name(kernel.launch.kernel->name) + " (launch " +
             std::to_string(kernel.launch_number) + ")";
  };
  for (const auto& k : running_)
    if (k->ctas_placed == 0) add(*k);
  for (const QueuedKernel& kernel : queue_.waiting()) add(kernel);
  if (names.empty()) return lines;
  return lines + "\n  Launched by kernels and not started: " + names +
         ". CTAs that wait in cudaDeviceSynchronize keep their place on the SM; a GPU swaps them "
         "out.";
}

}  // namespace heddle::gpu
