// The queue that locality protected insertion describes, for tests against the paper's example.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::sched {

// The runnable warps from oldest to youngest, with every blocked warp inserted into a gap: the gap
// after the largest smaller runnable warp, or the nearest free gap when that one is taken. A gap
// takes a second warp only when all gaps are taken. Both lists ascend.
std::vector<std::uint32_t> locality_queue(std::span<const std::uint32_t> runnable,
                                          std::span<const std::uint32_t> blocked);

}  // namespace heddle::sched
