#include "lab/study.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/diagnostics.h"
#include "gpu/cta/cta_policy.h"
#include "lab/scheduler_pair.h"

namespace heddle::lab {
namespace {

using Texts = std::vector<std::string>;

bool contains(const Texts& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}
void add_once(Texts& list, const std::string& text) {
  if (!contains(list, text)) list.push_back(text);
}

// A table of the file. Errors have a place; unknown keys are errors.
class Section {
 public:
  Section(const toml::table& table, const std::string& file, Texts known)
      : table_(table), file_(file) {
    for (const auto& [key, value] : table)
      if (!contains(known, std::string(key.str())))
        reject(value, fmt::format("there is no key {} here; known keys: {}", std::string(key.str()),
                                  fmt::join(known, ", ")));
  }
  [[noreturn]] void reject(const toml::node& at, const std::string& why) const {
    throw UserError({file_, static_cast<int>(at.source().begin.line), 0}, why);
  }

  std::string text(const char* key) const {
    const toml::node* node = table_.get(key);
    if (!node) reject(table_, fmt::format("{} is missing", key));
    const auto value = node->value<std::string>();
    if (!value || value->empty()) reject(*node, fmt::format("{} must be a text", key));
    return *value;
  }
  Texts texts(const char* key) const {
    const toml::node* node = table_.get(key);
    if (!node) return {};
    return texts_of(*node, key);
  }
  Texts texts_of(const toml::node& node, const std::string& key) const {
    const toml::array* array = node.as_array();
    Texts list;
    if (!array) reject(node, key + " must be a list of texts");
    for (const toml::node& item : *array) {
      const auto value = item.value<std::string>();
      if (!value || value->empty()) reject(item, key + " must be a list of texts");
      list.push_back(*value);
    }
    return list;
  }
  double share(const char* key, double otherwise) const {
    const toml::node* node = table_.get(key);
    if (!node) return otherwise;
    const auto value = node->value<double>();
    if (!value || !(*value >= 0 && *value < 1))
      reject(*node, fmt::format("{} must be a number from 0 to below 1", key));
    return *value;
  }
  template <class Use>
  void for_each_table(const char* key, Use use) const {
    const toml::node* node = table_.get(key);
    if (!node) return;
    const toml::array* array = node->as_array();
    if (!array || !array->is_array_of_tables())
      reject(*node, fmt::format("{0} must be given as [[{0}]]", key));
    for (const toml::node& item : *array) use(*item.as_table());
  }
  const toml::node& at(const char* key) const {
    return table_.get(key) ? *table_.get(key) : static_cast<const toml::node&>(table_);
  }

 private:
  const toml::table& table_;
  const std::string& file_;
};

// Names may contain spaces and commas. Relations have blanks on both sides.
Expectation parse_expectation(const std::string& text) {
  Expectation expectation{text, {""}, {}, {}};
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == ">" || word == "~") {
      expectation.relations += word[0];
      expectation.names.emplace_back();
    } else {
      std::string& name = expectation.names.back();
      name += (name.empty() ? "" : " ") + word;
    }
  }
  return expectation;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path) {
    study_.name = std::filesystem::path(path).stem().string();
  }

  Study read(const toml::table& root) {
    const Section top(
        root, file_,
        {"title", "gpus", "schedulers", "cta_schedulers", "margin", "near", "best_of", "case"});
    study_.title = top.text("title");
    study_.margin = top.share("margin", study_.margin);
    study_.near = top.share("near", study_.near);
    gpus_ = top.texts("gpus");
    schedulers_ = top.texts("schedulers");
    if (schedulers_.empty()) top.reject(top.at("schedulers"), "schedulers must name at least one");
    if (const Texts given = top.texts("cta_schedulers"); !given.empty()) cta_schedulers_ = given;
    for (const std::string& pair : pair_names(schedulers_, cta_schedulers_))
      add_once(study_.rows, pair);
    if (const toml::node* best = root.get("best_of")) {
      if (!best->as_table()) top.reject(*best, "best_of must be a table of lists");
      for (const auto& [key, list] : *best->as_table()) {
        const std::string row(key.str());
        if (contains(study_.rows, row))
          top.reject(list, row + " is already a scheduler of this study");
        study_.best_of.emplace_back(row, top.texts_of(list, row));
        study_.rows.push_back(row);
      }
    }
    top.for_each_table("case", [&](const toml::table& table) { add_case(table); });
    if (study_.cases.empty()) top.reject(root, "a study needs at least one [[case]]");
    return std::move(study_);
  }

 private:
  void add_case(const toml::table& table) {
    const Section section(table, file_,
                          {"name", "program", "gpus", "set", "cta_schedulers", "also", "winners",
                           "expected", "finding"});
    StudyCase one;
    one.name = section.text("name");
    one.program = section.texts("program");
    if (one.program.empty())
      section.reject(section.at("program"),
                     "program must be a list: the program and its arguments");
    one.overrides = section.texts("set");
    one.winners = section.texts("winners");
    const Texts given = section.texts("cta_schedulers");
    one.schedulers = pair_names(schedulers_, given.empty() ? cta_schedulers_ : given);
    for (const std::string& pair : one.schedulers) add_once(study_.rows, pair);
    for (const auto& [row, list] : study_.best_of)
      for (const std::string& scheduler : list) add_once(one.schedulers, scheduler);
    for (const std::string& scheduler : section.texts("also")) {
      add_once(one.schedulers, scheduler);
      add_once(study_.rows, scheduler);
    }
    for (const std::string& text : section.texts("expected"))
      one.expectations.push_back(parse_expectation(text));
    for (const Expectation& expectation : one.expectations)
      if (expectation.relations.empty() || !all_known(expectation.names, one))
        section.reject(
            section.at("expected"),
            "\"" + expectation.text + "\" must read A > B or A ~ B, with schedulers of this case");
    if (!all_known(one.winners, one))
      section.reject(section.at("winners"), "winners must be schedulers of this case");
    section.for_each_table("finding",
                           [&](const toml::table& finding) { add_finding(finding, one); });
    Texts gpus = section.texts("gpus");
    if (gpus.empty()) gpus = gpus_;
    if (gpus.empty()) section.reject(table, "gpus is missing here and at the top");
    const std::string name = one.name;
    for (const std::string& gpu : gpus) {
      one.gpu = gpu;
      if (gpus.size() > 1) one.name = name + " on " + gpu;
      for (const StudyCase& other : study_.cases)
        if (other.name == one.name)
          section.reject(section.at("name"), "there are two cases " + one.name);
      study_.cases.push_back(one);
    }
  }

  void add_finding(const toml::table& table, StudyCase& one) const {
    const Section section(table, file_, {"expected", "reason"});
    const std::string text = section.text("expected");
    const auto found = std::find_if(one.expectations.begin(), one.expectations.end(),
                                    [&](const Expectation& e) { return e.text == text; });
    if (found == one.expectations.end())
      section.reject(section.at("expected"), "\"" + text + "\" is not an expectation of this case");
    found->reason = section.text("reason");
  }

  bool all_known(const Texts& rows, const StudyCase& one) const {
    return std::all_of(rows.begin(), rows.end(), [&](const std::string& row) {
      const Texts stands_for = study_.schedulers_of(row);
      return std::all_of(stands_for.begin(), stands_for.end(),
                         [&](const std::string& s) { return contains(one.schedulers, s); });
    });
  }

  std::string file_;
  Study study_;
  Texts gpus_, schedulers_, cta_schedulers_{gpu::kDefaultCtaScheduler};
};

}  // namespace

std::vector<std::string> Study::schedulers_of(const std::string& row) const {
  for (const auto& [one, list] : best_of)
    if (one == row) return list;
  return {row};
}

Study read_study(const std::string& path) {
  if (!std::filesystem::is_regular_file(path))
    throw UserError("study " + path + ": there is no such file");
  try {
    return Reader(path).read(toml::parse_file(path));
  } catch (const toml::parse_error& error) {
    throw UserError({path, static_cast<int>(error.source().begin.line),
                     static_cast<int>(error.source().begin.column)},
                    std::string(error.description()));
  }
}

}  // namespace heddle::lab
