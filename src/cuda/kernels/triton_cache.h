// A kernel in Triton's cache: a folder with NAME.json, NAME.ptx and NAME.cubin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cuda/kernels/element_type.h"

namespace heddle::cuda {

struct TritonKernel {
  std::string name;
  std::string ptx, cubin;  // paths; one of them may be empty
  std::uint32_t threads = 0, shared_bytes = 0;
  bool cooperative = false;
  // Of each CTA. The kernel's last parameters are the addresses of such memory, if it has them.
  std::uint64_t global_scratch = 0, profile_scratch = 0;
  // The scalar types of the arguments; none for an address. Empty when the JSON has no signature.
  std::vector<std::optional<ElementType>> signature;
};

// Whether the path is such a folder, or the JSON of a kernel.
bool is_triton_cache(const std::string& path);
// The content of a kernel's JSON, without paths. UserError with the file for what is none, and for
// clusters.
TritonKernel parse_triton_json(const std::string& text, const std::string& file);
// With the paths of its code. UserError also for a folder with several kernels.
TritonKernel read_triton_cache(const std::string& path);

}  // namespace heddle::cuda
