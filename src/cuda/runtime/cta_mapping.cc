// The call of heddle.h that sets the mapping register of CTA schedulers. It is not part of CUDA.
#include "cuda/process/session.h"

using heddle::analysis::Direction;
using heddle::cuda::Session;

extern "C" __attribute__((visibility("default"))) int heddleSetMappingRegister(int mapping) {
  if (mapping < 0 || mapping > 2) return 1;
  Session& session = Session::get();
  const std::lock_guard lock(session.calls.mutex);
  session.launches.cta_direction = mapping == 1   ? Direction::x
                                   : mapping == 2 ? Direction::y
                                                  : Direction::none;
  return 0;
}
