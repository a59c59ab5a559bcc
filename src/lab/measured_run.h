// What the process of a run has written (Session::write_results): a line with everything but the
// launches, then a line for each launch. Launches are read one by one, because there may be many.
#pragma once

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

namespace heddle::lab {

class MeasuredRun {
 public:
  explicit MeasuredRun(const std::string& path);

  bool written() const { return written_; }
  // The first line; discarded when it is damaged.
  const nlohmann::ordered_json& head() const { return head_; }
  std::uint64_t launches() const;  // that the file should have
  // Reads the next launch; false at the end of the file and at a damaged line.
  bool read_launch(nlohmann::ordered_json& launch);

 private:
  std::ifstream file_;
  bool written_ = false;
  nlohmann::ordered_json head_;
};

// Writes run.json: `results`, whose "kernels" is an empty list, with the launches that `measured`
// still has.
void write_run_json(const std::string& path, const nlohmann::ordered_json& results,
                    MeasuredRun& measured);

}  // namespace heddle::lab
