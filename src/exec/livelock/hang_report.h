// The words of the diagnostics about hangs, for timed and functional runs.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "exec/state/machine.h"

namespace heddle::exec {

inline constexpr int kMaxWarpsInFault = 32;

// One line for each of at most `max_warps` live warps; each begins with a newline. action: what a
// warp does that waits at no barrier.
std::string describe_warps(std::span<const Warp* const> warps, int max_warps,
                           const std::function<const char*(const Warp&)>& action);
// "and 3 more warps", or nothing.
std::string more_warps_line(int shown, int max_warps);

// warps: lines that each begin with a newline. printed: by device code, and not shown yet.
[[noreturn]] void throw_deadlock(const Launch& launch, const std::string& scope,
                                 const std::string& warps, const std::string& printed = {});
[[noreturn]] void throw_livelock(const Launch& launch, const GlobalMemory& memory,
                                 const std::string& warps, const std::string& printed = {});
// Hands the warning to the launch's host (HostSide::warn).
void warn_probable_livelock(const Launch& launch, const std::string& duration,
                            const std::string& warps);

}  // namespace heddle::exec
