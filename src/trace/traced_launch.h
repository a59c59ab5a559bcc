// A launch as its trace recorded it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "exec/replayed_launch.h"
#include "trace/kernel_header.h"
#include "trace/traced_kernel.h"

namespace heddle::trace {

class TracedLaunch final : public exec::ReplayedLaunch {
 public:
  std::unique_ptr<exec::InstructionSource> make_source(int cta_slots) const override;
  std::uint64_t warp_instructions() const override { return warp_instructions_; }
  std::uint64_t thread_instructions() const override { return thread_instructions_; }

  const KernelHeader& header() const { return header_; }
  const std::shared_ptr<const TracedKernel>& kernel() const { return kernel_; }
  // The same code as another launch's, which it shares from now on.
  void set_kernel(std::shared_ptr<const TracedKernel> kernel) { kernel_ = std::move(kernel); }

 private:
  friend class LaunchReader;

  KernelHeader header_;
  std::shared_ptr<const TracedKernel> kernel_;
  std::vector<std::vector<std::uint8_t>> ctas_;  // by number in the grid: CtaWriter's
  std::uint64_t local_begin_ = 0;                // lowest offset in local memory
  std::uint64_t warp_instructions_ = 0, thread_instructions_ = 0;
};

// Reads the trace of a launch: text (.traceg), text that xz has compressed (.traceg.xz), or binary
// (.tracez). Throws UserError with the place of what is wrong.
std::shared_ptr<TracedLaunch> read_launch(const std::string& path);

}  // namespace heddle::trace
