#include "cuda/operations/parameters.h"

#include <algorithm>
#include <cstring>

#include "base/diagnostics.h"
#include "cuda.h"

namespace heddle::cuda {

std::vector<std::uint8_t> pack_parameters(const isa::Kernel& kernel, const void* const* arguments) {
  std::vector<std::uint8_t> block(kernel.parameter_bytes);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const isa::Parameter& parameter = kernel.parameters[i];
    check_invariant(parameter.offset + std::uint64_t{parameter.bytes} <= block.size(),
                    "a parameter lies outside of the parameter block");
    std::memcpy(block.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  return block;
}

bool gather_parameters(const isa::Kernel& kernel, void** arguments, void** extra,
                       std::vector<std::uint8_t>& block) {
  if (arguments || kernel.parameters.empty()) {
    block = pack_parameters(kernel, arguments);
  } else {
    const void* buffer = nullptr;
    std::size_t bytes = 0;
    for (void** at = extra; at && *at != CU_LAUNCH_PARAM_END; at += 2) {
      if (at[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = at[1];
      if (at[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<const std::size_t*>(at[1]);
    }
    if (!buffer) return false;
    const auto* const first = static_cast<const std::uint8_t*>(buffer);
    block.assign(first, first + bytes);
  }
  block.resize(std::max<std::size_t>(block.size(), kernel.parameter_bytes));
  return true;
}

}  // namespace heddle::cuda
