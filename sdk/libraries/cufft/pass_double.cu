#include "cufft/pass_kernels.h"

namespace heddle::fft {
template void launch<double2>(Pass, const void*, void*, const Tables<double2>&, cudaStream_t);
}
