#include "exec/state/constant_bank.h"

#include <cstring>
#include <span>

#include "sass/kernel.h"

namespace heddle::exec {
namespace {

std::span<const std::uint8_t> bytes_of(const Machine& m, std::uint32_t bank) {
  const auto& kernel = static_cast<const sass::Kernel&>(m.kernel());
  if (bank == 0) return m.map.constant_bank;
  if (bank == sass::kUserBank && kernel.user_constant_bytes > 0)
    return {m.memory.host(kernel.user_constants), kernel.user_constant_bytes};
  if (bank < kernel.banks.size()) return kernel.banks[bank];
  return {};
}

}  // namespace

bool read_constant(const Machine& m, std::uint32_t bank, std::uint64_t offset, void* to,
                   std::size_t bytes) {
  const std::span<const std::uint8_t> data = bytes_of(m, bank);
  if (data.size() < bytes || offset > data.size() - bytes) {
    std::memset(to, 0, bytes);
    return false;
  }
  std::memcpy(to, data.data() + offset, bytes);
  return true;
}

}  // namespace heddle::exec
