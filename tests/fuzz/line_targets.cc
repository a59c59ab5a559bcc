// Fuzz targets of readers of lines: timelines, published values, and texts of options.
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "base/source_files.h"
#include "config/config.h"
#include "config/timed_part.h"
#include "gpu/cta/catalogue.h"
#include "gpu/share/catalogue.h"
#include "lab/run.h"
#include "report/perfetto.h"
#include "report/study_page.h"
#include "report/warp_log.h"
#include "sched/catalogue.h"
#include "stats/timeline.h"
#include "tests/fuzz/target.h"

namespace heddle::fuzz {
namespace {

class LineTarget : public PlainTarget {
 public:
  explicit LineTarget(const std::string& folder) : PlainTarget(corpus(folder)) {}
  std::string damaged(Random& random) const override {
    std::string text = random.of(all());
    for (std::size_t n = random.below(4) + 1; n > 0; --n) damage_text(text, all(), random);
    return text;
  }
};

class Timelines final : public LineTarget {
 public:
  Timelines() : LineTarget("timelines") {}
  std::string name() const override { return "timelines"; }
  std::string meaning() const override { return "recorded timelines, for Perfetto and warp logs"; }
  void read(const std::string& path) const override {
    const stats::Timeline timeline = stats::timeline_from_text(content_of_file(path), path);
    report::to_perfetto(timeline);
    report::warp_log(timeline, 0, 0, 100);
  }
};

class References final : public LineTarget {
 public:
  References() : LineTarget("references") {}
  std::string name() const override { return "references"; }
  std::string meaning() const override { return "published values, for reports"; }
  std::string file_name() const override { return "input.csv"; }
  void read(const std::string& path) const override {
    report::PageReferences references = report::read_references(content_of_file(path), path);
    const auto run = nlohmann::ordered_json::parse(corpus("results").front());
    report::page_of_results("Runs", {{"run.json", run}}, std::move(references),
                            std::make_shared<SourceFiles>());
  }
};

// A line has the name of an option and its text.
class Options final : public LineTarget {
 public:
  Options() : LineTarget("options") {}
  std::string name() const override { return "options"; }
  std::string meaning() const override { return "texts of policies, parameters and selections"; }
  // One line: a reader ends at the first that it refuses.
  std::string damaged(Random& random) const override {
    std::vector<std::string> lines;
    std::istringstream text(random.of(all()));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    std::string line = random.of(lines);
    for (std::size_t n = random.below(3) + 1; n > 0; --n) damage_text(line, lines, random);
    return line;
  }
  void read(const std::string& path) const override {
    std::istringstream lines(content_of_file(path));
    for (std::string option, text; lines >> option && std::getline(lines >> std::ws, text);) {
      try {
        read_option(option, text);
      } catch (const UserError& error) {
        throw UserError(path + ": " + error.what());
      }
    }
  }

 private:
  static void read_option(const std::string& option, const std::string& text) {
    if (option == "scheduler") {
      sched::parse_policy(text)->text();
    } else if (option == "cta-scheduler") {
      gpu::parse_cta_policy(text);
    } else if (option == "share") {
      gpu::parse_share_policy(text)->text();
    } else if (option == "set") {
      config::to_toml(config::load_gpu("gtx480", {text}));
    } else if (option == "kernels") {
      config::KernelSelection(text).contains(3, "_Z4spmvPfi");
    } else if (option == "registers") {
      lab::parse_registers({text});
    } else if (option == "warp-log") {
      lab::parse_warp_place(text);
    } else {
      throw UserError("there is no option " + option);
    }
  }
};

}  // namespace

std::unique_ptr<Target> timelines() { return std::make_unique<Timelines>(); }
std::unique_ptr<Target> references() { return std::make_unique<References>(); }
std::unique_ptr<Target> options() { return std::make_unique<Options>(); }

}  // namespace heddle::fuzz
