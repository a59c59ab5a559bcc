// What the device runtime of kernels needs to know about the process's program and GPU.
#pragma once

#include "gpu/nested/device_code.h"

namespace heddle::cuda {

class Session;

gpu::DeviceCode device_code(Session& session);

}  // namespace heddle::cuda
