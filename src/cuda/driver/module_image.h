// The images that programs load as modules: PTX, a fat binary, or what the linker returned.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cuda/process/session.h"

namespace heddle::cuda {

inline constexpr std::size_t kUnknownBytes = ~std::size_t{0};

// The PTX texts of an image of `bytes` bytes; kUnknownBytes: the program only gave an address.
// UserError when there are none.
std::vector<std::string> image_texts(Session& session, const void* image, std::size_t bytes);

// The machine code of an image that the run executes in place of PTX (--isa); empty: there is none.
// Of an image without a size, which a program only gave an address of, the headers are trusted.
std::string image_cubin(Session& session, const void* image, std::size_t bytes);

// The image of linked texts, which ends with a zero byte.
std::string linked_image(const std::vector<std::string>& texts);

}  // namespace heddle::cuda
