// Empty: cuda_runtime.h includes the content of this header.
#pragma once
#define __CUDA_SURFACE_TYPES_H__

#include "cuda_runtime.h"
