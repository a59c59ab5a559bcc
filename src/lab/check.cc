#include "lab/check.h"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "base/diagnostics.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

std::string triple(const ordered_json& t) {
  return fmt::format("({},{},{})", t[0].get<unsigned>(), t[1].get<unsigned>(),
                     t[2].get<unsigned>());
}

std::string place_of(const ordered_json& party) {
  if (!party.contains("ptx_line")) return {};
  const std::string ptx =
      fmt::format("{}:{}", party.value("ptx", ""), party["ptx_line"].get<unsigned>());
  return party.contains("file") ? fmt::format("  ({}:{}, {})", party.value("file", ""),
                                              party["line"].get<unsigned>(), ptx)
                                : "  (" + ptx + ")";
}

std::string thread_of(const ordered_json& party) {
  return triple(party["thread"]) + " of CTA " + triple(party["cta"]);
}

std::string address_of(const ordered_json& finding) {
  const auto address = finding["address"].get<std::uint64_t>();
  if (finding.contains("allocation"))
    return fmt::format("{:#x}, {}", address, finding.value("allocation", ""));
  return fmt::format("{:#x} of {} memory", address, finding.value("space", ""));
}

std::string text_of(const ordered_json& f) {
  std::string text = fmt::format("heddle: {}: {}\n", f.value("tool", ""), f.value("what", ""));
  if (f.contains("kernel")) {
    text += fmt::format("  kernel   {}{}\n", f.value("kernel", ""), place_of(f));
    text += fmt::format("  thread   {}\n", thread_of(f));
  }
  if (f.contains("address")) text += fmt::format("  address  {}\n", address_of(f));
  if (f.contains("other"))
    text += fmt::format("  other    {} {}{}\n", thread_of(f["other"]), f["other"].value("act", ""),
                        place_of(f["other"]));
  if (f.contains("note")) text += fmt::format("  note     {}\n", f.value("note", ""));
  if (const auto count = f.value("count", std::uint64_t{1}); count > 1)
    text += fmt::format("  {} times, of which this is the first\n", count);
  return text;
}

std::string summary_of(const ordered_json& check) {
  std::map<std::string, std::size_t> by_tool;
  for (const ordered_json& f : check["findings"]) ++by_tool[f.value("tool", "")];
  std::string tools, counts;
  for (const ordered_json& name : check["tools"])
    tools += (tools.empty() ? "" : ", ") + name.get<std::string>();
  for (const auto& [tool, count] : by_tool)
    counts += fmt::format("{}{}: {}", counts.empty() ? "" : ", ", tool, count);
  const auto launches = check["launches"].get<std::uint64_t>(),
             unreported = check["unreported"].get<std::uint64_t>();
  const std::size_t found = check["findings"].size();
  const std::string where =
      fmt::format("in {} kernel launch{}", launches, launches == 1 ? "" : "es");
  if (found == 0) return fmt::format("heddle: check: no findings {} ({})\n", where, tools);
  return fmt::format("heddle: check: {} finding{} {} ({}){}\n", found, found == 1 ? "" : "s", where,
                     counts,
                     unreported ? fmt::format(", and {} more beyond the limit", unreported) : "");
}

}  // namespace

int CheckOutcome::exit_code() const {
  return findings ? static_cast<int>(ExitCode::simulation) : run.exit_code();
}

void choose_tools(const std::string& names, config::CheckSpec& spec) {
  const std::map<std::string, bool config::CheckSpec::*> tools{
      {"memory", &config::CheckSpec::memory},
      {"races", &config::CheckSpec::races},
      {"init", &config::CheckSpec::init},
      {"barriers", &config::CheckSpec::barriers}};
  for (const auto& [name, member] : tools) spec.*member = false;
  std::istringstream words(names);
  for (std::string name; std::getline(words, name, ',');) {
    const auto tool = tools.find(name);
    if (tool == tools.end())
      throw UserError(
          "--tool " + name +
          ": must be memory, races, init or barriers, or several with commas between them");
    spec.*(tool->second) = true;
  }
}

CheckOutcome check(const RunRequest& request) {
  RunRequest asked = request;
  asked.functional = true;
  asked.check.enabled = true;
  const PreparedRun run(asked);
  const TemporaryFolder folder;
  ProcessGroup group;
  group.start(run.command(folder));
  CheckOutcome outcome;
  outcome.run = gather(run, folder, group.wait_any().ending);
  const ordered_json& check = outcome.run.check;
  if (check.is_null()) return outcome;
  outcome.findings = check["findings"].size();
  for (const ordered_json& finding : check["findings"]) outcome.text += text_of(finding);
  outcome.summary = summary_of(check);
  return outcome;
}

}  // namespace heddle::lab
