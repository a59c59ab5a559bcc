// Collects the details of one SM during one kernel.
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "gpu/kernel_details.h"
#include "gpu/observe/line_history.h"
#include "gpu/observe/register_writers.h"
#include "sm/issue/observer.h"

namespace heddle::gpu {

class SmDetails {
 public:
  // with_pattern: records the issue pattern of this SM.
  SmDetails(int sm, const config::GpuSpec& spec, bool with_pattern);

  void begin_kernel(const isa::Kernel& kernel, Cycle launch);
  void cta_finished(Cycle started, Cycle now, std::uint64_t cta) {
    ctas_.push_back({cta, sm_, started, now});
  }
  void warps_started(WarpMask warps);
  void issued(const sm::SmObserver::Issued& issued);
  void slots_lost(const sm::SmObserver::LostSlots& lost);
  void l1d_accessed(WarpSlot warp, Pc pc, Address address, bool load, const mem::Access& access);
  const CacheDetail& l1d() const { return l1d_; }
  const std::vector<LoopDetail>& loops() const { return loops_; }
  // Adds the details of this SM to those of the kernel.
  void add_to(KernelDetails& all) const;

 private:
  // A warp's position in its loops. Serial numbers of iterations grow by one per iteration, and by
  // two when the loop is entered again.
  struct WarpProgress {
    Pc last = kNoPc;
    std::vector<std::uint32_t> iteration;  // by loop
    struct InFlight {
      Pc pc;
      std::uint16_t loop;
      std::uint32_t iteration;
      int accesses;
    };
    std::deque<InFlight> in_flight;  // issued accesses that have not reached the cache
    struct Touch {
      std::uint16_t loop;
      std::uint32_t iteration;
    };
    std::unordered_map<std::uint64_t, Touch> touched;  // by line
  };

  Pc responsible_pc(const sm::SmObserver::LostSlots& lost) const;
  void track_loops(WarpProgress& warp, Pc pc, const isa::Instruction& i);
  void count_in_loop(WarpProgress& warp, Pc pc, std::uint64_t line, bool load,
                     mem::Outcome outcome);

  int sm_;
  bool with_pattern_;
  const isa::Kernel* kernel_ = nullptr;
  LineHistory history_;
  std::vector<WarpProgress> warps_;
  RegisterWriters writers_;
  std::vector<KernelDetails::Slots> slots_;
  std::vector<Cycle> last_issue_;  // by scheduler
  KernelDetails::Slots unattributed_{};
  CacheDetail l1d_;
  std::vector<InstructionDetail> instructions_;
  std::vector<LoadShapes> load_shapes_;
  std::vector<LoopDetail> loops_;
  std::vector<CtaDetail> ctas_;
  std::vector<std::uint64_t> issued_;
  IssueIntervals pattern_;
};

}  // namespace heddle::gpu
