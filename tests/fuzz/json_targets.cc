// Fuzz targets of readers of JSON: results of runs, and lists of built originals.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "base/source_files.h"
#include "lab/figures.h"
#include "lab/json_input.h"
#include "lab/originals/manifest.h"
#include "report/run_summary.h"
#include "report/study_page.h"
#include "tests/fuzz/target.h"

namespace heddle::fuzz {
namespace {

using nlohmann::ordered_json;

ordered_json odd_value(Random& random) {
  switch (random.below(10)) {
    case 0: return nullptr;
    case 1: return true;
    case 2: return odd_number(random);
    case 3: return -static_cast<std::int64_t>(odd_number(random) >> 1);
    case 4: return 1e308;
    case 5: return -0.5;
    case 6: return "";
    case 7: return "text \" of \n a stranger";
    case 8: return ordered_json::array({1, "a", nullptr});
    default: return ordered_json::object({{"a", 1}});
  }
}

void damage_node(ordered_json& root, Random& random) {
  ordered_json* node = &root;
  while (node->is_structured() && !node->empty() && !node->is_null()) {
    auto child = std::next(node->begin(), static_cast<std::ptrdiff_t>(random.below(node->size())));
    if (random.one_in(6)) {
      if (random.one_in(3))
        node->erase(child);
      else
        *child = odd_value(random);
      return;
    }
    node = &*child;
  }
  *node = odd_value(random);
}

std::string damaged_json(const std::vector<std::string>& texts, Random& random) {
  std::string text = random.of(texts);
  if (random.one_in(4)) {
    for (std::size_t n = random.below(4) + 1; n > 0; --n) damage_text(text, texts, random);
    return text;
  }
  ordered_json json = ordered_json::parse(text, nullptr, false);
  for (std::size_t n = random.below(4) + 1; n > 0; --n) damage_node(json, random);
  return json.dump(1);
}

class Results final : public PlainTarget {
 public:
  Results() : PlainTarget(corpus("results")) {}
  std::string name() const override { return "results"; }
  std::string meaning() const override { return "run.json, for reports and figures"; }
  std::string file_name() const override { return "run.json"; }
  std::string damaged(Random& random) const override { return damaged_json(all(), random); }
  void read(const std::string& path) const override {
    const ordered_json content = lab::parse_json(content_of_file(path), path);
    lab::check_run_json(content, path);
    report::page_of_results("Runs", {{path, content}}, {}, std::make_shared<SourceFiles>());
    report::run_summary(lab::read_figures(content), 100);
  }
};

class Originals final : public PlainTarget {
 public:
  Originals() : PlainTarget(corpus("originals")) {}
  std::string name() const override { return "originals"; }
  std::string meaning() const override { return "originals.json of heddle suite build"; }
  std::string damaged(Random& random) const override { return damaged_json(all(), random); }
  void read(const std::string& path) const override {
    const std::filesystem::path suites = path + ".suites";
    std::filesystem::create_directories(suites / "suite");
    std::filesystem::copy_file(path, suites / "suite" / "originals.json",
                               std::filesystem::copy_options::overwrite_existing);
    std::ofstream(suites / "suite" / "bfs");
    lab::read_originals(suites.string());
  }
};

}  // namespace

std::unique_ptr<Target> results() { return std::make_unique<Results>(); }
std::unique_ptr<Target> originals() { return std::make_unique<Originals>(); }

}  // namespace heddle::fuzz
