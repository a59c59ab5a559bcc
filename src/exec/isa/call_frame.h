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

inline std::uint64_t argument(const Warp& w, const DecodedInstruction& r, int lane, std::size_t n) {
  const ptx::FrameSlot& slot = site_of(w, r).arguments[n];
  std::uint64_t value = 0;
  std::memcpy(&value, frame_of(w, lane) + slot.offset,
              std::min<std::size_t>(slot.bytes, sizeof value));
  return value;
}

inline void give_result(const Warp& w, const DecodedInstruction& r, int lane, std::uint64_t value) {
  for (const ptx::FrameSlot& slot : site_of(w, r).results)
    std::memcpy(frame_of(w, lane) + slot.offset, &value, slot.bytes);
}

}  // namespace heddle::exec
