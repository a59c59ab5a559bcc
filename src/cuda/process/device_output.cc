#include "cuda/process/device_output.h"

#include <cstdio>

namespace heddle::cuda {

void DeviceOutput::clear_line() {
  progress_.clear();
  std::fflush(stdout);
}

void DeviceOutput::show_printed(gpu::Device& device, const std::string& more,
                                std::size_t fifo_bytes) {
  const std::string text = device.take_printed() + more;
  if (const std::size_t lost = device.take_lost_print(); lost > 0) {
    progress_.clear();
    std::fprintf(stderr,
                 "heddle: warning: %zu bytes of device printf were overwritten before the host "
                 "synchronized. The buffer has %zu bytes; enlarge it with "
                 "cudaDeviceSetLimit(cudaLimitPrintfFifoSize, ...)\n",
                 lost, fifo_bytes);
  }
  if (text.empty()) return;
  progress_.clear();
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void DeviceOutput::show_warnings(gpu::Device& device) {
  for (const exec::LaunchWarning& warning : device.take_warnings()) {
    if (!warned_.insert({warning.kernel, warning.place}).second) continue;
    std::fflush(stdout);
    std::fputs((warning.text + "\n").c_str(), stderr);
  }
}

}  // namespace heddle::cuda
