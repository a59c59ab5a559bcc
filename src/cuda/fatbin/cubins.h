// The cubins of a file: a cubin, or those that a compiler embedded in an executable, object,
// library or fat binary.
#pragma once

#include <string>
#include <vector>

#include "sass/cubin/cubin.h"

namespace heddle::cuda {

struct CubinImage {
  std::string name;     // the file; file#1, file#2, ... if it has several cubins
  std::string content;  // an ELF file

  sass::Cubin read() const;  // UserError with the name when the content is corrupt
};

// UserError when the file cannot be read or holds no cubin.
std::vector<CubinImage> cubins_of(const std::string& path);

}  // namespace heddle::cuda
