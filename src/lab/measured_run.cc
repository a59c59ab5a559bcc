#include "lab/measured_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "base/diagnostics.h"
#include "base/output_file.h"
#include "config/json_layout.h"
#include "config/json_text.h"
#include "energy/energy.h"
#include "gpu/launch_lines.h"
#include "gpu/results_json.h"
#include "lab/read_json.h"
#include "stats/json.h"

namespace heddle::lab {

using nlohmann::ordered_json;

namespace {

// The files with launches beside the results.
std::vector<std::string> files_of_launches(const std::string& path) {
  const std::string prefix = gpu::launch_lines_prefix(path);
  std::vector<std::string> found;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(std::filesystem::path(path).parent_path(), failed),
       end;
       !failed && entry != end; entry.increment(failed))
    if (entry->path().string().starts_with(prefix)) found.push_back(entry->path().string());
  return found;
}

}  // namespace

MeasuredRun::MeasuredRun(const std::string& path, const config::GpuSpec& gpu) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  written_ = static_cast<bool>(std::getline(file, line));
  if (written_) {
    head_ = read_json(line);
    const pid_t process = head_.is_object() ? head_.value(gpu::kLaunchesProcess, pid_t{0}) : 0;
    if (process > 0) lines_.open(gpu::launch_lines_path(path, process), std::ios::binary);
    return;
  }
  const std::vector<std::string> left = files_of_launches(path);
  if (left.size() != 1) return;
  lines_.open(left.front(), std::ios::binary);
  total_launches(gpu);
  lines_.clear();
  lines_.seekg(0);
}

void MeasuredRun::total_launches(const config::GpuSpec& gpu) {
  gpu::LaunchTotals totals;
  try {
    for (ordered_json line; read_line(line);) totals.add(result_of_line(line));
  } catch (const ordered_json::exception& error) {
    // The program's host code can write to the memory that these lines are in.
    throw UserError(std::string("the results of the program's launches are damaged: ") +
                    error.what());
  }
  if (totals.launches() == 0) return;
  written_ = of_launches_only_ = true;
  head_["totals"] = totals.json(gpu);
  energy::put_energy(head_["totals"], gpu, totals.sum());
}

std::uint64_t MeasuredRun::launches() const {
  return head_.value(ordered_json::json_pointer("/totals/launches"), std::uint64_t{0});
}

bool MeasuredRun::read_line_of_launch(ordered_json& launch) {
  if (read_ == launches() || !read_line(launch)) return false;
  ++read_;
  return true;
}

bool MeasuredRun::read_launch(ordered_json& launch) {
  if (!read_line_of_launch(launch)) return false;
  launch.erase(gpu::kRepeatedCycles);
  return true;
}

bool MeasuredRun::read_launch_text(std::string& launch) {
  if (read_ == launches() || !std::getline(lines_, launch) || !launch.starts_with('{'))
    return false;
  ++read_;
  // The last member, if there is one. In a text its quotes would be escaped.
  static const std::string repeated = fmt::format(",\"{}\":", gpu::kRepeatedCycles);
  if (const std::size_t at = launch.rfind(repeated); at != std::string::npos)
    launch.replace(at, std::string::npos, "}");
  return true;
}

// The last line of a process that was killed may be there in part.
bool MeasuredRun::read_line(ordered_json& launch) {
  std::string line;
  if (!std::getline(lines_, line) || line.starts_with('\0')) return false;
  launch = read_json(line);
  return launch.is_object();
}

gpu::KernelResult result_of_line(const ordered_json& line) {
  gpu::KernelResult launch = gpu::kernel_from_json(line);
  if (const auto repeated = line.find(gpu::kRepeatedCycles); repeated != line.end())
    stats::read_json(*repeated, launch.repeated);
  return launch;
}

std::string part_record(const std::string& path, const config::GpuSpec& gpu) {
  MeasuredRun measured(path, gpu);
  ordered_json record{{"head", measured.head()}, {"kernels", ordered_json::array()}};
  for (ordered_json launch; measured.read_line_of_launch(launch);)
    if (launch.at("simulated") != gpu::kFunctional) record["kernels"].push_back(std::move(launch));
  return config::json_text(record);
}

void write_run_json(const std::string& path, const ordered_json& results, MeasuredRun& measured) {
  // No text in JSON has a line break, and other keys of this name are indented more.
  constexpr std::string_view kPlace = "\n \"kernels\": [";
  const std::string text = config::json_text(results, 1);
  const std::size_t at = text.find(kPlace) + kPlace.size();
  OutputFile file(path);
  file.write(std::string_view(text).substr(0, at));
  std::string launch;
  for (bool first = true; measured.read_launch_text(launch); first = false) {
    file.write(first ? "\n  " : ",\n  ");
    file.write(config::indented_json(launch, "  "));
  }
  file.write(measured.launches() > 0 ? "\n " : "");
  file.write(std::string_view(text).substr(at));
  file.write("\n");
  file.commit();
}

}  // namespace heddle::lab
