// One simulated process: its device, its program, the objects that it has created, and how it ends.
// The CUDA API is a set of C functions without an object to hold state, so this is the one place
// where state belongs to the process.
//
// Locking: api() and guarded() in process/api_call.h hold `calls.mutex` during every call, so
// everything here is used by one thread at a time. Host functions of the program run without the
// lock.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "base/run_control.h"
#include "config/run_spec.h"
#include "cuda/capture/recorder.h"
#include "cuda/objects/contexts.h"
#include "cuda/objects/device_settings.h"
#include "cuda/objects/graph.h"
#include "cuda/objects/memory_objects.h"
#include "cuda/objects/replayed_program.h"
#include "cuda/process/device_output.h"
#include "cuda/process/faults.h"
#include "cuda/process/live_host.h"
#include "cuda/process/program.h"
#include "cuda/process/run_results.h"
#include "cuda/process/running_launches.h"
#include "cuda/process/stream_service.h"
#include "exec/state/launch.h"
#include "gpu/device.h"

namespace heddle::cuda {

struct DriverState;  // the driver API's own objects; cuda/driver/driver.h

// What holds for the launches that follow.
struct LaunchSettings {
  DeviceSettings settings;
  std::set<std::string> explained;  // refusals that have been printed
  // The mapping register of the GPU's CTA scheduler (heddle.h).
  analysis::Direction cta_direction = analysis::Direction::none;
};

class Session {
 public:
  // The process's session. It is never destroyed, because destructors of the program's own objects
  // may still call the API.
  static Session& get();

  // Held during every call of the API.
  struct Calls {
    std::mutex mutex;
    std::uint64_t count = 0;  // so far
  } calls;
  Registry registry;
  Contexts contexts;
  StreamService streams{host_};
  MemoryObjects memory;
  Graphs graphs;
  LaunchSettings launches;
  std::shared_ptr<DriverState> driver;  // null until the driver API is used

  // Created at the first call. UserError when the program was not started by `heddle run`.
  gpu::Device& device();
  LoadedProgram& program();
  const config::RunSpec& spec();
  // Null unless `heddle` runs the program.
  RunControl* control() { return control_.get(); }
  // Null unless the program is captured (run specification).
  Recorder* recorder() { return recorder_.get(); }
  // Notifies the checker, if there is one, of memory that the program has allocated.
  void notify_allocation(Address address, std::uint64_t bytes);

  std::uintptr_t new_handle() { return next_handle_ += 0x10; }

  // Calls begin(), in which the device receives a launch or, without one, the end of a graph.
  void begin_on_device(const gpu::LaunchRequest* launch, const std::function<void()>& begin);
  // Simulates until a kernel or copy ends, and finishes the operations of those that have ended.
  void advance_device();
  // Runs a recorded program in place of a program, to its end or to a fault.
  void replay(ReplayedProgram& program);
  // The device is about to receive a launch.
  void launch_begins(const gpu::LaunchRequest& request);
  const Faults& faults() const { return faults_; }
  // After a device fault every call that needs the device returns the same error, and nothing runs
  // any more. cudaSuccess before a fault.
  cudaError_t fault_error();
  // Prints what device code has printed.
  void show_printed();
  // Prints the lines.
  void warn(const std::string& note);
  // The host waits for the device: prints what device code has printed, and trims the pools.
  void synchronize();

  // Early ends of the process. Output that the program has buffered is written first.
  [[noreturn]] void stop_for_user_error(const std::string& message);
  [[noreturn]] void stop_for_fault(const exec::KernelFault& fault);
  // Writes the results of the complete launches. warps: where the warps of the interrupted launch
  // are, one line each.
  [[noreturn]] void stop_for_signal(int signal, const std::string& warps = {});
  // At exit: writes the results. Again when more was simulated since.
  void finish();
  // Finishes, too, after the program's static objects were destroyed, and at quick_exit(). Called
  // when the library is loaded.
  void finish_after_static_objects();

 private:
  Session() = default;
  void finish_at_exit();
  void report_fault(const exec::KernelFault& fault);
  template <class Act>
  void simulate(Act&& act);
  void launch_ended(std::uint64_t number);
  void begin_capture();
  void finish_capture();
  void write_results(const std::string& status, const std::string& diagnostic);

  LiveHost host_{*this};
  std::optional<config::RunSpec> spec_;
  std::unique_ptr<RunControl> control_;  // null unless heddle runs the program
  std::unique_ptr<gpu::Device> device_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<LoadedProgram> program_;
  DeviceOutput output_;
  RunningLaunches running_;
  RunResults results_;
  Faults faults_;
  std::uintptr_t next_handle_ = 0x1000;
  std::uint32_t exit_handlers_ = 0;  // that are registered and have not run
};

}  // namespace heddle::cuda
