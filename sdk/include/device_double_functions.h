// Empty: cuda_runtime.h includes the content of this header.
#pragma once
#define __DEVICE_DOUBLE_FUNCTIONS_H__

#include "cuda_runtime.h"
