#include "analysis/cta_reuse.h"

#include <algorithm>
#include <map>

#include "analysis/access_relations.h"
#include "analysis/reuse_distance.h"

namespace heddle::analysis {
namespace {

// Pairs that are reported, and those that are examined for the report.
constexpr std::size_t kMaxPairs = 8;
constexpr std::size_t kMaxExaminedPairs = 4000;
// Grids with at most so many CTAs, and points of all of them together, are enumerated when an
// address does not change uniformly with the CTA.
constexpr std::uint64_t kMaxEnumeratedCtas = 1024, kMaxEnumeratedPoints = 200'000;

struct Analysed {
  std::uint32_t index = 0;  // of the access
  bool uniform = false;
  std::vector<Piece> pieces;
};

// Pieces of several accesses that move alike, as one.
std::vector<Piece> join_alike(const std::vector<const Analysed*>& accesses,
                              std::int64_t line_bytes) {
  std::map<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>, Piece> joined;
  for (const Analysed* access : accesses)
    for (const Piece& p : access->pieces) {
      std::vector<std::int64_t> box;
      for (const Interval& i : p.box) box.insert(box.end(), {i.low, i.high});
      Piece& to =
          joined.try_emplace({p.coefficients, box}, Piece{p.box, p.coefficients, {}}).first->second;
      to.runs.insert(to.runs.end(), p.runs.begin(), p.runs.end());
    }
  std::vector<Piece> result;
  for (auto& [key, piece] : joined) {
    normalize(piece.runs, line_bytes);
    result.push_back(std::move(piece));
  }
  return result;
}

class CtaDistances {
 public:
  CtaDistances(const CacheShape& cache, AccessRelations& relations)
      : line_(cache.line_bytes), relations_(relations) {}

  std::uint32_t largest(const std::vector<Piece>& a, const std::vector<Piece>& b,
                        std::size_t axis) const {
    if (std::all_of(a.begin(), a.end(), is_place) && std::all_of(b.begin(), b.end(), is_place))
      return reuse_distance_of_places(a, b, axis, line_);
    std::uint32_t best = 0;
    for (const Piece& p : a)
      for (const Piece& q : b)
        if (!comparable(p, q, axis, best))
          continue;
        else if (p.coefficients == q.coefficients)
          best = reuse_distance(p, q, axis, line_, best);
        else
          best = std::max(best, distance_of_unlike(p, q, axis, best));
    return best;
  }

  CtaReuse find(const std::vector<const Analysed*>& accesses) const {
    CtaReuse reuse;
    const std::vector<Piece> all = join_alike(accesses, line_);
    reuse.distance_x = largest(all, all, 0);
    reuse.distance_y = largest(all, all, 1);
    if (reuse.distance() > 0)
      reuse.direction = reuse.distance_y > reuse.distance_x ? Direction::y : Direction::x;
    if (reuse.distance() > 0) find_pairs(accesses, reuse);
    return reuse;
  }

 private:
  // At a single point of an axis any coefficient describes a piece.
  std::uint32_t distance_of_unlike(Piece p, Piece q, std::size_t axis, std::uint32_t best) const {
    const auto describe = [](Piece& piece, std::size_t a, std::int64_t coefficient) {
      const std::int64_t move = (piece.coefficients[a] - coefficient) * piece.box[a].low;
      for (Run& r : piece.runs) r.first += move, r.last += move;
      piece.coefficients[a] = coefficient;
    };
    for (std::size_t a = 0; a < p.box.size(); ++a)
      if (p.box[a].is_point())
        describe(p, a, q.coefficients[a]);
      else if (q.box[a].is_point())
        describe(q, a, p.coefficients[a]);
    return p.coefficients == q.coefficients ? reuse_distance(p, q, axis, line_, best)
                                            : relations_.distance(p, q, axis, line_, best);
  }
  // Have the pieces points that differ along the axis only, by more than `distance`?
  static bool comparable(const Piece& p, const Piece& q, std::size_t axis, std::uint32_t distance) {
    for (std::size_t a = 0; a < p.box.size(); ++a)
      if (a == axis ? q.box[a].high - p.box[a].low <= std::int64_t{distance}
                    : p.box[a].low > q.box[a].high || q.box[a].low > p.box[a].high)
        return false;
    return !p.runs.empty() && !q.runs.empty();
  }
  void find_pairs(const std::vector<const Analysed*>& accesses, CtaReuse& reuse) const {
    std::size_t examined = 0;
    for (std::size_t a = 0; a < accesses.size(); ++a)
      for (std::size_t b = a; b < accesses.size(); ++b) {
        if (reuse.pairs.size() >= kMaxPairs || ++examined > kMaxExaminedPairs) break;
        const auto both = [&](std::size_t axis) {
          const std::uint32_t there = largest(accesses[a]->pieces, accesses[b]->pieces, axis);
          return a == b ? there
                        : std::max(there, largest(accesses[b]->pieces, accesses[a]->pieces, axis));
        };
        const SharingPair pair{accesses[a]->index, accesses[b]->index, both(0), both(1)};
        if ((pair.distance_x > 0 && pair.distance_x == reuse.distance_x) ||
            (pair.distance_y > 0 && pair.distance_y == reuse.distance_y))
          reuse.pairs.push_back(pair);
      }
    std::stable_sort(
        reuse.pairs.begin(), reuse.pairs.end(), [](const SharingPair& p, const SharingPair& q) {
          return std::max(p.distance_x, p.distance_y) > std::max(q.distance_x, q.distance_y);
        });
  }

  std::int64_t line_;
  AccessRelations& relations_;
};

// One piece for each CTA, of small grids.
std::optional<std::vector<Piece>> enumerate_ctas(const SymbolicAccess& access,
                                                 const LaunchShape& launch, LineRuns& runs) {
  std::vector<Piece> pieces;
  const std::uint64_t before = runs.points();
  for (std::uint32_t z = 0; z < launch.grid.z; ++z)
    for (std::uint32_t y = 0; y < launch.grid.y; ++y)
      for (std::uint32_t x = 0; x < launch.grid.x; ++x) {
        Region region = runs.whole();
        region.variables[ctaid_x] = {x, x};
        region.variables[ctaid_y] = {y, y};
        region.variables[ctaid_z] = {z, z};
        std::optional<Runs> touched = runs.collect(access, region);
        if (!touched || runs.points() - before > kMaxEnumeratedPoints) return std::nullopt;
        pieces.push_back({{{x, x}, {y, y}, {z, z}}, {0, 0, 0}, std::move(*touched)});
      }
  return pieces;
}

bool has(const std::vector<Analysed>& list, const SymbolicAccess& access,
         const SymbolicKernel& kernel) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Analysed& a) { return &kernel.accesses[a.index] == &access; });
}

}  // namespace

bool is_uniform(const SymbolicKernel& kernel, const SymbolicAccess& access) {
  return std::none_of(std::begin(kCtaAxes), std::end(kCtaAxes),
                      [&](AtomId axis) { return kernel.forms.uses(access.address, axis); });
}

CtaReuseResult find_cta_reuse(SymbolicKernel& kernel, const LaunchShape& launch, LineRuns& runs,
                              const CacheShape& cache, AccessRelations& relations) {
  CtaReuseResult result;
  std::vector<Analysed> analysed;
  bool moves = true;
  std::string why;
  for (const bool enumerate : {false, true}) {
    if (enumerate && (moves || launch.grid.count() > kMaxEnumeratedCtas)) break;
    std::vector<Analysed> found;
    for (std::uint32_t i = 0; i < kernel.accesses.size(); ++i) {
      const SymbolicAccess& access = kernel.accesses[i];
      if (!access.affine || access.store || access.space != ptx::Space::global) continue;
      std::optional<std::vector<Piece>> pieces = enumerate
                                                     ? enumerate_ctas(access, launch, runs)
                                                     : runs.pieces(access, runs.whole(), kCtaAxes);
      if (pieces) {
        found.push_back({i, is_uniform(kernel, access), std::move(*pieces)});
        continue;
      }
      moves = false;
      if (!enumerate) why = runs.why();
    }
    if (enumerate && found.size() < analysed.size()) continue;
    analysed = std::move(found);
    if (enumerate &&
        std::none_of(kernel.accesses.begin(), kernel.accesses.end(), [&](const SymbolicAccess& a) {
          return a.affine && a.space == ptx::Space::global && !has(analysed, a, kernel);
        }))
      why.clear();
  }
  const CtaDistances distances(cache, relations);
  std::vector<const Analysed*> some, all;
  for (const Analysed& a : analysed) {
    all.push_back(&a);
    if (!a.uniform) some.push_back(&a);
  }
  result.without_uniform = distances.find(some);
  result.with_uniform = some.size() == all.size() ? result.without_uniform : distances.find(all);
  result.without_uniform.incomplete = result.with_uniform.incomplete = why;
  return result;
}

}  // namespace heddle::analysis
