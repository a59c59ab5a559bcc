#include "cuda/process/session.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>
#include <utility>

#include <unistd.h>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "base/own_threads.h"
#include "cuda/objects/device_calls.h"
#include "cuda/process/interruption.h"
#include "cuda/process/polling_watch.h"
#include "cuda/process/result_file.h"
#include "exec/check/checker.h"
#include "gpu/launch_lines.h"

namespace heddle::cuda {

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
  if (!spec_->control_path.empty()) {
    control_ = std::make_unique<RunControl>(spec_->control_path);
    control_->begin_use();
  }
  return *spec_;
}

gpu::Device& Session::device() {
  if (device_) return *device_;
  device_ = std::make_unique<gpu::Device>(spec());
  device_->set_textures(&textures.table);
  watch_for_interruption();
  watch_for_polling(*this);
  if (spec().progress) {
    device_->set_progress(
        [this](const exec::Launch&, const gpu::KernelResult& so_far) { progress_.show(so_far); });
  }
  const auto warn = [this](const std::string& note) {
    progress_.clear();
    std::fputs(note.c_str(), stderr);
  };
  device_->set_host({warn, [] { return !only_own_threads(); }});
  device_->set_device_code(device_code(
      *device_, {[this](const ptx::Kernel& caller, std::uint64_t address) {
                   return program().kernel_at(caller, address);
                 },
                 [this](const ptx::Kernel& kernel) { return program().target_of(kernel); },
                 [this] { return settings.device_limits(); },
                 [this](std::uint64_t handle) {
                   const auto found = graphs.uploaded.find(handle);
                   return found == graphs.uploaded.end() ? nullptr : found->second;
                 }}));
  unwritten_ = true;
  if (const std::string& path = spec().result_path; !path.empty())
    launches_.emplace(gpu::launch_lines_path(path, ::getpid()));
  begin_capture();
  finish_at_exit();
  return *device_;
}

void Session::watch_for_interruption() {
  if (!control_) return;
  device_->set_stop(&cuda::watch_for_interruption(
      *control_, [] { return Session::get().mutex.try_lock(); },
      [](int signal) { Session::get().stop_for_signal(signal); }));
}

Program& Session::program() {
  if (!program_) {
    gpu::Device& on = device();
    program_ =
        std::make_unique<Program>(registry, spec(), on.memory(), textures.table, recorder_.get());
  }
  return *program_;
}

std::string Session::name_allocation(const char* call) {
  return std::string(call) + " #" + std::to_string(++allocations_);
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
                                         textures.table);
  executor.set_observer(*recorder_);
}

void Session::notify_allocation(Address address, std::uint64_t bytes) {
  if (auto* const checker = device().checker()) checker->allocated(address, bytes);
  if (recorder_) recorder_->notifies_allocation(address, bytes);
}

void Session::launch_begins(const gpu::LaunchRequest& request) {
  const std::uint64_t number = device().launches() + 1;
  progress_.begin(number);
  unwritten_ = true;
  if (control_ && number == 1) control_->begin_launches();
  if (exit_handlers_ == 0) finish_at_exit();  // the program has launched from an exit handler
  show_printed();
  running_[number] = request.kernel;
}

void Session::begin_on_device(const gpu::LaunchRequest* launch,
                              const std::function<void()>& begin) {
  if (launch) launch_begins(*launch);
  simulate(begin);
}

void Session::advance_device() {
  simulate([&] {
    for (const std::uint64_t launch : executor.advance_device()) launch_ended(launch);
  });
  progress_.clear();
}

void Session::launch_ended(std::uint64_t number) {
  record_launches();
  if (running_.erase(number) > 0) show_warnings();  // 0: the end of a graph
}

void Session::replay(Player& player) {
  Player::State state = Player::State::waits;
  const auto proceed = [&] { simulate([&] { state = player.proceed(); }); };
  for (proceed(); state == Player::State::waits && !faulted(); proceed()) {
    simulate([&] {
      const gpu::Device::Finished finished = device().advance();
      for (const std::uint64_t copy : finished.copies) player.copy_finished(copy);
      for (const std::uint64_t number : finished.launches) {
        player.launch_finished(number);
        launch_ended(number);
      }
    });
    progress_.clear();
  }
}

// While it runs, messages name the launches that run.
template <class Act>
void Session::simulate(Act&& act) {
  simulates_ = true;
  try {
    act();
  } catch (const exec::KernelFault& fault) {
    if (fault.kind() == exec::KernelFault::Kind::deadlock) throw;
    running_.clear();
    executor.drop_running();
    report_fault(fault);
  }
  simulates_ = false;
}

// "launch 3 (spmv), launch 4 (spmv)"; empty while the host runs.
std::string Session::running_launches() const {
  std::string text;
  if (!simulates_) return text;
  for (const auto& [number, kernel] : running_)
    text += (text.empty() ? "launch " : ", launch ") + std::to_string(number) + " (" +
            plain_name(kernel->name) + ")";
  return text;
}

void Session::show_warnings() {
  for (const exec::LaunchWarning& warning : device_->take_warnings()) {
    if (!warned_.insert({warning.kernel, warning.place}).second) continue;
    std::fflush(stdout);
    std::fputs((warning.text + "\n").c_str(), stderr);
  }
}

void Session::synchronize() {
  show_printed();
  pools.trim_all();
}

void Session::show_printed() {
  if (!device_) return;
  if (recorder_) recorder_->reads_output();
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

// Exit handlers run in reverse order of registration, mixed with destructors of static objects. The
// results are written by a handler that is registered with the device, because later ones may end
// the process, and again by one that is registered when the library is loaded: destructors of the
// program's static objects may launch kernels. Static objects of this library are not destroyed
// (abi/keep_static_objects.cc).
void Session::finish_at_exit() {
  if (::on_exit([](int, void*) { Session::get().run_exit_handler(); }, nullptr) != 0)
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
