// Everything this header stands for comes with cuda_runtime.h.
#pragma once
#define cuda_profiler_H

#include "cuda_runtime.h"
