#include "lab/parts/join.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/diagnostics.h"
#include "base/output_file.h"
#include "config/json_text.h"
#include "energy/energy.h"
#include "gpu/launch_lines.h"
#include "lab/measured_run.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

constexpr std::array kHostTimes{"wall_seconds", "kernel_seconds", "user_seconds"};
constexpr pid_t kProcess = 1;  // that has written the launches, as it were

std::uint64_t start_of(const ordered_json& launch) { return launch.at("start_cycle"); }
std::uint64_t cycles_of(const ordered_json& launch) { return launch.at("cycles"); }

// Launches that run at once end in any order.
void require_launches(const ordered_json& kernels, std::vector<LaunchFacts> launches) {
  std::vector<LaunchFacts> timed;
  for (const ordered_json& launch : kernels) timed.push_back(LaunchFacts::of(launch));
  const auto place = [](const LaunchFacts& one) { return std::tie(one.kernel, one.shape); };
  std::ranges::sort(timed, {}, place);
  std::ranges::sort(launches, {}, place);
  if (!std::ranges::equal(timed, launches, {}, place, place))
    throw UserError("a part of the run times other launches: the program cannot be cut into parts");
}

}  // namespace

JoinedParts::JoinedParts(std::string result_file, const config::GpuSpec& gpu)
    : result_file_(std::move(result_file)),
      gpu_(gpu),
      lines_(gpu::launch_lines_path(result_file_, kProcess), std::ios::binary) {}

void JoinedParts::add(const std::string& record, const std::vector<LaunchFacts>& launches,
                      std::size_t uncounted) {
  ordered_json part = ordered_json::parse(record);
  const ordered_json& kernels = part.at("kernels");
  require_launches(kernels, launches);
  const bool first = head_.is_null();
  // The cycle at which the last launch before the counted ones has ended. Functional ones take no
  // time.
  std::uint64_t before = first || kernels.empty() || uncounted > 0 ? 0 : start_of(kernels[0]);
  for (std::size_t i = 0; i < uncounted; ++i)
    before = std::max(before, start_of(kernels[i]) + cycles_of(kernels[i]));
  const std::uint64_t end = end_;
  for (std::size_t i = uncounted; i < kernels.size(); ++i) {
    ordered_json launch = kernels[i];
    launch["start_cycle"] = end + start_of(launch) - std::min(before, start_of(launch));
    end_ = std::max(end_, start_of(launch) + cycles_of(launch));
    totals_.add(result_of_line(launch));
    lines_ << config::json_text(launch) << "\n";
  }
  const ordered_json host = first ? ordered_json() : head_.at("host");
  head_ = std::move(part.at("head"));
  if (host.is_null()) return;
  for (const char* time : kHostTimes)
    head_["host"][time] = head_["host"][time].get<double>() + host.at(time).get<double>();
}

void JoinedParts::finish(ordered_json parts) {
  ordered_json totals = totals_.json(gpu_);
  if (const ordered_json& last = head_.at("totals"); last.contains("copy_engines"))
    totals["copy_engines"] = last["copy_engines"];  // every part copies what the program copies
  energy::put_energy(totals, gpu_, totals_.sum());
  head_["totals"] = std::move(totals);
  head_["parts"] = std::move(parts);
  head_[gpu::kLaunchesProcess] = kProcess;
  lines_.close();
  write_file_atomically(result_file_, config::json_text(head_) + "\n");
  if (!lines_) throw UserError("cannot write " + result_file_);
}

}  // namespace heddle::lab
