// The device's address space as several rooms see it.
#pragma once

#include <cstdint>

namespace heddle {

// The first address of the heap, as in GPGPU-Sim, so that addresses map to the same channels and
// cache sets. Local memory lies below it in the timing model (sm/warp/address_space.h).
inline constexpr std::uint64_t kHeapBase = 0xC0000000;

// Compilers may keep pointers to constants in 32 bits. Constants that find no place in the heap
// below this address lie in a range that ends a page of 2 MiB before the heap (decision 003).
inline constexpr std::uint64_t kShortPointerEnd = std::uint64_t{1} << 32;
inline constexpr std::uint64_t kConstantsBase = 0xBC000000, kConstantsBytes = 0x03E00000;

// Programs that share a device have address spaces of their own. The timing model puts the number
// of the program above the address, as hardware puts an address space identifier into a tag.
inline constexpr int kAddressBits = 40;
// The largest device memory, so that it and what the host shares with it have addresses.
inline constexpr std::uint64_t kMaxMemoryBytes = std::uint64_t{256} << 30;
inline constexpr std::uint32_t kMaxPrograms = 16;
// A program that begins anew gets another address space: it finds none of its own lines.
struct AddressSpace {
  std::uint32_t number = 0;

  constexpr AddressSpace() = default;
  constexpr AddressSpace(std::uint32_t program, std::uint32_t restarts)
      : number(program + kMaxPrograms * restarts) {}
  constexpr std::uint32_t program() const { return number % kMaxPrograms; }
  // Is added to every address of the program.
  constexpr std::uint64_t offset() const { return std::uint64_t{number} << kAddressBits; }
};
constexpr std::uint64_t address_in_space(std::uint64_t address) {
  return address & ((std::uint64_t{1} << kAddressBits) - 1);
}

}  // namespace heddle
