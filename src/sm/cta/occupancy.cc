#include <algorithm>

#include "base/round_up.h"
#include "sm/cta/occupancy.h"

namespace heddle::sm {

Occupancy occupancy(const config::GpuSpec& spec, const exec::Launch& launch,
                    std::uint32_t registers_per_thread) {
  const std::uint64_t threads =
      round_up(std::max<std::uint64_t>(1, launch.block.count()), kWarpSize);
  const std::uint64_t shared =
      std::uint64_t{launch.kernel->shared_bytes} + launch.dynamic_shared_bytes;
  struct Limit {
    std::uint64_t ctas;
    const char* name;
  };
  Limit least{spec.sm.max_threads / threads, "threads"};
  const auto limit = [&](std::uint64_t ctas, const char* name) {
    if (ctas < least.ctas) least = {ctas, name};
  };
  if (shared > 0) limit(spec.sm.shared_bytes / shared, "shared memory");
  if (registers_per_thread > 0)
    limit(spec.sm.registers / registers_of_cta(threads, registers_per_thread), "registers");
  limit(spec.sm.max_ctas, "CTAs");
  // A small grid is spread over all SMs instead of filling the first ones.
  const std::uint64_t grid = launch.grid.count();
  if (least.ctas > 0 && grid < least.ctas * spec.sms())
    limit((grid + spec.sms() - 1) / spec.sms(), "grid");
  return {static_cast<int>(least.ctas), static_cast<int>(least.ctas * threads / kWarpSize),
          least.name};
}

std::uint64_t registers_of_cta(std::uint64_t threads, std::uint32_t registers_per_thread) {
  return threads * round_up(registers_per_thread, 4);
}

std::uint32_t registers_after_spilling(const config::GpuSpec& spec, const exec::Launch& launch,
                                       std::uint32_t live) {
  const std::uint64_t threads =
      round_up(std::max<std::uint64_t>(1, launch.block.count()), kWarpSize);
  const auto available = static_cast<std::uint32_t>(spec.sm.registers / threads / 4 * 4);
  return available == 0 ? live : std::min(live, available);
}

}  // namespace heddle::sm
