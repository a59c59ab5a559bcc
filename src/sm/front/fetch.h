// Fetch and decode. One warp per cycle fetches two instructions through the instruction cache;
// decode puts them into the warp's instruction buffer a cycle later. In a compiler-guided core a
// warp fetches before its buffer is empty, and each sub-core has an L0 cache.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/address_layout.h"
#include "base/types.h"
#include "config/gpu_spec.h"
#include "mem/cache.h"
#include "mem/sm_port.h"
#include "sm/count/sm_stats.h"
#include "sm/front/l0_cache.h"
#include "sm/warp/acting_kernel.h"
#include "sm/warp/warp_table.h"

namespace heddle::sm {

class FrontEnd {
 public:
  FrontEnd(int sm, const config::SmSpec& spec, mem::SmPort& port, WarpTable& warps,
           KernelContext& kernel);

  // A kernel begins on an SM without warps.
  void forget_fetch() { fetched_ = WarpSlot::none; }
  // Returns the address of the kernel's code, in the address space of its program.
  std::uint64_t place_code(const isa::Kernel& kernel, AddressSpace space);
  // The kernel's code comes into the instruction cache, without time. Returns its address.
  std::uint64_t warm_code(const isa::Kernel& kernel, AddressSpace space);
  // Fills the buffer of the warp that fetched last. Returns the warp, or none.
  WarpSlot decode();
  // Fetches for the next warp, in round robin. Calls on_done(warp) for the ended warps that the
  // search passes; their slots are free then.
  template <class F>
  void fetch(Cycle now, F&& on_done) {
    if (fetch_again_) return fetch_or_wake(now, on_done);
    if (cache_.has_ready()) {
      complete_fetch(WarpSlot(static_cast<int>(cache_.pop_ready().tag)));
    } else {
      const WarpSlot chosen = next_fetchable();
      if (warps_.done.any()) reclaim(chosen, on_done);
      if (chosen) access(chosen, now);
    }
    send_miss(now);
  }
  void fill(const mem::Packet& reply, Cycle now);
  // The first cycle in which a warp can fetch that waits for an L0 cache; wake() lets it.
  Cycle next_arrival() const { return next_arrival_; }
  void wake(Cycle now) {
    if (next_arrival_ <= now) wake_arrived(now);
  }
  // Without a reply or an arrival, nothing changes in the next cycle.
  bool quiet() const {
    return !fetched_ && warps_.fetchable.none() && warps_.done.none() && !cache_.has_ready() &&
           !cache_.has_miss();
  }
  bool idle() const { return cache_.idle(); }
  const mem::Cache& cache() const { return cache_; }
  // What concerns no resident warp counts for the kernel.
  void count_for(KernelContext& kernel) { acting_.set(kernel); }

 private:
  // The warp whose line has arrived fetches again, like any other warp.
  template <class F>
  void fetch_or_wake(Cycle now, F&& on_done) {
    const WarpSlot chosen = next_fetchable();
    if (warps_.done.any()) reclaim(chosen, on_done);
    if (chosen) access(chosen, now);
    send_miss(now);
    if (cache_.has_ready())
      warps_.fetchable.set(WarpSlot(static_cast<int>(cache_.pop_ready().tag)));
  }
  WarpSlot next_fetchable() const { return warps_.fetchable.next_cyclic(last_ + 1); }
  template <class F>
  void reclaim(WarpSlot chosen, F&& on_done) {
    const auto distance = [this](WarpSlot w) {
      return (w.index - last_ - 1 + kMaxWarpsPerSm) % kMaxWarpsPerSm;
    };
    const WarpMask all = warps_.done;
    all.for_each([&](WarpSlot w) {
      if (chosen && distance(w) > distance(chosen)) return;
      warps_.done.reset(w);
      on_done(w);
    });
  }
  WarpSlot append(WarpSlot warp);
  void wait_for_l0(WarpSlot warp, std::uint64_t line, Cycle arrival);
  void wake_arrived(Cycle now);
  void complete_fetch(WarpSlot warp);
  void access(WarpSlot warp, Cycle now);
  mem::Outcome read_line(WarpSlot warp, Cycle now);
  void send_miss(Cycle now);

  struct CodePlace {
    const isa::Kernel* kernel;
    std::uint64_t base, end;
  };
  struct ProgramCode {
    std::uint64_t end = 0;           // the next address; 0: no kernel has run
    std::vector<CodePlace> kernels;  // that have run
    bool is_free(std::uint64_t begin, std::uint64_t bytes) const;
  };

  int sm_;
  mem::SmPort& port_;
  WarpTable& warps_;
  ActingKernel acting_;
  mem::Cache cache_;
  bool perfect_, fetch_again_, crosses_kernels_, packed_;
  std::uint32_t line_bytes_;
  int last_;          // the warp that fetched last
  WarpSlot fetched_;  // the warp whose instructions wait for decode
  Pc fetched_pc_ = kNoPc;
  std::vector<ProgramCode> programs_;
  // Of a compiler-guided core: the caches by sub-core, the line that a warp missed and has
  // not left since, and the warps that wait for one.
  std::vector<L0Cache> l0_;
  std::array<std::uint64_t, kMaxWarpsPerSm> requested_line_;
  WarpMask waits_for_l0_;
  std::array<Cycle, kMaxWarpsPerSm> arrival_{};
  Cycle next_arrival_ = Cycle::never();
};

}  // namespace heddle::sm
