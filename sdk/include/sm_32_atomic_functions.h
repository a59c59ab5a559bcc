// Empty: cuda_runtime.h includes the content of this header.
#pragma once
#define __SM_32_ATOMIC_FUNCTIONS_H__

#include "cuda_runtime.h"
