// Empty: cuda_runtime.h includes the content of this header.
#pragma once

#include "cuda_runtime.h"
