#include "policies/plugin_call.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

namespace heddle::policies {
namespace {

constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr unsigned kSecondsToEnd = 5;

// Signal handlers cannot be members of an object.
std::array<struct sigaction, NSIG> others{};  // handlers of the program
void (*end_with)(const std::string& message) = nullptr;

void handle(int signal, siginfo_t*, void*) {
  const std::string call = PluginPolicy::describe_current_call();
  if (call.empty()) {
    ::sigaction(signal, &others[static_cast<std::size_t>(signal)], nullptr);
    ::raise(signal);
    return;
  }
  // The policy may have damaged what the end needs, as the heap.
  for (const int one : kSignals) ::signal(one, SIG_DFL);
  ::signal(SIGALRM, SIG_DFL);
  ::alarm(kSecondsToEnd);
  end_with(call + "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")");
}

}  // namespace

constinit thread_local const PluginPolicy::Scope* PluginPolicy::Scope::current = nullptr;

std::string PluginPolicy::describe_current_call() {
  const Scope* const scope = Scope::current;
  return scope ? scope->policy.describe_call(scope->function) : std::string();
}

std::string PluginPolicy::describe_call(const char* function) const {
  return name_ + ": " + ComponentScope::describe_current() + function + ": ";
}

void PluginPolicy::refuse(const char* function, const std::string& why) const {
  throw UserError(describe_call(function) + why);
}

void report_signals_of_plugins(void (*end)(const std::string& message)) {
  end_with = end;
  struct sigaction action{};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO;
  for (const int signal : kSignals)
    ::sigaction(signal, &action, &others[static_cast<std::size_t>(signal)]);
}

}  // namespace heddle::policies
