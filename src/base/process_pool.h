// Children of a group that run side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "base/process_group.h"

namespace heddle {

// How many runs of so many threads the machine executes at once; jobs: as the user wants it, or 0.
std::size_t runs_at_once(int jobs, unsigned threads);

struct PoolWork {
  std::size_t count = 0, at_once = 1;
  // They start in the order of their numbers. None: this one is done already.
  std::function<std::optional<ChildCommand>(std::size_t)> command;
  std::function<void(std::size_t, const ProcessGroup::Ended&)> ended;
  std::function<void(std::size_t done)> waits = {};  // before each wait; may be empty
};

// Returns when all have ended, or those that run when the group was interrupted.
void run_pool(ProcessGroup& group, const PoolWork& work);

}  // namespace heddle
