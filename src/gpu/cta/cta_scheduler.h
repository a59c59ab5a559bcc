// The interface of CTA schedulers: a policy that decides which CTA starts on which SM and when, and
// which resident CTAs pause. One object serves the GPU. It is called between windows only; what it
// decides takes effect in the next window. Guide: docs/write-a-cta-scheduler.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/launch_analysis.h"
#include "base/types.h"
#include "sm/policy/policy_report.h"

namespace heddle::gpu {

// The SMs as a CTA scheduler sees them. SM i belongs to cluster i / sms_per_cluster.
struct SmLayout {
  int clusters = 1, sms_per_cluster = 1;
  int first_cluster = 0;  // gets the first CTA of a program
  int sms() const { return clusters * sms_per_cluster; }
};

class CtaControl;

struct KernelStart {
  const isa::Kernel* kernel = nullptr;
  Dim3 grid, block;
  int sms = 1;
  int ctas_per_sm = 1;  // most resident CTAs of an SM
  int warps_per_cta = 1;
  Cycle now;
  analysis::LaunchAnalysis* analysis = nullptr;  // null in unit tests that need none
  CtaControl* control = nullptr;  // valid until the kernel's end; null in unit tests that need none
  // The mapping register: what the program set by heddleSetCtaMapping(), or a hint embedded in the
  // executable. none: not set.
  std::optional<analysis::Direction> hint_direction;
};

struct Placement {
  int sm;
  std::uint64_t cta;  // linear number in the grid, x fastest
  Cycle at;           // cycle in which it starts; one CTA per SM and cycle
};

struct FinishedCta {
  int sm;
  std::uint64_t cta;
  Cycle start, end;
  // Warp instructions; only with Needs::issue_counts.
  std::uint64_t issued = 0;
  std::span<const std::uint64_t> others_issued{};  // by the CTAs that this SM held then, by start
};

// What one SM did since the last epoch, or since the kernel's start.
struct SmEpoch {
  std::uint64_t cycles = 0;
  std::uint64_t idle_cycles = 0;    // no warp had an instruction that waited for anything
  std::uint64_t memory_cycles = 0;  // every warp that could not issue waited for memory
  // Warps in each state, summed over the cycles of the epoch (Equalizer, section 3).
  std::uint64_t active_warps = 0, waiting_warps = 0, excess_memory_warps = 0, excess_alu_warps = 0;
  struct Cta {
    std::uint64_t cta;
    std::uint64_t issued;  // warp instructions since it started; with Needs::issue_counts
    Cycle start;
    bool paused;
  };
  std::vector<Cta> resident;  // by start
};

// What a policy needs of the hardware. What nobody needs costs nothing.
struct Needs {
  bool issue_counts = false;       // warp instructions per CTA
  bool warp_states = false;        // the counts of SmEpoch
  std::uint64_t epoch_cycles = 0;  // on_epoch() about every so many cycles; 0: never
};

// Asks of a policy, carried out at the start of the next window.
class CtaControl {
 public:
  virtual ~CtaControl() = default;
  virtual void pause(int sm, std::uint64_t cta) = 0;  // its warps do not issue
  virtual void resume(int sm, std::uint64_t cta) = 0;
};

class CtaScheduler {
 public:
  virtual ~CtaScheduler() = default;
  virtual Needs needs() const { return {}; }
  virtual void begin_kernel(const KernelStart& start) = 0;
  // free_slots[i]: the number of CTAs that SM i has room for. Appends the placements of cycles
  // [from, to), by cycle, and subtracts them from free_slots. A call that places nothing is not
  // repeated before a CTA has finished or an epoch has passed. On an empty GPU it must place one.
  virtual void dispatch(Cycle from, Cycle to, std::vector<int>& free_slots,
                        std::vector<Placement>& placements) = 0;
  virtual bool exhausted() const = 0;  // every CTA of the grid has been placed
  virtual void on_finished(const FinishedCta&) {}
  virtual void on_epoch(Cycle now, std::span<const SmEpoch> sms, CtaControl& control) {
    (void)now, (void)sms, (void)control;
  }
  // Along which direction neighbouring CTAs are on one SM. The warp scheduler ps counts its warps
  // in this direction.
  virtual analysis::Direction direction() const { return analysis::Direction::none; }
  // Adds its statistics, as a warp scheduler does.
  virtual void report_statistics(sm::PolicyReport& report) const { (void)report; }
};

}  // namespace heddle::gpu
