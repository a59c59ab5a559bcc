// The list of a traced program's copies and kernels in their order: kernelslist.g.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.h"

namespace heddle::trace {

struct Command {
  enum class Kind : std::uint8_t { launch, copy_to_device, copy_from_device };
  Kind kind = Kind::launch;
  std::string file;         // launch: the trace of the kernel
  Address address;          // copies: in device memory
  std::uint64_t bytes = 0;  // copies
};

// Whether the file's first line is one of such a list. False when it cannot be read.
bool is_kernel_list(const std::string& path);
// Throws UserError for a line that is none of a list, and for a trace that does not exist.
std::vector<Command> read_kernel_list(const std::string& path);

}  // namespace heddle::trace
