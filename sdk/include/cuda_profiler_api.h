// Empty: cuda_runtime.h includes the content of this header.
#pragma once
#define __CUDA_PROFILER_API_H__

#include "cuda_runtime.h"
