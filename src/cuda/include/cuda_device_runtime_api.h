// Everything this header stands for comes with cuda_runtime.h.
#pragma once
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "cuda_runtime.h"
