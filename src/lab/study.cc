#include "lab/study.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "base/diagnostics.h"
#include "gpu/cta/cta_policy.h"
#include "lab/study_grid.h"
#include "lab/study_row.h"
#include "lab/study_section.h"

namespace heddle::lab {
namespace {

using Texts = std::vector<std::string>;

bool contains(const Texts& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}
void add_once(Texts& list, const std::string& text) {
  if (!contains(list, text)) list.push_back(text);
}

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

// [[exclude]]: runs that match all given patterns are left out.
struct Exclusion {
  const toml::table* table;
  std::string name, group, gpu, scheduler, cta_scheduler, share;
  std::vector<std::pair<std::string, std::string>> parameters;
  bool used = false;

  static bool matches(const std::string& pattern, const std::string& text) {
    return pattern.empty() || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
  }
  bool matches(const StudyCase& one, const std::string& row) const {
    const StudyRow policies = StudyRow::of(row);
    const auto has = [&](const auto& parameter) {
      return std::any_of(one.parameters.begin(), one.parameters.end(), [&](const auto& value) {
        return value.first == parameter.first && matches(parameter.second, value.second);
      });
    };
    return (matches(name, one.workload) || matches(name, one.name)) && matches(group, one.group) &&
           matches(gpu, one.run.gpu) && matches(scheduler, policies.pair.scheduler) &&
           matches(cta_scheduler, policies.pair.cta_scheduler) && matches(share, policies.share) &&
           std::all_of(parameters.begin(), parameters.end(), has);
  }
};

class Reader {
 public:
  Reader(const std::string& path, const std::string& document) : file_(path) {
    study_.name = std::filesystem::path(path).stem().string();
    study_.file = std::filesystem::absolute(path).lexically_normal().string();
    study_.document = document;
    study_.shown_file = path;
  }

  Study read(const toml::table& root) {
    const StudySection top(
        root, file_,
        {"title", "gpus", "schedulers", "cta_schedulers", "shares", "set", "margin", "near",
         "watch", "sample", "best_of", "grid", "budget", "exclude", "program", "case"});
    study_.title = top.text("title");
    study_.margin = top.share("margin", study_.margin);
    study_.near = top.share("near", study_.near);
    read_watch(top);
    defaults_.sample = top.flag("sample");
    if (defaults_.sample && (defaults_.run.watch.details || defaults_.run.watch.first_warp))
      top.reject_key("sample", "sample: what watch names is not estimated; omit one of them");
    gpus_ = top.texts("gpus");
    schedulers_ = top.texts("schedulers");
    defaults_.run.overrides = top.texts("set");
    if (schedulers_.empty()) top.reject_key("schedulers", "schedulers must name at least one");
    if (const Texts given = top.texts("cta_schedulers"); !given.empty()) cta_schedulers_ = given;
    if (const Texts given = top.texts("shares"); !given.empty()) shares_ = given;
    axes_ = read_grid(top);
    read_budget(top, defaults_);
    for (const std::string& row : row_names(schedulers_, cta_schedulers_, shares_))
      add_once(study_.rows, row);
    read_best_of(top);
    top.for_each_table("exclude", [&](const toml::table& table) { add_exclusion(table); });
    top.for_each_table("program", [&](const toml::table& table) { add_program(table); });
    top.for_each_table("case", [&](const toml::table& table) { add_cases(table); });
    if (study_.cases.empty()) top.reject(root, "a study needs at least one [[case]]");
    for (const Exclusion& exclusion : exclusions_)
      if (!exclusion.used) top.reject(*exclusion.table, "this [[exclude]] matches no run");
    return std::move(study_);
  }

 private:
  void read_watch(const StudySection& top) {
    for (const std::string& name : top.texts("watch")) {
      if (name == "first_warp")
        defaults_.run.watch.first_warp = true;
      else if (name == "details")
        defaults_.run.watch.details = true;
      else
        top.reject_key("watch", "watch may name first_warp and details, not " + name);
    }
  }

  void read_best_of(const StudySection& top) {
    const toml::node* best = top.find("best_of");
    if (!best) return;
    if (!best->as_table()) top.reject(*best, "best_of must be a table of lists");
    for (const auto& [key, list] : *best->as_table()) {
      const std::string row(key.str());
      if (contains(study_.rows, row))
        top.reject(list, row + " is already a scheduler of this study");
      study_.best_of.emplace_back(row, top.texts_of(list, row));
      study_.rows.push_back(row);
    }
  }

  void read_budget(const StudySection& section, StudyCase& into) const {
    const toml::node* node = section.find("budget");
    if (!node) return;
    if (!node->as_table()) section.reject(*node, "budget must be a table");
    const StudySection budget(*node->as_table(), file_, {"cycles", "time", "memory"});
    into.run.timed.limit_cycles = budget.count("cycles");
    into.limits = {budget.seconds("time"), budget.bytes("memory")};
  }

  void add_exclusion(const toml::table& table) {
    const StudySection section(
        table, file_, {"name", "group", "gpu", "scheduler", "cta_scheduler", "share", "grid"});
    if (table.empty()) section.reject(table, "an empty [[exclude]] would exclude everything");
    Exclusion one{&table,
                  section.text_or_empty("name"),
                  section.text_or_empty("group"),
                  section.text_or_empty("gpu"),
                  section.text_or_empty("scheduler"),
                  section.text_or_empty("cta_scheduler"),
                  section.text_or_empty("share"),
                  {},
                  false};
    for (const GridAxis& axis : read_grid(section))
      for (const GridValue& value : axis.values)
        one.parameters.emplace_back(axis.name, value.label);
    exclusions_.push_back(std::move(one));
  }

  // The name is part of names of statistics, and comes before kernels' names.
  void add_program(const toml::table& table) {
    const StudySection section(table, file_, {"name", "program", "registers", "full"});
    StudyProgram one{section.text("name"), section.texts("program"), section.texts("registers"),
                     section.texts("full")};
    if (one.name.find_first_of(".:") != std::string::npos)
      section.reject_key("name", "the name of a program of co-runs has no point and no colon");
    if (one.program.empty())
      section.reject_key("program", "program must be a list: the program and its arguments");
    if (find_program(one.name)) section.reject_key("name", "there are two programs " + one.name);
    programs_.push_back(std::move(one));
  }

  const StudyProgram* find_program(const std::string& name) const {
    const auto found = std::find_if(programs_.begin(), programs_.end(),
                                    [&](const StudyProgram& one) { return one.name == name; });
    return found == programs_.end() ? nullptr : &*found;
  }

  // A [[case]] of the file: one case per program, size, GPU and point of the grid.
  void add_cases(const toml::table& table) {
    const StudySection section(
        table, file_, {"name",           "group",  "program",  "programs", "coruns",   "once",
                       "sizes",          "full",   "inputs",   "gpus",     "set",      "registers",
                       "cta_schedulers", "shares", "also",     "winners",  "expected", "finding",
                       "grid",           "budget", "original", "profile"});
    StudyCase one = defaults_;
    one.line = static_cast<int>(table.source().begin.line);
    one.group = section.text_or_empty("group");
    one.inputs = section.texts("inputs");
    for (const std::string& text : section.texts("set")) one.run.overrides.push_back(text);
    one.full = section.texts("full");
    one.original = section.texts("original");
    one.run.profile_arguments = section.texts("profile");
    read_budget(section, one);
    one.once = section.flag("once");
    if (section.find("coruns") && one.run.timed.limit_cycles)
      section.reject(table, "a co-run is timed as a whole: it has no budget of cycles");
    if (one.sample && one.run.timed.limit_cycles)
      section.reject(table, "a sampled run has no budget of cycles");
    one.winners = section.texts("winners");
    add_schedulers(section, one);
    add_expectations(section, one);
    Texts gpus = section.texts("gpus");
    if (gpus.empty()) gpus = gpus_;
    if (gpus.empty()) section.reject(table, "gpus is missing here and at the top");
    const std::vector<GridAxis> axes = merged(axes_, read_grid(section));
    for (Workload& each : workloads_of(section)) {
      const std::string& workload = one.workload = each.name;
      one.run.program = std::move(each.program);
      one.corun = std::move(each.corun);
      one.run.registers = section.texts("registers");
      for (const StudyProgram& program : one.corun)
        for (const std::string& text : program.registers) add_once(one.run.registers, text);
      for (const std::string& gpu : gpus)
        for_each_point(axes, [&](const GridPoint& point) {
          StudyCase at = one;
          at.run.gpu = gpu;
          at.name = workload + (gpus.size() > 1 ? " on " + gpu : "");
          for (const auto& [axis, value] : point) {
            at.name += fmt::format(", {}={}", axis->name, value->label);
            at.parameters.emplace_back(axis->name, value->label);
            at.run.overrides.insert(at.run.overrides.end(), value->overrides.begin(),
                                    value->overrides.end());
            if (axis->name == kSeedAxis) at.run.seed = std::stoull(value->label);
            if (axis->name == kIsaAxis) from_string(value->label, at.run.isa);
          }
          add_case(section, std::move(at));
        });
    }
  }

  struct Workload {
    std::string name;
    Texts program;
    std::vector<StudyProgram> corun;
  };

  static std::string name_of(const std::string& program) {
    return std::filesystem::path(program).stem().string();
  }

  std::vector<Workload> workloads_of(const StudySection& section) const {
    if (section.find("coruns")) return coruns_of(section);
    if (section.find("once")) section.reject_key("once", "once is of coruns");
    std::vector<Workload> bare, list;
    if (section.find("programs")) {
      exclude_keys(section, "programs", {"name", "program"});
      for (const std::string& program : section.texts("programs"))
        bare.push_back({name_of(program), {program}, {}});
      if (bare.empty()) section.reject_key("programs", "programs must name at least one");
    } else {
      const Texts program = section.texts("program");
      if (program.empty())
        section.reject_key("program", "program must be a list: the program and its arguments");
      bare.push_back(
          {section.find("name") ? section.text("name") : name_of(program[0]), program, {}});
    }
    const Texts sizes = section.texts("sizes");
    if (sizes.empty()) return bare;
    for (const Workload& one : bare)
      for (const std::string& size : sizes) {
        list.push_back({one.name + (sizes.size() > 1 ? ", " + size : ""), one.program, {}});
        list.back().program.push_back(size);
      }
    return list;
  }

  static void exclude_keys(const StudySection& section, const char* present,
                           std::initializer_list<const char*> keys) {
    for (const char* key : keys)
      if (section.find(key)) section.reject_key(key, std::string(key) + " excludes " + present);
  }

  // "KMN-BLK" is the co-run of the programs KMN and BLK. Of one that is there twice the second has
  // the name "KMN 2".
  std::vector<Workload> coruns_of(const StudySection& section) const {
    exclude_keys(
        section, "coruns",
        {"name", "program", "programs", "sizes", "full", "original", "inputs", "registers"});
    const toml::array* coruns = section.find("coruns")->as_array();
    if (!coruns || coruns->empty()) section.reject_key("coruns", "coruns must be a list of lists");
    std::vector<Workload> list;
    for (const toml::node& corun : *coruns) {
      Workload& one = list.emplace_back();
      std::map<std::string, int> uses;
      for (const std::string& name : section.texts_of(corun, "each of coruns")) {
        const StudyProgram* program = find_program(name);
        if (!program) section.reject(corun, "there is no [[program]] " + name);
        one.name += (one.name.empty() ? "" : "-") + name;
        one.corun.push_back(*program);
        if (const int use = ++uses[name]; use > 1) one.corun.back().name += fmt::format(" {}", use);
      }
      if (one.corun.empty()) section.reject(corun, "a co-run needs at least one program");
    }
    return list;
  }

  void add_schedulers(const StudySection& section, StudyCase& one) {
    Texts cta_schedulers = section.texts("cta_schedulers"), shares = section.texts("shares");
    if (cta_schedulers.empty()) cta_schedulers = cta_schedulers_;
    if (shares.empty()) shares = shares_;
    one.schedulers = row_names(schedulers_, cta_schedulers, shares);
    for (const std::string& row : one.schedulers) add_once(study_.rows, row);
    for (const auto& [row, list] : study_.best_of)
      for (const std::string& scheduler : list) add_once(one.schedulers, scheduler);
    for (const std::string& scheduler : section.texts("also")) {
      add_once(one.schedulers, scheduler);
      add_once(study_.rows, scheduler);
    }
  }

  void add_expectations(const StudySection& section, StudyCase& one) const {
    for (const std::string& text : section.texts("expected"))
      one.expectations.push_back(parse_expectation(text));
    for (const Expectation& expectation : one.expectations)
      if (expectation.relations.empty() || !all_known(expectation.names, one))
        section.reject_key("expected", "\"" + expectation.text +
                                           "\" must read A > B or A ~ B, with schedulers of this "
                                           "case");
    if (!all_known(one.winners, one))
      section.reject_key("winners", "winners must be schedulers of this case");
    section.for_each_table("finding",
                           [&](const toml::table& finding) { add_finding(finding, one); });
  }

  void add_finding(const toml::table& table, StudyCase& one) const {
    const StudySection section(table, file_, {"expected", "reason"});
    const std::string text = section.text("expected");
    const auto found = std::find_if(one.expectations.begin(), one.expectations.end(),
                                    [&](const Expectation& e) { return e.text == text; });
    if (found == one.expectations.end())
      section.reject_key("expected", "\"" + text + "\" is not an expectation of this case");
    found->reason = section.text("reason");
  }

  void add_case(const StudySection& section, StudyCase one) {
    if (!names_.insert(one.name).second)
      section.reject_key(section.find("name")     ? "name"
                         : section.find("coruns") ? "coruns"
                                                  : "programs",
                         "there are two cases " + one.name + "; give one of them a `name`");
    std::erase_if(one.schedulers, [&](const std::string& row) { return is_excluded(one, row); });
    if (one.schedulers.empty()) return;
    // A claim about an excluded run cannot be judged.
    std::erase_if(one.expectations, [&](const Expectation& e) {
      return !exclusions_.empty() && !any_of_each(e, one);
    });
    study_.cases.push_back(std::move(one));
  }

  bool is_excluded(const StudyCase& one, const std::string& row) {
    bool excluded = false;
    for (Exclusion& exclusion : exclusions_)
      if (exclusion.matches(one, row)) excluded = exclusion.used = true;
    return excluded;
  }

  bool any_of_each(const Expectation& expectation, const StudyCase& one) const {
    return std::all_of(
        expectation.names.begin(), expectation.names.end(), [&](const std::string& row) {
          const Texts members = study_.schedulers_of(row);
          return std::any_of(members.begin(), members.end(),
                             [&](const auto& s) { return contains(one.schedulers, s); });
        });
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
  Texts gpus_, schedulers_, cta_schedulers_{gpu::kDefaultCtaScheduler},
      shares_{kDefaultSharePolicy};
  StudyCase defaults_;  // of all cases
  std::vector<GridAxis> axes_;
  std::vector<Exclusion> exclusions_;
  std::vector<StudyProgram> programs_;  // of co-runs
  std::set<std::string> names_;
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
  return read_study(path, read_file(path));
}

Study read_study(const std::string& path, const std::string& document) {
  return Reader(path, document).read(parse_toml(document, path));
}

}  // namespace heddle::lab
