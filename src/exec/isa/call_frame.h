// Arguments and results of a call that the host executes, in the call parameters of a lane.
#pragma once

#include <algorithm>
#include <cstring>

#include "exec/state/machine.h"

namespace heddle::exec {

inline const ptx::CallSite& site_of(const Warp& w, const DecodedInstruction& r) {
  return ptx_kernel(*w.machine).call_sites[ptx_of(r).as<ptx::CallSiteIndex>().index];
}

inline std::uint8_t* frame_of(const Warp& w, int lane) {
  return w.frame + static_cast<std::size_t>(lane) * w.machine->decoded->frame_bytes;
}

// Machine code passes arguments in pairs of registers from R4 on, and returns results there.
inline std::uint8_t* argument_register(const Warp& w, int lane, std::size_t n) {
  constexpr std::size_t kFirst = 4, kRow = 128;
  return w.bases[0] + (kFirst + n) * kRow + static_cast<std::size_t>(lane) * 4;
}

inline std::uint64_t argument(const Warp& w, const DecodedInstruction& r, int lane, std::size_t n) {
  if (w.machine->decoded->machine_code) {
    std::uint64_t value = 0;
    std::memcpy(&value, argument_register(w, lane, 2 * n), 4);
    std::memcpy(reinterpret_cast<std::uint8_t*>(&value) + 4, argument_register(w, lane, 2 * n + 1),
                4);
    return value;
  }
  const ptx::FrameSlot& slot = site_of(w, r).arguments[n];
  std::uint64_t value = 0;
  std::memcpy(&value, frame_of(w, lane) + slot.offset,
              std::min<std::size_t>(slot.bytes, sizeof value));
  return value;
}

inline void give_result(const Warp& w, const DecodedInstruction& r, int lane, std::uint64_t value) {
  if (w.machine->decoded->machine_code) {
    if (ptx_of(r).opcode == ptx::Opcode::device_free) return;
    const std::size_t words = ptx_of(r).opcode == ptx::Opcode::device_malloc ? 2 : 1;
    for (std::size_t n = 0; n < words; ++n, value >>= 32)
      std::memcpy(argument_register(w, lane, n), &value, 4);
    return;
  }
  for (const ptx::FrameSlot& slot : site_of(w, r).results)
    std::memcpy(frame_of(w, lane) + slot.offset, &value, slot.bytes);
}

}  // namespace heddle::exec
