// Which CTAs share lines in the L1 data cache of an SM: reads of lines that another CTA brought in.
// Exists only when a run asks for it (config::WatchSpec::cta_sharing); it changes no result.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "base/types.h"
#include "mem/cache.h"
#include "stats/fields.h"

namespace heddle::sm {

// Lines that an earlier kernel brought in are not counted: hits may be more than the sum of
// own_cta, resident_cta and earlier_cta.
struct CtaSharingStats {
  std::uint64_t hits = 0, own_cta = 0, resident_cta = 0, earlier_cta = 0, pending_hits = 0;
  std::uint64_t same_row = 0, same_column = 0;
  // Largest distances: taken over SMs and kernels, not added.
  std::uint64_t distance_x = 0, distance_y = 0;

  std::uint64_t other_cta() const { return resident_cta + earlier_cta; }
  void add(const CtaSharingStats& other);
  static constexpr auto fields() {
    using S = CtaSharingStats;
    using stats::Unit;
    return std::make_tuple(
        stats::counter("hits", Unit::accesses, "read hits of the L1 data cache", &S::hits),
        stats::counter("own_cta", Unit::accesses,
                       "of them, on lines that the CTA itself brought in", &S::own_cta),
        stats::counter("resident_cta", Unit::accesses,
                       "of them, on lines that another resident CTA brought in", &S::resident_cta),
        stats::counter("earlier_cta", Unit::accesses,
                       "of them, on lines that a CTA brought in that has ended", &S::earlier_cta),
        stats::counter("pending_hits", Unit::accesses,
                       "read pending hits on lines that another CTA fetches", &S::pending_hits),
        stats::counter("same_row", Unit::accesses,
                       "hits on lines of another CTA with the same y and z", &S::same_row),
        stats::counter("same_column", Unit::accesses,
                       "hits on lines of another CTA with the same x and z", &S::same_column),
        stats::counter("distance_x", Unit::ctas,
                       "largest distance along x of two CTAs of a row that share a line",
                       &S::distance_x),
        stats::counter("distance_y", Unit::ctas,
                       "largest distance along y of two CTAs of a column that share a line",
                       &S::distance_y));
  }
};

class CtaSharing {
 public:
  explicit CtaSharing(const mem::Cache& l1d);

  void begin_kernel(Dim3 grid, int warps_per_cta);
  // slot: the CTA slot of the SM.
  void start_cta(int slot, std::uint64_t cta);
  void end_cta(int slot) { ctas_[static_cast<std::size_t>(slot)].resident = false; }
  // A read that the L1 data cache answered.
  void count(WarpSlot warp, LineAddress line, mem::Outcome outcome);

  const CtaSharingStats& stats() const { return stats_; }  // of the running kernel

 private:
  struct Cta {
    std::uint32_t number = 0;  // of its start on this SM; 0: none
    std::uint32_t x = 0, y = 0, z = 0;
    bool resident = false;
  };
  struct Entry {
    LineAddress line;
    std::uint32_t number = 0, x = 0, y = 0, z = 0;  // of the CTA that brought it in; 0: empty
    std::uint32_t slot = 0, generation = 0;
  };

  std::size_t place_of(LineAddress line) const;  // of its entry, or of an empty one
  void bring_in(LineAddress line, const Cta& cta, std::uint32_t slot);
  void count_hit(const Entry& from, const Cta& by, mem::Outcome outcome);
  void remove_evicted();

  const mem::Cache& l1d_;
  Dim3 grid_;
  int warps_per_cta_ = 1;
  std::uint32_t next_number_ = 1, generation_ = 0;
  std::array<Cta, kMaxWarpsPerSm> ctas_{};  // by slot
  std::vector<Entry> entries_;              // an open hash table; its size is a power of two
  std::size_t used_ = 0;
  CtaSharingStats stats_;
};

}  // namespace heddle::sm
