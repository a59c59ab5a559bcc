// Everything this header stands for comes with cuda_runtime.h.
#pragma once
#define __SM_20_INTRINSICS_H__

#include "cuda_runtime.h"
