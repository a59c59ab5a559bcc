// The version of the CUDA interface that programs see. The driver API is not part of it.
#pragma once

#define CUDA_VERSION 13000

#include <stdint.h>
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
