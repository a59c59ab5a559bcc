// Everything this header stands for comes with cuda_runtime.h.
#pragma once
#define __SURFACE_INDIRECT_FUNCTIONS_H__

#include "cuda_runtime.h"
