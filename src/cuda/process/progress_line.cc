#include "cuda/process/progress_line.h"

#include <cstdio>

#include <fmt/format.h>

#include "gpu/kernel_names.h"

namespace heddle::cuda {
namespace {

std::string scaled(double value) {
  if (value >= 1e9) return fmt::format("{:.1f} G ", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.1f} M ", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.1f} k ", value / 1e3);
  return fmt::format("{:.0f} ", value);
}

}  // namespace

std::string progress_text(std::uint64_t kernel_number, const gpu::KernelResult& so_far,
                          double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(so_far.warp_instructions) / seconds : 0;
  std::string text =
      fmt::format("kernel {} {}", kernel_number, gpu::kernel_short_name(so_far.name));
  if (!so_far.functional)
    text += fmt::format("  {}cycles  IPC {:.0f}", scaled(static_cast<double>(so_far.cycles)),
                        so_far.ipc());
  return text + fmt::format("  {}warp instr/s", scaled(rate));
}

void ProgressLine::begin(std::uint64_t kernel_number) {
  kernel_number_ = kernel_number;
  begun_ = std::chrono::steady_clock::now();
}

void ProgressLine::show(const gpu::KernelResult& so_far) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begun_;
  std::fprintf(stderr, "\r%s\033[K",
               progress_text(kernel_number_, so_far, elapsed.count()).c_str());
  std::fflush(stderr);
  visible_ = true;
}

void ProgressLine::clear() {
  if (!visible_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace heddle::cuda
