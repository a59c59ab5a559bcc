// One simulated process: its device, its program, and how it ends. The CUDA API is a set of C
// functions without an object to hold state, so this is the one place where state belongs to the
// process.
#pragma once

#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "config/run_spec.h"
#include "cuda/objects/arrays.h"
#include "cuda/objects/graph.h"
#include "cuda/objects/managed_hints.h"
#include "cuda/objects/pools.h"
#include "cuda/process/program.h"
#include "cuda/process/progress_line.h"
#include "exec/state/launch.h"
#include "gpu/device.h"

namespace heddle::cuda {

struct DriverState;  // the driver API's own objects; cuda/driver/driver.h

struct Capturing {  // of a stream, or of an event recorded in one
  std::shared_ptr<Capture> capture;
  std::vector<GraphNode*> frontier;  // what the next node depends on
};
struct Stream {
  unsigned flags = 0;
  int priority = 0;
  Capturing capturing;
};
using StreamAttributes = std::map<int, cudaLaunchAttributeValue>;
struct Event {
  unsigned flags = 0;
  std::optional<double> recorded_ms;
  Capturing capturing;
};

// Memory that the host reaches, by its host address.
struct HostBlock {
  enum class Kind : std::uint8_t { page_locked, managed, registered };
  std::size_t bytes = 0;
  Kind kind = Kind::page_locked;
  unsigned flags = 0;
  Address device;  // registered: where kernels find it; otherwise the same address
};

class Session {
 public:
  // The process's session. Never destroyed: destructors of the program's own objects may still call
  // the API.
  static Session& get();

  std::mutex mutex;  // held during every API call
  Registry registry;
  std::map<std::uintptr_t, Stream> streams;  // by handle
  std::map<std::uintptr_t, StreamAttributes>
      stream_attributes;  // by handle, the default stream's too
  std::map<std::uintptr_t, Event> events;
  std::map<std::uintptr_t, HostBlock> host_blocks;  // by base
  std::map<std::uintptr_t, Array> arrays;           // by handle
  std::map<std::uintptr_t, MipmappedArray> mipmapped_arrays;
  std::map<std::uint64_t, cudaResourceDesc> texture_resources,
      surface_resources;  // what objects were created from, by handle
  std::map<std::uint64_t, cudaTextureDesc> texture_descriptions;
  exec::TextureTable textures;
  GraphStore graphs;
  Pools pools;
  ManagedHints hints;
  std::uint64_t times_told = 0;         // by cudaEventElapsedTime
  std::shared_ptr<DriverState> driver;  // none before the driver API is used
  std::uint64_t allocations = 0;
  unsigned device_flags = 0;
  std::map<const void*, std::size_t>
      shared_opt_in;  // by host function or driver handle: shared memory it asked for
  std::map<int, std::size_t> limits;  // cudaDeviceSetLimit

  // Built at the first call. UserError when the program was not started by `heddle run`.
  gpu::Device& device();
  Program& program();
  const config::RunSpec& spec();

  std::uintptr_t new_handle() { return next_handle_ += 0x10; }
  // `cooperative`: the grid synchronizes as a whole, through a workspace of its own.
  void run(const exec::Launch& launch, bool cooperative = false);
  std::size_t limit(cudaLimit which) const;
  // After a device fault every call that needs the device returns the same error, and nothing runs
  // any more. cudaSuccess before.
  cudaError_t fault_error();
  // Writes what device code has printed.
  void show_printed();
  // What CUDA does when the host waits for the device: shows what was printed, and pools let go of
  // memory.
  void host_waits();
  // The block that holds a host address; null when none does.
  const HostBlock* host_block(const void* pointer, std::uintptr_t* base = nullptr) const;

  // How the process ends early. Output that the program has buffered is written first.
  [[noreturn]] void stop_for_mistake(const std::string& message);
  [[noreturn]] void stop_for_fault(const exec::KernelFault& fault);
  [[noreturn]] void stop_for_signal(
      int signal, const std::string& standing =
                      {});  // results of the launches that are complete; tells where warps stood
  // At exit: writes what was simulated. Again when more was simulated since.
  void finish();

 private:
  Session();
  void finish_at_exit();
  void put_energy(nlohmann::ordered_json& json) const;
  static void end_with_parent();
  std::string results(const std::string& status, const std::string& diagnostic) const;
  void take_signals();
  [[noreturn]] void stop(ExitCode code);
  void tell_fault(const exec::KernelFault& fault);
  void tell_stray(const ptx::Kernel* kernel);  // once per kernel

  std::optional<config::RunSpec> spec_;
  std::unique_ptr<gpu::Device> device_;
  std::unique_ptr<Program> program_;
  ProgressLine progress_;
  std::map<const ptx::Kernel*, std::uint64_t> launches_;
  std::set<const ptx::Kernel*> strayed_;  // whose loads out of bounds have been told
  std::uint64_t grids_ = 0;
  std::uintptr_t next_handle_ = 0x1000;
  Address grid_workspace_;
  std::string running_;  // the launch under way, for people
  std::timespec started_{};
  cudaError_t fault_ = cudaSuccess;
  std::string unshown_;  // printed in the window of the fault
  std::uint64_t calls_after_fault_ = 0;
  bool unwritten_ = false;  // something happened since the results were written
};

}  // namespace heddle::cuda
