#include "analysis/line_runs.h"

#include <algorithm>

namespace heddle::analysis {
namespace {

// Points that one access may need, runs that it may have, and points of one launch.
constexpr std::uint64_t kMaxPoints = std::uint64_t{1} << 19;
constexpr std::size_t kMaxRunCount = std::size_t{1} << 17;
// Parts of the grid in which guards have different outcomes.
constexpr std::size_t kMaxPieces = 64;
constexpr std::int64_t kMaxOpenRange = 12;
constexpr int kMaxDepth = 8;

std::int64_t ceiling_of(std::int64_t value, std::int64_t divisor) {
  return -floor_of(-value, divisor);
}

}  // namespace

void normalize(Runs& runs, std::int64_t line_bytes) {
  const auto before = [](const Run& a, const Run& b) { return a.first < b.first; };
  if (!std::is_sorted(runs.begin(), runs.end(), before))
    std::sort(runs.begin(), runs.end(), before);
  std::size_t kept = 0;
  for (const Run& r : runs) {
    if (kept > 0 && r.first - runs[kept - 1].last <= line_bytes)
      runs[kept - 1].last = std::max(runs[kept - 1].last, r.last);
    else
      runs[kept++] = r;
  }
  runs.resize(kept);
}

std::vector<std::uint64_t> lines_of(const Runs& runs, std::int64_t line_bytes) {
  std::vector<std::uint64_t> lines;
  for (const Run& r : runs)
    for (std::int64_t l = floor_of(r.first, line_bytes); l <= floor_of(r.last, line_bytes); ++l)
      if (lines.empty() || lines.back() < static_cast<std::uint64_t>(l))
        lines.push_back(static_cast<std::uint64_t>(l));
  return lines;
}

std::uint64_t count_lines(const Runs& runs, std::int64_t line_bytes) {
  std::int64_t count = 0, before = Interval::kMin;
  for (const Run& r : runs) {
    const std::int64_t first = floor_of(r.first, line_bytes), last = floor_of(r.last, line_bytes);
    count += last - std::max(first, before + 1) + 1;
    before = last;
  }
  return static_cast<std::uint64_t>(count);
}

LineRuns::LineRuns(SymbolicKernel& kernel, const ptx::Kernel& source, const LaunchShape& launch,
                   std::uint32_t line_bytes)
    : kernel_(kernel), source_(source), launch_(launch), line_bytes_(line_bytes) {
  whole_.variables.resize(kernel.forms.atoms());
  for (AtomId a = 0; a < whole_.variables.size(); ++a)
    whole_.variables[a] = kernel.forms.atom(a).interval;
}

std::vector<ThreadIndex> LineRuns::warp(std::uint32_t index) const {
  std::vector<ThreadIndex> lanes;
  const Dim3& b = launch_.block;
  for (std::uint64_t t = std::uint64_t{index} * kWarpSize;
       t < std::min<std::uint64_t>((std::uint64_t{index} + 1) * kWarpSize, b.count()); ++t)
    lanes.push_back({static_cast<std::uint32_t>(t % b.x), static_cast<std::uint32_t>(t / b.x % b.y),
                     static_cast<std::uint32_t>(t / b.x / b.y)});
  return lanes;
}

void LineRuns::find_variables(const Form& form, bool inside, std::vector<char>& coupled) const {
  for (const Term& t : form.terms) {
    const Atom& atom = kernel_.forms.atom(t.atom);
    if (atom.kind == Atom::Kind::variable) {
      if (inside) coupled[t.atom] = 1;
      continue;
    }
    find_variables(atom.first, true, coupled);
    find_variables(atom.second, true, coupled);
    if (atom.kind == Atom::Kind::choice) find_variables(atom.condition, coupled);
  }
}
void LineRuns::find_variables(ConditionId id, std::vector<char>& coupled) const {
  const Condition& c = kernel_.forms.condition(id);
  find_variables(c.form, true, coupled);
  for (ConditionId part : c.parts) find_variables(part, coupled);
}

// Without quotients and choices that the region decides.
Form LineRuns::resolve(const Form& form, const Region& region) const {
  Form result{form.constant};
  for (const Term& t : form.terms) {
    const Atom& atom = kernel_.forms.atom(t.atom);
    Form value = Forms::of(t.atom);
    if (atom.kind == Atom::Kind::variable) {
      const Interval& range = region.variables[t.atom];
      if (range.is_point()) value = Form{range.low};
    } else if (atom.kind == Atom::Kind::choice) {
      const Truth truth = kernel_.forms.truth(atom.condition, region.variables);
      if (truth != Truth::open)
        value = resolve(truth == Truth::yes ? atom.first : atom.second, region);
    } else if (atom.kind == Atom::Kind::quotient) {
      const Interval range = kernel_.forms.interval(value, region.variables);
      if (range.is_point()) value = Form{range.low};
    }
    result = result + value * t.coefficient.value;
  }
  return result;
}

ConditionId LineRuns::resolve(ConditionId id, const Region& region) {
  Forms& forms = kernel_.forms;
  const Truth truth = forms.truth(id, region.variables);
  if (truth != Truth::open) return truth == Truth::yes ? Forms::kAlways : Forms::kNever;
  const Condition c = forms.condition(id);
  switch (c.kind) {
    case Condition::Kind::at_least_zero: return forms.at_least_zero(resolve(c.form, region));
    case Condition::Kind::zero: return forms.zero(resolve(c.form, region));
    case Condition::Kind::all_of:
    case Condition::Kind::any_of: {
      std::vector<ConditionId> parts;
      for (ConditionId part : c.parts) parts.push_back(resolve(part, region));
      return c.kind == Condition::Kind::all_of ? forms.all_of(parts) : forms.any_of(parts);
    }
    default: return id;
  }
}

// Restricts loop counters to their loops. `open` are the conditions that hold at some points of
// the region only. False: no point, or an unknown number of iterations.
bool LineRuns::conditions_in(const SymbolicAccess& access, Region& region,
                             std::vector<ConditionId>& open) {
  Forms& forms = kernel_.forms;
  region.variables.resize(forms.atoms(), Interval{});
  std::vector<ConditionId> all = forms.conjuncts(access.condition);
  for (std::uint16_t l = access.loop; l != ptx::Loop::kNone; l = source_.loops[l].parent) {
    const SymbolicLoop& loop = kernel_.loops[l];
    if (!loop.counted) {
      if (forms.uses(access.address, loop.counter)) {
        why_ = loop.reason;
        return false;
      }
      std::erase_if(all, [&](ConditionId c) { return forms.uses(c, loop.counter); });
      continue;
    }
    const Form last = resolve(loop.last, region);
    Interval& range = region.variables[loop.counter];
    range = {std::max<std::int64_t>(range.low, 0),
             std::min(range.high, forms.interval(last, region.variables).high)};
    if (range.low > range.high) return false;
    if (!last.is_constant()) all.push_back(forms.at_least_zero(last - Forms::of(loop.counter)));
  }
  region.variables.resize(forms.atoms(), Interval{});
  for (ConditionId c : all) {
    const Truth truth = forms.truth(c, region.variables);
    if (truth == Truth::no) return false;
    if (truth != Truth::open || forms.condition(c).kind == Condition::Kind::unknown) continue;
    const ConditionId rest = resolve(c, region);
    if (rest == Forms::kNever) return false;
    if (rest != Forms::kAlways) open.push_back(rest);
  }
  return true;
}

// Lanes with consecutive tid.x, as one unless points are evaluated by tid.x.
std::vector<LineRuns::LaneGroup> LineRuns::lane_groups(const Region& region, bool each) {
  std::vector<LaneGroup> groups;
  if (region.threads.empty()) groups.push_back({});
  for (const ThreadIndex& t : region.threads) {
    LaneGroup* const last = groups.empty() ? nullptr : &groups.back();
    if (!each && last && last->first.y == t.y && last->first.z == t.z &&
        last->first.x + last->lanes == t.x)
      ++last->lanes;
    else
      groups.push_back({t, 1});
  }
  return groups;
}

std::optional<Runs> LineRuns::pattern_of(std::vector<Progression> progressions,
                                         std::uint32_t bytes) {
  Runs pattern{{0, std::int64_t{bytes} - 1}};
  std::sort(progressions.begin(), progressions.end(),
            [](const Progression& a, const Progression& b) { return a.stride < b.stride; });
  for (const auto& [stride, count] : progressions) {
    if (pattern.size() == 1 && stride - pattern[0].last <= line_bytes_) {
      pattern[0].last += (count - 1) * stride;
      continue;
    }
    if (pattern.size() * static_cast<std::size_t>(count) > kMaxRunCount) {
      why_ = "an access touches too many separate lines";
      return std::nullopt;
    }
    Runs copies;
    copies.reserve(pattern.size() * static_cast<std::size_t>(count));
    for (std::int64_t n = 0; n < count; ++n)
      for (const Run& r : pattern) copies.push_back({r.first + n * stride, r.last + n * stride});
    normalize(copies, line_bytes_);
    pattern = std::move(copies);
  }
  return pattern;
}

// Adds a pattern at a base. False: there are too many runs.
bool LineRuns::append(Runs& runs, const Runs& pattern, std::int64_t base) {
  for (const Run& r : pattern) {
    const Run moved{base + r.first, base + r.last};
    if (!runs.empty() && moved.first >= runs.back().first &&
        moved.first - runs.back().last <= line_bytes_)
      runs.back().last = std::max(runs.back().last, moved.last);
    else
      runs.push_back(moved);
  }
  if (runs.size() > kMaxRunCount) normalize(runs, line_bytes_);
  if (runs.size() <= kMaxRunCount) return true;
  why_ = "an access touches too many separate lines";
  return false;
}

std::optional<Runs> LineRuns::collect(const SymbolicAccess& access, const Region& in) {
  why_.clear();
  Region region = in;
  std::vector<ConditionId> open;
  if (!conditions_in(access, region, open))
    return why_.empty() ? std::optional<Runs>{Runs{}} : std::nullopt;
  const Forms& forms = kernel_.forms;
  const Form address = resolve(access.address, region);
  std::vector<char> coupled(forms.atoms(), 0);
  find_variables(address, false, coupled);
  for (ConditionId c : open) find_variables(c, coupled);
  const bool by_lane = !region.threads.empty();

  // Variables that occur only in the sum make a pattern; the others are evaluated point by point.
  std::vector<Progression> progressions;
  Form rest{Number{address.constant.value}};
  for (const Term& t : address.terms) {
    const Interval& range = region.variables[t.atom];
    const bool variable = forms.atom(t.atom).kind == Atom::Kind::variable;
    if (!variable || coupled[t.atom] || (by_lane && t.atom <= tid_z)) {
      rest = rest + Forms::of(t.atom, t.coefficient.value);
      continue;
    }
    const std::int64_t stride = t.coefficient.value;
    rest.constant = rest.constant + Number{stride} * Number{stride > 0 ? range.low : range.high};
    if (!range.is_point()) progressions.push_back({std::abs(stride), range.high - range.low + 1});
  }
  const std::vector<LaneGroup> groups = lane_groups(region, coupled[tid_x] != 0);
  const std::int64_t lane_stride = by_lane ? rest.coefficient(tid_x) : 0;

  std::vector<AtomId> counted;
  std::uint64_t total = groups.size();
  for (AtomId v = 0; v < coupled.size(); ++v) {
    if (!coupled[v] || (by_lane && v <= tid_z)) continue;
    const Interval& range = region.variables[v];
    total *= static_cast<std::uint64_t>(range.high - range.low) + 1;
    counted.push_back(v);
    if (!range.bounded() || total > kMaxPoints) {
      why_ = "an access has too many points that must be evaluated one by one";
      return std::nullopt;
    }
  }
  points_ += total;
  std::vector<std::int64_t> values(forms.atoms(), 0);
  for (AtomId v = 0; v < values.size(); ++v)
    if (forms.atom(v).kind == Atom::Kind::variable) values[v] = region.variables[v].low;
  Runs runs;
  std::optional<Runs> pattern;
  std::int64_t pattern_lanes = -1;
  for (const LaneGroup& group : groups) {
    if (by_lane) {
      values[tid_x] = group.first.x + (lane_stride < 0 ? group.lanes - 1 : 0);
      values[tid_y] = group.first.y;
      values[tid_z] = group.first.z;
    }
    if (group.lanes != pattern_lanes) {
      std::vector<Progression> all = progressions;
      if (lane_stride != 0 && group.lanes > 1) all.push_back({std::abs(lane_stride), group.lanes});
      pattern = pattern_of(std::move(all), access.bytes);
      if (!pattern) return std::nullopt;
      pattern_lanes = group.lanes;
    }
    for (bool more = true; more;) {
      if (std::all_of(open.begin(), open.end(),
                      [&](ConditionId c) { return forms.may_hold(c, values); }) &&
          !append(runs, *pattern, forms.evaluate(rest, values)))
        return std::nullopt;
      more = false;
      for (AtomId v : counted) {
        if (++values[v] <= region.variables[v].high) {
          more = true;
          break;
        }
        values[v] = region.variables[v].low;
      }
    }
  }
  normalize(runs, line_bytes_);
  return runs;
}

bool LineRuns::moves_along(AtomId atom, const Region& region, std::span<const AtomId> axes) const {
  return std::any_of(axes.begin(), axes.end(), [&](AtomId axis) {
    return !region.variables[axis].is_point() && kernel_.forms.uses(Forms::of(atom), axis);
  });
}

// Where along the axes a comparison changes its outcome. False: on no single axis, or nowhere in
// particular.
bool LineRuns::find_breaks(const Form& form, const Region& region, std::span<const AtomId> axes,
                           std::vector<std::vector<std::int64_t>>& breaks) const {
  const Forms& forms = kernel_.forms;
  for (const Term& t : form.terms) {
    const Atom& atom = forms.atom(t.atom);
    if (atom.kind == Atom::Kind::variable || !moves_along(t.atom, region, axes)) continue;
    if (atom.kind == Atom::Kind::quotient) return false;
    // A choice: where it changes. In the parts it is decided, and the comparison is seen again.
    return find_breaks(atom.condition, region, axes, breaks);
  }
  std::size_t axis = axes.size();
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (!forms.uses(form, axes[a]) || region.variables[axes[a]].is_point()) continue;
    if (axis != axes.size()) return false;
    axis = a;
  }
  if (axis == axes.size()) return true;
  const std::int64_t slope = form.coefficient(axes[axis]);
  const Form rest = form - Forms::of(axes[axis], slope);
  if (slope == 0 || forms.uses(rest, axes[axis])) return false;
  // slope * p + rest: its sign is open between these points.
  const Interval range = forms.interval(rest, region.variables);
  if (!range.bounded()) return false;
  const std::int64_t low = slope > 0 ? ceiling_of(-range.high, slope)
                                     : floor_of(range.low, -slope) + 1,
                     high = slope > 0 ? ceiling_of(-range.low, slope) - 1
                                      : floor_of(range.high, -slope);
  const Interval& extent = region.variables[axes[axis]];
  std::int64_t first = low, last = high;
  first = std::clamp(first, extent.low, extent.high + 1);
  last = std::clamp(last, extent.low - 1, extent.high);
  if (last - first + 1 > kMaxOpenRange) return false;
  for (std::int64_t p = first; p <= last + 1; ++p) breaks[axis].push_back(p);
  return true;
}

bool LineRuns::find_breaks(ConditionId id, const Region& region, std::span<const AtomId> axes,
                           std::vector<std::vector<std::int64_t>>& breaks) const {
  const Condition& c = kernel_.forms.condition(id);
  if (kernel_.forms.truth(id, region.variables) != Truth::open) return true;
  for (ConditionId part : c.parts)
    if (!find_breaks(part, region, axes, breaks)) return false;
  if (c.kind != Condition::Kind::at_least_zero && c.kind != Condition::Kind::zero) return true;
  const Form form = resolve(c.form, region);
  if (!find_breaks(form, region, axes, breaks)) return false;
  // x == 0 also changes between 0 and 1.
  return c.kind != Condition::Kind::zero || find_breaks(form - Form{1}, region, axes, breaks);
}

// Divides a part of the index space where a guard or a choice changes, until in every part they
// are decided or do not depend on the axes.
bool LineRuns::divide(const SymbolicAccess& access, const Region& in, std::span<const AtomId> axes,
                      int depth, std::vector<Region>& parts) {
  Region region = in;
  std::vector<ConditionId> open;
  if (!conditions_in(access, region, open)) return why_.empty();
  const Forms& forms = kernel_.forms;
  std::vector<std::vector<std::int64_t>> breaks(axes.size());
  for (ConditionId c : open)
    if (!find_breaks(c, region, axes, breaks)) return false;
  for (const Term& t : resolve(access.address, region).terms)
    if (forms.atom(t.atom).kind != Atom::Kind::variable &&
        !find_breaks(Forms::of(t.atom), region, axes, breaks))
      return false;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const Interval extent = region.variables[axes[a]];
    std::vector<std::int64_t>& at = breaks[a];
    std::erase_if(at, [&](std::int64_t p) { return p <= extent.low || p > extent.high; });
    if (at.empty()) continue;
    at.insert(at.end(), {extent.low, extent.high + 1});
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    if (depth >= kMaxDepth || parts.size() + at.size() > kMaxPieces) return false;
    for (std::size_t n = 0; n + 1 < at.size(); ++n) {
      Region part = in;
      part.variables[axes[a]] = {at[n], at[n + 1] - 1};
      if (!divide(access, part, axes, depth + 1, parts)) return false;
    }
    return true;
  }
  parts.push_back(std::move(region));
  return parts.size() <= kMaxPieces;
}

std::optional<std::vector<Piece>> LineRuns::pieces(const SymbolicAccess& access, const Region& in,
                                                   std::span<const AtomId> axes) {
  why_.clear();
  std::vector<Region> parts;
  if (!divide(access, in, axes, 0, parts)) {
    if (why_.empty()) why_ = "the address or a guard does not change uniformly";
    return std::nullopt;
  }
  const Forms& forms = kernel_.forms;
  std::vector<Piece> result;
  for (Region& at : parts) {
    // The address is linear in the axes, and no guard depends on them.
    const Form linear = resolve(access.address, at);
    std::vector<ConditionId> open;
    Region same = at;
    if (!conditions_in(access, same, open)) continue;
    for (AtomId axis : axes) {
      if (at.variables[axis].is_point()) continue;
      const bool moves = std::any_of(linear.terms.begin(), linear.terms.end(), [&](const Term& t) {
        return t.atom != axis && forms.uses(Forms::of(t.atom), axis);
      });
      const bool guarded = std::any_of(open.begin(), open.end(),
                                       [&](ConditionId c) { return depends_on(c, at, axis); });
      if (!moves && !guarded) continue;
      why_ = "the address or a guard does not change uniformly";
      return std::nullopt;
    }
    Piece piece;
    std::int64_t moved = 0;
    for (AtomId axis : axes) {
      const Interval box = at.variables[axis];
      piece.box.push_back(box);
      piece.coefficients.push_back(linear.coefficient(axis));
      moved += piece.coefficients.back() * box.low;
      at.variables[axis] = {box.low, box.low};
    }
    std::optional<Runs> runs = collect(access, at);
    if (!runs) return std::nullopt;
    if (runs->empty()) continue;
    for (Run& r : *runs) r.first -= moved, r.last -= moved;
    piece.runs = std::move(*runs);
    result.push_back(std::move(piece));
  }
  align(result, axes.size());
  return result;
}

// At a single point of an axis any coefficient describes the piece: that of the larger pieces is
// taken, so that pieces can be compared.
void LineRuns::align(std::vector<Piece>& pieces, std::size_t axes) {
  for (std::size_t a = 0; a < axes; ++a) {
    const auto wide = std::find_if(pieces.begin(), pieces.end(),
                                   [a](const Piece& p) { return !p.box[a].is_point(); });
    if (wide == pieces.end()) continue;
    const std::int64_t coefficient = wide->coefficients[a];
    for (Piece& p : pieces) {
      if (!p.box[a].is_point() || p.coefficients[a] == coefficient) continue;
      const std::int64_t move = (p.coefficients[a] - coefficient) * p.box[a].low;
      for (Run& r : p.runs) r.first += move, r.last += move;
      p.coefficients[a] = coefficient;
    }
  }
}

// Does an open condition depend on the axis, apart from choices that the region decides?
bool LineRuns::depends_on(ConditionId id, const Region& region, AtomId axis) const {
  if (kernel_.forms.truth(id, region.variables) != Truth::open) return false;
  const Condition& c = kernel_.forms.condition(id);
  return kernel_.forms.uses(resolve(c.form, region), axis) ||
         std::any_of(c.parts.begin(), c.parts.end(),
                     [&](ConditionId part) { return depends_on(part, region, axis); });
}

}  // namespace heddle::analysis
