// Chooses the decoder of a kernel's kind of code.
#include "exec/isa/decode.h"
#include "exec/machine_code/decode.h"
#include "exec/state/launch.h"

namespace heddle::exec {

std::shared_ptr<const DecodedKernel> decode_kernel(const isa::Kernel& kernel) {
  if (const auto* machine_code = dynamic_cast<const sass::Kernel*>(&kernel))
    return decode_machine_code(*machine_code);
  return decode_ptx(ptx::as_ptx(kernel));
}

}  // namespace heddle::exec
