// Empty: cuda_runtime.h includes the content of this header.
#pragma once
#define cuda_profiler_H

#include "cuda_runtime.h"
