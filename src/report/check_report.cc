#include "report/check_report.h"

#include <fmt/format.h>

#include <map>

#include <nlohmann/json.hpp>

namespace heddle::report {
namespace {

using nlohmann::ordered_json;

std::string index_text(const ordered_json& t) {
  return fmt::format("({},{},{})", t[0].get<unsigned>(), t[1].get<unsigned>(),
                     t[2].get<unsigned>());
}

std::string place_of(const ordered_json& access) {
  if (!access.contains("ptx_line")) return {};
  const std::string ptx =
      fmt::format("{}:{}", access.value("ptx", ""), access["ptx_line"].get<unsigned>());
  return access.contains("file") ? fmt::format("  ({}:{}, {})", access.value("file", ""),
                                               access["line"].get<unsigned>(), ptx)
                                 : "  (" + ptx + ")";
}

std::string thread_of(const ordered_json& access) {
  return index_text(access["thread"]) + " of CTA " + index_text(access["cta"]);
}

std::string address_of(const ordered_json& finding) {
  const auto address = finding["address"].get<std::uint64_t>();
  if (finding.contains("allocation"))
    return fmt::format("{:#x}, {}", address, finding.value("allocation", ""));
  return fmt::format("{:#x} of {} memory", address, finding.value("space", ""));
}

std::string finding_text(const ordered_json& f) {
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
    text += fmt::format("  {} times; this is the first\n", count);
  return text;
}

}  // namespace

std::string findings_text(const ordered_json& check) {
  std::string text;
  for (const ordered_json& finding : check["findings"]) text += finding_text(finding);
  return text;
}

std::string check_summary(const ordered_json& check) {
  std::map<std::string, std::size_t> by_tool;
  for (const ordered_json& f : check["findings"]) ++by_tool[f.value("tool", "")];
  std::string tools, counts;
  for (const ordered_json& name : check["tools"])
    tools += (tools.empty() ? "" : ", ") + name.get<std::string>();
  for (const auto& [tool, count] : by_tool)
    counts += fmt::format("{}{}: {}", counts.empty() ? "" : ", ", tool, count);
  const auto launches = check["launches"].get<std::uint64_t>(),
             unreported = check.value("unreported", std::uint64_t{0});
  const std::size_t found = check["findings"].size();
  const std::string where =
      fmt::format("in {} kernel launch{}", launches, launches == 1 ? "" : "es");
  if (found == 0) return fmt::format("heddle: check: no findings {} ({})\n", where, tools);
  return fmt::format("heddle: check: {} finding{} {} ({}){}\n", found, found == 1 ? "" : "s", where,
                     counts,
                     unreported ? fmt::format(", and {} more beyond the limit", unreported) : "");
}

}  // namespace heddle::report
