// Precompiled forms of cuda_runtime.h, which clang reads before every CUDA source, once for the
// device and once for the host. One file for each set of flags, made by the first command that has
// them. Clang checks that no header has changed since.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cuda/compile/process.h"

namespace heddle::cuda {

class HeaderCache {
 public:
  // folder: an existing folder, or empty: nothing is precompiled.
  explicit HeaderCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The precompiled header for a command with these flags, which name neither a source nor an
  // output. Made now if it is missing; none when it cannot be made.
  std::optional<std::filesystem::path> find(const Command& flags) const;

  // The command, with the precompiled header in place of cuda_runtime.h.
  static Command with_header(const Command& command, const std::filesystem::path& header);

  // Removes a header that clang's messages refuse, so that the next command makes it again.
  static void remove_refused(const std::filesystem::path& header, const std::string& messages);

 private:
  std::filesystem::path folder_;
};

}  // namespace heddle::cuda
