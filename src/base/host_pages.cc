#include "base/host_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace heddle {

bool is_mapped_in_host(std::uint64_t address, std::uint64_t bytes) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::array<unsigned char, 4096> resident;
  std::uint64_t first = address - address % page, left = bytes + address % page;
  while (left > 0) {
    const std::uint64_t part = std::min(left, resident.size() * page);
    if (mincore(reinterpret_cast<void*>(first), part, resident.data()) != 0) return false;
    first += part;
    left -= part;
  }
  return true;
}

}  // namespace heddle
