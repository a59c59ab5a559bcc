// Copies from global to shared memory that go on while a thread computes.
#pragma once
#define _CUDA_PIPELINE_H_

#include "cuda_pipeline_primitives.h"
