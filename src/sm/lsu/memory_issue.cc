#include "sm/lsu/memory_issue.h"

#include <algorithm>

#include "sm/lsu/coalescer.h"
#include "sm/lsu/shared_memory.h"

namespace heddle::sm {
namespace {

using isa::Space;

CountedSpace counted(Space s) {
  switch (s) {
    case Space::shared: return CountedSpace::shared;
    case Space::local: return CountedSpace::local;
    case Space::constant: return CountedSpace::constant;
    case Space::texture: return CountedSpace::texture;
    case Space::param:
    case Space::frame: return CountedSpace::param;
    default: return CountedSpace::global;
  }
}

void count_instruction(const isa::Instruction& i, Space space, SmStats& stats) {
  auto& table = i.op_class == isa::OpClass::atomic ? stats.atomics
                : i.is_store()                     ? stats.stores
                                                   : stats.loads;
  ++table[static_cast<std::size_t>(counted(space))];
}

}  // namespace

bool MemoryIssue::bypasses_l1d(const isa::Instruction& i, Space space) const {
  if (spec_.l1d.size_bytes == 0 || i.op_class == isa::OpClass::atomic) return true;
  if (i.cache == isa::CacheOperator::cg) return true;
  const bool is_volatile =
      i.cache == isa::CacheOperator::cv || i.ordering == isa::Ordering::volatile_;
  if (i.is_load() && i.cache != isa::CacheOperator::ca &&
      (is_volatile ? !spec_.volatile_loads_use_l1d : i.ordering != isa::Ordering::weak))
    return true;
  return space == Space::global && spec_.global_loads_skip_l1d &&
         i.cache != isa::CacheOperator::ca && i.cache != isa::CacheOperator::nc;
}

// GPGPU-Sim marks only the first element of a vector as written.
std::uint32_t MemoryIssue::written_bytes(const isa::Instruction& i, std::uint32_t bytes) const {
  return i.is_store() && spec_.vector_stores_mark_first_element ? i.access_bytes : bytes;
}

void MemoryIssue::prepare(Op& op, const exec::Step& step, const Warp& warp) {
  find_accesses(op, step, warp);
  if (const std::uint64_t space = warp.kernel->address_space) [[unlikely]]
    for (MemoryAccess& access : op.accesses) access.address = access.address + space;
}

void MemoryIssue::find_accesses(Op& op, const exec::Step& step, const Warp& warp) {
  SmStats& stats = warp.kernel->stats;
  const isa::Instruction& i = *op.instruction;
  op.bypass = false;
  op.shared_cycles = op.shared_delay = op.remote_sectors = 0;
  if (i.op_class == isa::OpClass::memory_barrier) return;
  count_instruction(i, step.space, stats);
  if (step.executed.none() || i.access_bytes == 0) return;
  const LaneMask own = step.executed & ~step.remote_lanes;
  if (step.remote_lanes.any()) [[unlikely]] {
    remote_access(op, step, stats);
    if (own.none()) return;
  }
  const std::uint32_t bytes = std::uint32_t{i.access_bytes} * std::max<std::uint32_t>(1, i.vector);
  switch (step.space) {
    case Space::shared: {
      if (spec_.core == config::Core::compiler_guided) {
        const SharedAccess access = shared_access(own, step.addresses, bytes, spec_.shared.banks);
        op.shared_cycles = access.cycles;
        op.shared_delay = access.conflicts * (spec_.guided.conflict_cycles - 1);
        stats.shared_cycles += access.cycles;
        stats.shared_conflict_cycles += access.conflicts;
        return;
      }
      op.shared_cycles =
          shared_memory_cycles(own, step.addresses, spec_.shared.banks, spec_.shared.warp_parts);
      stats.shared_cycles += op.shared_cycles;
      stats.shared_conflict_cycles += op.shared_cycles > spec_.shared.warp_parts
                                          ? op.shared_cycles - spec_.shared.warp_parts
                                          : 0;
      return;
    }
    case Space::constant:
      coalesce_lines(spec_.constant.line_bytes, step.executed, step.addresses, bytes, op.accesses);
      return;
    case Space::param: {
      const std::uint64_t base = parameter_base(warp.kernel->index);
      std::array<std::uint64_t, kWarpSize> addresses;
      for (std::size_t lane = 0; lane < kWarpSize; ++lane)
        addresses[lane] = base + step.addresses[lane];
      coalesce_lines(spec_.constant.line_bytes, step.executed, addresses, bytes, op.accesses);
      return;
    }
    case Space::texture: return texture_accesses(op, step);
    case Space::global:
    case Space::local: break;
    default: return;
  }
  if (i.copy == isa::CopyStep::bulk_load || i.copy == isa::CopyStep::bulk_store)
    return bulk_accesses(op, step, stats);
  op.bypass = bypasses_l1d(i, step.space);
  if (step.space == Space::local) {
    local_accesses(op, step, warp, bytes);
  } else {
    const int parts = static_cast<int>(spec_.shared.warp_parts);
    const std::uint32_t arch = spec_.coalescing_arch, unit = i.access_bytes;
    if (i.op_class == isa::OpClass::atomic)
      coalesce_atomics(atomic_rules(arch, unit, parts), spec_.combined_atomics, own, step.addresses,
                       bytes, op.accesses);
    else
      coalesce(coalescing_rules(arch, !op.bypass, unit, parts), own, step.addresses,
               written_bytes(i, bytes), op.accesses);
  }
  const std::size_t n = op.accesses.size();
  stats.coalesced_accesses += n;
  ++stats.accesses_per_instruction[std::min(n, stats.accesses_per_instruction.size() - 1)];
}

void MemoryIssue::remote_access(Op& op, const exec::Step& step, SmStats& stats) {
  op.remote = step.remote;
  op.remote_sectors = step.remote_sectors;
  op.remote_cycles = 0;
  ++stats.remote_accesses;
  stats.remote_sectors += step.remote_sectors;
}

// Bulk copies bypass the L1. A copy is split into the accesses that warps would make to copy it.
void MemoryIssue::bulk_accesses(Op& op, const exec::Step& step, SmStats& stats) {
  op.bypass = true;
  const std::uint32_t piece = op.instruction->access_bytes;
  const CoalescingRules rules = coalescing_rules(spec_.coalescing_arch, false, piece,
                                                 static_cast<int>(spec_.shared.warp_parts));
  std::array<std::uint64_t, kWarpSize> addresses;
  for (const exec::Step::Range& range : step.bulk_ranges) {
    const std::uint32_t pieces = (range.bytes + piece - 1) / piece;
    for (std::uint32_t done = 0; done < pieces; done += kWarpSize) {
      for (std::uint32_t n = 0; n < kWarpSize; ++n)
        addresses[n] = range.address + std::uint64_t{done + n} * piece;
      coalesce(rules,
               LaneMask::first(static_cast<int>(std::min<std::uint32_t>(kWarpSize, pieces - done))),
               addresses, piece, op.accesses);
    }
  }
  stats.coalesced_accesses += op.accesses.size();
}

// A texel lies within one line. The instruction accesses each line once, or each sector where the
// cache fills sectors.
void MemoryIssue::texture_accesses(Op& op, const exec::Step& step) {
  const config::CacheSpec& cache = spec_.texture;
  const std::uint32_t piece =
      cache.filling == config::Filling::sectors ? mem::kSectorBytes : cache.line_bytes;
  coalesce_lines(piece, step.executed, step.addresses, 1, op.accesses);
}

// Wide local accesses are split into words, because LocalLayout puts a thread's words far apart.
void MemoryIssue::local_accesses(Op& op, const exec::Step& step, const Warp& warp,
                                 std::uint32_t bytes) {
  const std::uint32_t piece = std::min<std::uint32_t>(bytes, 4);
  const CoalescingRules rules = coalescing_rules(spec_.coalescing_arch, !op.bypass, piece,
                                                 static_cast<int>(spec_.shared.warp_parts));
  std::array<std::uint64_t, kWarpSize> addresses{};
  for (std::uint32_t at = 0; at < bytes; at += piece) {
    step.executed.for_each([&](int lane) {
      const std::uint32_t thread = warp.first_thread + static_cast<std::uint32_t>(lane);
      addresses[static_cast<std::size_t>(lane)] =
          warp.kernel->layout.translate(step.addresses[static_cast<std::size_t>(lane)] + at, thread)
              .value;
    });
    coalesce(rules, step.executed, addresses, std::min(piece, bytes - at), op.accesses);
  }
}

}  // namespace heddle::sm
