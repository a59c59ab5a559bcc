// PTX targets of clang 19.
#pragma once

#include <vector>

namespace heddle::cuda {

struct Target {
  int architecture;
  int ptx_version;  // 73: PTX 7.3
};

// From the oldest to the newest.
const std::vector<Target>& known_targets();

// The newest target that is not newer than the requested architecture, or the oldest.
Target target_for(int architecture);

}  // namespace heddle::cuda
