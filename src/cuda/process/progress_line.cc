#include "cuda/process/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "base/terminal.h"
#include "gpu/kernel_names.h"

namespace heddle::cuda {
namespace {

constexpr int kColumns = 80;  // of a terminal that does not say its width

std::string scaled(double value) {
  if (value >= 1e9) return fmt::format("{:.1f} G ", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.1f} M ", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.1f} k ", value / 1e3);
  return fmt::format("{:.0f} ", value);
}

}  // namespace

std::string progress_text(std::uint64_t kernel_number, const gpu::KernelResult& so_far,
                          double seconds, std::size_t columns) {
  const double rate = seconds > 0 ? static_cast<double>(so_far.warp_instructions) / seconds : 0;
  std::string figures;
  if (!so_far.functional)
    figures = fmt::format("  {}cycles  IPC {:.0f}", scaled(static_cast<double>(so_far.cycles)),
                          so_far.ipc());
  figures += fmt::format("  {}warp instr/s", scaled(rate));
  const std::string number = fmt::format("kernel {} ", kernel_number);
  std::string name = gpu::kernel_short_name(so_far.name);
  const std::size_t taken = number.size() + figures.size();
  if (taken + name.size() > columns)
    name = name.substr(0, std::max(columns, taken + 3) - taken - 3) + "...";
  return (number + name + figures).substr(0, columns);
}

void KernelProgressLine::begin(std::uint64_t kernel_number) {
  kernel_number_ = kernel_number;
  begun_ = std::chrono::steady_clock::now();
}

void KernelProgressLine::show(const gpu::KernelResult& so_far) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begun_;
  // A line that fills the width moves the cursor to the next line.
  const auto columns = static_cast<std::size_t>(terminal_width(STDERR_FILENO, kColumns)) - 1;
  std::fprintf(stderr, "\r%s\033[K",
               progress_text(kernel_number_, so_far, elapsed.count(), columns).c_str());
  std::fflush(stderr);
  visible_ = true;
}

void KernelProgressLine::clear() {
  if (!visible_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace heddle::cuda
