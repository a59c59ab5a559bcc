// The description of kernels that run without a host program: a TOML file with modules, buffers and
// launches (docs/run-a-kernel.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/types.h"
#include "cuda/kernels/npy.h"
#include "cuda/kernels/triton_cache.h"

namespace heddle::cuda {

// The elements of a buffer: those of a file, or made.
struct Content {
  enum class Kind : std::uint8_t { file, constant, arange, random };
  Kind kind = Kind::constant;
  std::string file;
  std::uint64_t data_offset = 0;  // in the file
  // constant: first. arange: first, first + second, ... random: uniform from first to below second.
  long double first = 0, second = 1;
  std::uint64_t seed = 0;
};

struct ExpectedContent {
  Content content;
  double rtol = 0, atol = 0;
};

struct KernelBuffer {
  std::string name;
  ElementType type = ElementType::f32;
  Shape shape;
  Content content;
  std::optional<ExpectedContent> expected;
  std::string save;  // the .npy file that gets the elements after the launches; empty: none

  std::uint64_t bytes() const { return shape.elements() * info_of(type).bytes; }
};

// A module of code: a file, or a kernel of Triton's cache.
struct KernelModule {
  std::string path;
  std::optional<TritonKernel> triton;
};

struct KernelArgument {
  // A buffer's address plus an offset in bytes, or the value.
  std::optional<std::size_t> buffer;
  std::uint64_t offset = 0;
  std::string value;
  SourceLocation where;
};

struct KernelLaunch {
  std::size_t module = 0;
  std::string kernel;  // empty: the module's only one
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  // dynamic
  bool cooperative = false;
  std::optional<Dim3> cluster;
  std::vector<KernelArgument> arguments;
  SourceLocation where;
};

struct KernelDescription {
  std::vector<KernelModule> modules;
  std::vector<KernelBuffer> buffers;
  std::vector<KernelLaunch> launches;
  // The files that determine the result, the description first.
  std::vector<std::string> files;
};

// Whether the path is a .toml file or a folder with a kernel.toml or a kernel of Triton.
bool is_kernel_description(const std::string& path);
// Paths in it are relative to its folder. UserError with file, line and column for every mistake,
// also in the headers of .npy files.
KernelDescription read_kernel_description(const std::string& path);

}  // namespace heddle::cuda
