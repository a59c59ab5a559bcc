#include "cuda/process/result_file.h"

#include "base/output_file.h"

namespace heddle::cuda {

void write_atomically(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace heddle::cuda
