// A launch whose instructions were recorded elsewhere. It has no values: it is timed, and cannot be
// executed functionally.
#pragma once

#include <cstdint>
#include <memory>

#include "exec/instruction_source.h"

namespace heddle::exec {

class ReplayedLaunch {
 public:
  virtual ~ReplayedLaunch() = default;
  // The instructions of the CTAs that an SM runs. cta_slots: as of make_live_source().
  virtual std::unique_ptr<InstructionSource> make_source(int cta_slots) const = 0;
  // Of the whole launch.
  virtual std::uint64_t warp_instructions() const = 0;
  virtual std::uint64_t thread_instructions() const = 0;
};

}  // namespace heddle::exec
