#include "report/listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "base/terminal.h"
#include "config/config.h"
#include "gpu/cta/catalogue.h"
#include "gpu/share/catalogue.h"
#include "lab/statistics_list.h"
#include "lab/workloads.h"
#include "mem/catalogue.h"
#include "ptx/forms/forms.h"
#include "report/text_table.h"
#include "sched/catalogue.h"

namespace heddle::report {
namespace {

class Listing {
 public:
  Listing(std::vector<TextTable::Column> columns, const std::string& pattern)
      : table_(std::move(columns), WideWords::broken), pattern_(pattern) {}

  bool add(std::vector<std::string> row) {
    const bool matches = std::any_of(row.begin(), row.end(), [&](const std::string& cell) {
      return cell.find(pattern_) != std::string::npos;
    });
    if (matches) table_.add_row(std::move(row));
    return matches;
  }
  std::string text() const { return table_.text({}, terminal_width(STDOUT_FILENO, kPlainWidth)); }

 private:
  TextTable table_;
  std::string pattern_;
};

// "1 to 256" for "a whole number, 1 to 256": the default shows the kind of the number.
std::string short_range(const std::string& range) {
  for (const std::string kind : {"a whole number, ", "a number, "})
    if (range.starts_with(kind)) return range.substr(kind.size());
  return range;
}

std::string with_unit(const std::string& value, const std::string& unit) {
  return unit.empty() || unit == "bytes" ? value : value + " " + unit;
}

std::string with_spaces(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// "a | b" for "a|b", which can be wrapped.
std::string with_spaced_bars(const std::string& choices) {
  std::string text;
  for (const char c : choices) text += c == '|' ? std::string(" | ") : std::string(1, c);
  return text;
}

std::string policies_text(const std::vector<policies::PolicyInfo>& all, const std::string& kind,
                          const std::string& pattern) {
  using enum Align;
  Listing names({{kind, left}, {"description", left}, {"paper", left}}, pattern);
  Listing parameters(
      {{kind + ":parameter", left}, {"default", right}, {"allowed", left}, {"meaning", left}}, "");
  Listing hardware({{kind + ": storage", left}, {"bits of an SM", right}, {"meaning", left}}, "");
  bool any = false, any_hardware = false;
  for (const auto& policy : all) {
    if (!names.add({policy.name, policy.title, policy.paper})) continue;
    for (const auto& p : policy.parameters)
      any |= parameters.add({policy.name + ":" + p.name, with_unit(p.value, p.unit),
                             with_spaced_bars(p.range), p.meaning});
    for (const policies::HardwareCost& cost : policy.hardware)
      any_hardware |= hardware.add(
          {policy.name + ": " + cost.name, fmt::format("{}", cost.bits), cost.meaning});
  }
  return names.text() + (any ? "\n" + parameters.text() : std::string{}) +
         (any_hardware ? "\n" + hardware.text() : std::string{});
}

}  // namespace

std::string schedulers_text(const std::string& pattern, const std::vector<std::string>& plugins) {
  return policies_text(sched::list_policies(sched::Plugins(plugins)), "scheduler", pattern);
}

std::string cta_schedulers_text(const std::string& pattern,
                                const std::vector<std::string>& plugins) {
  return policies_text(gpu::list_cta_policies(gpu::CtaPlugins(plugins)), "CTA scheduler", pattern);
}

std::string share_policies_text(const std::string& pattern,
                                const std::vector<std::string>& plugins) {
  return policies_text(gpu::list_share_policies(gpu::SharePlugins(plugins)), "share policy",
                       pattern);
}

std::string replacement_policies_text(const std::string& pattern) {
  return policies_text(policies::list_policies<mem::ReplacementEntry>(), "replacement policy",
                       pattern);
}

std::string dram_schedulers_text(const std::string& pattern) {
  return policies_text(policies::list_policies<mem::DramSchedulerEntry>(), "DRAM scheduler",
                       pattern);
}

std::string gpus_text(const std::string& pattern) {
  Listing gpus({{"gpu"}, {"title"}}, pattern);
  for (const std::string& name : config::preset_names())
    gpus.add({name, config::preset_title(name)});
  return gpus.text();
}

std::string workloads_text(const std::string& pattern, const std::string& paper) {
  using Columns = std::vector<TextTable::Column>;
  const bool of_paper = !paper.empty();
  TextTable workloads(of_paper ? Columns{{"workload"}, {"title: access pattern"}, {"expectation"}}
                               : Columns{{"workload"}, {"title, papers"}, {"size"}, {"arguments"}},
                      WideWords::broken);
  for (const lab::Workload& workload : lab::list_workloads()) {
    const std::string papers = fmt::format("{}", fmt::join(workload.papers, ", "));
    if ((workload.name + workload.title + workload.pattern + papers).find(pattern) ==
        std::string::npos)
      continue;
    if (of_paper) {
      if (lab::is_measured_by(workload, paper))
        workloads.add_row(
            {workload.name, workload.title + ": " + workload.pattern, workload.expectation});
      continue;
    }
    const std::string lines[] = {workload.title, papers.empty() ? "" : "(" + papers + ")"};
    std::size_t i = 0;
    for (const auto& [size, arguments] : workload.sizes) {
      workloads.add_row({i == 0 ? workload.name : "", i < 2 ? lines[i] : "", size, arguments});
      ++i;
    }
  }
  return workloads.text({}, terminal_width(STDOUT_FILENO, kPlainWidth));
}

std::string forms_text(const std::string& pattern) {
  const std::string forms = ptx::forms_text(pattern);
  const int width = terminal_width(STDOUT_FILENO, 0);
  if (width == 0) return forms;
  std::string text;
  std::istringstream lines(forms);
  for (std::string line; std::getline(lines, line);)
    text += folded(line, width, "    ", WideWords::broken);
  return text;
}

std::string stats_text(const std::string& pattern, const std::vector<std::string>& plugins) {
  Listing stats({{"statistic"}, {"unit"}, {"meaning"}}, pattern);
  for (const auto& field : lab::list_statistics(plugins)) {
    stats.add({field.key, field.unit, field.meaning});
    for (const std::string& bucket : field.buckets)
      stats.add({field.key + "." + bucket, field.unit, "of these, " + with_spaces(bucket)});
  }
  return stats.text();
}

std::string parameters_text(const std::string& gpu, const std::string& pattern) {
  using enum Align;
  Listing parameters({{"parameter", left}, {"value", left}, {"allowed", left}, {"meaning", left}},
                     pattern);
  for (const auto& p : config::list_parameters(config::load_gpu(gpu)))
    parameters.add({p.key, with_unit(p.value, p.unit), short_range(p.range), p.meaning});
  return parameters.text();
}

}  // namespace heddle::report
