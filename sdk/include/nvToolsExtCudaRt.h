// The older name of the NVIDIA tools extension.
#pragma once

#include "nvtx3/nvToolsExtCudaRt.h"
