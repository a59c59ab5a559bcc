#include "cuda/process/interruption.h"

#include <csignal>

#include <fcntl.h>
#include <unistd.h>

#include "base/own_threads.h"

namespace heddle::cuda {
namespace {

constexpr useconds_t kPollMicroseconds = 20000;  // between two checks of may_end

// Signal handlers cannot be members of an object.
struct Signals {
  exec::StopRequest request{0};
  int parent = 0;
  int pipe[2] = {-1, -1};  // from the handler to the thread
  static Signals& get() {
    static Signals signals;
    return signals;
  }
};

void handle(int signal, siginfo_t* info, void*) {
  Signals& signals = Signals::get();
  if (::getppid() != signals.parent) ::_exit(128 + signal);
  if (info->si_code == SI_KERNEL)
    return;  // from the terminal: the parent receives it, too, and forwards it
  int none = 0;
  if (!signals.request.compare_exchange_strong(none, signal)) return;
  const char word = 0;
  if (::write(signals.pipe[1], &word, 1) != 1) ::_exit(128 + signal);
}

bool has_own_handler(int signal) {
  struct sigaction now{};
  return ::sigaction(signal, nullptr, &now) != 0 ||
         (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN);
}

}  // namespace

const exec::StopRequest& take_signals(int parent, bool (*may_end)(), void (*end)(int signal)) {
  Signals& signals = Signals::get();
  signals.parent = parent;
  if (signals.pipe[0] >= 0 || ::pipe2(signals.pipe, O_CLOEXEC) != 0) return signals.request;
  start_own_thread([&signals, may_end, end] {
    char word;
    while (::read(signals.pipe[0], &word, 1) < 0) {}
    while (!may_end()) ::usleep(kPollMicroseconds);
    end(signals.request.load());
  });
  struct sigaction action{};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM})
    if (!has_own_handler(signal)) ::sigaction(signal, &action, nullptr);
  return signals.request;
}

}  // namespace heddle::cuda
