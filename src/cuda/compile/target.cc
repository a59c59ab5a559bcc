#include "cuda/compile/target.h"

namespace heddle::cuda {

// Shuffles and votes with a mask need PTX 6.0, alloca needs 7.3 and sm_52, loads and cp.async that
// prefetch into the L2 cache need 7.4. The oldest version that is written is 6.3.
const std::vector<Target>& known_targets() {
  static const std::vector<Target> targets = {
      {30, 63}, {32, 63}, {35, 63}, {37, 63}, {50, 63}, {52, 73}, {53, 73}, {60, 73}, {61, 73},
      {62, 73}, {70, 73}, {72, 73}, {75, 73}, {80, 74}, {86, 74}, {87, 74}, {89, 78}, {90, 78}};
  return targets;
}

Target target_for(int architecture) {
  Target chosen = known_targets().front();
  for (const Target& target : known_targets())
    if (target.architecture <= architecture) chosen = target;
  return chosen;
}

}  // namespace heddle::cuda
