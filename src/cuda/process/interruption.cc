#include "cuda/process/interruption.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <string>

#include <unistd.h>

#include "base/own_threads.h"
#include "base/process_group.h"

namespace heddle::cuda {
namespace {

constexpr useconds_t kPollMicroseconds = 20000;        // between two checks of may_end
constexpr std::chrono::milliseconds kOwnerCheck{500};  // between two checks that heddle exists

// Signal handlers cannot be members of an object.
struct Requests {
  exec::StopRequest signal{0};
  RunControl* control = nullptr;
  pid_t process = 0;
};
Requests requests;

bool exists(pid_t process) { return ::kill(process, 0) == 0 || errno != ESRCH; }

void handle(int signal, siginfo_t* info, void*) {
  const int saved = errno;
  // A child that the program forked has no thread that ends it.
  if (::getpid() != requests.process) ::_exit(kKilledBySignal + signal);
  const pid_t owner = requests.control->owner();
  // A terminal has signalled heddle, too. It asks all its runs through their run controls.
  const bool heddle_has_it =
      info->si_code == SI_KERNEL && ::getpgid(owner) == ::getpgrp() && exists(owner);
  int none = 0;
  if (!heddle_has_it && requests.signal.compare_exchange_strong(none, signal))
    requests.control->notify();
  errno = saved;
}

// Whether the first thread has blocked the signal, for example because another one waits for it.
bool is_blocked(int signal) {
  constexpr std::string_view kField = "SigBlk:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(kField))
      return std::stoull(line.substr(kField.size()), nullptr, 16) >> (signal - 1) & 1;
  return false;
}

// A program that ignores a signal does not handle it: it has nothing to do before it ends.
bool program_handles(int signal) {
  struct sigaction now{};
  if (::sigaction(signal, nullptr, &now) != 0) return true;
  const bool ours = (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == handle;
  return (!ours && now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN) || is_blocked(signal);
}

void watch(bool (*may_end)(), void (*end)(int signal)) {
  RunControl& control = *requests.control;
  // heddle may be in another namespace of process ids, where it cannot be seen.
  const bool sees_owner = exists(control.owner());
  while (requests.signal == 0) {
    const std::uint32_t seen = control.notifications();
    const RunControl::Stop stop = control.stop();
    if (stop.signal != 0 && (stop.at_once || !program_handles(stop.signal))) {
      int none = 0;
      requests.signal.compare_exchange_strong(none, stop.signal);
    } else if (requests.signal == 0) {
      control.wait(seen, kOwnerCheck);
    }
    if (sees_owner && !exists(control.owner())) ::_exit(kKilledBySignal + SIGKILL);
  }
  while (!may_end()) ::usleep(kPollMicroseconds);
  end(requests.signal);
}

}  // namespace

const exec::StopRequest& watch_for_interruption(RunControl& control, bool (*may_end)(),
                                                void (*end)(int signal)) {
  requests.control = &control;
  requests.process = ::getpid();
  start_own_thread([may_end, end] { watch(may_end, end); });
  struct sigaction action{};
  action.sa_sigaction = handle;
  // SA_NODEFER: the watching thread takes a blocked signal for one that the program waits for.
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now{};
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
      ::sigaction(signal, &action, nullptr);
  }
  return requests.signal;
}

}  // namespace heddle::cuda
