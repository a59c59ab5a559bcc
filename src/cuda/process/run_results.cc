#include "cuda/process/run_results.h"

#include <sys/resource.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "config/json_text.h"
#include "cuda/process/result_file.h"
#include "energy/energy.h"
#include "exec/check/checker.h"
#include "gpu/analysed_launches.h"
#include "gpu/check_json.h"
#include "gpu/launch_lines.h"
#include "gpu/results_json.h"
#include "stats/json.h"

namespace heddle::cuda {
namespace {

double seconds(const std::timespec& from, const std::timespec& to) {
  return static_cast<double>(to.tv_sec - from.tv_sec) +
         static_cast<double>(to.tv_nsec - from.tv_nsec) * 1e-9;
}

double user_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

}  // namespace

RunResults::RunResults() { ::clock_gettime(CLOCK_MONOTONIC, &started_); }

void RunResults::begin(const config::RunSpec& spec) {
  spec_ = &spec;
  unwritten_ = true;
  if (wanted()) log_.emplace(gpu::launch_lines_path(spec.result_path, ::getpid()));
}

void RunResults::record_launches(gpu::Device& device) {
  for (const gpu::KernelResult& launch : device.take_results()) {
    totals_.add(launch);
    if (!log_) continue;
    stats::JsonText line;
    gpu::put_kernel(line, launch, device.spec());
    nlohmann::ordered_json energy = nlohmann::ordered_json::object();
    energy::put_energy(energy, device.spec(), launch);
    for (const auto& [name, value] : energy.items()) line.add(name, value);
    // For totals that are made of these lines.
    if (launch.repeated.cycles > 0) stats::put_object(line, gpu::kRepeatedCycles, launch.repeated);
    log_->append(line.finish() + "\n");
  }
}

std::string RunResults::text(gpu::Device& device, const std::string& status,
                             const std::string& diagnostic, std::uint64_t elapsed_times) const {
  nlohmann::ordered_json json;
  json["totals"] = gpu::totals_json(device, totals_);
  energy::put_energy(json["totals"], device.spec(), totals_.sum());
  if (exec::Checker* const checker = device.checker()) {
    if (spec_->check.leaks && status == "completed") checker->find_leaks();
    json["check"] = gpu::check_json(*checker);
  }
  if (const gpu::AnalysedLaunches* const analysed = device.analysed())
    json["analysis"] = analysed->json();
  json["status"] = status;
  json["elapsed_times"] = elapsed_times;
  if (!diagnostic.empty()) json["diagnostic"] = diagnostic;
  std::timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  json["host"] = {{"wall_seconds", seconds(started_, now)},
                  {"kernel_seconds", device.host_seconds().launches},
                  {"timed_seconds", device.host_seconds().timed},
                  {"user_seconds", user_seconds()}};
  json[gpu::kLaunchesProcess] = ::getpid();
  return config::json_text(json);
}

void RunResults::write(gpu::Device& device, RunControl* control, const std::string& status,
                       const std::string& diagnostic, std::uint64_t elapsed_times) {
  record_launches(device);
  const bool others = control && control->launching_users() > 0 && device.launches() == 0;
  if (!wanted() || others) return;
  write_atomically(spec_->result_path, text(device, status, diagnostic, elapsed_times) + "\n");
}

void RunResults::write_timeline(const gpu::Device& device) const {
  if (const std::string& path = spec_->watch.timeline_path; !path.empty())
    write_atomically(path, stats::to_text(device.timeline()));
}

}  // namespace heddle::cuda
