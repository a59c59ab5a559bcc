// DAWS's predictions: how many L1 lines each warp of an SM touches in an iteration of the loop that
// it is in, and which warps, oldest first, fit the cache together. Loops are known by the pc of
// their first instruction.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "ptx/kernel.h"
#include "sm/warp_scheduler.h"

namespace heddle::sched {

// A load that repeats in a loop. Loads of one group touch the same lines and count once.
struct LoadClass {
  Pc pc = kNoPc, loop = kNoPc;
  bool diverged = false;
  std::uint32_t group = 0;
  std::int32_t divergence = 0;  // trained by the detecting form
};

// The static load classification table: what is known of a kernel's loads, and of its loops.
class LoadTable {
 public:
  explicit LoadTable(std::size_t capacity) : capacity_(capacity) {}
  void clear() { loads_.clear(); }
  LoadClass* find(Pc pc);
  LoadClass* insert(const LoadClass& load);  // null when the table is full
  const std::vector<LoadClass>& loads() const { return loads_; }
  void merge_groups(std::uint32_t a, std::uint32_t b);
  // Lines touched in one iteration by a warp with so many active lanes.
  std::uint32_t predict(Pc loop, int lanes) const;
  // The first loop in program order that begins at `pc` or behind and has loads here, or kNoPc. A
  // load may be its loop's first instruction, which issues before the loop counts as begun.
  Pc loop_behind(Pc pc) const;

 private:
  std::size_t capacity_;
  std::vector<LoadClass> loads_;
};

// Says how much a loop would touch.
class LoopPredictor {
 public:
  virtual ~LoopPredictor() = default;
  virtual std::uint32_t predict(Pc loop, int lanes) const = 0;
  virtual Pc loop_behind(Pc pc) const = 0;
};

enum class Unpredicted { pass, by_age };

class Footprints {
 public:
  // lines: what may be touched; sticky: admitted warps stay admitted until they leave their loop;
  // unpredicted: whether warps without a footprint pass always, or only when those older than they
  // are leave room.
  Footprints(double lines, bool sticky, Unpredicted unpredicted = Unpredicted::pass)
      : lines_(lines), sticky_(sticky), unpredicted_(unpredicted) {}

  void launch(WarpSlot warp, std::uint32_t age);
  void exit(WarpSlot warp);
  void enter_barrier(WarpSlot warp);
  void leave_barrier(WarpSlot warp);
  void begin_loop(WarpSlot warp, Pc loop, int lanes, const LoopPredictor& predictor);
  void leave_outermost_loop(WarpSlot warp);
  // The warp issued here, perhaps past a loop that it was expected to enter.
  void passed(WarpSlot warp, Pc pc);
  // Whether the warp, with so many lanes, may issue the load at `pc`.
  bool may_load(WarpSlot warp, Pc pc, int lanes, const LoopPredictor& predictor);
  bool none_predicted() const { return inside_.none(); }
  std::uint32_t footprint(WarpSlot warp) const { return at(warp).footprint; }
  // Sum of all footprints, and of those of admitted warps.
  std::uint64_t predicted_lines() const;
  std::uint64_t admitted_lines() const;
  WarpMask with_footprint() const { return inside_ | expecting_; }
  WarpMask admitted() const { return admitted_; }
  std::uint64_t resident() const { return by_age_.size(); }

 private:
  struct Warp {
    std::uint32_t footprint = 0, saved = 0;
    Pc loop = kNoPc;      // the loop it is in, as far as predictions go
    Pc expected = kNoPc;  // provisional: the loop it is expected to enter
  };
  Warp& at(WarpSlot w) { return warps_[static_cast<std::size_t>(w.index)]; }
  const Warp& at(WarpSlot w) const { return warps_[static_cast<std::size_t>(w.index)]; }
  void set(WarpSlot warp, std::uint32_t footprint);
  void drop_expectations();
  void admit();

  double lines_;
  bool sticky_;
  Unpredicted unpredicted_;
  std::array<Warp, kMaxWarpsPerSm> warps_{};
  std::array<std::uint32_t, kMaxWarpsPerSm> age_{};
  std::vector<WarpSlot> by_age_;
  WarpMask inside_;  // in a loop with a footprint
  WarpMask expecting_;
  WarpMask admitted_;
  bool stale_ = true;  // admitted_ has to be worked out anew
};

}  // namespace heddle::sched
