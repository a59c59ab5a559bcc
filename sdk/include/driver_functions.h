// Empty: cuda_runtime.h includes the content of this header.
#pragma once
#define __DRIVER_FUNCTIONS_H__

#include "cuda_runtime.h"
