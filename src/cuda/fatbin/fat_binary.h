// The PTX texts and cubins that a CUDA compiler embeds in an object. A wrapper points at PTX text
// (heddle cc), or at containers with entries for several architectures, which may be compressed
// (nvcc, clang).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::cuda {

inline constexpr std::uint32_t kWrapperMagic = 0x466243b1;
inline constexpr std::uint32_t kContainerMagic = 0xBA55ED50;

// The argument of __cudaRegisterFatBinary. Version 2 (separate compilation) lists the containers
// that were linked.
struct FatBinaryWrapper {
  std::uint32_t magic = kWrapperMagic;
  std::uint32_t version = 1;
  const void* data = nullptr;
  const void* const* containers = nullptr;  // version 2: null-terminated
};

// One entry of a container.
struct ContainerEntry {
  bool ptx = false;
  bool cubin = false;
  std::uint32_t architecture = 0;  // 75 for sm_75
  std::uint64_t flags = 0;
  std::span<const std::uint8_t> payload;
  std::uint64_t content_bytes = 0;  // after decompression
};

// The entries of a container. UserError when its sizes are inconsistent.
std::vector<ContainerEntry> container_entries(std::span<const std::uint8_t> container);

// The content of an entry, decompressed. UserError when it is damaged.
std::string entry_content(const ContainerEntry& entry);
// The text of a PTX entry, decompressed. UserError when it is damaged.
std::string ptx_text(const ContainerEntry& entry);

// A container with entries for PTX and a cubin; either may be empty.
std::string make_container(const std::string& ptx, const std::string& cubin,
                           std::uint32_t architecture);

struct FoundContainer {
  std::size_t offset = 0, bytes = 0;
  std::vector<ContainerEntry> entries;
};
// The containers in a file. Bytes that only resemble one are skipped; `problem` is what is wrong
// with the last of them.
std::vector<FoundContainer> find_containers(std::span<const std::uint8_t> file,
                                            std::string& problem);

// The PTX for a GPU of the given architecture: the newest that the GPU supports, otherwise the
// oldest. UserError when there is no PTX.
std::string select_ptx(std::span<const std::uint8_t> container, std::uint32_t architecture);

// Does a GPU of this architecture execute this machine code? Of the same major number, and not
// newer.
constexpr bool is_executed_by(std::uint32_t code, std::uint32_t gpu) {
  return code / 10 == gpu / 10 && code <= gpu;
}
// The machine code for a GPU of the given architecture: the newest that it executes; empty when
// there is none. UserError when the container is damaged.
std::string select_cubin(std::span<const std::uint8_t> container, std::uint32_t architecture);
std::string wrapper_cubin(const FatBinaryWrapper& wrapper, std::uint32_t architecture);
// Whether there is PTX for some GPU; for a wrapper, in each of the files that it lists: nvcc links
// their machine code only.
bool has_ptx(std::span<const std::uint8_t> container);
bool has_ptx(const FatBinaryWrapper& wrapper);

// All texts of a registered wrapper, one per separately compiled file. UserError as above.
std::vector<std::string> wrapper_texts(const FatBinaryWrapper& wrapper, std::uint32_t architecture);

}  // namespace heddle::cuda
