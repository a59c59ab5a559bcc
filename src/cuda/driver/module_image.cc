#include "cuda/driver/module_image.h"

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

std::vector<std::string> texts_at(Session& session, const char* image, std::size_t bytes) {
  const auto& gpu = session.spec().gpu;
  const std::uint32_t architecture = gpu.compute_major * 10 + gpu.compute_minor;
  if (*image == 0) throw UserError("the image is empty");
  if (begins_with(image, kLinkedMark.data(), kLinkedMark.size()))
    return linked_texts(image + kLinkedMark.size());
  if (begins_with(image, "\177ELF", 4)) {
    throw UserError(
        "the module is machine code (a cubin): give PTX (nvcc -ptx, or -gencode "
        "arch=compute_75,code=compute_75)");
  }
  if (begins_with(image, &kContainerMagic, sizeof kContainerMagic)) {
    if (bytes == kUnknownBytes)
      return wrapper_texts({kWrapperMagic, 1, image, nullptr}, architecture);
    return {select_ptx({reinterpret_cast<const std::uint8_t*>(image), bytes}, architecture)};
  }
  // A wrapper holds addresses, so it cannot come from a file.
  if (bytes == kUnknownBytes && begins_with(image, &kWrapperMagic, sizeof kWrapperMagic)) {
    return wrapper_texts(*static_cast<const FatBinaryWrapper*>(static_cast<const void*>(image)),
                         architecture);
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

std::string linked_image(const std::vector<std::string>& texts) {
  std::string image{kLinkedMark};
  for (const std::string& text : texts) image += std::to_string(text.size()) + "\n" + text;
  return image;
}

}  // namespace heddle::cuda
