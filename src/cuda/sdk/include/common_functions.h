// Everything this header stands for comes with cuda_runtime.h.
#pragma once
#define __COMMON_FUNCTIONS_H__

#include "cuda_runtime.h"
