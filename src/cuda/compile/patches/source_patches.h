// Source patches: nvcc accepts some text that clang rejects.
//   "%laneid" for "%%laneid" in inline assembly
//   "__shared__ alignas(16)" for "alignas(16) __shared__"
//   "kernel<< <1, 32>> >(x)", and "kernel<<<1, {8, 4}>>>(x)"
//   kernel<<<...>>>(...) in device code
//   "extern __shared__ Tile tile;" for an array
//   "__device__ __shared__" for the "__shared__" of a kernel
//   "#pragma unroll" as the text of a macro
//   operands of an asm statement without a comma between them
//   a program's own names `texture`, `surface` and `warpSize`
//   values for an array of a variable number of elements, in host code
//   members of a template's own class that do not exist, in templates that are not instantiated
//   Thrust's algorithms, called in kernels
//   conversions to an address space that is not the pointer's
// Clang's messages name the places. Clang then reads patched copies of these files; flags free the
// names, parse templates when they are instantiated and convert by instructions. The user's files
// are not changed, and diagnostics and line tables still name them.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace heddle::cuda {

class SourcePatches {
 public:
  // folder: where the copies are written.
  explicit SourcePatches(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Patches every place that clang's messages name. False when nothing could be patched.
  bool apply(const std::string& messages);

  // The flags with which clang reads the copies. Empty without patches.
  std::vector<std::string> flags() const;

 private:
  struct Copy {
    std::filesystem::path path;
    std::string text;
  };
  // Changes the text at `at`, in the line that begins at `begin`. False when it cannot.
  using Patch = bool (*)(std::string& text, std::size_t begin, std::size_t at);
  bool patch(const std::string& file, std::size_t line, std::size_t column, Patch patch);
  bool find_options(const std::string& messages);
  bool patch_thrust(const std::string& messages);
  void write() const;

  std::filesystem::path folder_;
  std::set<std::string> options_;       // flags that messages ask for
  std::map<std::string, Copy> copies_;  // by the absolute path of the original
};

}  // namespace heddle::cuda
