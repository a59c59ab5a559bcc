// Empty: cuda_runtime.h includes the content of this header.
#pragma once
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime.h"
