// DAWS's footprints: the predicted number of L1 lines that each warp of an SM touches in one
// iteration of its loop. The oldest warps whose footprints fit the cache together are admitted:
// they may load. A loop is identified by the pc of its first instruction.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "isa/kernel.h"
#include "sm/policy/warp_scheduler.h"

namespace heddle::sched {

// A load in a loop with locality. Loads of one group touch the same lines and count once.
struct LoadClass {
  Pc pc = kNoPc, loop = kNoPc;
  bool diverged = false;
  std::uint32_t group = 0;
  std::int32_t divergence = 0;  // counter of the detector (daws)
};

// The static load classification table: the loads of a kernel that are known to repeat in loops.
class LoadTable {
 public:
  // entries: 0 is unbounded, because the hardware's table spills to memory (MICRO 2013, section
  // 5.1).
  explicit LoadTable(std::size_t entries = 0) : entries_(entries) {}
  void clear() {
    loads_.clear();
    stale_ = true;
  }
  LoadClass* find(Pc pc);
  LoadClass* insert(const LoadClass& load);  // null when the table is full
  void set_diverged(LoadClass& load, bool diverged);
  const std::vector<LoadClass>& loads() const { return loads_; }
  void merge_groups(std::uint32_t a, std::uint32_t b);
  // Lines that a warp with `lanes` active lanes touches in one iteration.
  std::uint32_t predict(Pc loop, int lanes) const;
  // The first loop in program order that begins at or after `pc` and has loads in the table, or
  // kNoPc. At `pc` itself: a load that is its loop's first instruction issues before on_loop().
  Pc loop_after(Pc pc) const;

 private:
  // The groups of a loop.
  struct LoopSum {
    Pc loop;
    std::uint32_t diverged = 0, converged = 0;
  };
  void sum_loops() const;

  std::size_t entries_;
  std::vector<LoadClass> loads_;
  mutable std::vector<LoopSum> sums_;  // of loads_, computed on demand
  mutable bool stale_ = true;          // sums_ must be computed again
};

// Predicts the footprint of a loop.
class LoopPredictor {
 public:
  virtual ~LoopPredictor() = default;
  virtual std::uint32_t predict(Pc loop, int lanes) const = 0;
  virtual Pc loop_after(Pc pc) const = 0;
  // Changes with every answer that may have changed.
  std::uint64_t version() const { return version_; }

 protected:
  std::uint64_t version_ = 0;
};

// Whether a warp without a footprint may always load, or only when the footprints of older warps
// fit.
enum class Unpredicted { pass, by_age };
// The loop that a load outside all loops counts for: the next one in program order, or the next one
// with classified loads.
enum class ClosestLoop { program_order, classified };

struct FootprintRules {
  double lines = 0;     // the sum of the admitted footprints is at most this
  double capacity = 0;  // a loop with a larger footprint is not throttled
  bool sticky = true;   // admitted warps stay admitted until the end of their loop or a barrier
  Unpredicted unpredicted = Unpredicted::by_age;
  ClosestLoop closest = ClosestLoop::program_order;
};

class Footprints {
 public:
  explicit Footprints(const FootprintRules& rules) : rules_(rules) {}

  // number: of the kernel on the GPU.
  void begin_kernel(const isa::Kernel& kernel, int number = 0);
  void launch(WarpSlot warp, std::uint32_t age, int kernel = 0);
  void exit(WarpSlot warp);
  void enter_barrier(WarpSlot warp);
  void pass_barrier(WarpSlot warp);
  void begin_loop(WarpSlot warp, Pc loop, int lanes, const LoopPredictor& predictor);
  void end_outermost_loop(WarpSlot warp);
  // The warp issued at `pc`. Ends the expectation of a loop that it has skipped.
  void issued(WarpSlot warp, Pc pc);
  // Whether the warp, with `lanes` active lanes, may issue the load at `pc`.
  bool may_load(WarpSlot warp, Pc pc, int lanes, const LoopPredictor& predictor);
  bool none_predicted() const { return inside_.none(); }
  std::uint32_t footprint(WarpSlot warp) const { return at(warp).footprint; }
  // Sums of the footprints of all warps and of the admitted warps.
  std::uint64_t predicted_lines() const;
  std::uint64_t admitted_lines() const;
  WarpMask with_footprint() const { return inside_ | expecting_; }
  WarpMask admitted() const { return admitted_; }
  std::uint64_t live_warps() const { return by_age_.size(); }

 private:
  struct Warp {
    std::uint32_t footprint = 0;
    std::uint32_t saved = 0;   // the footprint while the warp is at a barrier
    Pc loop = kNoPc;           // the loop of the footprint
    Pc expected = kNoPc;       // the loop that the warp is about to enter
    int lanes = 0;             // of the prediction
    bool unthrottled = false;  // the footprint of its loop exceeds the cache
    int kernel = 0;
    // The last question about a loop that the warp may enter, and its answer.
    struct {
      Pc pc = kNoPc;
      int lanes = 0;
      std::uint64_t version = 0;  // of the predictor
      Pc loop = kNoPc;
      std::uint32_t footprint = 0;
    } ahead;
  };
  Warp& at(WarpSlot w) { return warps_[static_cast<std::size_t>(w.index)]; }
  const Warp& at(WarpSlot w) const { return warps_[static_cast<std::size_t>(w.index)]; }
  void set_footprint(WarpSlot warp, std::uint32_t footprint);
  void drop_expectations();
  void look_ahead(Warp& w, Pc pc, int lanes, const LoopPredictor& predictor) const;
  Pc closest_loop(Pc pc, int kernel, const LoopPredictor& predictor) const;
  void admit();

  FootprintRules rules_;
  std::vector<std::vector<Pc>> headers_;  // by kernel: of its loops, in program order
  std::array<Warp, kMaxWarpsPerSm> warps_{};
  std::array<std::uint32_t, kMaxWarpsPerSm> age_{};
  std::vector<WarpSlot> by_age_;
  WarpMask inside_;     // warps in a loop with a footprint
  WarpMask expecting_;  // warps about to enter such a loop
  WarpMask admitted_;
  bool stale_ = true;  // admitted_ must be computed again
};

}  // namespace heddle::sched
