// Everything this header stands for comes with cuda_runtime.h.
#pragma once
#define __CUDA_SURFACE_TYPES_H__

#include "cuda_runtime.h"
