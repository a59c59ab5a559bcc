#include "cuda/process/session.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "base/own_threads.h"
#include "cuda/objects/device_calls.h"
#include "cuda/process/interruption.h"
#include "cuda/process/polling_watch.h"
#include "exec/check/checker.h"
#include "policies/plugin_call.h"

namespace heddle::cuda {
namespace {

const exec::StopRequest& watch(RunControl& control) {
  return watch_for_interruption(
      control, [] { return Session::get().calls.mutex.try_lock(); },
      [](int signal) { Session::get().stop_for_signal(signal); });
}

}  // namespace

Session& Session::get() {
  alignas(Session) static std::byte storage[sizeof(Session)];
  static Session* const session = new (storage) Session;
  return *session;
}

const config::RunSpec& Session::spec() {
  if (spec_) return *spec_;
  const char* const path = std::getenv(config::kRunSpecVariable);
  if (!path) {
    throw UserError(std::string("this program was built for Heddle: start it with `heddle run ") +
                    program_invocation_name + "`");
  }
  spec_ = config::RunSpec::from_json(read_file(path));
  if (!spec_->control_path.empty()) {
    control_ = std::make_unique<RunControl>(spec_->control_path);
    control_->begin_use();
  }
  if (!spec_->plugins.empty())
    policies::report_faults_of_plugins(
        [](const std::string& message) { Session::get().stop_for_user_error(message); });
  return *spec_;
}

gpu::Device& Session::device() {
  if (device_) return *device_;
  device_ = std::make_unique<gpu::Device>(spec());
  results_.begin(spec());
  device_->set_textures(&memory.textures.table);
  if (control_) device_->set_stop(&watch(*control_));
  watch_for_polling(*this);
  if (spec().progress) {
    device_->set_progress([this](const exec::Launch&, const gpu::KernelResult& so_far) {
      output_.progress().show(so_far);
    });
  }
  device_->set_host(
      {[this](const std::string& note) { warn(note); }, [] { return !only_own_threads(); }});
  device_->set_device_code(device_code(
      *device_, {[this](const isa::Kernel& caller, std::uint64_t address) {
                   return program().kernel_at(caller, address);
                 },
                 [this](const isa::Kernel& kernel) { return program().target_of(kernel); },
                 [this] { return launches.settings.device_limits(); },
                 [this](std::uint64_t handle) {
                   const auto found = graphs.uploaded.find(handle);
                   return found == graphs.uploaded.end() ? nullptr : found->second;
                 }}));
  begin_capture();
  finish_at_exit();
  return *device_;
}

void Session::warn(const std::string& note) {
  output_.progress().clear();
  std::fputs(note.c_str(), stderr);
}

LoadedProgram& Session::program() {
  if (!program_) {
    gpu::Device& on = device();
    program_ = std::make_unique<LoadedProgram>(registry, spec(), on.memory(), memory.textures.table,
                                               recorder_.get());
  }
  return *program_;
}

void Session::begin_capture() {
  if (spec().capture.path.empty() || spec().capture.cut) return;
  CaptureInfo info;
  info.heddle_version = HEDDLE_VERSION;
  info.gpu = spec().gpu.name;
  info.program = spec().program;
  info.memory_bytes = device_->memory().capacity_bytes();
  info.allocations_apart = spec().check.enabled;
  recorder_ = std::make_unique<Recorder>(spec().capture.path, std::move(info), device_->memory(),
                                         memory.textures.table);
  streams.executor().set_observer(*recorder_);
}

void Session::notify_allocation(Address address, std::uint64_t bytes) {
  if (auto* const checker = device().checker()) checker->allocated(address, bytes);
  if (recorder_) recorder_->notifies_allocation(address, bytes);
}

void Session::launch_begins(const gpu::LaunchRequest& request) {
  const std::uint64_t number = device().launches() + 1;
  output_.progress().begin(number);
  results_.set_unwritten(true);
  if (control_ && number == 1) control_->begin_launches();
  if (exit_handlers_ == 0) finish_at_exit();  // the program has launched from an exit handler
  show_printed();
  running_.begin(number, request.kernel);
}

void Session::begin_on_device(const gpu::LaunchRequest* launch,
                              const std::function<void()>& begin) {
  if (launch) launch_begins(*launch);
  simulate(begin);
}

void Session::advance_device() {
  simulate([&] {
    for (const std::uint64_t launch : streams.executor().advance_device()) launch_ended(launch);
  });
  output_.progress().clear();
}

void Session::launch_ended(std::uint64_t number) {
  results_.record_launches(*device_);
  if (running_.end(number)) output_.show_warnings(*device_);
}

void Session::replay(ReplayedProgram& recorded) {
  using State = ReplayedProgram::State;
  State state = State::waits;
  const config::LaunchRange& range = spec().timed.range;
  std::uint64_t unfinished = range.last - range.first + 1;  // of the launches in the range
  const auto proceed = [&] { simulate([&] { state = recorded.proceed(); }); };
  for (proceed(); state == State::waits && !faults_.any(); proceed()) {
    simulate([&] {
      const gpu::Device::Finished finished = device().advance();
      for (const std::uint64_t copy : finished.copies) recorded.copy_finished(copy);
      for (const std::uint64_t number : finished.launches) {
        recorded.launch_finished(number);
        launch_ended(number);
        if (range.contains(number)) --unfinished;
      }
    });
    output_.progress().clear();
    if (unfinished == 0) return;
  }
}

// While it runs, messages name the launches that run.
template <class Act>
void Session::simulate(Act&& act) {
  running_.set_simulates(true);
  try {
    act();
  } catch (const exec::KernelFault& fault) {
    if (fault.kind() == exec::KernelFault::Kind::deadlock) throw;
    running_.clear();
    streams.executor().drop_running();
    report_fault(fault);
  }
  running_.set_simulates(false);
}

void Session::synchronize() {
  show_printed();
  memory.pools.trim_all();
}

void Session::show_printed() {
  if (!device_) return;
  if (recorder_) recorder_->reads_output();
  output_.show_printed(*device_, faults_.take_printed(),
                       launches.settings.limit(cudaLimitPrintfFifoSize));
}

// Exit handlers run in reverse order of registration, mixed with destructors of static objects. The
// results are written by a handler that is registered with the device, because later ones may end
// the process, and again by one that is registered when the library is loaded: destructors of the
// program's static objects may launch kernels. Static objects of this library are not destroyed
// (abi/keep_static_objects.cc).
void Session::finish_at_exit() {
  const auto run = [](int, void*) {
    --get().exit_handlers_;
    get().finish();
  };
  if (::on_exit(run, nullptr) != 0)
    throw UserError("the process has no room for another exit handler");
  ++exit_handlers_;
}

void Session::finish_after_static_objects() {
  finish_at_exit();
  ::at_quick_exit([] {
    Session::get().exit_handlers_ = 0;
    Session::get().finish();
  });
}

namespace {
// The library is loaded before the static objects of a program that is linked to it exist.
[[gnu::constructor]] void register_handlers_of_the_session() {
  Session::get().finish_after_static_objects();
}
}  // namespace

}  // namespace heddle::cuda
