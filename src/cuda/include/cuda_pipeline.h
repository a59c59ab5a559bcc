// Copies from global to shared memory that go on while a thread computes.
#pragma once

#include "cuda_pipeline_primitives.h"
