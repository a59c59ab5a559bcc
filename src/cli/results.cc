// heddle results
#include <CLI/CLI.hpp>

#include <iostream>
#include <limits>
#include <memory>

#include "base/diagnostics.h"
#include "base/output_file.h"
#include "cli/verbs.h"
#include "lab/store/results_store.h"
#include "lab/store/store_comparison.h"
#include "report/store_report.h"

namespace heddle::cli {
namespace {

constexpr std::size_t kRows = 40;

struct ResultsOptions {
  std::string store, other, versions, csv;
  std::vector<std::string> statistics;
  lab::RunFilter filter;
  bool all = false;

  std::size_t max_rows() const { return all ? std::numeric_limits<std::size_t>::max() : kRows; }
};

int compare(const ResultsOptions& options) {
  lab::StoreSide before{options.store, {}}, after{options.store, {}};
  if (!options.other.empty()) after.store = options.other;
  if (!options.versions.empty()) {
    const std::size_t comma = options.versions.find(',');
    if (comma == std::string::npos)
      throw UserError(
          "--versions must read OLD,NEW: versions of Heddle or beginnings of simulator "
          "hashes, as `heddle results STORE` lists them");
    before.version = options.versions.substr(0, comma);
    after.version = options.versions.substr(comma + 1);
  }
  const lab::StoreComparison comparison = lab::compare_stores(before, after);
  std::cout << report::store_comparison_text(comparison, options.max_rows());
  const bool equal =
      comparison.differences.empty() && comparison.only_before == 0 && comparison.only_after == 0;
  return static_cast<int>(equal ? ExitCode::success : ExitCode::failure);
}

int export_csv(const ResultsOptions& options, const lab::ResultsStore& store) {
  if (options.csv == "-") {
    report::write_run_csv(store, options.filter, options.statistics,
                          [](const std::string& line) { std::cout << line; });
    return 0;
  }
  OutputFile file(options.csv);
  report::write_run_csv(store, options.filter, options.statistics,
                        [&](const std::string& line) { file.write(line); });
  file.commit();
  return 0;
}

int results(const ResultsOptions& options) {
  if (!options.other.empty() || !options.versions.empty()) return compare(options);
  const lab::ResultsStore store(options.store);
  if (!options.filter.study.empty()) store.study(options.filter.study);
  if (!options.csv.empty()) return export_csv(options, store);
  std::cout << report::store_summary(store) << "\n"
            << report::run_table(store, options.filter, options.statistics, options.max_rows());
  return 0;
}

}  // namespace

void add_results(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("results", "list, filter, compare and export the runs of a results store");
  auto options = std::make_shared<ResultsOptions>();
  verb->add_option("STORE", options->store, "a file that heddle sweep wrote")
      ->type_name("FILE")
      ->required();
  const auto filter = [&](const char* name, std::string& into, const char* meaning) {
    verb->add_option(name, into, meaning)->type_name("PATTERN");
  };
  verb->add_option("--study", options->filter.study, "runs of this study")->type_name("NAME");
  filter("--program", options->filter.program, "runs of this program: 'patterns/*'");
  filter("--gpu", options->filter.gpu, "runs on this GPU");
  filter("--scheduler", options->filter.scheduler, "runs under this warp scheduler: 'swl:*'");
  filter("--cta-scheduler", options->filter.cta_scheduler, "runs under this CTA scheduler");
  filter("--share", options->filter.share, "runs under this share policy");
  filter("--status", options->filter.status, "completed, failed, fault, 'time limit', ...");
  filter("--heddle", options->filter.version, "runs of this version of Heddle");
  verb->add_option("--stats", options->statistics,
                   "statistics to list or export (heddle list stats): l1d.hits,ipc")
      ->type_name("STATISTIC,...")
      ->delimiter(',');
  verb->add_option("--csv", options->csv, "write the runs as CSV; - is standard output")
      ->type_name("FILE");
  verb->add_option("--compare", options->other, "compare with the runs of this store")
      ->type_name("FILE");
  verb->add_option("--versions", options->versions,
                   "compare two versions of Heddle: OLD,NEW, of versions or simulator hashes")
      ->type_name("OLD,NEW");
  verb->add_flag("--all", options->all, "all rows, not only the first 40");
  verb->footer(
      "With --compare or --versions the exit code is 1 when a statistic of a run differs, or a run "
      "has no partner.");
  verb->callback([options, &action] { action = [options] { return results(*options); }; });
}

}  // namespace heddle::cli
