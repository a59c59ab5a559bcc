// Launches from device code. cuda_runtime.h includes this header and its other content.
#pragma once
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "cuda_runtime.h"
#include "heddle/nested_launches.h"
