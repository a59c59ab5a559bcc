#include "cuda/driver/module_image.h"

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

// Of an ELF file in memory: as far as its tables and sections reach.
std::size_t elf_bytes(const char* image) {
  constexpr std::size_t kProgramsAt = 32, kSectionsAt = 40, kProgramBytesAt = 54,
                        kProgramCountAt = 56, kSectionBytesAt = 58, kSectionCountAt = 60,
                        kTypeAt = 4, kDataAt = 24, kSizeAt = 32;
  constexpr std::uint32_t kNoBits = 8;
  const auto number = [image]<class T>(std::size_t at, T value) {
    std::memcpy(&value, image + at, sizeof value);
    return value;
  };
  const auto sections = number(kSectionsAt, std::uint64_t{});
  const std::size_t each = number(kSectionBytesAt, std::uint16_t{}),
                    count = number(kSectionCountAt, std::uint16_t{});
  const std::size_t programs = number(kProgramBytesAt, std::uint16_t{}) *
                               std::size_t{number(kProgramCountAt, std::uint16_t{})};
  std::size_t end =
      std::max(sections + each * count, number(kProgramsAt, std::uint64_t{}) + programs);
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t header = sections + each * n;
    if (number(header + kTypeAt, std::uint32_t{}) == kNoBits) continue;
    end = std::max<std::size_t>(
        end, number(header + kDataAt, std::uint64_t{}) + number(header + kSizeAt, std::uint64_t{}));
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
  constexpr std::size_t kElfHeader = 64;
  if (isa == config::CodeKind::ptx || (bytes != kUnknownBytes && bytes < kElfHeader)) return {};
  if (is_elf(first)) return {first, bytes == kUnknownBytes ? elf_bytes(first) : bytes};
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
