// What nvcc takes and clang does not: "%laneid" for "%%laneid" in inline assembly, "__shared__
// alignas(16)" for "alignas(16) __shared__", "kernel<< <1, 32>> >(x)" as some formatters leave it,
// "kernel<<<1, {8, 4}>>>(x)", "__device__ __shared__" for the "__shared__" of a kernel, and things
// of a program's own that are called `texture` or `surface`; and Thrust's launches, where its
// algorithms are called in kernels. Clang says where it stands, and reads a copy of that file in
// which it is mended, line by line; the names are freed by a macro. The user's files stay as they
// are, and diagnostics and line tables name them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace heddle::cuda {

class SourceMends {
 public:
  // `folder` takes the copies.
  explicit SourceMends(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Mends every place that clang's messages complain of; false when there is none that could be.
  bool mend(const std::string& messages);

  // What clang needs to read the copies; empty while there are none.
  std::vector<std::string> flags() const;

 private:
  struct Copy {
    std::filesystem::path path;
    std::string text;
  };
  // Changes the text of a line that begins at `begin`, at `at`; false when it cannot.
  using Mend = bool (*)(std::string& text, std::size_t begin, std::size_t at);
  bool mend(const std::string& file, std::size_t line, std::size_t column, Mend how);
  bool frees_names(const std::string& messages);
  bool mend_thrust(const std::string& messages);
  void write() const;

  std::filesystem::path folder_;
  bool frees_names_ = false;
  std::map<std::string, Copy> copies_;  // by the absolute name of the original
};

}  // namespace heddle::cuda
