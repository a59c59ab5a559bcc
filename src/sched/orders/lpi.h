// The queue of locality protected insertion.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::sched {

// Runnable warps from oldest to youngest, with every blocked warp put into the gap nearest to its
// age: after the largest runnable one below it, or, when that gap is taken, the nearest free one; a
// gap holds a second warp only when all are taken. Both lists ascend.
std::vector<std::uint32_t> locality_queue(std::span<const std::uint32_t> runnable,
                                          std::span<const std::uint32_t> blocked);

}  // namespace heddle::sched
