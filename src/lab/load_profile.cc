#include "lab/load_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <numeric>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "lab/compare.h"
#include "lab/simulate.h"
#include "lab/text_table.h"

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

// Hits on lines that the same warp had brought in, lines under way, and lines that it has lost
// since: the hits of a cache without end.
std::uint64_t own(const ordered_json& l1d) {
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
  loop.own += own(i["l1d"]);
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

std::string table_of(const LoadProfile& profile, int width) {
  using enum Align;
  TextTable table({{"kernel", left},
                   {"loop", left},
                   {"own lines", right},
                   {"local", left},
                   {"load at PTX line", right},
                   {"diverged", left},
                   {"scattered", right},
                   {"group", right}});
  bool any = false;
  for (const auto& kernel : profile.kernels)
    for (const auto& loop : kernel.loops)
      for (const auto& load : loop.loads) {
        any = true;
        const bool first = &load == &loop.loads.front();
        const double share =
            loop.accesses ? static_cast<double>(loop.own) / static_cast<double>(loop.accesses) : 0;
        table.add_row({first ? plain_name(kernel.name) : "", first ? loop.source : "",
                       first ? percent(share) : "", first ? loop.local ? "yes" : "no" : "",
                       fmt::format("{}", load.ptx_line), load.diverged ? "yes" : "no",
                       load.executions ? percent(static_cast<double>(load.scattered) /
                                                 static_cast<double>(load.executions))
                                       : "-",
                       fmt::format("{}", load.group)});
      }
  return any ? table.text(" ", width) : " no load in a loop went through the L1\n";
}

RunRequest watched(const RunRequest& request) {
  RunRequest with = request;
  with.watch = {};
  with.watch.details = true;
  return with;
}

}  // namespace

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

ProfileRun profile_loads(const RunRequest& request,
                         const std::function<void(const std::string&)>& say) {
  const Comparison run = compare(watched(request), {"gto"}, 1, say);
  if (run.interrupted) return {{}, run.interrupted};
  const Contestant& only = run.contestants.front();
  if (only.failed()) {
    std::cerr << only.errors;
    throw UserError("the program fails in its profiling run: " +
                    (only.outcome.usable() ? describe(only.outcome.ending) : only.outcome.problem));
  }
  return {load_profile_of(only.outcome.results), 0};
}

int write_profile(const RunRequest& request, const std::string& file, bool quiet) {
  if (request.functional) throw UserError("profile needs timing");
  return simulate(watched(request), "", true, [&](const RunOutcome& outcome) {
    if (outcome.exit_code() != 0) {
      std::cerr << "heddle: error: the program ended with exit code " << outcome.exit_code()
                << "; no profile is written\n";
      return;
    }
    const LoadProfile profile = load_profile_of(outcome.results);
    write_file_atomically(file, profile.to_toml());
    if (!quiet)
      std::cerr << table_of(profile, terminal_width(2, 110)) << "heddle: profile in " << file
                << "; --scheduler daws-profiled:profile=" << file << " goes by it\n";
  });
}

}  // namespace heddle::lab
