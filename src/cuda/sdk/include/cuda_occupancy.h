// The occupancy calculation is the runtime's: cudaOccupancyMaxActiveBlocksPerMultiprocessor and its
// relatives.
#pragma once
#include "cuda_runtime.h"
