// Cuts a capture to a range of launches, and stores images of memory in captures.
#pragma once

#include "config/run_spec.h"
#include "cuda/capture/capture_file.h"
#include "gpu/device.h"

namespace heddle::cuda {

// Runs the capture on a functional device and writes `part`: what its launches need, after an image
// of the memory before the first of them. UserError when the range has no launches, or when what
// an image needs cannot be stored.
void cut(const CaptureFile& file, gpu::Device& device, const config::CaptureSpec& part);

}  // namespace heddle::cuda
