#include "lab/originals/recipes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/diagnostics.h"
#include "config/preset_folder.h"
#include "lab/study_section.h"

namespace heddle::lab {
namespace fs = std::filesystem;
namespace {

OriginalRecipe read_program(const toml::table& table, const std::string& file) {
  const StudySection section(table, file,
                             {"name", "folder", "sources", "options", "ours", "note", "tiny",
                              "small", "paper", "unsupported"});
  OriginalRecipe program;
  program.name = section.text("name");
  program.ours = section.text_or_empty("ours");
  program.note = section.text_or_empty("note");
  program.unsupported = section.text_or_empty("unsupported");
  program.options = section.texts("options");
  for (const char* size : {"tiny", "small", "paper"})
    if (section.find(size)) program.arguments[size] = section.texts(size);
  if (!program.unsupported.empty()) return program;
  program.folder = section.text("folder");
  program.sources = section.texts("sources");
  if (program.sources.empty()) section.reject_key("sources", "sources is missing");
  return program;
}

}  // namespace

std::string recipes_folder() {
  const std::string workloads = config::data_folder("workloads");
  if (workloads.empty())
    throw UserError("there is no folder of workloads near the heddle executable");
  return (fs::path(workloads) / "originals").string();
}

std::vector<std::string> list_suites(const std::string& recipes) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(recipes, ignored))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string with_checkout(std::string text, const std::string& from) {
  constexpr std::string_view kMark = "{from}";
  for (std::size_t at = 0; (at = text.find(kMark, at)) != std::string::npos; at += from.size())
    text.replace(at, kMark.size(), from);
  return text;
}

SuiteRecipe read_suite(const std::string& recipes, const std::string& name) {
  const std::vector<std::string> known = list_suites(recipes);
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw UserError(
        fmt::format("there is no suite \"{}\"; suites: {}", name, fmt::join(known, ", ")));
  const std::string file = (fs::path(recipes) / (name + ".toml")).string();
  const toml::table table = read_toml_file(file);
  const StudySection section(table, file, {"title", "marks", "options", "program"});
  SuiteRecipe suite;
  suite.name = name;
  suite.title = section.text("title");
  suite.marks = section.texts("marks");
  suite.options = section.texts("options");
  if (suite.marks.empty()) section.reject_key("marks", "marks is missing");
  section.for_each_table("program", [&](const toml::table& one) {
    const OriginalRecipe program = read_program(one, file);
    for (const OriginalRecipe& other : suite.programs)
      if (other.name == program.name) section.reject(one, "there are two programs " + program.name);
    suite.programs.push_back(program);
  });
  if (suite.programs.empty()) section.reject(table, "there is no [[program]]");
  return suite;
}

}  // namespace heddle::lab
