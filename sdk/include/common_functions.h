// Empty: cuda_runtime.h includes the content of this header.
#pragma once
#define __COMMON_FUNCTIONS_H__

#include "cuda_runtime.h"
