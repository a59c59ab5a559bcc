// The checks of one CTA: called before each instruction of a warp and at each barrier.
#pragma once

#include <span>

#include "exec/check/checker.h"
#include "exec/isa/control.h"
#include "exec/isa/warp_synchronous.h"

namespace heddle::exec {

struct LaneBulkCopy;

class CtaCheck {
 public:
  CtaCheck(Checker& checker, const Machine& machine);

  void start(const Cta& cta);
  // The lanes of `mask` that may execute the instruction; not those whose access is illegal.
  std::uint32_t before(Warp& w, const DecodedInstruction& r, std::uint32_t mask) {
    if (mask == 0) return mask;
    switch (ptx_of(r).opcode) {
      case ptx::Opcode::ld:
      case ptx::Opcode::ldu:
      case ptx::Opcode::st:
      case ptx::Opcode::atom:
      case ptx::Opcode::red:
      case ptx::Opcode::mbarrier:
      case ptx::Opcode::ld_wide:
      case ptx::Opcode::st_wide:
      case ptx::Opcode::atom_wide: return access(w, r, mask);
      case ptx::Opcode::cp_async: return async_copy(w, r, mask);
      case ptx::Opcode::device_runtime: return device_call(w, r, mask), mask;
      case ptx::Opcode::bulk_load:
      case ptx::Opcode::bulk_store: return bulk(w, r, mask);
      case ptx::Opcode::cluster_arrive:
        if (machine_.launch.clusters) order_.release(w.warp_in_cta, ordered_lanes(mask), kAllCtas);
        return mask;
      case ptx::Opcode::cp_async_arrive:
        return order_.release(w.warp_in_cta, ordered_lanes(mask), false), mask;
      case ptx::Opcode::bar:
      case ptx::Opcode::shfl:
      case ptx::Opcode::vote:
      case ptx::Opcode::match:
      case ptx::Opcode::redux:
      case ptx::Opcode::elect: check_warp_synchronous(w, r, mask); return mask;
      default: return mask;
    }
  }
  void arrive(const Warp& w, const BarrierRequest& request, bool waits);
  void complete(std::uint32_t barrier_id);
  // The warp finds the barrier of the cluster open.
  void pass_cluster_barrier(const Warp& w) { acquire_cluster(w.warp_in_cta); }
  void deadlock(std::span<Warp* const> warps);

 private:
  struct Act {  // the access of one instruction
    bool reads = false, writes = false, atomic = false, synchronising = false;
    std::uint32_t bytes = 0;  // per lane
    std::uint32_t tick = 0;
    const char* name = "";  // "load"
  };
  struct Spot {
    ptx::Space space = ptx::Space::none;
    std::uint64_t address = 0;  // global: device address; else an offset
    // shared: the CTA whose memory it is, which may be another one of the cluster; null: it has
    // ended, or the cluster does not have it.
    CtaCheck* owner = nullptr;
  };
  struct Arrivals {
    bool open = false;
    Pc pc = kNoPc;
    std::uint32_t thread = 0, threads = 0;
    CtaOrder::BarrierOrder order;
    std::uint32_t waiting = 0;  // warps
  };

  std::uint32_t access(Warp& w, const DecodedInstruction& r, std::uint32_t mask);
  void device_call(const Warp& w, const DecodedInstruction& r, std::uint32_t mask);
  std::uint32_t async_copy(Warp& w, const DecodedInstruction& r, std::uint32_t mask);
  std::uint32_t bulk(Warp& w, const DecodedInstruction& r, std::uint32_t mask);
  void check_warp_synchronous(Warp& w, const DecodedInstruction& r, std::uint32_t mask);
  void check_barrier(const Warp& w, const DecodedInstruction& r, std::uint32_t lanes);
  void check_members(const Warp& w, const SyncPlace& place, const SyncMeeting& meeting);
  void check_same_masks(const Warp& w, const SyncPlace& place, int lane,
                        const SyncMeeting& meeting);
  void check_shuffle(const Warp& w, const SyncPlace& place, std::uint32_t lanes);

  static constexpr bool kAllCtas = true;  // a release or an acquire is not of this CTA alone
  void acquire_cluster(std::size_t warp) { order_.acquire(warp, ~std::uint32_t{0}, kAllCtas); }
  Spot spot_of(ptx::Space space, std::uint64_t address);
  bool permitted(const Warp& w, int lane, const Spot& spot, std::uint64_t address, const Act& act);
  // False when the lane must not execute the access.
  bool check_lane(Warp& w, const DecodedInstruction& r, int lane, ptx::Space space,
                  std::uint64_t address, const Act& act);
  bool check_copies(Warp& w, const DecodedInstruction& r, int lane, const LaneBulkCopy& copy,
                    std::uint64_t address, const Act& act);
  void announce(const Warp& w, std::uint32_t mask, Act& act, bool global);
  // What `lanes` do orders the accesses of these lanes. Before sm_70 a warp executes in lockstep.
  // In machine code bar.warp.sync is no instruction where the lanes are together, so that it cannot
  // be missed there.
  std::uint32_t ordered_lanes(std::uint32_t lanes) const {
    const bool lockstep =
        machine_.decoded->machine_code || !ptx_kernel(machine_).independent_threads;
    return lockstep ? ~std::uint32_t{0} : lanes;
  }
  // changed: a bit for each byte.
  void check_race(const Warp& w, int lane, const Spot& spot, const Act& act, std::uint32_t changed);
  void check_one_store(const Warp& w, const DecodedInstruction& r, std::uint32_t mask);
  bool conflicts(const ShadowAccess& before, bool before_wrote, const ShadowAccess& now,
                 bool now_writes, ptx::Space space) const;
  void report_race(const Warp& w, int lane, const Spot& spot, const Act& act,
                   const ShadowAccess& before, bool before_wrote);
  std::uint32_t changed_bytes(const Warp& w, const DecodedInstruction& r, int lane,
                              const Spot& spot, std::uint32_t bytes,
                              const UnwrittenBytes& unwritten, std::uint64_t at) const;
  UnwrittenBytes& unwritten_in(const Warp& w, const Spot& spot, int lane, std::uint64_t& address);
  Pc pc_of(const DecodedInstruction& r) const { return static_cast<Pc>(&r - machine_.code.data()); }
  ThreadId id(const Warp& w, int lane) const {
    return checker_.thread_id(cta_, w.warp_in_cta * kWarpSize + static_cast<std::uint32_t>(lane));
  }

  Checker& checker_;
  const config::CheckSpec& spec_;
  const Machine& machine_;
  CtaOrder order_;
  std::uint64_t cta_ = 0;
  const Cta* state_ = nullptr;
  std::uint32_t starts_ = 0;
  AccessMap shared_accesses_;
  UnwrittenBytes shared_unwritten_, local_unwritten_;
  std::array<Arrivals, ptx::kBarriers> arrivals_{};
  std::array<std::uint32_t, kMaxWarps> born_{};  // lanes that each warp started with
};

}  // namespace heddle::exec
