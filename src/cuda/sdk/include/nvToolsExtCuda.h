// The NVIDIA tools extension under its older name.
#pragma once

#include "nvtx3/nvToolsExtCuda.h"
