#include "exec/prepared_kernel.h"

#include "exec/isa/decode.h"
#include "exec/machine_code/decode.h"
#include "exec/state/launch.h"

namespace heddle::exec {
namespace {

std::shared_ptr<const DecodedKernel> decode(const isa::Kernel& kernel) {
  if (const auto* machine_code = dynamic_cast<const sass::Kernel*>(&kernel))
    return decode_machine_code(*machine_code);
  return decode_ptx(ptx::as_ptx(kernel));
}

}  // namespace

PreparedKernel& PreparedKernel::of(const isa::Kernel& kernel) {
  std::unique_ptr<isa::DerivedCode>& code = kernel.derived.code;
  if (!code) code = std::make_unique<PreparedKernel>(decode(kernel));
  return static_cast<PreparedKernel&>(*code);
}

std::shared_ptr<const CompiledKernel> PreparedKernel::compiled() {
  if (!was_compiled_) compiled_ = CompiledKernel::compile(*decoded_);
  was_compiled_ = true;
  return compiled_;
}

std::shared_ptr<const DecodedKernel> decode_kernel(const isa::Kernel& kernel) {
  return PreparedKernel::of(kernel).decoded();
}

}  // namespace heddle::exec
