// How a process ends: its results, device faults, user errors and signals.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/resource.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "base/library_errors.h"
#include "base/process_group.h"
#include "config/json_text.h"
#include "cuda/objects/error_names.h"
#include "cuda/process/result_file.h"
#include "cuda/process/session.h"
#include "cuda/process/stream_progress.h"
#include "energy/energy.h"
#include "exec/check/checker.h"
#include "gpu/analysed_launches.h"
#include "gpu/check_json.h"
#include "gpu/launch_lines.h"
#include "gpu/results_json.h"

namespace heddle::cuda {
namespace {

constexpr std::string_view kPrefix = "heddle: ";
constexpr std::uint64_t kMaxCallsAfterFault = 10000;

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

void print_error(std::string message) {
  if (message.starts_with(kPrefix)) message.erase(0, kPrefix.size());
  std::fputs(("heddle: error: " + message + "\n").c_str(), stderr);
}

// Why the program's standard output was not written whole; empty when it was.
std::string flush_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return {};
  return std::string("the program's standard output cannot be written") +
         (errno ? std::string(": ") + std::strerror(errno) : std::string());
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

// Each in a line, as soon as it has ended: they survive whatever ends the process.
void Session::record_launches() {
  for (const gpu::KernelResult& launch : device_->take_results()) {
    totals_.add(launch);
    if (!launches_) continue;
    nlohmann::ordered_json json = gpu::kernel_json(launch, device_->spec());
    energy::put_energy(json, device_->spec(), launch);
    // For totals that are made of these lines.
    if (launch.repeated.all > 0)
      json[gpu::kRepeatedCycles] = {launch.repeated.all, launch.repeated.without_issue};
    launches_->append(config::json_text(json) + "\n");
  }
}

// All but the launches.
std::string Session::results(const std::string& status, const std::string& diagnostic) const {
  nlohmann::ordered_json json;
  json["totals"] = gpu::totals_json(*device_, totals_);
  energy::put_energy(json["totals"], device_->spec(), totals_.sum());
  if (exec::Checker* const checker = device_->checker()) {
    if (spec_->check.leaks && status == "completed") checker->find_leaks();
    json["check"] = gpu::check_json(*checker);
  }
  if (const gpu::AnalysedLaunches* const analysed = device_->analysed())
    json["analysis"] = analysed->json();
  json["status"] = status;
  json["elapsed_times"] = events.elapsed_times;
  if (!diagnostic.empty()) json["diagnostic"] = diagnostic;
  std::timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  json["host"] = {{"wall_seconds", seconds(started_, now)},
                  {"kernel_seconds", device_->host_seconds()},
                  {"user_seconds", user_seconds()}};
  json[gpu::kLaunchesProcess] = ::getpid();
  return config::json_text(json);
}

void Session::write_results(const std::string& status, const std::string& diagnostic) {
  record_launches();
  // A process that only asks for the properties of the device keeps the results of another.
  const bool others = control_ && control_->launching_users() > 0 && device_->launches() == 0;
  if (spec_->result_path.empty() || others) return;
  write_atomically(spec_->result_path, results(status, diagnostic) + "\n");
}

void Session::write_timeline() const {
  if (const std::string& path = spec_->watch.timeline_path; !path.empty())
    write_atomically(path, stats::to_text(device_->timeline()));
}

void Session::clear_output_line() {
  progress_.clear();
  std::fflush(stdout);
}

void Session::run_exit_handler() {
  --exit_handlers_;
  finish();
}

void Session::finish() {
  if (device_ && !faulted()) guarded([](Session& session) { return wait_for_all(session); });
  const std::lock_guard lock(mutex);
  if (!device_) return;
  show_printed();
  try {
    // Destructors of static objects run between the handlers and may call the API.
    if (exit_handlers_ == 0) finish_capture();
    if (!unwritten_ || fault_ != cudaSuccess) return;
    unwritten_ = false;
    if (spec_->result_path.empty()) return;
    write_results("completed", flush_output());
    write_timeline();
  } catch (const std::exception& error) {
    stop_for_user_error(describe_error(error));
  }
}

void Session::finish_capture() {
  if (recorder_) recorder_->finish(device_->launches(), events.elapsed_times);
}

cudaError_t Session::fault_error() {
  if (fault_ == cudaSuccess) return cudaSuccess;
  show_printed();
  if (++calls_after_fault_ > kMaxCallsAfterFault) {
    stop_for_user_error(
        "the program has ignored a device fault: " + std::to_string(kMaxCallsAfterFault) +
        " calls after it have returned " + error_name(fault_));
  }
  return fault_;
}

// The program receives the error from its next call. The results are written now and say "fault",
// whatever the program does next.
void Session::report_fault(const exec::KernelFault& fault) {
  printed_before_fault_ = fault.printed();
  clear_output_line();
  std::fputs(fault.said().c_str(), stderr);
  print_error(fault.what());
  fault_ = error_of(fault.kind());
  unwritten_ = false;
  write_results("fault", fault.what());
}

void Session::exit(ExitCode code) {
  std::fflush(nullptr);
  ::_exit(static_cast<int>(code));
}

void Session::stop_for_user_error(const std::string& message) {
  show_printed();
  clear_output_line();
  print_error(message);
  if (spec_ && fault_ == cudaSuccess && !spec_->result_path.empty()) {
    try {
      write_atomically(
          spec_->result_path,
          config::json_text(nlohmann::json{{"status", "refused"}, {"diagnostic", message}}) + "\n");
    } catch (const UserError&) {  // the first error has been printed and is the one that matters
    }
  }
  exit(ExitCode::usage);
}

void Session::stop_for_fault(const exec::KernelFault& fault) {
  printed_before_fault_ = fault.printed();
  show_printed();
  clear_output_line();
  std::string message = fault.what();
  // A kernel of another stream could have ended the wait.
  if (fault.kind() == exec::KernelFault::Kind::deadlock && spec().functional &&
      streams.may_overlap())
    message +=
        "\n  A functional run executes one kernel after the other. Kernels of several streams run "
        "at once in a timed run (heddle run, heddle capture --timed).";
  print_error(message);
  if (device_) {
    try {
      write_results("fault", fault.what());
      finish_capture();
    } catch (const std::exception& error) {
      print_error(describe_error(error));
    }
  }
  exit(ExitCode::simulation);
}

void Session::stop_for_signal(int signal, const std::string& warps) {
  clear_output_line();
  const std::string running = running_launches();
  if (!warps.empty()) print_error("interrupted in " + running + "; its warps were here:" + warps);
  // After a fault the results of the fault stay.
  if (device_ && fault_ == cudaSuccess && !spec_->result_path.empty()) {
    try {
      const std::string where =
          running.empty()
              ? totals_.launches() == 0 ? " before the first launch" : " between launches"
              : " in " + running;
      write_results("interrupted", "interrupted" + where);
      write_timeline();
    } catch (const std::exception& error) {
      print_error(describe_error(error));
    }
  }
  // No flush: the program may have locked the streams that it reads from.
  ::_exit(kKilledBySignal + signal);
}

}  // namespace heddle::cuda
