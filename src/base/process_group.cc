#include "base/process_group.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/diagnostics.h"

namespace heddle {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSameRequest{300};  // two signals within this time are one request
constexpr milliseconds kPoll{20};          // while processes that are no children must end
constexpr int kCannotStart = 127;

bool is_ignored(int signal) {
  struct sigaction action{};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// A shell's background jobs ignore SIGINT without a wish to; `nohup` means it.
std::vector<int> interrupting_signals() {
  std::vector<int> signals{SIGINT, SIGTERM};
  if (!is_ignored(SIGHUP)) signals.push_back(SIGHUP);
  return signals;
}

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

// What the child does before its program starts. Everything is allocated by the parent.
struct Launch {
  const ChildCommand& command;
  std::vector<char*> arguments, environment;
  std::vector<int> default_signals;
  sigset_t mask;
  pid_t parent;

  bool redirect(int descriptor, const std::string& path) const {
    if (path.empty()) return true;
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return file >= 0 && ::dup2(file, descriptor) >= 0;
  }
  // Returns only when the program cannot start; errno says why.
  void execute() const {
    // The parent may have ended before the request took effect.
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return;
    if (::getppid() != parent) ::_exit(kCannotStart);
    for (const int signal : default_signals) ::signal(signal, SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &mask, nullptr);
    if (command.input && ::dup2(command.input->number(), STDIN_FILENO) < 0) return;
    if (!redirect(STDOUT_FILENO, command.stdout_path) ||
        !redirect(STDERR_FILENO, command.stderr_path))
      return;
    if (!command.folder.empty() && ::chdir(command.folder.c_str()) != 0) return;
    ::execvpe(arguments[0], arguments.data(), environment.data());
  }
};

// Starts the child. Returns 0, or errno of what failed before its program ran.
int spawn(const Launch& launch, pid_t& child) {
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) return errno;
  child = ::fork();
  if (child == 0) {
    launch.execute();
    const int reason = errno;
    [[maybe_unused]] const ssize_t wrote = ::write(report[1], &reason, sizeof reason);
    ::_exit(kCannotStart);
  }
  const int fork_error = child < 0 ? errno : 0;
  ::close(report[1]);
  int reason = 0;
  while (child > 0 && ::read(report[0], &reason, sizeof reason) < 0 && errno == EINTR) {}
  ::close(report[0]);
  if (reason != 0) ::waitpid(child, nullptr, 0);
  return child < 0 ? fork_error : reason;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

ProcessGroup::ProcessGroup() : ProcessGroup(Grace()) {}

ProcessGroup::ProcessGroup(const Grace& grace) : grace_(grace) {
  sigemptyset(&awaited_);
  sigaddset(&awaited_, SIGCHLD);
  for (const int signal : interrupting_signals()) sigaddset(&awaited_, signal);
  sigprocmask(SIG_BLOCK, &awaited_, &previous_);
}

ProcessGroup::~ProcessGroup() {
  for (const Child& child : children_) kill(child);
  for (const Child& child : children_)
    if (!child.ended) waitpid(child.pid, nullptr, 0);
  sigprocmask(SIG_SETMASK, &previous_, nullptr);
}

pid_t ProcessGroup::start(const ChildCommand& command) {
  std::vector<std::string> arguments = command.arguments,
                           environment = merged_environment(command.environment);
  Launch launch{command,
                as_pointers(arguments),
                as_pointers(environment),
                interrupting_signals(),
                previous_,
                ::getpid()};
  // A ProcessGroup around this one has blocked the signals; a child must take those that it is
  // sent.
  sigdelset(&launch.mask, SIGCHLD);
  for (const int signal : launch.default_signals) sigdelset(&launch.mask, signal);
  launch.default_signals.push_back(SIGXFSZ);  // ignored by the command, not by its programs
  Child child;
  if (!command.control.empty()) child.control = std::make_unique<RunControl>(command.control);
  if (const int error = spawn(launch, child.pid))
    throw UserError("cannot start '" + arguments[0] + "': " + std::strerror(error));
  children_.push_back(std::move(child));
  return children_.back().pid;
}

std::optional<ProcessGroup::Ended> ProcessGroup::ended_child() {
  for (std::size_t i = 0; i < children_.size(); ++i) {
    Child& child = children_[i];
    int status = 0;
    rusage use{};
    if (!child.ended && wait4(child.pid, &status, WNOHANG, &use) == child.pid)
      child.ended =
          Ended{child.pid,
                WIFSIGNALED(status) ? Ending{0, WTERMSIG(status)} : Ending{WEXITSTATUS(status), 0},
                {seconds(use.ru_utime) + seconds(use.ru_stime),
                 static_cast<std::uint64_t>(use.ru_maxrss) * 1024}};
    if (!child.ended || (child.control && !child.control->running_users().empty())) continue;
    Ended ended = *child.ended;
    if (child.control) {
      ended.users = child.control->users();
      ended.launching_users = child.control->launching_users();
    }
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
    return ended;
  }
  return {};
}

void ProcessGroup::ask(const Child& child, const siginfo_t& info) const {
  if (child.control) child.control->request_stop({interrupted_, false});
  // A terminal signals the whole group: the program has received it. A process without a run
  // control may have been started after that.
  if (!child.ended && !(child.control && info.si_code == SI_KERNEL))
    ::kill(child.pid, interrupted_);
}

void ProcessGroup::take_signal(int signal, const siginfo_t& info) {
  if (signal <= 0 || signal == SIGCHLD) return;
  const auto now = Clock::now();
  if (!interrupted_) {
    interrupted_ = signal;
    interrupted_at_ = now;
    for (const Child& child : children_) ask(child, info);
    return;
  }
  // The process that started this one forwards what a terminal has sent to both.
  const bool forwarded = info.si_code == SI_USER && info.si_pid == ::getppid();
  if (forwarded || now - interrupted_at_ < kSameRequest) return;
  for (const Child& child : children_) kill(child);
}

void ProcessGroup::enforce_grace() {
  if (!interrupted_) return;
  const auto passed = Clock::now() - interrupted_at_;
  if (passed > grace_.handler && !insisted_) {
    insisted_ = true;
    for (const Child& child : children_) {
      if (!child.control) continue;
      child.control->request_stop({interrupted_, true});
      if (child.ended) continue;
      ::kill(child.pid, interrupted_);
      ::kill(child.pid, SIGCONT);  // it may have been stopped
    }
  }
  for (const Child& child : children_)
    if (passed > (child.control ? grace_.kill : grace_.kill_without_control)) kill(child);
}

milliseconds ProcessGroup::until_next_check() const {
  const bool lingers = std::any_of(children_.begin(), children_.end(),
                                   [](const Child& child) { return child.ended.has_value(); });
  if (lingers) return kPoll;
  return interrupted_ ? kPoll * 5 : milliseconds::max();
}

std::optional<ProcessGroup::Ended> ProcessGroup::wait_any_for(milliseconds limit) {
  if (const auto ended = ended_child()) return ended;
  const milliseconds time = std::min(limit, until_next_check());
  const timespec until{time.count() / 1000, time.count() % 1000 * 1'000'000};
  siginfo_t info{};
  const int signal = sigtimedwait(&awaited_, &info, &until);
  take_signal(signal, info);
  enforce_grace();
  return ended_child();
}

ProcessGroup::Ended ProcessGroup::wait_any() {
  check_invariant(!children_.empty(), "a child process was waited for, but none is running");
  while (true)
    if (const auto ended = wait_any_for(std::chrono::hours(1))) return *ended;
}

void ProcessGroup::kill(const Child& child) {
  if (!child.ended) ::kill(child.pid, SIGKILL);
  if (!child.control) return;
  for (const pid_t user : child.control->running_users()) ::kill(user, SIGKILL);
}

void ProcessGroup::kill_child(pid_t pid) const {
  for (const Child& child : children_)
    if (child.pid == pid) kill(child);
}

std::string describe(const Ending& ending) {
  if (ending.signal == 0) return "exit code " + std::to_string(ending.exit_code);
  return "killed by signal " + std::to_string(ending.signal) + " (" + strsignal(ending.signal) +
         ")";
}

}  // namespace heddle
