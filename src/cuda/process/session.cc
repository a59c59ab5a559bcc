#include "cuda/process/session.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <string_view>
#include <utility>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "base/own_threads.h"
#include "cuda/process/api.h"
#include "cuda/process/interruption.h"
#include "cuda/process/result_file.h"
#include "energy/energy.h"
#include "exec/check/checker.h"
#include "gpu/check_json.h"
#include "gpu/results_json.h"

namespace heddle::cuda {
namespace {

double seconds(const std::timespec& from, const std::timespec& to) {
  return static_cast<double>(to.tv_sec - from.tv_sec) +
         static_cast<double>(to.tv_nsec - from.tv_nsec) * 1e-9;
}

double user_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

constexpr int kEndedBySignal = 128;  // exit codes from here on name a signal
constexpr std::string_view kOurName = "heddle: ";
constexpr std::size_t kMostStackBytes = std::size_t{8}
                                        << 20;  // the window of local memory holds 16 MiB
constexpr std::uint64_t kMostCallsAfterFault = 10000;
constexpr std::size_t kGridWorkspaceBytes =
    256;  // a size word and the barrier's count, as compiled device code expects them

std::string diagnostic(std::string message) {
  if (message.starts_with(kOurName)) message.erase(0, kOurName.size());
  return "heddle: error: " + message + "\n";
}

std::size_t default_limit(cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize: return 1024;
    case cudaLimitPrintfFifoSize: return 1 << 20;
    case cudaLimitMallocHeapSize: return 8 << 20;
    case cudaLimitDevRuntimeSyncDepth: return 2;
    case cudaLimitDevRuntimePendingLaunchCount: return 2048;
    case cudaLimitMaxL2FetchGranularity: return 128;
    default: return 0;
  }
}

cudaError_t error_of(exec::KernelFault::Kind kind) {
  using Kind = exec::KernelFault::Kind;
  switch (kind) {
    case Kind::assertion: return cudaErrorAssert;
    case Kind::illegal_address: return cudaErrorIllegalAddress;
    case Kind::misaligned_address: return cudaErrorMisalignedAddress;
    case Kind::illegal_call: return cudaErrorInvalidPc;
    case Kind::stack_overflow: return cudaErrorHardwareStackError;
    case Kind::trap:
    case Kind::deadlock: break;
  }
  return cudaErrorLaunchFailure;
}

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

gpu::Device& Session::device() {
  if (device_) return *device_;
  device_ = std::make_unique<gpu::Device>(spec());
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

Program& Session::program() {
  if (!program_)
    program_ = std::make_unique<Program>(registry, spec(), device().memory(), textures);
  return *program_;
}

void Session::run(const exec::Launch& launch, bool cooperative) {
  exec::Launch numbered = launch;
  numbered.grid_id = ++grids_;
  numbered.textures = &textures;
  if (cooperative) {
    if (grid_workspace_ == Address{})
      grid_workspace_ =
          device().memory().allocate(kGridWorkspaceBytes, "cooperative grid workspace");
    if (grid_workspace_ == Address{})
      throw UserError("the device's memory cannot hold the workspace of a cooperative launch");
    std::memset(device().memory().host(grid_workspace_), 0, kGridWorkspaceBytes);
    numbered.grid_workspace = grid_workspace_.value;
  }
  progress_.begin(grids_);
  unwritten_ = true;
  show_printed();
  numbered.stack_bytes =
      static_cast<std::uint32_t>(std::min<std::size_t>(limit(cudaLimitStackSize), kMostStackBytes));
  numbered.heap_bytes = limit(cudaLimitMallocHeapSize);
  device().limit_print(limit(cudaLimitPrintfFifoSize));
  running_ = "launch " + std::to_string(grids_) + " (" + plain_name(launch.kernel->name) + ")";
  try {
    device().run(numbered);
  } catch (const exec::KernelFault& fault) {
    if (fault.kind() == exec::KernelFault::Kind::deadlock) throw;
    running_.clear();
    tell_fault(fault);
    return;
  }
  running_.clear();
  progress_.clear();
  tell_stray(launch.kernel);
  if (launches_[launch.kernel]++ == 0) finish_at_exit();
}

void Session::tell_stray(const ptx::Kernel* kernel) {
  const std::string stray = device_->take_tolerated_load();
  if (stray.empty() || !strayed_.insert(kernel).second) return;
  const std::string warning =
      "heddle: warning: " + stray.substr(std::string_view("heddle: ").size()) +
      "\n  The run goes on: a GPU checks whole pages of 2 MiB and reads what lies there. `heddle "
      "check` finds every such access.\n";
  std::fflush(stdout);
  std::fputs(warning.c_str(), stderr);
}

std::size_t Session::limit(cudaLimit which) const {
  const auto set = limits.find(which);
  return set == limits.end() ? default_limit(which) : set->second;
}

void Session::host_waits() {
  show_printed();
  pools.settle();
}

void Session::show_printed() {
  if (!device_) return;
  const std::string text = device_->take_printed() + std::exchange(unshown_, {});
  if (const std::size_t lost = device_->take_lost_print(); lost > 0) {
    progress_.clear();
    std::fprintf(stderr,
                 "heddle: %zu bytes of device printf were overwritten before the host waited for "
                 "the device (cudaLimitPrintfFifoSize is %zu)\n",
                 lost, limit(cudaLimitPrintfFifoSize));
  }
  if (text.empty()) return;
  progress_.clear();
  std::fwrite(text.data(), 1, text.size(), stdout);
}

cudaError_t Session::fault_error() {
  if (fault_ != cudaSuccess) show_printed();
  if (fault_ != cudaSuccess && ++calls_after_fault_ > kMostCallsAfterFault) {
    stop_for_mistake("the program goes on although the device has failed: every one of " +
                     std::to_string(kMostCallsAfterFault) + " calls since then has returned " +
                     cudaGetErrorName(fault_));
  }
  return fault_;
}

// The program learns of it from its next call. The results are written now: they are not those of a
// whole run, whatever the program does.
void Session::tell_fault(const exec::KernelFault& fault) {
  progress_.clear();
  unshown_ = fault.printed();
  std::fflush(stdout);
  std::fputs(fault.said().c_str(), stderr);
  std::fputs(diagnostic(fault.what()).c_str(), stderr);
  fault_ = error_of(fault.kind());
  unwritten_ = false;
  if (!spec().result_path.empty())
    write_atomically(spec().result_path, results("fault", fault.what()));
}

const HostBlock* Session::host_block(const void* pointer, std::uintptr_t* base) const {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto after = host_blocks.upper_bound(address);
  if (after == host_blocks.begin()) return nullptr;
  const auto& [first, block] = *std::prev(after);
  if (address - first >= block.bytes) return nullptr;
  if (base) *base = first;
  return &block;
}

// Exit handlers run in reverse order of registration, mixed with destructors of static objects. A
// kernel's first run may have created such objects, and writing results may need them; so the
// handler is registered again after each.
void Session::finish_at_exit() {
  if (std::atexit([] { Session::get().finish(); }) != 0)
    throw UserError("the process has no room for another exit handler");
}

void Session::put_energy(nlohmann::ordered_json& json) const {
  const auto put = [&](nlohmann::ordered_json& into, const gpu::KernelResult& result) {
    if (result.functional) return;
    const auto shares = energy::shares(device_->spec(), result);
    for (const auto& share : shares)
      into["energy"][std::string(share.name) + "_nj"] = share.nanojoules;
    into["energy"]["total_nj"] = energy::total(shares);
  };
  const auto& results = device_->results();
  put(json["totals"], gpu::sum_of(results));
  for (std::size_t i = 0; i < results.size(); ++i) put(json["kernels"][i], results[i]);
}

// A simulation whose `heddle` was killed has nobody left to give its results to.
void Session::end_with_parent() {
  const char* const parent = std::getenv(config::kParentVariable);
  if (parent && std::to_string(::getppid()) == parent) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
}

std::string Session::results(const std::string& status, const std::string& diagnostic) const {
  auto json = nlohmann::ordered_json::parse(gpu::results_json(*device_));
  put_energy(json);
  if (exec::Checker* const checker = device_->checker()) {
    if (spec_->check.leaks && status == "completed") checker->find_leaks();
    json["check"] = gpu::check_json(*checker);
  }
  json["status"] = status;
  json["times_told"] = times_told;
  if (!diagnostic.empty()) json["diagnostic"] = diagnostic;
  std::timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  json["host"] = {{"wall_seconds", seconds(started_, now)},
                  {"kernel_seconds", device_->host_seconds()},
                  {"user_seconds", user_seconds()}};
  return json.dump(1) + "\n";
}

void Session::finish() {
  const std::lock_guard lock(mutex);
  if (!device_) return;
  show_printed();
  if (!unwritten_ || fault_ != cudaSuccess) return;
  unwritten_ = false;
  if (spec().result_path.empty()) return;
  try {
    write_atomically(spec().result_path, results("completed", ""));
    if (const std::string& path = spec().watch.timeline_path; !path.empty())
      write_atomically(path, stats::to_text(device_->timeline()));
  } catch (const UserError& mistake) {
    stop_for_mistake(mistake.what());
  } catch (const std::exception& error) {
    report_violation(error.what());
  }
}

void Session::stop(ExitCode code) {
  std::fflush(nullptr);
  ::_exit(static_cast<int>(code));
}

void Session::stop_for_mistake(const std::string& message) {
  show_printed();
  progress_.clear();
  std::fflush(stdout);
  std::fputs(diagnostic(message).c_str(), stderr);
  if (spec_ && fault_ == cudaSuccess && !spec_->result_path.empty()) {
    try {
      write_atomically(
          spec_->result_path,
          nlohmann::json{{"status", "refused"}, {"diagnostic", message}}.dump() + "\n");
    } catch (const UserError&) {  // what went wrong first has been said
    }
  }
  stop(ExitCode::usage);
}

void Session::stop_for_fault(const exec::KernelFault& fault) {
  unshown_ = fault.printed();
  show_printed();
  progress_.clear();
  std::fflush(stdout);
  std::fputs(diagnostic(fault.what()).c_str(), stderr);
  if (device_ && !spec().result_path.empty()) {
    try {
      write_atomically(spec().result_path, results("fault", fault.what()));
    } catch (const std::exception& error) {
      std::fputs(diagnostic(error.what()).c_str(), stderr);
    }
  }
  stop(ExitCode::simulation);
}

void Session::stop_for_signal(int signal, const std::string& standing) {
  progress_.clear();
  std::fflush(stdout);
  if (!standing.empty())
    std::fputs(
        diagnostic("interrupted in " + running_ + "; where its warps stood:" + standing).c_str(),
        stderr);
  if (device_ && fault_ == cudaSuccess &&
      !spec().result_path.empty()) {  // after a fault its results stand
    try {
      const std::string where =
          running_.empty()
              ? device_->results().empty() ? " before the first launch" : " between launches"
              : " in " + running_;
      write_atomically(spec().result_path, results("interrupted", "interrupted" + where));
      if (const std::string& path = spec().watch.timeline_path; !path.empty())
        write_atomically(path, stats::to_text(device_->timeline()));
    } catch (const std::exception& error) {
      std::fputs(diagnostic(error.what()).c_str(), stderr);
    }
  }
  ::_exit(kEndedBySignal + signal);  // streams that the program reads from may be locked by it
}

void Session::take_signals() {
  const char* const parent = std::getenv(config::kParentVariable);
  if (!parent || std::to_string(::getppid()) != parent) return;
  device_->set_stop(&cuda::take_signals(
      ::getppid(), [] { return Session::get().mutex.try_lock(); },
      [](int signal) { Session::get().stop_for_signal(signal); }));
}

}  // namespace heddle::cuda
