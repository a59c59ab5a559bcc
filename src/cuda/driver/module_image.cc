#include "cuda/driver/module_image.h"

#include <elf.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <span>
#include <string_view>

#include "base/diagnostics.h"
#include "cuda/fatbin/fat_binary.h"

namespace heddle::cuda {
namespace {

// Of linked_image(): this mark, then for every text its decimal length, a newline, and the text.
constexpr std::string_view kLinkedMark = "//heddle: linked PTX\n";

[[noreturn]] void refuse_damaged() {
  throw UserError("the image of linked PTX is damaged: a text ends before its length says");
}

// `at` is a string.
std::vector<std::string> linked_texts(const char* at) {
  std::vector<std::string> texts;
  while (*at != 0) {
    const char* end = at;
    while (*end >= '0' && *end <= '9') ++end;
    std::size_t bytes = 0;
    if (std::from_chars(at, end, bytes).ec != std::errc{} || *end != '\n') refuse_damaged();
    if (strnlen(end + 1, bytes) < bytes) refuse_damaged();
    texts.emplace_back(end + 1, bytes);
    at = end + 1 + bytes;
  }
  if (texts.empty()) refuse_damaged();
  return texts;
}

// Compares only as many bytes as are equal: a short text ends earlier.
bool begins_with(const char* image, const void* bytes, std::size_t count) {
  return std::strncmp(image, static_cast<const char*>(bytes), count) == 0;
}

std::uint32_t architecture_of(Session& session) {
  const auto& gpu = session.spec().gpu;
  return gpu.compute_major * 10 + gpu.compute_minor;
}

bool is_elf(const char* image) { return begins_with(image, "\177ELF", 4); }
bool is_wrapper(const char* image, std::size_t bytes) {
  // A wrapper holds addresses, so it cannot come from a file.
  return bytes == kUnknownBytes && begins_with(image, &kWrapperMagic, sizeof kWrapperMagic);
}
bool is_container(const char* image) {
  return begins_with(image, &kContainerMagic, sizeof kContainerMagic);
}

// Bytes of a cubin in memory, as far as its tables and sections reach; 0: it is none. Of an image
// that is none, only the bytes up to the first wrong one are read.
std::size_t cubin_bytes(const char* image) {
  constexpr std::uint16_t kCuda = 190;  // EM_CUDA
  if (image[EI_CLASS] != ELFCLASS64 || image[EI_DATA] != ELFDATA2LSB) return 0;
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  if (header.e_machine != kCuda || header.e_ehsize != sizeof header ||
      header.e_shentsize != sizeof(Elf64_Shdr))
    return 0;
  std::size_t end = std::max(header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize,
                             header.e_phoff + std::size_t{header.e_phnum} * header.e_phentsize);
  for (std::size_t n = 0; n < header.e_shnum; ++n) {
    Elf64_Shdr section;
    std::memcpy(&section, image + header.e_shoff + n * sizeof section, sizeof section);
    if (section.sh_type != SHT_NOBITS) end = std::max(end, section.sh_offset + section.sh_size);
  }
  return end;
}

std::vector<std::string> texts_at(Session& session, const char* image, std::size_t bytes) {
  const std::uint32_t architecture = architecture_of(session);
  if (*image == 0) throw UserError("the image is empty");
  if (begins_with(image, kLinkedMark.data(), kLinkedMark.size()))
    return linked_texts(image + kLinkedMark.size());
  if (is_elf(image)) {
    throw UserError(
        "the module is machine code (a cubin): give PTX (nvcc -ptx, or -gencode "
        "arch=compute_75,code=compute_75)");
  }
  if (is_container(image)) {
    if (bytes == kUnknownBytes)
      return wrapper_texts({kWrapperMagic, 1, image, nullptr}, architecture);
    return {select_ptx({reinterpret_cast<const std::uint8_t*>(image), bytes}, architecture)};
  }
  if (is_wrapper(image, bytes)) {
    return wrapper_texts(*reinterpret_cast<const FatBinaryWrapper*>(image), architecture);
  }
  return {image};
}

}  // namespace

std::vector<std::string> image_texts(Session& session, const void* image, std::size_t bytes) {
  const auto* const first = static_cast<const char*>(image);
  if (bytes == kUnknownBytes) return texts_at(session, first, bytes);
  const std::string copy(first, bytes);  // a string, whatever the program gave
  return texts_at(session, copy.c_str(), bytes);
}

std::string image_cubin(Session& session, const void* image, std::size_t bytes) {
  const auto* const first = static_cast<const char*>(image);
  const config::CodeKind isa = session.spec().isa;
  if (isa == config::CodeKind::ptx || bytes < sizeof(Elf64_Ehdr)) return {};
  if (is_elf(first)) return {first, bytes == kUnknownBytes ? cubin_bytes(first) : bytes};
  FatBinaryWrapper wrapper{kWrapperMagic, 1, image, nullptr};
  if (is_wrapper(first, bytes))
    wrapper = *reinterpret_cast<const FatBinaryWrapper*>(first);
  else if (!is_container(first))
    return {};
  const std::span<const std::uint8_t> container{static_cast<const std::uint8_t*>(image), bytes};
  const bool unknown = bytes == kUnknownBytes;
  if (isa == config::CodeKind::automatic && (unknown ? has_ptx(wrapper) : has_ptx(container)))
    return {};
  return unknown ? wrapper_cubin(wrapper, architecture_of(session))
                 : select_cubin(container, architecture_of(session));
}

std::string linked_image(const std::vector<std::string>& texts) {
  std::string image{kLinkedMark};
  for (const std::string& text : texts) image += std::to_string(text.size()) + "\n" + text;
  return image;
}

}  // namespace heddle::cuda
