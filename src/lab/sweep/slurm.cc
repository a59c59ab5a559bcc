#include "lab/sweep/slurm.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/diagnostics.h"
#include "base/executable.h"

namespace heddle::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLong{5};            // a command of Slurm that answers takes less
constexpr std::size_t kDefaultMaxArraySize = 1001;  // slurm.conf(5), MaxArraySize

// The number of tasks of "12_[3,7-20%4]", "12_5" or "12".
std::size_t tasks_of(const std::string& id) {
  const std::size_t open = id.find('[');
  if (open == std::string::npos) return 1;
  std::istringstream pieces(id.substr(open + 1, id.find_first_of("%]", open) - open - 1));
  std::size_t tasks = 0;
  for (std::string piece; std::getline(pieces, piece, ',');) {
    const std::size_t dash = piece.find('-');
    tasks += dash == std::string::npos ? 1
                                       : std::strtoul(piece.c_str() + dash + 1, nullptr, 10) -
                                             std::strtoul(piece.c_str(), nullptr, 10) + 1;
  }
  return tasks;
}

std::string read_messages(const std::string& path) {
  std::string text = read_file(path);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

void require_slurm() {
  if (find_in_path("sbatch").empty())
    throw UserError(
        "there is no sbatch in PATH: --executor slurm needs a machine that submits jobs "
        "to Slurm; without it, omit --executor");
}

Slurm::Output Slurm::run(std::vector<std::string> command) {
  const std::string path = find_in_path(command[0]);
  if (path.empty()) return {127, {}, "there is no " + command[0] + " in PATH"};
  const std::string name = std::exchange(command[0], path);
  const TemporaryFolder folder;
  group_.start({std::move(command), {}, folder.file("out"), folder.file("errors")});
  const auto started = std::chrono::steady_clock::now();
  bool noted = !note_;
  std::optional<ProcessGroup::Ended> ended;
  while (!(ended = group_.wait_any_for(kLong))) {
    if (noted || std::chrono::steady_clock::now() - started < kLong) continue;
    noted = true;
    const std::string messages = read_messages(folder.file("errors"));
    note_(fmt::format("{} has not answered for {} s{}", name, kLong.count(),
                      messages.empty() ? "" : ": " + messages));
  }
  const Ending ending = ended->ending;
  return {ending.signal ? kKilledBySignal + ending.signal : ending.exit_code,
          read_file(folder.file("out")), read_messages(folder.file("errors"))};
}

std::string Slurm::submit(const std::string& name, const std::string& script, std::size_t tasks,
                          const std::string& log_folder, const SlurmOptions& options) {
  std::vector<std::string> command{"sbatch",
                                   "--parsable",
                                   "--job-name=" + name,
                                   fmt::format("--array=0-{}", tasks - 1),
                                   "--requeue",
                                   "--open-mode=append",
                                   "--output=" + log_folder + "/%a.txt",
                                   "--chdir=" + fs::current_path().string()};
  if (!options.account.empty()) command.push_back("--account=" + options.account);
  if (!options.partition.empty()) command.push_back("--partition=" + options.partition);
  if (!options.time.empty()) command.push_back("--time=" + options.time);
  command.insert(command.end(), options.sbatch.begin(), options.sbatch.end());
  command.push_back(script);
  const Output output = run(std::move(command));
  if (output.exit_code == 0) return {};
  return output.errors.empty() ? fmt::format("sbatch ended with exit code {}", output.exit_code)
                               : output.errors;
}

std::optional<std::map<std::string, Slurm::States>> Slurm::jobs(
    const std::vector<std::string>& names) {
  std::map<std::string, States> found;
  if (names.empty()) return found;
  const Output output = run({"squeue", "--noheader", "--format=%j %T %i",
                             fmt::format("--name={}", fmt::join(names, ","))});
  if (output.exit_code != 0) return {};
  std::istringstream lines(output.text);
  for (std::string name, state, id; lines >> name >> state >> id;)
    found[name][state] += tasks_of(id);
  return found;
}

void Slurm::cancel(const std::string& name) { run({"scancel", "--quiet", "--name=" + name}); }

std::size_t Slurm::max_array_size() {
  const Output output = run({"scontrol", "show", "config"});
  std::istringstream lines(output.text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("MaxArraySize"))
      if (const auto equals = line.find('='); equals != std::string::npos)
        return std::max<std::size_t>(std::strtoul(line.c_str() + equals + 1, nullptr, 10), 1);
  return kDefaultMaxArraySize;
}

}  // namespace heddle::lab
