#include "gpu/launch_builder.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include "base/demangle.h"
#include "exec/state/cluster.h"
#include "gpu/engine/gpcs.h"
#include "gpu/kernel_names.h"

namespace heddle::gpu {
namespace {

// Compilers allocate registers of kernels with .maxntid in steps of 8 and never fewer than 16.
constexpr std::uint32_t kRegisterStep = 8, kMinRegisters = 16;

// The table of %total_smem_size in the PTX manual.
std::uint32_t shared_unit_bytes(std::uint32_t compute_major) {
  return compute_major < 3 || compute_major >= 8 ? 128 : 256;
}

// Only what occupancy depends on.
exec::Launch shape_of(const LaunchRequest& request) {
  exec::Launch launch;
  launch.kernel = request.kernel;
  launch.grid = request.grid;
  launch.block = request.block;
  launch.dynamic_shared_bytes = request.dynamic_shared_bytes;
  return launch;
}

}  // namespace

void clear_grid_workspace(const exec::Launch& launch, exec::GlobalMemory& memory) {
  if (launch.grid_workspace == 0) return;
  std::memset(memory.host(Address{launch.grid_workspace}), 0, kGridWorkspaceBytes);
}

std::vector<std::string> register_override_names(const std::string& mangled) {
  std::vector<std::string> names{mangled, demangle(mangled), plain_name(mangled)};
  for (std::string& alias : kernel_aliases(mangled)) names.push_back(std::move(alias));
  return names;
}

bool LaunchBuilder::registers_given(const isa::Kernel& kernel, std::uint32_t& registers) const {
  if (spec_.registers.empty()) return false;
  for (const std::string& name : register_override_names(kernel.name)) {
    if (const auto given = spec_.registers.find(name); given != spec_.registers.end())
      return registers = given->second, true;
  }
  return false;
}

std::uint32_t LaunchBuilder::registers_per_thread(const isa::Kernel& kernel) const {
  std::uint32_t registers = 0;
  if (registers_given(kernel, registers)) return registers;
  if (kernel.max_threads == 0) return kernel.registers_per_thread;
  const std::uint32_t threads = (kernel.max_threads + kWarpSize - 1) / kWarpSize * kWarpSize;
  const std::uint32_t fitting = spec_.gpu.sm.registers / threads / kRegisterStep * kRegisterStep;
  return std::min(kernel.registers_per_thread, std::max(kMinRegisters, fitting));
}

LaunchResources LaunchBuilder::resources(const LaunchRequest& request) const {
  const exec::Launch launch = shape_of(request);
  LaunchResources used;
  if (!registers_given(*request.kernel, used.registers_per_thread)) {
    used.registers_per_thread =
        sm::registers_after_spilling(spec_.gpu, launch, registers_per_thread(*request.kernel));
  }
  used.shared_bytes = request.kernel->shared_bytes + request.dynamic_shared_bytes;
  used.occupancy = sm::occupancy(spec_.gpu, launch, used.registers_per_thread);
  return used;
}

std::uint64_t LaunchBuilder::resident_clusters(const LaunchRequest& request) const {
  LaunchRequest unbounded = request;
  unbounded.grid.x = std::numeric_limits<std::uint32_t>::max();
  const int ctas = resources(unbounded).occupancy.ctas;
  return Gpcs(spec_.gpu).clusters(static_cast<std::uint64_t>(ctas),
                                  request.cluster_shape().count());
}

std::string LaunchBuilder::exceeded_limit(const LaunchRequest& request,
                                          const LaunchResources& used) const {
  const auto threads = request.block.count();
  const config::SmSpec& sm = spec_.gpu.sm;
  if (threads > sm.max_threads)
    return std::to_string(threads) + " threads per CTA, the SM holds " +
           std::to_string(sm.max_threads);
  if (used.shared_bytes > sm.shared_bytes)
    return std::to_string(used.shared_bytes) + " bytes of shared memory per CTA, the SM has " +
           std::to_string(sm.shared_bytes);
  return std::to_string(used.registers_per_thread) + " registers per thread x " +
         std::to_string(threads) + " threads, the SM has " + std::to_string(sm.registers) +
         " registers";
}

exec::Launch LaunchBuilder::build(const LaunchRequest& request, const LaunchState& state) const {
  exec::Launch launch = shape_of(request);
  launch.parameters = request.parameters;
  launch.shared_unit_bytes = shared_unit_bytes(spec_.gpu.compute_major);
  launch.grid_id = state.grid_id;
  launch.grid_workspace = state.grid_workspace;
  launch.graph = request.graph;
  launch.textures = state.textures;
  launch.services = state.services;
  launch.stack_bytes = state.stack_bytes;
  launch.heap_bytes = state.heap_bytes;
  launch.host.threads = spec_.threads;
  launch.address_space = state.address_space;
  launch.program_name = state.program_name;
  launch.replay = request.replay;
  launch.cluster = request.cluster_shape();
  launch.explicit_cluster = request.cluster || request.kernel->cluster_rules.is_explicit;
  if (launch.cluster.count() > 1 && !launch.replay)
    launch.clusters =
        std::make_shared<exec::ClusterCtas>(exec::ClusterShape{launch.grid, launch.cluster});
  return launch;
}

}  // namespace heddle::gpu
