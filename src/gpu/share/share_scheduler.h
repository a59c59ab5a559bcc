// The interface of share policies: which kernels get which SMs, and what part of each, while
// several kernels run at once. One object serves the GPU. It is called between windows only; what
// it decides takes effect in the next window. Guide: docs/write-a-share-policy.md.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "sm/policy/policy_report.h"
#include "sm/warp/kernel_context.h"

namespace heddle::gpu {

// A kernel that runs, as a share policy sees it.
struct SharedKernel {
  int number = 0;  // 0, 1, ...: the smallest number that was free when the kernel started
  std::uint64_t launch = 0;
  sm::CtaResources cta;       // what one CTA occupies
  int most_ctas = 1;          // of one SM when the kernel runs alone
  bool all_placed = false;    // no CTA is left to start
  std::uint32_t program = 0;  // among those that share the GPU
  std::string name{};         // in its module
};

// What a kernel did on one SM since the last epoch.
struct SharedEpoch {
  int kernel = 0, sm = 0;
  int ctas = 0;  // resident or queued now
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  // With ShareNeeds::memory: the kernel's issue slots in which nothing issued, and the time in
  // which the data buses of the DRAM were busy, in percent of the epoch (of the GPU: the same for
  // all).
  std::uint64_t issue_slots = 0, lost_slots = 0;
  double dram_busy_percent = 0;
};

// What a policy needs of the hardware. What it does not need costs nothing.
struct ShareNeeds {
  std::uint64_t epoch_cycles = 0;  // on_epoch() about every so many cycles; 0: never
  bool issue_quotas = false;       // quota() is read at every epoch
  bool memory = false;             // the figures of SharedEpoch about memory
  bool exclusive_sms = false;      // an SM with CTAs of one kernel gets none of another
};

class ShareScheduler {
 public:
  static constexpr int kNoLimit = std::numeric_limits<int>::max();
  static constexpr std::uint64_t kNoQuota = ~std::uint64_t{0};

  virtual ~ShareScheduler() = default;
  virtual ShareNeeds needs() const { return {}; }
  // A kernel started or ended. kernels: those that run now, in the order in which they get CTAs.
  virtual void kernels_changed(std::span<const SharedKernel> kernels, Cycle now) = 0;
  // Several programs share the GPU, and one has begun or ended. A program that is present may have
  // no kernel for some time. One program: never called. kernels_changed() follows.
  virtual void programs_changed(std::span<const std::uint32_t> present, Cycle now) {
    (void)present, (void)now;
  }
  // The most CTAs of the kernel that the SM may hold. CTAs above a limit that sinks run to their
  // end.
  virtual int most_ctas(int kernel, int sm) const = 0;
  virtual void on_epoch(std::span<const SharedEpoch> epochs, Cycle now) { (void)epochs, (void)now; }
  // Warp instructions that the kernel may issue on the SM until the next epoch.
  virtual std::uint64_t quota(int kernel, int sm) const {
    (void)kernel, (void)sm;
    return kNoQuota;
  }
  // Adds its statistics, as a warp scheduler does.
  virtual void report_statistics(sm::PolicyReport& report) const { (void)report; }
};

}  // namespace heddle::gpu
