#include "lab/originals/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/diagnostics.h"
#include "base/executable.h"
#include "base/marked_folder.h"
#include "lab/originals/manifest.h"
#include "lab/process.h"

namespace heddle::lab {
namespace fs = std::filesystem;
namespace {

void check_checkout(const SuiteRecipe& suite, const std::string& from) {
  if (!fs::is_directory(from)) throw UserError(from + ": there is no such folder");
  for (const std::string& mark : suite.marks)
    if (!fs::exists(fs::path(from) / mark))
      throw UserError(
          fmt::format("{} is not a checkout of {}: it has no {}", from, suite.title, mark));
}

// Executables and logs are written into the folder, so it is new or one of an earlier build.
void take_folder(const SuiteBuild& build) {
  std::error_code ignored;
  const std::string purpose = "programs of the suite " + build.suite.name;
  const bool is_new = !fs::exists(build.folder, ignored) || fs::is_empty(build.folder, ignored);
  if (!is_new && !is_marked_folder(build.folder, purpose) && !has_manifest(build.folder))
    throw UserError(build.folder +
                    ": this folder has files and was not made by heddle suite build; choose "
                    "another --out");
  require_writable_folder(build.folder);
  if (is_new) mark_folder(build.folder, purpose);
}

// The first line of a compiler's messages that says what is wrong; otherwise how it ended.
std::string first_error(const std::string& log, const Ending& ending, const std::string& from) {
  std::istringstream lines(read_file(log));
  for (std::string line; std::getline(lines, line);) {
    const bool error = line.find("error:") != std::string::npos ||
                       line.find("undefined reference") != std::string::npos ||
                       line.find("undefined symbol") != std::string::npos;
    if (!error) continue;
    if (const std::size_t at = line.find(from + "/"); at != std::string::npos)
      line.erase(at, from.size() + 1);
    return line;
  }
  return "heddle cc ended with " + describe(ending);
}

class Builder {
 public:
  Builder(SuiteBuild& build, const std::function<void(const BuiltOriginal&)>& report)
      : build_(build), report_(report), compiler_(executable_path().string()) {}

  void run(int jobs) {
    std::size_t next = 0;
    while ((next < build_.programs.size() && !group_.interrupted()) || group_.running() > 0) {
      if (next < build_.programs.size() && !group_.interrupted() && group_.running() < jobs)
        start(build_.programs[next++]);
      else
        finish(group_.wait_any());
    }
    build_.interrupted = group_.interrupted();
  }

 private:
  void start(BuiltOriginal& program) {
    const OriginalRecipe& recipe = program.recipe;
    const fs::path folder = fs::path(build_.from) / recipe.folder;
    if (!recipe.unsupported.empty())
      return end(program, OriginalState::unsupported, recipe.unsupported);
    for (const std::string& source : recipe.sources)
      if (!fs::exists(folder / source))
        return end(program, OriginalState::no_source,
                   "there is no " + (fs::path(recipe.folder) / source).lexically_normal().string());
    program.executable = (fs::path(build_.folder) / recipe.name).string();
    program.log = program.executable + ".log";
    ChildCommand command{{compiler_, "cc", "-o", program.executable}, {}, "/dev/null", program.log};
    command.folder = folder.string();
    // The user's options come last, because libraries follow the objects that need them.
    for (const auto& options :
         {build_.suite.options, recipe.options, recipe.sources, build_.compiler})
      for (const std::string& word : options)
        command.arguments.push_back(with_checkout(word, build_.from));
    running_[group_.start(command)] = &program;
  }

  void finish(const ProcessGroup::Ended& ended) {
    BuiltOriginal& program = *running_.at(ended.pid);
    running_.erase(ended.pid);
    if (ended.ending.signal != 0 || ended.ending.exit_code != 0)
      return end(program, OriginalState::failed,
                 first_error(program.log, ended.ending, build_.from));
    if (fs::is_empty(program.log)) {
      fs::remove(program.log);
      program.log.clear();
    }
    end(program, OriginalState::built, "");
  }

  void end(BuiltOriginal& program, OriginalState state, const std::string& problem) {
    program.state = state;
    program.problem = problem;
    if (state != OriginalState::built) program.executable.clear();
    report_(program);
  }

  SuiteBuild& build_;
  const std::function<void(const BuiltOriginal&)>& report_;
  const std::string compiler_;
  ProcessGroup group_;
  std::map<pid_t, BuiltOriginal*> running_;
};

}  // namespace

std::size_t SuiteBuild::count(OriginalState state) const {
  return static_cast<std::size_t>(
      std::count_if(programs.begin(), programs.end(),
                    [&](const BuiltOriginal& one) { return one.state == state; }));
}

SuiteBuild build_suite(const SuiteRecipe& suite, const SuiteBuildOptions& options,
                       const std::function<void(const BuiltOriginal&)>& report) {
  check_checkout(suite, options.from);
  SuiteBuild build;
  build.suite = suite;
  build.compiler = options.compiler;
  build.from = fs::canonical(options.from).string();
  build.folder = fs::absolute(fs::path(options.out) / suite.name).lexically_normal().string();
  take_folder(build);
  std::vector<std::string> names;
  for (const OriginalRecipe& recipe : suite.programs) {
    names.push_back(recipe.name);
    if (options.programs.empty() || std::find(options.programs.begin(), options.programs.end(),
                                              recipe.name) != options.programs.end())
      build.programs.push_back({recipe, OriginalState::built, "", "", ""});
  }
  for (const std::string& name : options.programs)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw UserError(fmt::format("{} has no program {}; programs: {}", suite.title, name,
                                  fmt::join(names, ", ")));
  Builder(build, report).run(options.jobs);
  write_manifest(build);
  return build;
}

}  // namespace heddle::lab
