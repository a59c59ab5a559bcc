#include "lab/originals/manifest.h"

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "config/json_text.h"
#include "lab/json_input.h"
#include "lab/process.h"

namespace heddle::lab {
namespace fs = std::filesystem;
namespace {

using nlohmann::ordered_json;

constexpr const char* kManifest = "originals.json";
constexpr int kFormat = 1;

ordered_json read_json(const std::string& file) {
  const ordered_json json = config::with_texts(parse_json(read_file(file), file), decode_bytes);
  static const ordered_json example = ordered_json::parse(R"({
    "format": 0, "suite": "", "title?": "", "from?": "",
    "programs": {"*": {"ours": "", "arguments": {"*": [""]}}}
  })");
  if (!json.is_object() || json.value("format", ordered_json()) != kFormat)
    throw UserError(file + ": is not a list of programs of this version; build the suite again");
  check_shape(json, example, file);
  return json;
}

ordered_json program_json(const BuiltOriginal& one, const std::string& from) {
  ordered_json arguments = ordered_json::object();
  for (const auto& [size, given] : one.recipe.arguments) {
    ordered_json& list = arguments[size] = ordered_json::array();
    for (const std::string& text : given) list.push_back(with_checkout(text, from));
  }
  return {{"ours", one.recipe.ours}, {"arguments", std::move(arguments)}};
}

// "rodinia/pathfinder"
std::string name_of(const Original& original) { return original.suite + "/" + original.name; }

}  // namespace

void write_manifest(const SuiteBuild& build) {
  const std::string file = (fs::path(build.folder) / kManifest).string();
  ordered_json programs = ordered_json::object();
  if (fs::exists(file)) programs = read_json(file).at("programs");
  for (const BuiltOriginal& one : build.programs)
    if (one.state == OriginalState::built)
      programs[one.recipe.name] = program_json(one, build.from);
    else
      programs.erase(one.recipe.name);
  const ordered_json json = {{"format", kFormat},
                             {"suite", build.suite.name},
                             {"title", build.suite.title},
                             {"from", build.from},
                             {"programs", std::move(programs)}};
  write_file_atomically(file, config::kept_json_text(json, 2) + "\n");
}

bool has_manifest(const std::string& folder) {
  std::error_code ignored;
  return fs::exists(fs::path(folder) / kManifest, ignored);
}

bool has_originals(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (has_manifest(entry.path().string())) return true;
  return false;
}

std::vector<Original> read_originals(const std::string& folder) {
  std::vector<fs::path> suites;
  for (const auto& entry : fs::directory_iterator(folder))
    if (fs::exists(entry.path() / kManifest)) suites.push_back(fs::absolute(entry.path()));
  std::sort(suites.begin(), suites.end());
  std::vector<Original> originals;
  for (const fs::path& suite : suites) {
    const std::string file = (suite / kManifest).string();
    const ordered_json json = read_json(file);
    for (const auto& [name, program] : json.at("programs").items()) {
      if (name.find('/') != std::string::npos)
        throw UserError(file + ": the program '" + name + "' is not in the folder of the suite");
      Original one{json.at("suite"),
                   name,
                   program.at("ours"),
                   (suite / name).lexically_normal().string(),
                   {}};
      for (const auto& [size, arguments] : program.at("arguments").items())
        one.arguments[size] = arguments.get<std::vector<std::string>>();
      if (fs::exists(one.executable)) originals.push_back(std::move(one));
    }
  }
  return originals;
}

std::vector<Substitution> use_originals(Study& study, const std::vector<Original>& originals,
                                        const std::string& size) {
  std::vector<Substitution> substitutions;
  for (StudyCase& one : study.cases) {
    if (!one.corun.empty()) {  // programs of Heddle
      substitutions.push_back({one.workload, ""});
      continue;
    }
    const bool of_case = size == "small" && !one.original.empty();
    const auto original = std::find_if(originals.begin(), originals.end(), [&](const Original& o) {
      if (of_case) return name_of(o) == one.original.front();
      return !o.ours.empty() && o.ours == one.run.program.front() && o.arguments.contains(size);
    });
    std::string name;
    if (original != originals.end()) {
      name = name_of(*original);
      const std::vector<std::string> arguments =
          of_case ? std::vector<std::string>(one.original.begin() + 1, one.original.end())
                  : original->arguments.at(size);
      one.run.program = {original->executable};
      one.run.program.insert(one.run.program.end(), arguments.begin(), arguments.end());
    }
    const auto known =
        std::find_if(substitutions.begin(), substitutions.end(),
                     [&](const Substitution& other) { return other.workload == one.workload; });
    if (known == substitutions.end()) substitutions.push_back({one.workload, name});
  }
  study.name += "-originals";
  return substitutions;
}

}  // namespace heddle::lab
