#include "lab/sweep/unchanged_files.h"

#include <fmt/format.h>

#include "base/diagnostics.h"

namespace heddle::lab {
namespace {

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

void UnchangedFiles::check(const SweepTask& task) {
  const RunIdentity& id = task.identity;
  check("the simulator", runtime_library_, id.simulator_hash);
  for (const TaskProgram& one : task.corun) check("the program", one.command[0], one.hash);
  if (!task.is_corun()) check("the program", task.program_path, id.program_hash);
  for (std::size_t i = 0; i < task.plugins.size(); ++i)
    check("the plug-in", task.plugins[i], id.plugin_hashes[i]);
}

void UnchangedFiles::check(const char* what, const std::string& path, const std::string& hash) {
  struct stat facts{};
  stat(path.c_str(), &facts);  // of a missing file the facts are zero
  const auto [found, added] = contents_.try_emplace(path);
  Content& content = found->second;
  if (added || !same_file(content.facts, facts)) content = {facts, file_hash(path)};
  if (content.hash != hash)
    throw UserError(
        fmt::format("{} {} has changed since the sweep began; repeat the command", what, path));
}

}  // namespace heddle::lab
