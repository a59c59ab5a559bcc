// CUB as it is installed or in the user's folder. Its later versions include the functors of
// libcu++ that programs give to its algorithms.
#pragma once

#include_next <cub/cub.cuh>

#include <cuda/functional>
#include <cuda/std/functional>
