// Empty: cuda_runtime.h includes the content of this header.
#pragma once
#define __SURFACE_INDIRECT_FUNCTIONS_H__

#include "cuda_runtime.h"
