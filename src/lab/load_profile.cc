#include "lab/load_profile.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "lab/compare.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;
using sched::LoadProfile;

template <class List, class Is, class Make>
auto& find_or_add(List& list, Is is, Make make) {
  const auto found = std::find_if(list.begin(), list.end(), is);
  return found != list.end() ? *found : list.emplace_back(make());
}

std::uint64_t total(const ordered_json& counts) {
  std::uint64_t sum = 0;
  for (const auto& [kind, count] : counts.items()) sum += count.get<std::uint64_t>();
  return sum;
}

// Accesses to lines that the same warp brought in, requested, or brought in and lost: its hits in
// an infinite cache.
std::uint64_t own_lines(const ordered_json& l1d) {
  return l1d["hit_same_warp"].get<std::uint64_t>() + l1d["pending_same_warp"].get<std::uint64_t>() +
         l1d["miss_same_warp"].get<std::uint64_t>();
}

void add_load(sched::ProfiledLoop& loop, const ordered_json& i) {
  const Pc pc = i["pc"], first = i["repeats"];
  auto& load = find_or_add(
      loop.loads, [&](const auto& l) { return l.pc == pc; },
      [&] {
        sched::ProfiledLoad made;
        made.pc = pc;
        made.ptx_line = i["ptx_line"];
        made.group = static_cast<std::uint32_t>(loop.loads.size());
        for (const auto& other : loop.loads)
          if (other.pc == first) made.group = other.group;
        return made;
      });
  load.executions += i["executions"].get<std::uint64_t>();
  load.scattered += i.value("scattered", std::uint64_t{0});
  load.diverged = load.scattered > 0;
  loop.accesses += total(i["l1d"]);
  loop.own += own_lines(i["l1d"]);
  loop.local = 2 * loop.own > loop.accesses;
}

void add_launch(sched::ProfiledKernel& kernel, const ordered_json& details) {
  for (const ordered_json& i : details["instructions"]) {
    if (!i.contains("repeats") || !i.contains("l1d") || total(i["l1d"]) == 0) continue;
    const Pc header = i["loop"];
    auto& loop = find_or_add(
        kernel.loops, [&](const auto& l) { return l.pc == header; },
        [&] {
          sched::ProfiledLoop made;
          made.pc = header;
          for (const ordered_json& l : details["loops"])
            if (l["pc"] == header) {
              made.ptx_line = l["ptx_line"];
              made.source = l["source"];
            }
          return made;
        });
    add_load(loop, i);
  }
  std::sort(kernel.loops.begin(), kernel.loops.end(),
            [](const auto& a, const auto& b) { return a.pc < b.pc; });
}

}  // namespace

RunRequest with_details(const RunRequest& request) {
  RunRequest changed = request;
  changed.watch = {};
  changed.watch.details = true;
  changed.keep_launches = true;
  return changed;
}

LoadProfile load_profile_of(const ordered_json& results) {
  LoadProfile profile;
  profile.program = results["program"]["path"];
  for (const ordered_json& word : results["program"]["arguments"])
    profile.arguments += (profile.arguments.empty() ? "" : " ") + word.get<std::string>();
  profile.gpu = results["gpu"];
  profile.scheduler = results["scheduler"];
  for (const ordered_json& launch : results["kernels"]) {
    if (!launch.contains("details")) continue;
    const std::string name = launch["name"];
    auto& kernel = find_or_add(
        profile.kernels, [&](const auto& k) { return k.name == name; },
        [&] {
          sched::ProfiledKernel made;
          made.name = name;
          made.instructions = launch["details"]["instructions_in_code"];
          return made;
        });
    add_launch(kernel, launch["details"]);
  }
  return profile;
}

ProfileRun profile_loads(const RunRequest& request, const ReportProgress& report_progress) {
  const Comparison run = compare(with_details(request), {"gto"}, 1, report_progress);
  if (run.interrupted) return {{}, run.interrupted};
  const Contestant& only = run.contestants.front();
  if (only.failed())
    throw ProgramFailure("the program fails in its profiling run: " + only.failure(), only.errors);
  return {load_profile_of(only.outcome.results), 0};
}

}  // namespace heddle::lab
