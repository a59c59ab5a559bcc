// Executes the queued runs of a sweep as processes of this machine.
#pragma once

#include "lab/store/store_writer.h"
#include "lab/sweep.h"

namespace heddle::lab {

struct ExecutionResult {
  std::size_t runs = 0;                         // that ended, with or without results
  int interrupted = 0;                          // the signal that ended it early
  bool submitted = false, unconfirmed = false;  // jobs are at work; jobs may be
};

// Longest expected runs first. Each result is in the store before the next run starts. Throws
// UserError when jobs of Slurm are at work on runs of this store.
ExecutionResult execute_locally(const SweepOptions& options, const SweepListener& listener,
                                StoreWriter& store);

// A run that was killed `attempts` times.
RunRecord killed_too_often(const RunRecord& last, int attempts);

}  // namespace heddle::lab
