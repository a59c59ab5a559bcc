// How long runs take, from what the store has measured and from what this sweep measures.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/store/database.h"
#include "lab/store/run_record.h"

namespace heddle::lab {

// Expected wall time in seconds of a run: the mean of earlier runs of the same program and
// arguments, first on the same GPU under the same scheduler, then on the same GPU, then on any.
class Forecast {
 public:
  explicit Forecast(Database& database);
  std::optional<double> expected_seconds(const RunIdentity& identity);

 private:
  Statement same_scheduler_, same_gpu_, same_program_;
};

// The remaining time of a sweep, corrected by how the finished runs compare with expectations.
class RemainingTime {
 public:
  using Seconds = std::optional<double>;

  void add(Seconds expected);  // a run that waits
  void start(const std::string& key, Seconds expected);
  void finish(const std::string& key, double seconds);  // seconds: how long it took
  void put_back(const std::string& key);                // it waits again

  // Nothing while too little is known. running: seconds since the start, by key.
  Seconds estimate(std::size_t jobs,
                   const std::vector<std::pair<std::string, double>>& running) const;

 private:
  struct Sum {
    std::size_t count = 0;
    double expected = 0, measured = 0;
  };
  Seconds corrected(Seconds expected) const;

  Sum waiting_known_, finished_known_, finished_;
  std::size_t waiting_unknown_ = 0;
  std::map<std::string, Seconds> started_;
};

}  // namespace heddle::lab
