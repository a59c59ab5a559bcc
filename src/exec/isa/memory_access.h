// Resolves address registers to host memory: space, bounds, alignment.
#pragma once

#include <optional>

#include "exec/isa/lanes.h"
#include "exec/state/machine.h"

namespace heddle::exec {

// Where the lanes of an access are in host memory. In the regular case they share a base and lie
// within 4 GiB of it; otherwise each lane has its own pointer. Inactive lanes point to the same
// place as an active one, so reading for all 32 lanes is safe.
struct Located {
  std::uint8_t* base = nullptr;
  alignas(32) std::array<std::uint32_t, kWarpSize> offsets;
  bool regular = true;
  std::array<std::uint8_t*, kWarpSize> pointers;
  ptx::Space space =
      ptx::Space::none;  // after resolving generic addresses: global when any lane is
  std::uint32_t global_lanes = 0;
  // Timed runs: lanes that access other CTAs of the cluster later, and the handle of the access.
  // Their pointers are to its data.
  std::uint32_t remote_lanes = 0, remote = 0;

  std::uint8_t* at(int lane) const {
    return regular ? base + offsets[static_cast<std::size_t>(lane)]
                   : pointers[static_cast<std::size_t>(lane)];
  }
};

// Resolves and checks the instruction's access of `bytes` per lane; throws KernelFault when a
// lane's access is illegal. Writes the addresses to the Step when there is one, and device
// addresses of global lanes in Machine::addresses when `keep_addresses`.
void locate(Warp& w, const DecodedInstruction& r, std::uint32_t mask, std::uint32_t bytes,
            bool keep_addresses, Located& out);

// The same for given addresses instead of the instruction's, lane by lane.
void locate_addresses(Warp& w, const DecodedInstruction& r, std::uint32_t mask, std::uint32_t bytes,
                      const std::array<std::uint64_t, kWarpSize>& addresses, bool keep_addresses,
                      Located& out);
// Is a generic address in shared memory, of the CTA or of its cluster?
inline bool in_shared_window(const Machine& m, std::uint64_t address) {
  const std::uint64_t within = address - m.map.shared_window;
  return within < kWindowBytes ||
         (m.launch.clusters && within - m.map.cluster_base < kClusterBytes);
}
// The CTA of the cluster that an address in the window of shared memory belongs to.
struct SharedPlace {
  std::uint32_t rank = 0;
  std::uint64_t offset = 0;
};
inline SharedPlace shared_place(const Machine& m, std::uint32_t own_rank, std::uint64_t within) {
  const std::uint64_t in_cluster = within - m.map.cluster_base;
  if (!m.launch.clusters || in_cluster >= kClusterBytes) return {own_rank, within};
  return {static_cast<std::uint32_t>(in_cluster >> kClusterAddressBits),
          in_cluster & (kWindowBytes - 1)};
}
// The CTA with this rank in the cluster of `member`, for an access of a lane; a fault when it has
// ended.
Cta& cta_of_cluster(const Warp& w, const DecodedInstruction& r, int lane, std::uint64_t member,
                    std::uint32_t rank);

// Reads bytes at a generic address as the lane sees them; false when they are in no memory of the
// thread. Not across a 128-byte line.
bool read_generic(Warp& w, int lane, std::uint64_t address, void* to, std::uint32_t bytes);

// Writes bytes at a generic address, between windows; false when they are in no memory that the
// thread may write.
bool write_generic(Warp& w, int lane, std::uint64_t address, const void* from, std::uint32_t bytes);

// The byte address of each lane before resolving.
void raw_addresses(const Warp& w, const DecodedInstruction& r,
                   std::array<std::uint64_t, kWarpSize>& out);

// cp.async: the number of bytes that a lane reads, and the shared-memory address that it writes.
std::uint32_t async_copy_bytes(const Warp& w, const DecodedInstruction& r, int lane);
void async_copy_sources(const Warp& w, const DecodedInstruction& r,
                        std::array<std::uint64_t, kWarpSize>& out);
std::uint64_t async_copy_target(const Warp& w, const DecodedInstruction& r, int lane);
// LDGSTS: the source that is also added to the address in shared memory, a uniform register.
inline constexpr std::size_t kSharedUniform = ptx::CopySource::mbarrier;

// cp.async.bulk, per lane: its addresses in global and shared memory, of the mbarrier in shared
// memory, its size, and the CTAs of the cluster that a multicast goes to, a bit for each rank.
struct LaneBulkCopy {
  std::uint64_t global, shared, object;
  std::uint32_t bytes;
  std::optional<std::uint32_t> ranks;
};
LaneBulkCopy bulk_copy(const Warp& w, const DecodedInstruction& r, int lane);

}  // namespace heddle::exec
