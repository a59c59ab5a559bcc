// The PTX inside a file: a PTX text itself, or the texts that a compiler embedded in an executable,
// object, library or fat binary.
#pragma once

#include <string>
#include <vector>

namespace heddle::cuda {

struct PtxText {
  std::string name;  // the file; with several texts in it, file#1 and so on
  std::string text;
};

// UserError when the file cannot be read or holds no PTX.
std::vector<PtxText> ptx_texts_of(const std::string& path);

}  // namespace heddle::cuda
