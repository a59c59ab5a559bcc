// One CTA of a functional run. Its warps run one after the other, each for a time slice.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "exec/check/address_check.h"
#include "exec/check/cta_check.h"
#include "exec/compiled/compiled_kernel.h"
#include "exec/functional/time_slice.h"
#include "exec/livelock/hang_watch.h"
#include "exec/state/launch.h"
#include "exec/state/warps.h"

namespace heddle::exec {

// What the CTAs of a functional run share.
struct FunctionalRun {
  FunctionalRun(const Launch& launch, const GlobalMemory& memory) : hang_watch(launch, memory) {}

  FunctionalCounts counts;
  const StopRequest* stop = nullptr;
  FunctionalHangWatch hang_watch;
  bool ctas_left = false;  // more CTAs can start
  Checker* checker = nullptr;
  AddressCheck* addresses = nullptr;
  AccessListener* listener = nullptr;        // of the CTAs that start from now on
  Step step;                                 // of the instruction that it is notified of
  const CompiledKernel* compiled = nullptr;  // null: all is interpreted
  LaneContext context;

  void stop_if_requested() const {
    if (stop && stop->load(std::memory_order_relaxed)) throw Interrupted{stop->load()};
  }
};

class FunctionalCta {
 public:
  // With storage of its own, or with some of `warps`.
  FunctionalCta(FunctionalRun& run, std::unique_ptr<Warps> own);
  FunctionalCta(FunctionalRun& run, Warps& warps, int slot);
  // Continues a CTA that the timing model has started.
  FunctionalCta(FunctionalRun& run, const StartedCta& started);

  void start(std::uint64_t linear);
  // One time slice of each warp that does not wait.
  void run_round();

  bool finished() const { return live_.none(); }
  bool all_spin() const { return all_spin_; }  // in the last round, all warps that did not wait
  // The barrier of its cluster, if a warp waits there: to be opened when all CTAs have arrived.
  bool waits_for_cluster() const;
  void open_cluster_barrier();
  bool cluster_opens() const { return warps_->cta(slot_).cluster_opens; }
  std::uint64_t linear() const { return warps_->cta(slot_).linear; }
  // It is not expected to continue before other CTAs start.
  bool is_stalled() const { return unchanged_rounds_ >= kStalledRounds; }
  void report_deadlock_to_checker();
  void append_live_warps(std::vector<LiveWarp>& list) const;
  void append_warps(std::vector<const Warp*>& list) const;
  Machine& machine() const { return warps_->machine(); }

 private:
  // Rounds in which every warp spins and no register changes.
  static constexpr int kStalledRounds = 16;
  enum class Wait : std::uint8_t {
    none,
    barrier,
    released,  // by a barrier; runs in the next round
    store,     // before a store to shared memory, for the other warps
    ended
  };
  // Why a warp stopped.
  enum class Stop : std::uint8_t { ended, blocked, spins, slice_over, store, released };

  struct Barriers {
    std::array<StartedCta::Barrier, ptx::kBarriers> all{};
    std::uint32_t open = 0;  // a bit for each at which a warp has arrived
    static_assert(ptx::kBarriers <= 32);
  };
  struct Slice {
    std::uint64_t most, delay_after, instructions = 0;
  };

  Warp& warp(int index) { return warps_->warp(slots_[static_cast<std::size_t>(index)]); }
  const Warp& warp(int index) const {
    return warps_->warp(slots_[static_cast<std::size_t>(index)]);
  }
  void make_slots(int first);
  bool run_warp(int index);
  void end_store_delays();
  // Executes `most` instructions or a few more; a store to shared memory after `delay_after` stops
  // the warp.
  Stop run_slice(int index, Warp& w, std::uint64_t most, std::uint64_t delay_after);
  template <bool kObserved, bool kChecked>
  Stop advance(int index, Warp& w, std::uint64_t most, std::uint64_t delay_after);
  Stop advance_compiled(int index, Warp& w, std::uint64_t most, std::uint64_t delay_after);
  // Executes an instruction that is not plain, after which the warp has executed `instructions`.
  // Stop::ended: it goes on.
  Stop step_control(int index, Warp& w, const DecodedInstruction& r, std::uint32_t mask,
                    const Slice& slice);
  // The access that the warp has executed.
  void notify(const DecodedInstruction& r);
  Stop end_slice(int index, const Warp& w, Stop stop, std::uint64_t instructions,
                 std::uint64_t threads);
  void end_warp(int index);
  bool arrive(int index);
  void complete_barrier_if_full(std::uint32_t id);
  void release(std::uint32_t id, bool all);
  bool states_unchanged();

  FunctionalRun& run_;
  std::unique_ptr<Warps> own_;
  Warps* warps_;
  int slot_ = 0, warp_count_ = 0, unchanged_rounds_ = 0;
  WarpMask live_;                  // by the number of the warp in the CTA
  std::uint64_t first_delay_ = 0;  // instructions of all warps when the first store was delayed
  bool all_spin_ = false, shared_stores_ = false, some_delayed_ = false;
  bool some_released_ = false, all_released_ = false;  // by a barrier in this round
  std::vector<int> slots_;  // of its warps; a cooperative grid has more than an SM
  std::vector<Wait> waits_;
  std::vector<SliceProgress> progress_;
  std::vector<std::uint64_t> states_;  // digests
  Barriers barriers_;
  std::unique_ptr<CtaCheck> check_;                 // only when the program is checked
  std::unique_ptr<CtaAddressCheck> address_check_;  // only when the analysis is checked
};

}  // namespace heddle::exec
