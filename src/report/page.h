// A report as one HTML file that uses no network: runs with what they were (dimensions), what they
// measured (statistics) and their details. The scripts of report/web draw it.
//
// The data are a JSON object in the page, by columns, so that thousands of runs stay small:
//   format, kind ("run", "comparison", "study"), title, subtitle, heddle, baseline, runs (number),
//   missing (runs that are not finished), facts [[name, text]], findings [sentence]
//   dimensions [{key, label, values, of}]: workload, gpu, policy, then parameters. Run i has the
//     text values[of[i]].
//   statistics [{key, unit, meaning, values, bars}]. values: an array with null where a run has
//     none; {all: value}; or {at: runs, values} when most runs have none. Fractions have seven
//     digits. bars: of values that are estimates, half their error bars; missing when none is.
//     slot_shares.USE are shares of slots.USE; speed_up depends on the chosen baseline, so the
//     page computes it.
//   slots [{key, label, phrase, colour, ink}]: uses of issue slots, in the order of a stack
//   words [[term, meaning]]
//   looks {policy: {colour, variant}}, problems {run: text}
//   run_facts [{name, values, of}], texts [{key, values, of}] (configuration, explanation): of[i]
//     is -1 when run i has none
//   details {run: {kernels, lines, chart}} (page_details.h)
//   best_rows [{name, policies}]
//   expectations [{case, text, verdict, reason}]
//   references {name, statistic, columns, rows}: published values; null when there are none
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace heddle::report {

struct PageRun {
  std::string workload, gpu, policy;
  std::vector<std::pair<std::string, std::string>> parameters;  // of a grid: "sm.l1d.ways", "8"
  std::string problem;                                          // why there are no results
  std::map<std::string, double> values;  // by key of a declared statistic; others are left out
  std::map<std::string, double> bars;    // of values that are estimates: half their error bars
  std::vector<std::pair<std::string, std::string>> facts;  // how it ran: name, text
  std::string configuration, explanation;                  // texts of several lines; may be empty
  nlohmann::ordered_json details;                          // null: none
};

// Published values of one statistic. A row has a text per column and a value.
struct PageReferences {
  std::string name;                  // of their file, for messages
  std::string statistic;             // "speed_up" or a declared one
  std::vector<std::string> columns;  // keys of dimensions
  std::vector<std::pair<std::vector<std::string>, double>> rows;
};

class ReportPage {
 public:
  enum class Kind { run, comparison, study };

  ReportPage(Kind kind, std::string title);

  void set_subtitle(std::string text) { subtitle_ = std::move(text); }
  void set_baseline(std::string policy) { baseline_ = std::move(policy); }
  void set_missing(std::size_t runs) { missing_ = runs; }
  void set_references(PageReferences references) { references_ = std::move(references); }
  // Charts and tables show policies in the order of these calls, then of the runs.
  void declare_policy(const std::string& policy) { named(dimensions_, "policy").place_of(policy); }
  // A row of tables with the best of several policies, such as "swl, best".
  void add_best_row(const std::string& name, const std::vector<std::string>& policies);
  void add_fact(const std::string& name, const std::string& text);  // an empty text is left out
  void add_finding(const std::string& sentence) { findings_.push_back(sentence); }
  void add_expectation(const std::string& name, const std::string& text, const std::string& verdict,
                       const std::string& reason);
  // Tables show statistics in the order of their declarations. Declare them before the first run.
  void declare_statistic(const std::string& key, const std::string& unit,
                         const std::string& meaning);
  void add_run(PageRun run);

  std::size_t runs() const { return runs_; }
  // The whole file. Throws UserError when references name what the page does not have.
  std::string html() const;

 private:
  // Texts that many runs share.
  struct Dictionary {
    std::vector<std::string> values;
    std::map<std::string, int> places;
    std::vector<int> of;                    // by run; -1: none
    int place_of(const std::string& text);  // added if it is new
    void add(std::size_t run, const std::string& text);
    nlohmann::ordered_json json(std::size_t runs) const;
  };
  using Dictionaries = std::vector<std::pair<std::string, Dictionary>>;   // by name
  static Dictionary& named(Dictionaries& list, const std::string& name);  // added if it is new
  struct Statistic {
    std::string key, unit, meaning;
    std::vector<double> values, bars;  // by run; NaN: none
  };
  void declare_slot_shares();
  void check_references(const nlohmann::ordered_json& dimensions) const;
  std::vector<std::string> findings() const;
  nlohmann::ordered_json data() const;
  nlohmann::ordered_json dimensions() const;
  nlohmann::ordered_json by_name(const char* name, const Dictionaries& list) const;
  nlohmann::ordered_json statistics() const;

  Kind kind_;
  std::string title_, subtitle_, baseline_;
  std::size_t runs_ = 0, missing_ = 0;
  std::vector<std::pair<std::string, std::string>> facts_;
  std::vector<std::string> findings_;
  std::vector<Statistic> statistics_;
  std::map<std::string, std::size_t> statistic_places_;
  Dictionaries dimensions_{{"workload", {}}, {"gpu", {}}, {"policy", {}}};  // then parameters
  Dictionaries texts_{{"configuration", {}}, {"explanation", {}}}, run_facts_;
  std::size_t estimated_runs_ = 0;
  nlohmann::ordered_json problems_, details_, expectations_, best_rows_;
  PageReferences references_;
};

}  // namespace heddle::report
