#include "gpu/analysed_launches.h"

#include <algorithm>
#include <cstring>

#include "base/demangle.h"

namespace heddle::gpu {
namespace {

using Json = nlohmann::ordered_json;

// Different launches that are analysed.
constexpr std::size_t kMaxEntries = 64;
// The largest part of a grid that a map shows.
constexpr std::uint32_t kMapExtent = 24;

Json extent_json(const Dim3& d) { return {d.x, d.y, d.z}; }

void put_line(Json& json, const isa::SourceLine& line) {
  if (line.line == 0) return;
  json["file"] = line.file;
  json["line"] = line.line;
}

const char* name_of(analysis::Direction direction) {
  switch (direction) {
    case analysis::Direction::x: return "x";
    case analysis::Direction::y: return "y";
    case analysis::Direction::none: break;
  }
  return "none";
}

Json reuse_json(const analysis::CtaReuse& reuse) {
  Json pairs = Json::array();
  for (const analysis::SharingPair& p : reuse.pairs)
    pairs.push_back({{"first", p.first},
                     {"second", p.second},
                     {"distance_x", p.distance_x},
                     {"distance_y", p.distance_y}});
  Json json{{"distance_x", reuse.distance_x},
            {"distance_y", reuse.distance_y},
            {"direction", name_of(reuse.direction)},
            {"pairs", std::move(pairs)}};
  if (!reuse.incomplete.empty()) json["incomplete"] = reuse.incomplete;
  return json;
}

Json access_json(const analysis::AnalysedAccess& a) {
  Json json{{"pc", a.pc},
            {"act", a.store ? "store" : "load"},
            {"space", a.space == isa::Space::local ? "local" : "global"},
            {"bytes", a.bytes}};
  if (a.loop != isa::Loop::kNone) json["loop"] = a.loop;
  put_line(json, a.line);
  json["affine"] = a.affine;
  if (a.affine)
    json["form"] = a.form, json["uniform"] = a.uniform;
  else
    json["reason"] = a.reason;
  return json;
}

Json loop_json(const analysis::LoopReuse& l, const isa::Kernel& kernel) {
  Json json{{"loop", l.loop}};
  put_line(json, isa::line_of(kernel, kernel.loops[l.loop]));
  json["depth"] = kernel.loops[l.loop].depth;
  if (!l.reason.empty()) {
    json["reason"] = l.reason;
    return json;
  }
  json["intra_warp"] = l.intra_warp, json["inter_warp"] = l.inter_warp;
  json["window_trips"] = l.window_trips, json["warp_footprint"] = l.warp_footprint;
  json["warps_by_intra"] = l.warps_by_intra, json["warps_by_inter"] = l.warps_by_inter;
  json["group"] = l.group, json["group_with_mapping"] = l.group_with_mapping;
  return json;
}

// How many lines of the CTA in the middle each CTA of a part of the grid touches.
Json map_json(analysis::LaunchAnalysis& analysis, const Dim3& grid) {
  const auto first = [](std::uint32_t extent) {
    return extent <= kMapExtent ? 0 : (extent - kMapExtent) / 2;
  };
  const std::uint32_t x0 = first(grid.x), y0 = first(grid.y), width = std::min(grid.x, kMapExtent),
                      height = std::min(grid.y, kMapExtent);
  const std::uint32_t x = x0 + width / 2, y = y0 + height / 2;
  const auto lines_at = [&](std::uint32_t cx, std::uint32_t cy) {
    return analysis.lines_of_cta(std::uint64_t{cy} * grid.x + cx);
  };
  const std::vector<std::uint64_t> own = lines_at(x, y);
  Json shared = Json::array();
  for (std::uint32_t cy = y0; cy < y0 + height; ++cy)
    for (std::uint32_t cx = x0; cx < x0 + width; ++cx) {
      const std::vector<std::uint64_t> other = lines_at(cx, cy);
      std::uint64_t both = 0;
      for (auto a = own.begin(), b = other.begin(); a != own.end() && b != other.end();) {
        if (*a == *b)
          ++both, ++a, ++b;
        else if (*a < *b)
          ++a;
        else
          ++b;
      }
      shared.push_back(both);
    }
  return {{"first", {x0, y0}},
          {"extent", {width, height}},
          {"cta", {x, y}},
          {"lines", own.size()},
          {"shared", std::move(shared)}};
}

// Values that look like addresses of buffers.
bool is_address(std::uint64_t value) { return value >= std::uint64_t{1} << 28; }

}  // namespace

analysis::CacheShape cache_shape_of(const config::GpuSpec& gpu, double usable) {
  analysis::CacheShape shape;
  shape.line_bytes = gpu.sm.l1d.line_bytes;
  shape.lines = static_cast<std::uint32_t>(gpu.sm.l1d.size_bytes / gpu.sm.l1d.line_bytes);
  shape.usable = usable;
  return shape;
}

AnalysedLaunches::AnalysedLaunches(const config::RunSpec& spec)
    : spec_(spec.analysis),
      gpu_(spec.gpu.name),
      cache_(cache_shape_of(spec.gpu, spec.analysis.usable)) {}

bool AnalysedLaunches::is_same(const Entry& entry, const exec::Launch& launch) const {
  if (entry.name != launch.kernel->name || entry.shape.grid != launch.grid ||
      entry.shape.block != launch.block)
    return false;
  for (const isa::Parameter& p : launch.kernel->parameters) {
    std::uint64_t before = 0, now = 0;
    const auto* const a = entry.shape.parameters.data() + p.offset;
    const auto* const b = launch.parameters.data() + p.offset;
    if (std::memcmp(a, b, p.bytes) == 0) continue;
    if (p.bytes != 8) return false;
    std::memcpy(&before, a, 8);
    std::memcpy(&now, b, 8);
    if (!is_address(before) || !is_address(now)) return false;
  }
  return true;
}

void AnalysedLaunches::add(const exec::Launch& launch) {
  for (Entry& entry : entries_)
    if (is_same(entry, launch)) {
      ++entry.launches;
      return;
    }
  if (entries_.size() == kMaxEntries) {
    ++not_shown_;
    return;
  }
  Entry& entry = entries_.emplace_back();
  const isa::Kernel& kernel = *launch.kernel;
  entry.name = kernel.name;
  entry.shape = {launch.grid, launch.block, launch.parameters};
  analysis::Options options;
  options.max_operations = spec_.operations;
  analysis::LaunchAnalysis one(kernel, entry.shape, cache_, options);
  const analysis::KernelAnalysis& result = one.result();
  Json& json = entry.json;
  json["kernel"] = demangle(kernel.name);
  json["mangled"] = kernel.name;
  json["launches"] = 0;
  json["grid"] = extent_json(launch.grid), json["block"] = extent_json(launch.block);
  json["milliseconds"] = result.milliseconds;
  if (!result.not_analysed.empty()) json["not_analysed"] = result.not_analysed;
  json["accesses"] = Json::array();
  for (const analysis::AnalysedAccess& a : result.accesses)
    json["accesses"].push_back(access_json(a));
  json["ctas"] = reuse_json(result.ctas);
  json["ctas_with_uniform"] = reuse_json(result.ctas_with_uniform);
  json["loops"] = Json::array();
  for (const analysis::LoopReuse& l : result.loops) json["loops"].push_back(loop_json(l, kernel));
  if (spec_.map && result.not_analysed.empty()) json["map"] = map_json(one, launch.grid);
}

Json AnalysedLaunches::json() const {
  Json launches = Json::array();
  for (const Entry& entry : entries_) {
    Json one = entry.json;
    one["launches"] = entry.launches;
    launches.push_back(std::move(one));
  }
  return {{"gpu", gpu_},
          {"line_bytes", cache_.line_bytes},
          {"lines", cache_.lines},
          {"usable", cache_.usable},
          {"launches_not_shown", not_shown_},
          {"kernels", std::move(launches)}};
}

}  // namespace heddle::gpu
