// Everything this header stands for comes with cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
