// Empty: cuda_runtime.h includes the content of this header.
#pragma once
#define __HOST_CONFIG_H__

#include "cuda_runtime.h"
