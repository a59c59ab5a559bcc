// Everything this header stands for comes with cuda_runtime.h.
#pragma once
#define __CUDA_TEXTURE_TYPES_H__

#include "cuda_runtime.h"
