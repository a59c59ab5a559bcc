// The PTX texts inside what a CUDA compiler embeds in an object: a wrapper that points either
// straight at PTX text (heddle cc) or at containers of entries for several architectures, possibly
// compressed (other compilers).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::cuda {

inline constexpr std::uint32_t kWrapperMagic = 0x466243b1;
inline constexpr std::uint32_t kContainerMagic = 0xBA55ED50;

// What __cudaRegisterFatBinary is given. Version 2 (separate compilation) lists the containers that
// were linked.
struct FatBinaryWrapper {
  std::uint32_t magic = kWrapperMagic;
  std::uint32_t version = 1;
  const void* data = nullptr;
  const void* const* containers = nullptr;  // version 2: null-terminated
};

// One entry's place in a container.
struct ContainerEntry {
  bool ptx = false;
  std::uint32_t architecture = 0;  // 75 for sm_75
  std::uint64_t flags = 0;
  std::span<const std::uint8_t> payload;
  std::uint64_t text_bytes = 0;  // after decompression
};

// The entries of a container. UserError when its sizes contradict each other.
std::vector<ContainerEntry> container_entries(std::span<const std::uint8_t> container);

// The text of a PTX entry, decompressed. UserError when it is damaged.
std::string ptx_text(const ContainerEntry& entry);

// The PTX for a GPU of the given architecture: the newest that it can run, else the oldest there
// is. UserError without PTX.
std::string select_ptx(std::span<const std::uint8_t> container, std::uint32_t architecture);

// All texts of a registered wrapper, one per separately compiled file. UserError as above.
std::vector<std::string> wrapper_texts(const FatBinaryWrapper& wrapper, std::uint32_t architecture);

}  // namespace heddle::cuda
