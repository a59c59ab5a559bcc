// heddle report
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/diagnostics.h"
#include "cli/run_options.h"
#include "cli/verbs.h"
#include "lab/json_input.h"
#include "lab/process.h"
#include "report/study_page.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct ReportOptions {
  std::string source, study, out = "report.html", references;
  std::vector<std::string> source_folders, plugins;
};

std::vector<fs::path> files_in(const std::string& folder, const auto& wanted) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && wanted(entry.path())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::pair<std::string, ordered_json>> results_in(const std::string& folder) {
  std::vector<std::pair<std::string, ordered_json>> results;
  for (const fs::path& file :
       files_in(folder, [](const fs::path& path) { return path.filename() == "run.json"; })) {
    ordered_json content = lab::parse_json(lab::read_file(file.string()), file.string());
    lab::check_run_json(content, file.string());
    results.emplace_back(fs::relative(file, folder).string(), std::move(content));
  }
  return results;
}

// The page of a store, of the only store in a folder, or of the run.json files in a folder.
std::string page_of(const ReportOptions& options, report::PageReferences references,
                    const std::shared_ptr<SourceFiles>& sources) {
  if (!fs::exists(options.source))
    throw UserError(options.source + ": there is no such file or folder");
  std::string store = options.source;
  if (fs::is_directory(options.source)) {
    const auto stores = files_in(
        options.source, [](const fs::path& path) { return path.extension() == ".sqlite"; });
    if (stores.size() > 1)
      throw UserError(options.source + ": there are several stores; name one of them");
    if (stores.empty()) {
      const auto results = results_in(options.source);
      if (results.empty())
        throw UserError(options.source + ": there is neither a results store nor a run.json");
      return report::page_of_results("Runs of " + options.source, results, std::move(references),
                                     sources, options.plugins);
    }
    store = stores.front().string();
  }
  return report::page_of_study(lab::ResultsStore(store), options.study, std::move(references),
                               sources);
}

int report(const ReportOptions& options) {
  lab::require_writable_file(options.out);
  report::PageReferences references;
  if (!options.references.empty()) {
    if (!fs::is_regular_file(options.references))
      throw UserError(options.references + ": there is no such file");
    references = report::read_references(lab::read_file(options.references), options.references);
  }
  // Results may come from anybody: the folders of their programs are not known to be the user's.
  const auto sources = std::make_shared<SourceFiles>(options.source_folders);
  write_report(options.out, page_of(options, std::move(references), sources));
  note_hidden_sources(*sources);
  return static_cast<int>(ExitCode::success);
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("report", "write an HTML page about a study");
  auto options = std::make_shared<ReportOptions>();
  verb->add_option("STORE", options->source,
                   "a results store of heddle sweep, or a folder with a store or run.json files")
      ->type_name("FILE")
      ->required();
  verb->add_option("-o,--out", options->out, "the page")
      ->type_name("FILE.html")
      ->capture_default_str();
  verb->add_option("--study", options->study, "which study of a store with several")
      ->type_name("NAME");
  verb->add_option("--references", options->references, "published values to compare with, as CSV")
      ->type_name("FILE.csv");
  add_source_option(*verb, options->source_folders);
  add_plugin_option(*verb, options->plugins,
                    "plug-in of the runs in a folder, for the units of its statistics; a store "
                    "has them");
  verb->footer("The page is one file that uses no network. It opens in any browser.");
  verb->callback([options, &action] { action = [options] { return report(*options); }; });
}

}  // namespace heddle::cli
