// What `heddle results` and `heddle sweep status` print about a results store.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lab/store/results_store.h"
#include "lab/store/store_comparison.h"
#include "lab/sweep/slurm_executor.h"

namespace heddle::report {

// The studies of a store and its versions of Heddle, a line each.
std::string store_summary(const lab::ResultsStore& store);
// A table of runs: what ran, its status, cycles, and the values of `statistics`. At most
// `max_rows` rows; a line says how many are left out.
std::string run_table(const lab::ResultsStore& store, const lab::RunFilter& filter,
                      std::vector<std::string> statistics, std::size_t max_rows);
// One line per run: its columns and the values of `statistics`, of all statistics when empty. Lines
// go to `write`, so that memory does not grow with the store.
void write_run_csv(const lab::ResultsStore& store, const lab::RunFilter& filter,
                   const std::vector<std::string>& statistics,
                   const std::function<void(const std::string&)>& write);
std::string store_comparison_text(const lab::StoreComparison& comparison, std::size_t max_rows);
std::string sweep_status_text(const lab::SweepStatus& status);

// "45 s", "12 min", "3 h 20 min", "2 d 4 h".
std::string duration_text(double seconds);
// "12 MiB", "3.4 GiB".
std::string bytes_text(std::uint64_t bytes);

}  // namespace heddle::report
