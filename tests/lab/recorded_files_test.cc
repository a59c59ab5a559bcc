// What damaged studies, papers and recipes mean stays what it is.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/diagnostics.h"
#include "base/fnv.h"
#include "base/input_file.h"
#include "base/output_file.h"
#include "base/temporary_folder.h"
#include "lab/originals/recipes.h"
#include "lab/reproduction/paper.h"
#include "tests/damaged_text.h"
#include "tests/recorded.h"

namespace heddle::lab {
namespace {

void check_file(const std::string& name, const std::string& text,
                const std::function<std::string(const std::string&)>& meaning_of,
                const std::string& folder = "/no/folder") {
  check_damage("lab/recorded_files.txt", name, text, folder, meaning_of);
}

std::string text_of(const Study& study) {
  std::string text = fmt::format("{} {} {} {} {} {}\n", study.name, study.title, study.rows,
                                 study.best_of, study.margin, study.near);
  for (const StudyCase& c : study.cases) {
    text += fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {}\n", c.name, c.workload, c.group,
                        c.once, c.sample, c.schedulers, c.winners, c.inputs, c.full, c.original,
                        c.parameters, c.line, c.limits.seconds, c.limits.memory_bytes);
    const RunRequest& r = c.run;
    text += fmt::format("{} {} {} {} {} {} {} {} {} {} {}\n", r.gpu, r.overrides, r.registers,
                        r.profile_arguments, r.scheduler, r.cta_scheduler, r.share, r.program,
                        r.seed, to_string(r.isa), r.timed.limit_cycles) +
            nlohmann::json(r.watch).dump() + "\n";
    for (const StudyProgram& p : c.corun)
      text += fmt::format("{} {} {} {}\n", p.name, p.program, p.registers, p.full);
    for (const Expectation& e : c.expectations)
      text += fmt::format("{} {} {} {}\n", e.text, e.names, e.relations, e.reason);
  }
  return text;
}

TEST(RecordedFiles, OfStudies) {
  for (const char* name : {"grid", "all_keys"}) {
    const std::string path =
        std::string(HEDDLE_SOURCE_DIR "/tests/fuzz/corpus/studies/") + name + ".toml";
    check_file(name, read_file(path), [](const std::string& damaged) {
      return text_of(read_study("study.toml", damaged));
    });
  }
}

std::string text_of(const Measure& m) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}\n", m.statistic, m.kernel, m.row,
                     m.over, m.over_case, m.over_cases, m.over_statistic, m.against, m.over_each,
                     static_cast<int>(m.shown_as), static_cast<int>(m.mean), m.gpu, m.cases);
}
std::string text_of(const Claim& c) {
  const ClaimDirection& d = c.direction;
  std::string text = fmt::format("{} {} {} {} {} {} {} {} {} ", c.text, c.source, c.reason,
                                 c.sentence, static_cast<int>(d.relation), d.than, d.within,
                                 d.rather, c.published.value_or(-1)) +
                     text_of(c.measure);
  for (const Reading& r : c.readings)
    text += fmt::format("{} {} {} ", r.text, r.study, r.within.value_or(-1)) + text_of(r.measure);
  return text;
}
std::string text_of(const Paper& paper) {
  std::string text =
      fmt::format("{} {} {} {}\n", paper.title, paper.source, paper.own, paper.labels);
  for (const OpenParameter& p : paper.parameters) {
    text += fmt::format("{} {} {} {}\n", p.name, p.default_text, p.source, p.of_policy);
    for (const ReadingValue& v : p.values)
      text += fmt::format("{} {} {} {} {} {} {} {} {} {}\n", v.name, v.text, v.source, v.set,
                          v.gpus, v.options, v.statistics, v.programs, v.full, v.registers);
  }
  for (const Figure& f : paper.figures) {
    text += fmt::format("{} {} {} {} {} {} ", f.number, f.title, f.study, f.note, f.axis, f.rows) +
            text_of(f.measure);
    for (const ProgramClass& c : f.classes) text += fmt::format("{} {}\n", c.name, c.cases);
    for (const PublishedValue& v : f.published)
      text += fmt::format("{} {} {} {}\n", v.row, v.workload, v.value, v.source);
    for (const Claim& claim : f.claims) text += text_of(claim);
  }
  return text;
}

TEST(RecordedFiles, OfPapers) {
  const TemporaryFolder folder;
  check_file(
      "paper", read_file(HEDDLE_SOURCE_DIR "/tests/lab/files/paper.toml"),
      [&](const std::string& damaged) {
        write_file_atomically(folder.file("paper.toml"), damaged);
        return text_of(read_paper(folder.path().string()));
      },
      folder.path().string());
}

TEST(RecordedFiles, OfRecipes) {
  const TemporaryFolder folder;
  check_file(
      "recipes", read_file(HEDDLE_SOURCE_DIR "/workloads/originals/shoc.toml"),
      [&](const std::string& damaged) {
        write_file_atomically(folder.file("shoc.toml"), damaged);
        const SuiteRecipe suite = read_suite(folder.path().string(), "shoc");
        std::string text =
            fmt::format("{} {} {} {}\n", suite.name, suite.title, suite.marks, suite.options);
        for (const OriginalRecipe& p : suite.programs)
          text += fmt::format("{} {} {} {} {} {} {} {}\n", p.name, p.folder, p.ours, p.note,
                              p.unsupported, p.sources, p.options, p.arguments);
        return text;
      },
      folder.path().string());
}

}  // namespace
}  // namespace heddle::lab
