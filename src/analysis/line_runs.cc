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

std::int64_t ceiling_of(std::int64_t value, std::int64_t divisor) {
  return -floor_of(-value, divisor);
}

}  // namespace

void normalize(Runs& runs, std::int64_t line_bytes) {
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
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
    if (atom.kind == Atom::Kind::choice) {
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
    if (loop.last.is_constant()) {
      Interval& range = region.variables[loop.counter];
      range = {std::max<std::int64_t>(range.low, 0),
               std::min(range.high, loop.last.constant.value)};
      if (range.low > range.high) return false;
    } else {
      all.push_back(forms.at_least_zero(loop.last - Forms::of(loop.counter)));
    }
  }
  region.variables.resize(forms.atoms(), Interval{});
  for (ConditionId c : all) {
    const Truth truth = forms.truth(c, region.variables);
    if (truth == Truth::no) return false;
    if (truth == Truth::open && forms.condition(c).kind != Condition::Kind::unknown)
      open.push_back(c);
  }
  return true;
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

  // The pattern that variables make that occur only in the sum.
  Runs pattern{{0, std::int64_t{access.bytes} - 1}};
  std::vector<std::pair<std::int64_t, std::int64_t>> progressions;  // stride, count
  Form rest{Number{address.constant.value}};
  for (const Term& t : address.terms) {
    const Interval& range = region.variables[t.atom];
    const bool variable = forms.atom(t.atom).kind == Atom::Kind::variable;
    if (!variable || coupled[t.atom] || (by_lane && t.atom <= tid_z)) {
      rest = rest + Forms::of(t.atom, t.coefficient.value);
      if (variable) coupled[t.atom] = 1;
      continue;
    }
    const std::int64_t stride = t.coefficient.value;
    rest.constant = rest.constant + Number{stride} * Number{stride > 0 ? range.low : range.high};
    if (!range.is_point()) progressions.emplace_back(std::abs(stride), range.high - range.low + 1);
  }
  std::sort(progressions.begin(), progressions.end());
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

  // The other variables, point by point.
  std::vector<AtomId> counted;
  std::uint64_t total = by_lane ? region.threads.size() : 1;
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
  Runs runs;
  std::vector<std::int64_t> values(forms.atoms(), 0);
  for (AtomId v = 0; v < values.size(); ++v)
    if (forms.atom(v).kind == Atom::Kind::variable) values[v] = region.variables[v].low;
  const std::size_t lanes = by_lane ? region.threads.size() : 1;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if (by_lane) {
      values[tid_x] = region.threads[lane].x;
      values[tid_y] = region.threads[lane].y;
      values[tid_z] = region.threads[lane].z;
    }
    for (bool more = true; more;) {
      if (std::all_of(open.begin(), open.end(),
                      [&](ConditionId c) { return forms.may_hold(c, values); })) {
        const std::int64_t base = forms.evaluate(rest, values);
        for (const Run& r : pattern) {
          const Run moved{base + r.first, base + r.last};
          if (!runs.empty() && moved.first >= runs.back().first &&
              moved.first - runs.back().last <= line_bytes_)
            runs.back().last = std::max(runs.back().last, moved.last);
          else
            runs.push_back(moved);
        }
        if (runs.size() > kMaxRunCount) normalize(runs, line_bytes_);
        if (runs.size() > kMaxRunCount) {
          why_ = "an access touches too many separate lines";
          return std::nullopt;
        }
      }
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

// Where along the axes a comparison changes its outcome. False: on no single axis, or nowhere in
// particular.
bool LineRuns::find_breaks(const Form& form, const Region& region, std::span<const AtomId> axes,
                           std::vector<std::vector<std::int64_t>>& breaks) const {
  const Forms& forms = kernel_.forms;
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
  if (!find_breaks(c.form, region, axes, breaks)) return false;
  // x == 0 also changes between 0 and 1.
  if (c.kind == Condition::Kind::zero && !find_breaks(c.form - Form{1}, region, axes, breaks))
    return false;
  // Choices and quotients inside.
  for (const Term& t : c.form.terms) {
    const Atom& atom = kernel_.forms.atom(t.atom);
    for (AtomId axis : axes)
      if (atom.kind != Atom::Kind::variable && kernel_.forms.uses(Forms::of(t.atom), axis) &&
          !region.variables[axis].is_point())
        return false;
  }
  return true;
}

std::optional<std::vector<Piece>> LineRuns::pieces(const SymbolicAccess& access, const Region& in,
                                                   std::span<const AtomId> axes) {
  why_.clear();
  Region region = in;
  std::vector<ConditionId> open;
  if (!conditions_in(access, region, open))
    return why_.empty() ? std::optional{std::vector<Piece>{}} : std::nullopt;
  const Forms& forms = kernel_.forms;
  std::vector<std::vector<std::int64_t>> breaks(axes.size());
  bool moves = true;
  for (ConditionId c : open) moves = moves && find_breaks(c, region, axes, breaks);
  const Form address = resolve(access.address, region);
  for (const Term& t : address.terms) {
    const Atom& atom = forms.atom(t.atom);
    if (atom.kind == Atom::Kind::variable) continue;
    for (AtomId axis : axes) {
      if (!forms.uses(Forms::of(t.atom), axis) || region.variables[axis].is_point()) continue;
      // A choice is decided within a piece; a quotient of an axis does not move uniformly.
      const bool choice = atom.kind == Atom::Kind::choice;
      moves = moves && choice && find_breaks(atom.condition, region, axes, breaks);
    }
  }
  std::size_t count = 1;
  std::vector<std::vector<Interval>> segments(axes.size());
  for (std::size_t a = 0; a < axes.size() && moves; ++a) {
    const Interval extent = region.variables[axes[a]];
    breaks[a].push_back(extent.low);
    breaks[a].push_back(extent.high + 1);
    std::sort(breaks[a].begin(), breaks[a].end());
    breaks[a].erase(std::unique(breaks[a].begin(), breaks[a].end()), breaks[a].end());
    for (std::size_t n = 0; n + 1 < breaks[a].size(); ++n)
      segments[a].push_back({breaks[a][n], breaks[a][n + 1] - 1});
    count *= segments[a].size();
    moves = count <= kMaxPieces;
  }
  if (!moves) {
    why_ = "the address or a guard does not change uniformly with the CTA";
    return std::nullopt;
  }
  std::vector<Piece> result;
  for (std::size_t n = 0; n < count; ++n) {
    Piece piece;
    Region at = region;
    std::size_t rest = n;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      piece.box.push_back(segments[a][rest % segments[a].size()]);
      rest /= segments[a].size();
      at.variables[axes[a]] = piece.box.back();
    }
    // Within the piece the address is linear in the axes.
    const Form linear = resolve(access.address, at);
    std::int64_t moved = 0;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      const std::int64_t c = linear.coefficient(axes[a]);
      for (const Term& t : linear.terms)
        if (t.atom != axes[a] && !piece.box[a].is_point() &&
            forms.uses(Forms::of(t.atom), axes[a])) {
          why_ = "the address does not change uniformly with the CTA";
          return std::nullopt;
        }
      piece.coefficients.push_back(c);
      moved += c * piece.box[a].low;
      at.variables[axes[a]] = {piece.box[a].low, piece.box[a].low};
    }
    std::optional<Runs> runs = collect(access, at);
    if (!runs) return std::nullopt;
    if (runs->empty()) continue;
    for (Run& r : *runs) r.first -= moved, r.last -= moved;
    piece.runs = std::move(*runs);
    result.push_back(std::move(piece));
  }
  return result;
}

}  // namespace heddle::analysis
