// Asynchronous copies from global to shared memory.
#pragma once
#define _CUDA_PIPELINE_H_

#include "cuda_pipeline_primitives.h"
