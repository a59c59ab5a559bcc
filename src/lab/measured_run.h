// What the process of a run has written (Session::write_results): everything but the launches, and
// a file with a line for each launch. Launches are read one by one, because there may be many.
#pragma once

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "config/gpu_spec.h"
#include "gpu/kernel_result.h"

namespace heddle::lab {

class MeasuredRun {
 public:
  // A process that ended before it wrote its results has left the launches: then the results are
  // their totals, unless several processes have left launches.
  MeasuredRun(const std::string& path, const config::GpuSpec& gpu);

  bool written() const { return written_; }
  bool of_launches_only() const { return of_launches_only_; }
  // All but the launches; discarded when it is damaged.
  const nlohmann::ordered_json& head() const { return head_; }
  std::uint64_t launches() const;  // that the file should have
  // Reads the next launch; false after the last one and at a damaged line.
  bool read_launch(nlohmann::ordered_json& launch);
  // The same, with what only totals need of it.
  bool read_line_of_launch(nlohmann::ordered_json& launch);
  // Reads the next launch as text, for a caller that does not look into it.
  bool read_launch_text(std::string& launch);

 private:
  void total_launches(const config::GpuSpec& gpu);
  bool read_line(nlohmann::ordered_json& launch);

  std::ifstream lines_;
  std::uint64_t read_ = 0;  // launches
  bool written_ = false, of_launches_only_ = false;
  nlohmann::ordered_json head_;
};

// A line of a launch, for totals. Throws Json::exception when it is damaged.
gpu::KernelResult result_of_line(const nlohmann::ordered_json& line);

// What the whole needs of a part of a run (parts/join.h): all but the launches, and the launches
// that were timed, with what totals need of them.
std::string part_record(const std::string& path, const config::GpuSpec& gpu);

// Writes run.json: `results`, whose "kernels" is an empty list, with the launches that `measured`
// still has.
void write_run_json(const std::string& path, const nlohmann::ordered_json& results,
                    MeasuredRun& measured);

}  // namespace heddle::lab
