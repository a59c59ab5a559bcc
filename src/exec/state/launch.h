// A kernel launch, and the ways to execute it: live in the timing model, or functionally.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/address_layout.h"
#include "base/types.h"
#include "exec/instruction_source.h"
#include "exec/replayed_launch.h"
#include "exec/services/device_services.h"
#include "exec/state/global_memory.h"
#include "exec/state/texture.h"
#include "isa/kernel.h"

namespace heddle::exec {

struct ClusterCtas;

// How a functional run uses the host.
struct HostUse {
  // It compiles the kernel when the functional runs of the kernel have executed so many warp
  // instructions.
  std::uint64_t compile_after = 20'000;
  // Its threads (functional/ahead_ctas.h), and the warp instructions that each of them executes in
  // the first round.
  std::uint32_t threads = 1;
  std::uint64_t round_instructions = std::uint64_t{1} << 20;
};

struct Launch {
  const isa::Kernel* kernel = nullptr;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t shared_unit_bytes = 1;   // the GPU allocates shared memory in multiples of it
  std::vector<std::uint8_t> parameters;  // kernel->parameter_bytes long
  std::uint64_t grid_id = 0;
  // The textures of handles in parameters and of .texref and .surfref variables.
  const TextureTable* textures = nullptr;
  // printf and malloc. Without them printed text is dropped and every allocation fails.
  DeviceServices* services = nullptr;
  std::uint32_t stack_bytes = 1024;  // per thread, for kernels that use a stack
  // Of the device's malloc, when it does not exist yet.
  std::uint64_t heap_bytes = std::uint64_t{8} << 20;
  // Where a cooperative grid synchronises (%envreg1 and %envreg2, high and low half); else 0.
  std::uint64_t grid_workspace = 0;
  std::uint64_t graph = 0;  // handle of the device graph whose node this is
  Dim3 cluster;             // in CTAs
  bool explicit_cluster = false;
  std::shared_ptr<ClusterCtas> clusters;  // null: a cluster is one CTA
  AddressSpace address_space;
  std::string program_name;                // in diagnostics; empty: it is the only one
  const ReplayedLaunch* replay = nullptr;  // null: the launch is executed
  HostUse host;
};

// An illegal action of the simulated program (out of bounds, misaligned, trap, assertion ...).
// what() is the whole diagnostic: kernel, CUDA source line and PTX line, thread and CTA, address,
// nearest allocation.
class KernelFault : public std::runtime_error {
 public:
  enum class Kind {
    illegal_address,
    misaligned_address,
    illegal_call,
    stack_overflow,
    trap,
    assertion,
    deadlock
  };
  // printed: text of device code that is not shown yet. said: CUDA's own message on the standard
  // error.
  KernelFault(Kind kind, const std::string& message, std::string printed = {},
              std::string said = {})
      : std::runtime_error(message),
        kind_(kind),
        printed_(std::move(printed)),
        said_(std::move(said)) {}
  Kind kind() const { return kind_; }
  const std::string& printed() const { return printed_; }
  const std::string& said() const { return said_; }

 private:
  Kind kind_;
  std::string printed_, said_;
};

// Properties of the machine that instructions can read or depend on.
struct MachineView {
  std::uint32_t sm = 0, sms = 1, warp_slots = 48;
  bool taken_lanes_first = true;  // of a divergent branch; otherwise those without the highest lane
  double core_mhz = 700;
};

// The decoded instructions of a kernel, for all its launches; UserError names one that cannot be
// executed.
struct DecodedKernel;
std::shared_ptr<const DecodedKernel> decode_kernel(const isa::Kernel& kernel);

// Live execution of a launch on one SM. All SMs share the decoded kernel, which saves space in the
// host's caches.
std::unique_ptr<InstructionSource> make_live_source(
    const Launch& launch, GlobalMemory& memory, const MachineView& machine, int cta_slots,
    std::shared_ptr<const DecodedKernel> decoded = nullptr);

// The number of the signal that asks the run to stop; 0: none.
using StopRequest = std::atomic<int>;
// Thrown on a stop request. warp_places: where the warps were, one line each.
struct Interrupted {
  int signal;
  std::string warp_places = {};
};

struct FunctionalCounts {
  std::uint64_t warp_instructions = 0, thread_instructions = 0, ctas = 0;
  std::uint64_t listened_warp_instructions = 0;  // those of LastCtas
};

// Is notified of every access of a functional run to memory, after it.
class AccessListener {
 public:
  virtual ~AccessListener() = default;
  virtual void accessed(const isa::Instruction& instruction, const Step& step) = 0;
};
// The last CTAs of a launch, so many, whose accesses the listener is notified of.
struct LastCtas {
  AccessListener* listener = nullptr;  // null: of none
  std::uint64_t count = 0;
};
// Runs the whole launch without timing, one CTA after the other, its warps in time slices. Throws
// KernelFault. A checker is called for every access and barrier; lanes whose access it finds
// illegal skip the access. An address check compares every access with its affine form.
class Checker;
class AddressCheck;
FunctionalCounts run_functionally(const Launch& launch, GlobalMemory& memory,
                                  const MachineView& machine, const StopRequest* stop = nullptr,
                                  Checker* checker = nullptr, AddressCheck* addresses = nullptr,
                                  const LastCtas& last = {});

class Warps;
// A CTA that the timing model has started.
struct StartedCta {
  struct Barrier {
    WarpMask arrived;                         // by the number of the warp in the CTA
    std::uint32_t arrivals = 0, threads = 0;  // threads: expected; 0: all
  };
  Warps* warps = nullptr;
  int slot = 0;
  std::vector<WarpSlot> warp_slots;
  WarpMask at_barrier;
  std::array<Barrier, isa::kBarriers> barriers{};
};
// Finishes a launch that the timing model has begun: the CTAs that have started, and the waiting
// ones. All their stores and atomics have reached the memory.
FunctionalCounts finish_functionally(const Launch& launch, GlobalMemory& memory,
                                     const MachineView& machine,
                                     const std::vector<StartedCta>& started,
                                     const std::vector<std::uint64_t>& waiting,
                                     const StopRequest* stop = nullptr, const LastCtas& last = {});

}  // namespace heddle::exec
