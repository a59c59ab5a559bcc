#include "cli/fitting_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/diagnostics.h"
#include "config/config.h"
#include "config/fitting_preset.h"
#include "cuda/capture/capture_file.h"
#include "cuda/fatbin/cubins.h"
#include "cuda/fatbin/ptx_texts.h"
#include "cuda/kernels/description.h"

namespace heddle::cli {
namespace {

constexpr int kDefaultTarget = 75;  // of heddle cc

// Of the first .target of a text.
int target_of(std::string_view text) {
  constexpr std::string_view kTarget = ".target", kSm = "sm_";
  const std::size_t target = text.find(kTarget);
  const std::size_t sm = target == std::string_view::npos ? target : text.find(kSm, target);
  int number = 0;
  if (sm == std::string_view::npos) return 0;
  std::from_chars(text.data() + sm + kSm.size(), text.data() + text.size(), number);
  return number;
}

int capability_of_file(const std::string& file) {
  int highest = 0;
  try {
    for (const cuda::PtxText& ptx : cuda::ptx_texts_of(file))
      highest = std::max(highest, target_of(ptx.text));
    return highest;
  } catch (const UserError&) {}  // it has no PTX
  try {
    for (const cuda::CubinImage& cubin : cuda::cubins_of(file))
      highest = std::max(highest, cubin.read().architecture);
  } catch (const UserError&) {}
  return highest;
}

int capability_of(const config::GpuSpec& gpu) {
  constexpr std::uint32_t kMajor = 10;
  return static_cast<int>(gpu.compute_major * kMajor + gpu.compute_minor);
}

std::string preset_for(int capability) {
  return config::fitting_preset(
      [&](const config::GpuSpec& gpu) { return capability_of(gpu) >= capability; });
}

}  // namespace

int capability_of(const std::string& program) {
  if (cuda::is_capture(program)) return 0;
  if (!cuda::is_kernel_description(program)) return capability_of_file(program);
  int highest = 0;
  for (const cuda::KernelModule& module : cuda::read_kernel_description(program).modules)
    highest =
        std::max(highest, capability_of_file(module.triton ? module.triton->ptx : module.path));
  return highest;
}

std::string choose_functional_gpu(lab::RunRequest& request) {
  const int capability = capability_of(request.program[0]);
  if (capability <= kDefaultTarget) return {};
  const std::string preset = preset_for(capability);
  if (preset.empty()) return {};
  request.gpu = preset;
  return fmt::format("heddle: GPU {}, because the program is compiled for sm_{}\n", preset,
                     capability);
}

std::string newer_gpu_hint(const lab::RunRequest& request) {
  const int capability = capability_of(request.program[0]);
  const config::GpuSpec gpu = config::load_gpu(request.gpu, request.overrides);
  const std::string preset = capability > kDefaultTarget && capability > capability_of(gpu)
                                 ? preset_for(capability)
                                 : std::string();
  if (preset.empty()) return {};
  return fmt::format("heddle: the program is compiled for sm_{}, and {} is sm_{}: try --gpu {}\n",
                     capability, gpu.name, capability_of(gpu), preset);
}

}  // namespace heddle::cli
