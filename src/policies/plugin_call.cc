#include "policies/plugin_call.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>

namespace heddle::policies {
namespace {

constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int kSignalOfTimer = SIGXCPU;
constexpr unsigned kSecondsToEnd = 5;

// Signal handlers cannot be members of an object.
std::array<struct sigaction, NSIG> others{};  // handlers of the program
void (*end_with)(const std::string& message) = nullptr;
std::chrono::nanoseconds limit_of_call{};
const char* failed_policy = nullptr;
const char* failed_function = nullptr;
const char* failed_by = nullptr;

// When the end fails or takes too long: without the heap, which the policy may have damaged.
void end_late(int) {
  for (const char* const part :
       {"heddle: error: ", failed_policy, ": ", failed_function, ": ", failed_by, "\n"})
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

void pass_on(int signal) {
  ::sigaction(signal, &others[static_cast<std::size_t>(signal)], nullptr);
  ::raise(signal);
}

// Signals the thread whenever it has used processor time for the limit: time of the clock on the
// wall would also count while others use the processor. Without such a timer nothing is limited.
class CallTimer {
 public:
  CallTimer() {
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = kSignalOfTimer;
    event._sigev_un._tid = ::gettid();
    if (::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) != 0) return;
    exists_ = true;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit_of_call);
    const timespec limit{seconds.count(), (limit_of_call - seconds).count()};
    const itimerspec periodic{limit, limit};
    ::timer_settime(timer_, 0, &periodic, nullptr);
  }
  ~CallTimer() {
    if (exists_) ::timer_delete(timer_);
  }
  CallTimer(const CallTimer&) = delete;
  CallTimer& operator=(const CallTimer&) = delete;

 private:
  timer_t timer_{};
  bool exists_ = false;
};

}  // namespace

void PluginPolicy::end(const Scope& call, const char* fault, const std::string& message) {
  failed_policy = call.policy.name_.c_str();
  failed_function = call.function;
  failed_by = fault;
  for (const int one : kSignals) ::signal(one, end_late);
  ::signal(SIGALRM, end_late);
  ::alarm(kSecondsToEnd);
  end_with(describe_current_call() + message);
  ::_exit(static_cast<int>(ExitCode::usage));
}

void PluginPolicy::handle_signal(int signal, siginfo_t* info, void* context) {
  if (!Scope::current) return pass_on(signal);
  end(*Scope::current, ::sigdescr_np(signal),
      "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")" +
          (is_stack_overflow(signal, info, context) ? ": the stack is full" : ""));
}

// A call that was there at the last signal of the timer has lasted for the limit.
void PluginPolicy::handle_time(int signal, siginfo_t* info, void*) {
  static constinit thread_local std::uint64_t last_call = 0;
  if (info->si_code != SI_TIMER) return pass_on(signal);
  if (Scope::current && last_call == Scope::calls)
    end(*Scope::current, "it does not return",
        fmt::format("it has not returned after {} s of processor time",
                    std::chrono::duration<double>(limit_of_call).count()));
  last_call = Scope::calls;
}

constinit thread_local const PluginPolicy::Scope* PluginPolicy::Scope::current = nullptr;
constinit thread_local bool PluginPolicy::Scope::is_prepared = false;
constinit thread_local std::uint64_t PluginPolicy::Scope::calls = 0;

void PluginPolicy::prepare_thread() {
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
  if (limit_of_call.count() > 0) {
    thread_local const CallTimer timer;
  }
  Scope::is_prepared = true;
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

void report_faults_of_plugins(void (*end)(const std::string& message),
                              std::chrono::milliseconds limit) {
  end_with = end;
  limit_of_call = limit;
  const auto set = [](int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
    struct sigaction action{};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | flags;
    ::sigaction(signal, &action, &others[static_cast<std::size_t>(signal)]);
  };
  for (const int signal : kSignals) set(signal, PluginPolicy::handle_signal, SA_NODEFER);
  set(kSignalOfTimer, PluginPolicy::handle_time, SA_RESTART);
}

}  // namespace heddle::policies
