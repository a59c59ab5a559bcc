// The PTX of a file: a PTX text, or the texts that a compiler embedded in an executable, object,
// library or fat binary.
#pragma once

#include <string>
#include <vector>

namespace heddle::cuda {

struct PtxText {
  std::string name;  // the file; file#1, file#2, ... if it has several texts
  std::string text;
};

// UserError when the file cannot be read or holds no PTX.
std::vector<PtxText> ptx_texts_of(const std::string& path);

}  // namespace heddle::cuda
