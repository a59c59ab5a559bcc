#include "tests/fuzz/runner.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/library_errors.h"
#include "base/temporary_folder.h"
#include "exec/state/launch.h"
#include "exec/state/machine.h"

namespace heddle::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr int kSecondsPerInput = 60;  // of processor time
constexpr std::uint64_t kMostKibibytes = std::uint64_t{4} << 20;

// What a process that reads inputs reports while it does.
struct Shared {
  std::uint64_t number;  // of the input that is read
  std::uint64_t accepted, refused, faulted, stopped;
  bool found;  // `problem` is a finding
  char problem[1000];
};

std::string damaged_input(const Target& target, std::uint64_t seed, std::uint64_t number) {
  Random random(seed * 1'000'003 + number);
  return target.damaged(random);
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// A file that the reader made beside its input.
std::string other_file(const fs::path& folder, const std::string& input) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (!entry.path().filename().string().starts_with(input)) return entry.path().string();
  return {};
}

void set_time_limit(int seconds) {
  const itimerval limit{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
}

enum class Outcome { accepted, refused, faulted, stopped };

Outcome read_one(const Target& target, const fs::path& path) {
  try {
    target.read(path.string());
    return Outcome::accepted;
  } catch (const exec::KernelFault&) {
    return Outcome::faulted;
  } catch (const exec::Interrupted&) {
    return Outcome::stopped;
  } catch (const std::exception& error) {
    const std::string message = describe_error(error);
    if (message.find(path.filename().string()) == std::string::npos)
      throw std::runtime_error("a refusal without the file: " + message);
    return Outcome::refused;
  }
}

void note_problem(Shared& shared, const std::string& problem) {
  std::strncpy(shared.problem, problem.c_str(), sizeof shared.problem - 1);
  shared.found = true;
}

// Reads inputs [first, end) and never returns.
[[noreturn]] void read_inputs(const Target& target, const Plan& plan, std::uint64_t end,
                              const fs::path& folder, Shared& shared) {
  std::signal(SIGPROF, SIG_DFL);
  // Messages of internal errors would fill the screen; the parent reports the signal.
  if (!std::freopen((folder.string() + ".log").c_str(), "w", stderr)) ::_exit(3);
  fs::current_path(folder);
  const fs::path path = folder / target.file_name();
  for (; shared.number < end; ++shared.number) {
    write(path, damaged_input(target, plan.seed, shared.number));
    set_time_limit(kSecondsPerInput);
    try {
      const Outcome outcome = read_one(target, path);
      if (const std::string other = other_file(folder, target.file_name()); !other.empty())
        throw std::runtime_error("it made " + other);
      switch (outcome) {
        case Outcome::accepted: ++shared.accepted; break;
        case Outcome::refused: ++shared.refused; break;
        case Outcome::faulted: ++shared.faulted; break;
        case Outcome::stopped: ++shared.stopped; break;
      }
    } catch (const std::exception& error) {
      note_problem(shared, error.what());
      ::_exit(1);
    }
    for (const auto& entry : fs::directory_iterator(folder)) fs::remove_all(entry);
  }
  ::_exit(0);
}

std::string last_line(const std::string& path) {
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);)
    if (line.find("ERROR: ") != std::string::npos || line.find("error: ") != std::string::npos)
      return line;
    else if (!line.empty())
      last = line;
  return last;
}

// The first message of UndefinedBehaviorSanitizer, which does not end the process.
std::string undefined_behavior(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.find("runtime error: ") != std::string::npos) return line;
  return {};
}

std::string ending_of(int status, const Shared& shared, const std::string& log) {
  if (shared.found) return shared.problem;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
    return fmt::format("it did not end within {} s", kSecondsPerInput);
  if (WIFSIGNALED(status))
    return fmt::format("{}: {}", strsignal(WTERMSIG(status)), last_line(log));
  return fmt::format("exit code {}: {}", WEXITSTATUS(status), last_line(log));
}

}  // namespace

Report run(const Target& target, const Plan& plan, const std::string& kept) {
  const TemporaryFolder scratch;
  Report report;
  auto* const shared = static_cast<Shared*>(
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const std::uint64_t end = plan.first + plan.count;
  *shared = {};
  for (shared->number = plan.first; shared->number < end; ++shared->number) {
    shared->found = false;
    const fs::path folder = scratch.path() / fmt::format("{}", shared->number);
    fs::create_directories(folder);
    const pid_t child = ::fork();
    if (child == 0) read_inputs(target, plan, end, folder, *shared);
    int status = 0;
    rusage use{};
    ::wait4(child, &status, 0, &use);
    std::string problem = undefined_behavior(folder.string() + ".log");
    if (status != 0) problem = ending_of(status, *shared, folder.string() + ".log");
    if (static_cast<std::uint64_t>(use.ru_maxrss) > kMostKibibytes && problem.empty())
      problem = fmt::format("some input up to this one needed {} MiB", use.ru_maxrss >> 10);
    fs::remove_all(folder);
    if (problem.empty()) continue;
    report.findings.push_back(fmt::format("{}, seed {}, input {}: {}", target.name(), plan.seed,
                                          shared->number, problem));
    if (!kept.empty() && shared->number < end) {
      fs::create_directories(kept);
      write(fs::path(kept) / fmt::format("{}-{}-{}", target.name(), plan.seed, shared->number),
            damaged_input(target, plan.seed, shared->number));
    }
  }
  report.read = plan.count;
  report.accepted = shared->accepted, report.refused = shared->refused;
  report.faulted = shared->faulted, report.stopped = shared->stopped;
  ::munmap(shared, sizeof(Shared));
  return report;
}

std::vector<std::string> refused_inputs(const Target& target) {
  const TemporaryFolder scratch;
  std::vector<std::string> refused;
  for (std::size_t i = 0; i < target.inputs(); ++i) {
    const fs::path path = scratch.path() / target.file_name();
    write(path, target.input(i));
    try {
      target.read(path.string());
    } catch (const std::exception& error) {
      refused.push_back(fmt::format("{}, input {}: {}", target.name(), i, error.what()));
    } catch (const exec::Interrupted&) {
      refused.push_back(fmt::format("{}, input {}: it did not end", target.name(), i));
    }
  }
  return refused;
}

}  // namespace heddle::fuzz
