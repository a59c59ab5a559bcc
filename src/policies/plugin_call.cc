#include "policies/plugin_call.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace heddle::policies {
namespace {

constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr unsigned kSecondsToEnd = 5;

// Signal handlers cannot be members of an object.
std::array<struct sigaction, NSIG> others{};  // handlers of the program
void (*end_with)(const std::string& message) = nullptr;
const char* failed_policy = nullptr;
const char* failed_function = nullptr;
int failed_signal = 0;

// When the end fails or takes too long: without the heap, which the policy may have damaged.
void end_late(int) {
  for (const char* const part : {"heddle: error: ", failed_policy, ": ", failed_function, ": ",
                                 ::sigdescr_np(failed_signal), "\n"})
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  ::_exit(static_cast<int>(ExitCode::usage));
}

// The end of the run writes results there.
constexpr std::size_t kSignalStackBytes = std::size_t{1} << 20;

// The kernel sends SIGSEGV when a push, call or access just below the stack's top faults.
bool is_stack_overflow(int signal, const siginfo_t* info, const void* context) {
  constexpr std::uint64_t kNear = std::uint64_t{1} << 16;
  const auto top = static_cast<std::uint64_t>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
  return signal == SIGSEGV &&
         reinterpret_cast<std::uint64_t>(info->si_addr) - top + kNear < 2 * kNear;
}

}  // namespace

void PluginPolicy::handle(int signal, siginfo_t* info, void* context) {
  const Scope* const scope = Scope::current;
  if (!scope) {
    ::sigaction(signal, &others[static_cast<std::size_t>(signal)], nullptr);
    ::raise(signal);
    return;
  }
  failed_policy = scope->policy.name_.c_str();
  failed_function = scope->function;
  failed_signal = signal;
  for (const int one : kSignals) ::signal(one, end_late);
  ::signal(SIGALRM, end_late);
  ::alarm(kSecondsToEnd);
  end_with(describe_current_call() + "signal " + std::to_string(signal) + " (" +
           ::strsignal(signal) + ")" +
           (is_stack_overflow(signal, info, context) ? ": the stack is full" : ""));
}

constinit thread_local const PluginPolicy::Scope* PluginPolicy::Scope::current = nullptr;
constinit thread_local bool PluginPolicy::Scope::has_signal_stack = false;

void PluginPolicy::prepare_signal_stack() {
  class SignalStack {
   public:
    SignalStack() {
      stack_t before{};
      ::sigaltstack(nullptr, &before);
      if ((before.ss_flags & SS_DISABLE) == 0) return;  // the program has one
      bytes_ = std::make_unique_for_overwrite<std::byte[]>(kSignalStackBytes);
      const stack_t stack{.ss_sp = bytes_.get(), .ss_flags = 0, .ss_size = kSignalStackBytes};
      ::sigaltstack(&stack, nullptr);
    }
    ~SignalStack() {
      const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
      if (bytes_) ::sigaltstack(&none, nullptr);
    }
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;

   private:
    std::unique_ptr<std::byte[]> bytes_;
  };
  thread_local const SignalStack stack;
  Scope::has_signal_stack = true;
}

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
  action.sa_sigaction = PluginPolicy::handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : kSignals)
    ::sigaction(signal, &action, &others[static_cast<std::size_t>(signal)]);
}

}  // namespace heddle::policies
