// cuBLAS is not part of Heddle. This header adds the functions of its first interface to
// cublas_v2.h.
#pragma once

#include "cublas_v2.h"
#include "heddle/absent.h"

typedef cublasStatus_t cublasStatus;

#define HEDDLE_NAME(name) HEDDLE_ABSENT("cuBLAS", cublasStatus_t, name)
HEDDLE_NAME(cublasAlloc)
HEDDLE_NAME(cublasFree)
HEDDLE_NAME(cublasGetError)
HEDDLE_NAME(cublasInit)
HEDDLE_NAME(cublasSetKernelStream)
HEDDLE_NAME(cublasShutdown)
#undef HEDDLE_NAME
