// What the launches of a kernel share: its decoded instructions, and their form compiled for the
// host.
#pragma once

#include <cstdint>
#include <memory>

#include "exec/compiled/compiled_kernel.h"
#include "isa/kernel.h"

namespace heddle::exec {

class PreparedKernel final : public isa::DerivedCode {
 public:
  // Decodes the kernel unless a launch of it has; UserError names an instruction that cannot be
  // executed. Not for several threads at once.
  static PreparedKernel& of(const isa::Kernel& kernel);
  explicit PreparedKernel(std::shared_ptr<const DecodedKernel> decoded)
      : decoded_(std::move(decoded)) {}

  const std::shared_ptr<const DecodedKernel>& decoded() const { return decoded_; }
  // Compiled at the first call; null when the kernel, or this host, has no compiled form.
  std::shared_ptr<const CompiledKernel> compiled();

  // Have no CTAs of a functional run that ran ahead depended on earlier ones
  // (functional/ahead_ctas.h)?
  bool may_run_ahead() const { return may_run_ahead_; }
  void forbid_ahead() { may_run_ahead_ = false; }
  // Warp instructions of the functional runs that have ended.
  std::uint64_t executed() const { return executed_; }
  void add_executed(std::uint64_t warp_instructions) { executed_ += warp_instructions; }

 private:
  std::shared_ptr<const DecodedKernel> decoded_;
  std::shared_ptr<const CompiledKernel> compiled_;
  bool was_compiled_ = false;
  bool may_run_ahead_ = true;
  std::uint64_t executed_ = 0;
};

}  // namespace heddle::exec
