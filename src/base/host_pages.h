// The pages of this process.
#pragma once

#include <cstdint>

namespace heddle {

// Whether all bytes of [address, address + bytes) lie in pages that are mapped, even without
// access.
bool is_mapped_in_host(std::uint64_t address, std::uint64_t bytes);

}  // namespace heddle
