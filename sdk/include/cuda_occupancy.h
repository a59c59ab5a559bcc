// The runtime computes the occupancy: cudaOccupancyMaxActiveBlocksPerMultiprocessor and similar
// calls.
#pragma once
#include "cuda_runtime.h"
