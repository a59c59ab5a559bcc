// How a process ends: its results, device faults, user errors and signals.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "base/library_errors.h"
#include "base/process_group.h"
#include "config/json_text.h"
#include "cuda/objects/error_names.h"
#include "cuda/process/api_call.h"
#include "cuda/process/result_file.h"
#include "cuda/process/session.h"

namespace heddle::cuda {
namespace {

constexpr std::string_view kPrefix = "heddle: ";

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

[[noreturn]] void end_process(ExitCode code) {
  std::fflush(nullptr);
  ::_exit(static_cast<int>(code));
}

}  // namespace

void Session::write_results(const std::string& status, const std::string& diagnostic) {
  results_.write(*device_, control_.get(), status, diagnostic, streams.events.elapsed_times);
}

void Session::finish() {
  if (device_ && !faults_.any())
    guarded([](Session& session) { return session.streams.wait_for_all(); });
  const std::lock_guard lock(calls.mutex);
  if (!device_) return;
  show_printed();
  try {
    // Destructors of static objects run between the handlers and may call the API.
    if (exit_handlers_ == 0) finish_capture();
    if (!results_.unwritten() || faults_.any()) return;
    results_.set_unwritten(false);
    if (!results_.wanted()) return;
    write_results("completed", flush_output());
    results_.write_timeline(*device_);
  } catch (const std::exception& error) {
    stop_for_user_error(describe_error(error));
  }
}

void Session::finish_capture() {
  if (recorder_) recorder_->finish(device_->launches(), streams.events.elapsed_times);
}

cudaError_t Session::fault_error() {
  if (!faults_.any()) return cudaSuccess;
  show_printed();
  if (const std::string ignored = faults_.count_call(); !ignored.empty())
    stop_for_user_error(ignored);
  return faults_.error();
}

// The program receives the error from its next call. The results are written now and say "fault",
// whatever the program does next.
void Session::report_fault(const exec::KernelFault& fault) {
  faults_.set_printed(fault.printed());
  output_.clear_line();
  std::fputs(fault.said().c_str(), stderr);
  print_error(fault.what());
  faults_.set(Faults::error_of(fault.kind()));
  results_.set_unwritten(false);
  write_results("fault", fault.what());
}

void Session::stop_for_user_error(const std::string& message) {
  show_printed();
  output_.clear_line();
  print_error(message);
  if (spec_ && !faults_.any() && !spec_->result_path.empty()) {
    try {
      write_atomically(
          spec_->result_path,
          config::json_text(nlohmann::json{{"status", "refused"}, {"diagnostic", message}}) + "\n");
    } catch (const UserError&) {  // the first error has been printed and is the one that matters
    }
  }
  end_process(ExitCode::usage);
}

void Session::stop_for_fault(const exec::KernelFault& fault) {
  faults_.set_printed(fault.printed());
  show_printed();
  output_.clear_line();
  std::string message = fault.what();
  // A kernel of another stream could have ended the wait.
  if (fault.kind() == exec::KernelFault::Kind::deadlock && spec().functional &&
      streams.all.may_overlap())
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
  end_process(ExitCode::simulation);
}

void Session::stop_for_signal(int signal, const std::string& warps) {
  output_.clear_line();
  const std::string running = running_.text();
  if (!warps.empty()) print_error("interrupted in " + running + "; its warps were here:" + warps);
  // After a fault the results of the fault stay.
  if (device_ && !faults_.any() && results_.wanted()) {
    try {
      const std::string where =
          running.empty()
              ? results_.launches() == 0 ? " before the first launch" : " between launches"
              : " in " + running;
      write_results("interrupted", "interrupted" + where);
      results_.write_timeline(*device_);
    } catch (const std::exception& error) {
      print_error(describe_error(error));
    }
  }
  // No flush: the program may have locked the streams that it reads from.
  ::_exit(kKilledBySignal + signal);
}

}  // namespace heddle::cuda
