// What a launch needs of the GPU, each decided in one place: registers per thread, shared memory,
// occupancy, and every field of exec::Launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/launch_analysis.h"
#include "base/address_layout.h"
#include "base/types.h"
#include "config/run_spec.h"
#include "exec/state/launch.h"
#include "isa/kernel.h"
#include "sm/cta/occupancy.h"

namespace heddle::gpu {

// A launch as the program requests it.
struct LaunchRequest {
  const isa::Kernel* kernel = nullptr;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::uint8_t> parameters;  // kernel->parameter_bytes long
  bool cooperative = false;  // the CTAs of the grid synchronize through a workspace in memory
  // The mapping register (gpu/cta/cta_scheduler.h); none: not set.
  analysis::Direction cta_direction = analysis::Direction::none;
  std::uint32_t program = 0;  // among those that share the device: whose memory it uses
  const exec::TextureTable* textures = nullptr;  // null: those of Device::set_textures()
  // Of a node of a graph that the host launched: which launch of a graph (0: none), and the handle
  // of the graph when device code may launch it (else 0). See Device::end_graph().
  std::uint64_t graph_launch = 0, graph = 0;
  // Null when the kernel is executed. It must outlive the launch.
  const exec::ReplayedLaunch* replay = nullptr;
  // In CTAs, as the launch asks for it; none: as the kernel was compiled.
  std::optional<Dim3> cluster = std::nullopt;

  Dim3 cluster_shape() const { return cluster ? *cluster : kernel->cluster; }
};

// What the device adds to a request.
struct LaunchState {
  std::uint64_t grid_id = 0;         // number of the launch
  std::uint64_t grid_workspace = 0;  // address; of a cooperative launch
  const exec::TextureTable* textures = nullptr;
  exec::DeviceServices* services = nullptr;
  std::uint32_t stack_bytes = 0;  // per thread
  std::uint64_t heap_bytes = 0;
  AddressSpace address_space;
  std::string program_name = {};  // in diagnostics; empty: there is one program
};

// A size word and the counter of the grid's barrier, as compiled device code expects them.
inline constexpr std::size_t kGridWorkspaceBytes = 256;
// Before the first CTA of a cooperative launch starts.
void clear_grid_workspace(const exec::Launch& launch, exec::GlobalMemory& memory);

struct LaunchResources {
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;  // per CTA, static and dynamic
  sm::Occupancy occupancy;
  bool fits() const { return occupancy.ctas > 0; }  // at least one CTA fits an SM
};

// The names by which `--registers NAME=N` selects a kernel. The first name that is given counts:
// mangled; demangled with parameters; "ns::scale"; then the aliases of gpu/kernel_names.h.
std::vector<std::string> register_override_names(const std::string& mangled);

class LaunchBuilder {
 public:
  // Keeps a reference: the specification must outlive the builder.
  explicit LaunchBuilder(const config::RunSpec& spec) : spec_(spec) {}

  // Registers per thread of a kernel, before the size of its CTAs is known: the number given with
  // --registers. Otherwise the live registers, at most as many as let a CTA of .maxntid threads
  // fit: a compiler spills the rest. (.maxnreg has bounded the live registers when the kernel was
  // lowered.)
  std::uint32_t registers_per_thread(const isa::Kernel& kernel) const;
  // What a CTA of this launch uses, and how many CTAs an SM holds. A number given with --registers
  // is used as it is; otherwise the compiler spills as many registers as needed to fit one CTA.
  LaunchResources resources(const LaunchRequest& request) const;
  // Which limit of the SM a CTA exceeds, for a message. Only if the CTA does not fit.
  // How many clusters of the launch the GPU holds at the same time.
  std::uint64_t resident_clusters(const LaunchRequest& request) const;
  std::string exceeded_limit(const LaunchRequest& request, const LaunchResources& used) const;

  exec::Launch build(const LaunchRequest& request, const LaunchState& state) const;

 private:
  bool registers_given(const isa::Kernel& kernel, std::uint32_t& registers) const;

  const config::RunSpec& spec_;
};

}  // namespace heddle::gpu
