// Empty: cuda_runtime.h includes the content of this header.
#pragma once
#define __SM_13_DOUBLE_FUNCTIONS_H__

#include "cuda_runtime.h"
