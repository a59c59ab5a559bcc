// The storage of the warps and CTAs of one SM, or of a cooperative grid that runs functionally, and
// their start.
#pragma once

#include <span>

#include "base/reused_memory.h"
#include "exec/state/machine.h"
#include "exec/state/zero_pages.h"

namespace heddle::exec {

class Warps {
 public:
  Warps(const Launch& launch, GlobalMemory& memory, const MachineView& view, int cta_slots,
        int warp_slots, bool direct, std::shared_ptr<const DecodedKernel> decoded);
  Warps(const Warps&) = delete;
  Warps& operator=(const Warps&) = delete;

  Machine& machine() { return machine_; }
  const Machine& machine() const { return machine_; }
  // Of a slot in which a warp has started.
  Warp& warp(int slot) { return warps_[static_cast<std::size_t>(slot)]; }
  const Warp& warp(int slot) const { return warps_[static_cast<std::size_t>(slot)]; }
  Cta& cta(int slot) { return ctas_[static_cast<std::size_t>(slot)]; }
  // The CTA's warps, in these slots, are at pc 0 with fresh registers.
  void start(int cta_slot, std::uint64_t cta_linear, std::span<const int> warp_slots);
  void end(int cta_slot);

 private:
  struct alignas(128) RegisterRow {
    std::array<std::uint8_t, 128> bytes;
  };
  struct Storage {
    std::vector<RegisterRow> registers;
    std::vector<std::uint32_t> predicates;
    std::vector<std::uint8_t> local, frame;
    ZeroPages stacks;  // replaces `local` when it contains a stack, most of which is never used
  };
  void allocate();
  void start_warp(int slot, Cta& cta, std::uint32_t index);
  void preset(Warp& w, const ptx::PresetRegister& preset);
  void preset_thread_number(const Warp& w, std::size_t axis, std::uint8_t* to) const;
  std::uint32_t special_value(const Warp& w, const ptx::PresetRegister& preset,
                              std::uint32_t lane) const;

  Machine machine_;
  std::size_t warp_slots_;
  std::vector<RegisterRow> constants_;
  std::vector<Warp, ReusedMemory<Warp>> warps_;  // empty until the first CTA starts
  std::vector<Storage> storage_;
  std::vector<Cta> ctas_;
};

}  // namespace heddle::exec
