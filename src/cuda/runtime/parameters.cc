#include "cuda/runtime/parameters.h"

#include <cstring>

#include "base/diagnostics.h"

namespace heddle::cuda {

std::vector<std::uint8_t> pack_parameters(const ptx::Kernel& kernel, const void* const* arguments) {
  std::vector<std::uint8_t> block(kernel.parameter_bytes);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const ptx::Parameter& parameter = kernel.parameters[i];
    promise(parameter.offset + std::uint64_t{parameter.bytes} <= block.size(), "a parameter lies outside of the parameter block");
    std::memcpy(block.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  return block;
}

}  // namespace heddle::cuda
