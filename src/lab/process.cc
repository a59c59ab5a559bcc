#include "lab/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/diagnostics.h"

namespace heddle::lab {
namespace {

constexpr std::chrono::milliseconds kSameRequest{
    300};  // two signals within this time are one request

namespace fs = std::filesystem;

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    if (!added.contains(text.substr(0, text.find('=')))) merged.push_back(text);
  }
  for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
  return merged;
}

std::vector<char*> as_pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

constexpr int kAwaitedSignals[] = {SIGCHLD, SIGINT, SIGTERM};

// posix_spawn's two option objects, with their lifetimes.
class SpawnOptions {
 public:
  explicit SpawnOptions(const sigset_t& signal_mask) {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &signal_mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  }
  ~SpawnOptions() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;
  void send_to(int descriptor, const std::string& path) {
    if (!path.empty())
      posix_spawn_file_actions_addopen(&files, descriptor, path.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0666);
  }
  void run_in(const std::string& folder) {
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&files, folder.c_str());
  }

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
};

}  // namespace

ProcessGroup::ProcessGroup() {
  sigemptyset(&awaited_);
  for (const int signal : kAwaitedSignals) sigaddset(&awaited_, signal);
  sigprocmask(SIG_BLOCK, &awaited_, &previous_);
}

ProcessGroup::~ProcessGroup() {
  for (const pid_t child : children_) kill(child, SIGKILL);
  for (const pid_t child : children_) waitpid(child, nullptr, 0);
  sigprocmask(SIG_SETMASK, &previous_, nullptr);
}

pid_t ProcessGroup::start(const Command& command) {
  // A ProcessGroup around this one has blocked the signals; a child must take those that it is
  // sent.
  sigset_t mask = previous_;
  for (const int signal : kAwaitedSignals) sigdelset(&mask, signal);
  SpawnOptions options(mask);
  options.run_in(command.folder);
  options.send_to(STDOUT_FILENO, command.stdout_path);
  options.send_to(STDERR_FILENO, command.stderr_path);
  std::vector<std::string> arguments = command.arguments,
                           environment = merged_environment(command.environment);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0].c_str(), &options.files, &options.attributes,
                                as_pointers(arguments).data(), as_pointers(environment).data());
  if (error != 0) throw UserError("cannot start '" + arguments[0] + "': " + std::strerror(error));
  children_.push_back(child);
  return child;
}

std::optional<ProcessGroup::Ended> ProcessGroup::ended_child() {
  for (std::size_t i = 0; i < children_.size(); ++i) {
    const pid_t child = children_[i];
    int status = 0;
    rusage use{};
    if (wait4(child, &status, WNOHANG, &use) != child) continue;
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return Ended{child,
                 WIFSIGNALED(status) ? Ending{0, WTERMSIG(status)} : Ending{WEXITSTATUS(status), 0},
                 {seconds(use.ru_utime) + seconds(use.ru_stime),
                  static_cast<std::uint64_t>(use.ru_maxrss) * 1024}};
  }
  return {};
}

void ProcessGroup::take_signal(int signal) {
  if (signal != SIGINT && signal != SIGTERM) return;
  const auto now = std::chrono::steady_clock::now();
  if (interrupted_ && now - interrupted_at_ < kSameRequest) return;
  // The first signal asks the children to end, the second kills them.
  for (const pid_t child : children_) kill(child, interrupted_ ? SIGKILL : signal);
  if (!interrupted_) interrupted_ = signal, interrupted_at_ = now;
}

ProcessGroup::Ended ProcessGroup::wait_any() {
  check_invariant(!children_.empty(), "the lab waited for a child process, but none is running");
  while (true) {
    if (const auto ended = ended_child()) return *ended;
    take_signal(sigwaitinfo(&awaited_, nullptr));
  }
}

std::optional<ProcessGroup::Ended> ProcessGroup::wait_any_for(std::chrono::milliseconds limit) {
  if (const auto ended = ended_child()) return ended;
  const timespec time{limit.count() / 1000, limit.count() % 1000 * 1'000'000};
  take_signal(sigtimedwait(&awaited_, nullptr, &time));
  return ended_child();
}

void ProcessGroup::kill_child(pid_t child) const { kill(child, SIGKILL); }

std::string describe(const Ending& ending) {
  if (ending.signal == 0) return "exit code " + std::to_string(ending.exit_code);
  return "killed by signal " + std::to_string(ending.signal) + " (" + strsignal(ending.signal) +
         ")";
}

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

namespace {

// Not committed: the temporary file is removed.
void probe(const std::string& path) {
  OutputFile file(path);
  file.write("a test of Heddle\n");
  file.flush();
}

void create_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw UserError("cannot create the folder " + folder + ": " + error.message());
}

}  // namespace

void require_writable_folder(const std::string& folder) {
  create_folder(folder);
  probe(folder + "/.heddle");
}

void require_writable_file(const std::string& path) {
  if (is_special_file(path)) return;
  if (const fs::path folder = fs::path(path).parent_path(); !folder.empty())
    create_folder(folder.string());
  probe(path);
}

}  // namespace heddle::lab
