#include "cuda/process/session.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>
#include <utility>

#include <sys/prctl.h>
#include <unistd.h>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "base/own_threads.h"
#include "cuda/process/interruption.h"
#include "cuda/process/result_file.h"

namespace heddle::cuda {
namespace {

constexpr std::size_t kMaxStackBytes = std::size_t{8}
                                       << 20;  // local memory has 16 MiB of addresses

}  // namespace

Session& Session::get() {
  alignas(Session) static std::byte storage[sizeof(Session)];
  static Session* const session = new (storage) Session;
  return *session;
}

Session::Session() { ::clock_gettime(CLOCK_MONOTONIC, &started_); }

const config::RunSpec& Session::spec() {
  if (spec_) return *spec_;
  const char* const path = std::getenv(config::kRunSpecVariable);
  if (!path) {
    throw UserError(std::string("this program was built for Heddle: start it with `heddle run ") +
                    program_invocation_name + "`");
  }
  spec_ = config::RunSpec::from_json(read_file(path));
  end_with_parent();
  return *spec_;
}

// A process whose `heddle` was killed ends too: nobody reads its results.
void Session::end_with_parent() {
  const char* const parent = std::getenv(config::kParentVariable);
  if (parent && std::to_string(::getppid()) == parent) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
}

gpu::Device& Session::device() {
  if (device_) return *device_;
  device_ = std::make_unique<gpu::Device>(spec());
  device_->set_textures(&textures.table);
  take_signals();
  if (spec().progress) {
    device_->set_progress(
        [this](const exec::Launch&, const gpu::KernelResult& so_far) { progress_.show(so_far); });
  }
  const auto warn = [this](const std::string& note) {
    progress_.clear();
    std::fputs(note.c_str(), stderr);
  };
  device_->set_host({warn, [] { return !only_own_threads(); }});
  unwritten_ = true;
  finish_at_exit();
  return *device_;
}

void Session::take_signals() {
  const char* const parent = std::getenv(config::kParentVariable);
  if (!parent || std::to_string(::getppid()) != parent) return;
  device_->set_stop(&cuda::take_signals(
      ::getppid(), [] { return Session::get().mutex.try_lock(); },
      [](int signal) { Session::get().stop_for_signal(signal); }));
}

Program& Session::program() {
  if (!program_) {
    gpu::Device& on = device();
    program_ = std::make_unique<Program>(registry, spec(), on.memory(), textures.table);
  }
  return *program_;
}

std::string Session::name_allocation(const char* call) {
  return std::string(call) + " #" + std::to_string(++allocations_);
}

bool Session::kernel_may_begin() { return running_kernels_.size() < device().concurrent_kernels(); }

void Session::begin_kernel(StreamWork::Id id, const gpu::LaunchRequest& request, int priority) {
  const std::uint64_t number = device().launches() + 1;
  progress_.begin(number);
  unwritten_ = true;
  show_printed();
  device().set_limits({static_cast<std::uint32_t>(std::min<std::size_t>(
                           settings.limit(cudaLimitStackSize), kMaxStackBytes)),
                       settings.limit(cudaLimitMallocHeapSize),
                       settings.limit(cudaLimitPrintfFifoSize)});
  running_kernels_[number] = {id, request.kernel};
  report_faults([&] { device().begin(request, priority); });
}

void Session::advance_device() {
  report_faults([&] {
    for (const std::uint64_t number : device().advance().launches) {
      const auto ended = running_kernels_.find(number);
      const RunningKernel kernel = ended->second;
      running_kernels_.erase(ended);
      work.finish(kernel.id);
      warn_tolerated_load(kernel.kernel);
      if (launches_[kernel.kernel]++ == 0) finish_at_exit();
    }
  });
  progress_.clear();
}

// `act` simulates.
template <class Act>
void Session::report_faults(Act&& act) {
  running_.clear();
  for (const auto& [number, kernel] : running_kernels_)
    running_ += (running_.empty() ? "launch " : ", launch ") + std::to_string(number) + " (" +
                plain_name(kernel.kernel->name) + ")";
  try {
    act();
  } catch (const exec::KernelFault& fault) {
    if (fault.kind() == exec::KernelFault::Kind::deadlock) throw;
    running_.clear();
    running_kernels_.clear();
    report_fault(fault);
  }
  running_.clear();
}

void Session::warn_tolerated_load(const ptx::Kernel* kernel) {
  const std::string load = device_->take_tolerated_load();
  if (load.empty() || !warned_.insert(kernel).second) return;
  const std::string warning =
      "heddle: warning: " + load.substr(std::string_view("heddle: ").size()) +
      "\n  The run continues: a GPU checks whole pages of 2 MiB and reads what lies there. `heddle "
      "check` finds every such access.\n";
  std::fflush(stdout);
  std::fputs(warning.c_str(), stderr);
}

void Session::synchronize() {
  show_printed();
  pools.trim_all();
}

void Session::show_printed() {
  if (!device_) return;
  const std::string text = device_->take_printed() + std::exchange(printed_before_fault_, {});
  if (const std::size_t lost = device_->take_lost_print(); lost > 0) {
    progress_.clear();
    std::fprintf(stderr,
                 "heddle: warning: %zu bytes of device printf were overwritten before the host "
                 "synchronized. The buffer has %zu bytes; enlarge it with "
                 "cudaDeviceSetLimit(cudaLimitPrintfFifoSize, ...)\n",
                 lost, settings.limit(cudaLimitPrintfFifoSize));
  }
  if (text.empty()) return;
  progress_.clear();
  std::fwrite(text.data(), 1, text.size(), stdout);
}

// Exit handlers run in reverse order of registration, mixed with destructors of static objects. A
// kernel's first run may have created such objects, and writing the results may need them. The
// handler is therefore registered again after each first run.
void Session::finish_at_exit() {
  if (std::atexit([] { Session::get().finish(); }) != 0)
    throw UserError("the process has no room for another exit handler");
}

}  // namespace heddle::cuda
