#include "analysis/loop_reuse.h"

#include <algorithm>
#include <cmath>

#include "analysis/access_relations.h"
#include "analysis/reuse_distance.h"

namespace heddle::analysis {
namespace {

// Warps that one group may have at most; a larger one needs no mark.
constexpr std::uint32_t kMaxGroup = 2048;

class OneLoop {
 public:
  OneLoop(SymbolicKernel& kernel, const ptx::Kernel& source, const LaunchShape& launch,
          LineRuns& runs, const CacheShape& cache, AccessRelations& relations, std::uint16_t loop)
      : kernel_(kernel),
        source_(source),
        launch_(launch),
        runs_(runs),
        relations_(relations),
        line_(cache.line_bytes),
        capacity_(static_cast<std::uint64_t>(std::floor(cache.usable * cache.lines))),
        loop_(loop) {
    reuse_.loop = loop;
    warps_per_cta_ = static_cast<std::uint32_t>((launch.block.count() + kWarpSize - 1) / kWarpSize);
    // A CTA in the middle of the grid: guards at the grid's edges hold in all its threads.
    base_ = runs.whole();
    fix(ctaid_x, launch.grid.x / 2);
    fix(ctaid_y, launch.grid.y / 2);
    fix(ctaid_z, launch.grid.z / 2);
    for (std::uint16_t l = source.loops[loop].parent; l != ptx::Loop::kNone;
         l = source.loops[l].parent)
      fix(kernel.loops[l].counter, 0);
  }

  LoopReuse find(const CtaReuse& ctas) {
    for (const SymbolicAccess& a : kernel_.accesses) {
      if (!source_.loops[loop_].contains(a.pc)) continue;
      if (!a.affine) {
        reuse_.reason = "an access of the loop is not affine";
        return reuse_;
      }
      accesses_.push_back(&a);
    }
    if (accesses_.empty()) {
      reuse_.reason = "it has no global or local access";
      return reuse_;
    }
    const SymbolicLoop& loop = kernel_.loops[loop_];
    if (!loop.counted) {
      reuse_.reason = loop.reason;
      return reuse_;
    }
    trips_ = kernel_.forms.interval(loop.last, base_.variables).high + 1;
    if (!find_window() || !find_warps_by_intra() || !find_warps_by_inter(ctas)) {
      const LoopReuse nothing;
      const std::string reason = runs_.why();
      reuse_ = nothing;
      reuse_.loop = loop_;
      reuse_.reason = reason;
      return reuse_;
    }
    return reuse_;
  }

 private:
  void fix(AtomId variable, std::int64_t value) { base_.variables[variable] = {value, value}; }

  // The largest reuse distance of a warp. Accesses that the loop does not move are left out: they
  // touch their lines in every trip.
  bool find_window() {
    const AtomId counter = kernel_.loops[loop_].counter;
    const AtomId axes[] = {counter};
    for (std::uint32_t w = 0; w < warps_per_cta_; ++w) {
      Region region = base_;
      region.threads = runs_.warp(w);
      std::vector<Piece> pieces;
      for (const SymbolicAccess* access : accesses_) {
        if (!kernel_.forms.uses(access->address, counter)) continue;
        std::optional<std::vector<Piece>> more = runs_.pieces(*access, region, axes);
        if (!more && trips_ <= kMaxTripsOneByOne) more = pieces_by_trip(*access, region);
        if (!more) return false;
        pieces.insert(pieces.end(), more->begin(), more->end());
      }
      for (const Piece& p : pieces)
        for (const Piece& q : pieces)
          reuse_.window_trips = std::max(reuse_.window_trips, distance(p, q));
      if (reuse_.window_trips + 1 >= trips_) break;
    }
    reuse_.intra_warp = reuse_.window_trips > 0;
    return true;
  }

  std::uint32_t distance(const Piece& p, const Piece& q) {
    if (q.box[0].high - p.box[0].low <= std::int64_t{reuse_.window_trips})
      return reuse_.window_trips;
    return p.coefficients == q.coefficients
               ? reuse_distance(p, q, 0, line_, reuse_.window_trips)
               : relations_.distance(p, q, 0, line_, reuse_.window_trips);
  }
  std::optional<std::vector<Piece>> pieces_by_trip(const SymbolicAccess& access,
                                                   const Region& region) {
    std::vector<Piece> pieces;
    for (std::int64_t trip = 0; trip < trips_; ++trip) {
      Region at = region;
      at.variables[kernel_.loops[loop_].counter] = {trip, trip};
      std::optional<Runs> runs = runs_.collect(access, at);
      if (!runs) return std::nullopt;
      if (!runs->empty()) pieces.push_back({{{trip, trip}}, {0}, std::move(*runs)});
    }
    return pieces;
  }

  // What a warp of a CTA touches in a window of trips from the first one on.
  std::optional<Runs> touched(const Region& cta, std::uint32_t warp, std::int64_t trips) {
    Region region = cta;
    region.threads = runs_.warp(warp);
    region.variables[kernel_.loops[loop_].counter] = {0, trips - 1};
    Runs all;
    for (const SymbolicAccess* access : accesses_) {
      std::optional<Runs> runs = runs_.collect(*access, region);
      if (!runs) return std::nullopt;
      all.insert(all.end(), runs->begin(), runs->end());
    }
    normalize(all, line_);
    return all;
  }
  std::int64_t window() const { return std::int64_t{reuse_.window_trips} + 1; }

  bool find_warps_by_intra() {
    for (std::uint32_t w = 0; w < warps_per_cta_; ++w) {
      const std::optional<Runs> runs = touched(base_, w, window());
      if (!runs) return false;
      reuse_.warp_footprint =
          std::max(reuse_.warp_footprint, static_cast<std::uint32_t>(count_lines(*runs, line_)));
    }
    if (reuse_.intra_warp && reuse_.warp_footprint > 0)
      reuse_.warps_by_intra =
          std::max<std::uint32_t>(1, static_cast<std::uint32_t>(capacity_ / reuse_.warp_footprint));
    return true;
  }

  // The CTA n places after the base in mapping order, or none behind the grid.
  std::optional<Region> cta_after(std::uint32_t n, Direction direction) const {
    const Dim3& g = launch_.grid;
    const auto at = [&](AtomId axis) {
      return static_cast<std::uint64_t>(base_.variables[axis].low);
    };
    Region region = base_;
    const auto move = [&](AtomId axis, std::uint64_t extent) {
      const std::uint64_t place = at(axis) + n;
      if (place >= extent) return false;
      region.variables[axis] = {static_cast<std::int64_t>(place), static_cast<std::int64_t>(place)};
      return true;
    };
    // Equation 7: CTAs of a group share the index across the direction.
    const bool inside = direction == Direction::y ? move(ctaid_y, g.y) : move(ctaid_x, g.x);
    return inside ? std::optional{region} : std::nullopt;
  }

  // The largest number of consecutive warps whose lines fit, at most `most`.
  std::optional<std::uint32_t> warps_that_fit(std::uint32_t most, Direction direction) {
    Runs all;
    for (std::uint32_t n = 0; n < most; ++n) {
      const std::optional<Region> cta = cta_after(n / warps_per_cta_, direction);
      if (!cta) return most;
      const std::optional<Runs> runs = touched(*cta, n % warps_per_cta_, window());
      if (!runs) return std::nullopt;
      all.insert(all.end(), runs->begin(), runs->end());
      normalize(all, line_);
      if (count_lines(all, line_) > capacity_) return n;
    }
    return most;
  }

  // Do two warps of these CTAs touch one line anywhere in the loop?
  std::optional<bool> warps_share(std::uint32_t ctas, Direction direction) {
    std::uint64_t sum = 0;
    Runs all;
    for (std::uint32_t c = 0; c < ctas; ++c) {
      const std::optional<Region> cta = cta_after(c, direction);
      if (!cta) break;
      for (std::uint32_t w = 0; w < warps_per_cta_; ++w) {
        const std::optional<Runs> runs = touched(*cta, w, trips_);
        if (!runs) return std::nullopt;
        sum += count_lines(*runs, line_);
        all.insert(all.end(), runs->begin(), runs->end());
      }
    }
    normalize(all, line_);
    return sum > count_lines(all, line_);
  }

  bool find_warps_by_inter(const CtaReuse& ctas) {
    // 0: no group of fewer warps than `limit`, which is at most kMaxGroup.
    const auto group_of = [&](std::uint32_t inter, std::uint32_t limit) -> std::uint32_t {
      std::uint32_t n = kMaxGroup;
      if (reuse_.warps_by_intra > 0) n = std::min(n, reuse_.warps_by_intra);
      if (inter > 0) n = std::min(n, inter);
      return n < limit ? n : 0;
    };
    const std::optional<bool> shared = warps_share(1, Direction::none);
    if (!shared) return false;
    reuse_.inter_warp = *shared;
    if (*shared) {
      const auto fit = warps_that_fit(warps_per_cta_, Direction::none);
      if (!fit) return false;
      reuse_.warps_by_inter = std::max<std::uint32_t>(1, *fit);
    }
    reuse_.group = group_of(reuse_.warps_by_inter, warps_per_cta_);
    if (ctas.direction == Direction::none) {
      reuse_.group_with_mapping = reuse_.group;
      return true;
    }
    const std::uint32_t limit = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(std::uint64_t{warps_per_cta_} * ctas.distance(), kMaxGroup));
    std::uint32_t inter = 0;
    const std::optional<bool> across = warps_share(2, ctas.direction);
    if (!across) return false;
    if (*across) {
      const auto fit = warps_that_fit(limit, ctas.direction);
      if (!fit) return false;
      inter = std::max<std::uint32_t>(1, *fit);
    }
    reuse_.group_with_mapping = group_of(inter, limit);
    return true;
  }

  static constexpr std::int64_t kMaxTripsOneByOne = 256;
  SymbolicKernel& kernel_;
  const ptx::Kernel& source_;
  const LaunchShape& launch_;
  LineRuns& runs_;
  AccessRelations& relations_;
  std::int64_t line_;
  std::uint64_t capacity_;
  std::uint16_t loop_;
  std::uint32_t warps_per_cta_ = 1;
  std::int64_t trips_ = 0;
  Region base_;
  std::vector<const SymbolicAccess*> accesses_;
  LoopReuse reuse_;
};

}  // namespace

std::vector<LoopReuse> find_loop_reuse(SymbolicKernel& kernel, const ptx::Kernel& source,
                                       const LaunchShape& launch, LineRuns& runs,
                                       const CacheShape& cache, const CtaReuse& ctas,
                                       AccessRelations& relations) {
  std::vector<LoopReuse> result;
  const auto count = static_cast<std::uint16_t>(kernel.loops.size());
  for (std::uint16_t l = 0; l < count; ++l)
    if (kernel.loops[l].reached)
      result.push_back(OneLoop(kernel, source, launch, runs, cache, relations, l).find(ctas));
  return result;
}

}  // namespace heddle::analysis
