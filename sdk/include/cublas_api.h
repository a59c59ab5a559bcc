// cuBLAS is not part of Heddle.
#pragma once

#include "cublas_v2.h"
