#include "analysis/access_relations.h"

#include <algorithm>

#include "analysis/isl_objects.h"

namespace heddle::analysis {

struct AccessRelations::Impl {
  IslContext context{isl_ctx_alloc()};
  bool exhausted = false;
};

AccessRelations::AccessRelations(std::uint64_t max_operations) : impl_(std::make_unique<Impl>()) {
  isl_options_set_on_error(impl_->context.get(), ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(impl_->context.get(), std::max<unsigned long>(1, max_operations));
}
AccessRelations::~AccessRelations() = default;
bool AccessRelations::exhausted() const { return impl_->exhausted; }

namespace {

// Builds the basic set of all (p, d, address offsets, line) at which two runs share a line.
// Columns: the axes of p, then d, then the line.
class SharingSet {
 public:
  explicit SharingSet(std::size_t axes) : columns_(axes + 2) {}

  // constant + sum of coefficients * columns >= 0
  void require(const std::vector<std::int64_t>& coefficients, std::int64_t constant) {
    rows_.insert(rows_.end(), coefficients.begin(), coefficients.end());
    rows_.push_back(constant);
  }
  // All rows at once: isl simplifies a set whenever a constraint is added.
  IslSet build(isl_ctx* context) const {
    const auto width = static_cast<unsigned>(columns_ + 1);
    isl_mat* rows =
        isl_mat_alloc(context, static_cast<unsigned>(rows_.size() / (columns_ + 1)), width);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      rows = isl_mat_set_element_val(rows, static_cast<int>(i / width), static_cast<int>(i % width),
                                     isl_val_int_from_si(context, rows_[i]));
    isl_space* const space = isl_space_set_alloc(context, 0, static_cast<unsigned>(columns_));
    return IslSet{isl_set_from_basic_set(isl_basic_set_from_constraint_matrices(
        space, isl_mat_alloc(context, 0, width), rows, isl_dim_set, isl_dim_div, isl_dim_param,
        isl_dim_cst))};
  }

 private:
  std::size_t columns_;
  std::vector<std::int64_t> rows_;  // with the constant last
};

// May runs of two pieces share a line at a distance above `best`? Both see the same place in the
// grid but for the axis, which bounds the bytes between them.
bool may_share(const Piece& first, const Run& r, const Piece& second, const Run& s,
               std::size_t axis, std::int64_t line, std::int64_t best) {
  Interval between{s.first - r.last, s.last - r.first};
  for (std::size_t a = 0; a < first.box.size(); ++a) {
    const std::int64_t slope = second.coefficients[a] - first.coefficients[a];
    Interval places{std::max(first.box[a].low, second.box[a].low),
                    std::min(first.box[a].high, second.box[a].high)};
    if (a == axis) {
      places = {first.box[a].low, std::min(first.box[a].high, second.box[a].high - best - 1)};
      const Interval further{best + 1, second.box[a].high - first.box[a].low};
      if (further.low > further.high) return false;
      between = between + further * second.coefficients[a];
    }
    if (places.low > places.high) return false;
    between = between + places * slope;
  }
  return between.low < line && between.high > -line;
}

}  // namespace

std::uint32_t AccessRelations::distance(const Piece& first, const Piece& second, std::size_t axis,
                                        std::int64_t line, std::uint32_t at_least) {
  const std::size_t axes = first.box.size(), d = axes, l = axes + 1;
  // Bounds of what a piece touches anywhere in its box.
  const auto hull = [](const Piece& p, std::int64_t low, std::int64_t high) {
    Interval all{low, high};
    for (std::size_t a = 0; a < p.box.size(); ++a) all = all + p.box[a] * p.coefficients[a];
    return all;
  };
  const auto apart = [line](const Interval& a, const Interval& b) {
    return a.high + line < b.low || b.high + line < a.low;
  };
  const Interval all = hull(second, second.runs.front().first, second.runs.back().last);
  if (apart(hull(first, first.runs.front().first, first.runs.back().last), all)) return at_least;
  std::uint32_t best = at_least;
  for (const Run& r : first.runs) {
    const Interval mine = hull(first, r.first, r.last);
    for (const Run& s : second.runs) {
      if (impl_->exhausted) return best;
      if (apart(mine, hull(second, s.first, s.last))) continue;
      if (!may_share(first, r, second, s, axis, line, best)) continue;
      SharingSet set(axes);
      for (std::size_t a = 0; a < axes; ++a) {
        std::vector<std::int64_t> here(axes + 2, 0), there(axes + 2, 0);
        here[a] = there[a] = 1;
        if (a == axis) there[d] = 1;
        set.require(here, -first.box[a].low);
        set.require(there, -second.box[a].low);
        for (auto& c : here) c = -c;
        for (auto& c : there) c = -c;
        set.require(here, first.box[a].high);
        set.require(there, second.box[a].high);
      }
      std::vector<std::int64_t> further(axes + 2, 0);
      further[d] = 1;
      set.require(further, -std::int64_t{best} - 1);
      // Both runs reach line l: first byte < (l + 1) * line, last byte >= l * line.
      const auto touch = [&](const Run& run, const Piece& piece, bool moved) {
        std::vector<std::int64_t> low(axes + 2, 0), high(axes + 2, 0);
        for (std::size_t a = 0; a < axes; ++a) {
          low[a] = piece.coefficients[a];
          high[a] = -piece.coefficients[a];
        }
        if (moved) {
          low[d] = piece.coefficients[axis];
          high[d] = -piece.coefficients[axis];
        }
        low[l] = -line;
        high[l] = line;
        set.require(low, run.last);
        set.require(high, line - 1 - run.first);
      };
      touch(r, first, false);
      touch(s, second, true);
      const IslSet points = set.build(impl_->context.get());
      const isl_bool empty = isl_set_is_empty(points.get());
      if (empty == isl_bool_true) continue;
      const IslValue most{empty == isl_bool_false
                              ? isl_set_dim_max_val(isl_set_copy(points.get()), static_cast<int>(d))
                              : nullptr};
      if (!most || isl_val_is_int(most.get()) != isl_bool_true) {
        impl_->exhausted = true;
        isl_ctx_reset_error(impl_->context.get());
        return best;
      }
      best = std::max(best, static_cast<std::uint32_t>(isl_val_get_num_si(most.get())));
    }
  }
  return best;
}

}  // namespace heddle::analysis
