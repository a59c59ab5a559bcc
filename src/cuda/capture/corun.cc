#include "cuda/capture/corun.h"

#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "config/json_text.h"
#include "cuda/capture/player.h"
#include "cuda/capture/shared_run.h"
#include "gpu/results_json.h"

namespace heddle::cuda {
namespace {

class CapturedProgram final : public ProgramPlayer {
 public:
  CapturedProgram(const CaptureFile& file, gpu::Device& device, PlayerOptions options)
      : player_(file, device, std::move(options)) {}
  bool proceed() override { return player_.proceed() == Player::State::waits; }
  bool launch_finished(std::uint64_t launch) override { return player_.launch_finished(launch); }
  bool copy_finished(std::uint64_t copy) override { return player_.copy_finished(copy); }

 private:
  Player player_;
};

SharedProgram captured_program(const std::string& path) {
  const auto file = std::make_shared<CaptureFile>(path);
  // Repetitions have the same kernels, which exist until the device is destroyed.
  const auto kernels = std::make_shared<CapturedKernels>();
  return {std::filesystem::path(path).filename().string(), file->info().memory_bytes,
          [file, kernels](gpu::Device& device, std::uint32_t program) {
            PlayerOptions options;
            options.program = program;
            options.kernels = kernels;
            return std::make_unique<CapturedProgram>(*file, device, std::move(options));
          }};
}

}  // namespace

std::string corun_results(const config::RunSpec& spec, const exec::StopRequest* stop) {
  std::vector<SharedProgram> programs;
  for (const std::string& path : spec.corun.captures) programs.push_back(captured_program(path));
  const SharedRun run =
      run_together(spec, programs, spec.corun.once ? Repeat::never : Repeat::until_all_ended, stop);
  nlohmann::ordered_json json{{"status", "completed"}, {"cycles", run.cycles}};
  for (const ProgramRuns& runs : run.programs) {
    nlohmann::ordered_json program{{"repetitions", runs.repetitions}, {"cycles", runs.cycles}};
    program.update(gpu::results_json(runs.kernels, runs.total, spec.gpu));
    if (spec.timed.samples_waves) {
      program["repeated"] = nlohmann::ordered_json::array();
      for (const gpu::KernelResult& launch : runs.repeated)
        program["repeated"].push_back(gpu::kernel_json(launch, spec.gpu));
    }
    json["programs"].push_back(std::move(program));
  }
  json["host"] = {{"kernel_seconds", run.host_seconds}};
  return config::json_text(json, 1) + "\n";
}

}  // namespace heddle::cuda
