// Calls of CUDA's device runtime.
#pragma once

#include "exec/services/device_runtime.h"
#include "exec/state/machine.h"

namespace heddle::exec {

// Executes the call for the lanes in `mask`. False when it must execute again later: in a timed run
// calls are served between windows.
bool call_device_runtime(Warp& w, const DecodedInstruction& r, std::uint32_t mask);

// Serves the warp's pending call, lane by lane. True when it has returned.
bool serve_device_call(Warp& w, DeviceRuntime& runtime);

}  // namespace heddle::exec
