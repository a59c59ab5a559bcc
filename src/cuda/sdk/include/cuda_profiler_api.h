// Everything this header stands for comes with cuda_runtime.h.
#pragma once
#define __CUDA_PROFILER_API_H__

#include "cuda_runtime.h"
