// cuFFT is not part of Heddle. Including this header compiles; a call is an error at its line.
#pragma once

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "library_types.h"
#include "heddle/absent.h"

typedef enum {
  CUFFT_SUCCESS = 0x0,
  CUFFT_INVALID_PLAN = 0x1,
  CUFFT_ALLOC_FAILED = 0x2,
  CUFFT_INVALID_TYPE = 0x3,
  CUFFT_INVALID_VALUE = 0x4,
  CUFFT_INTERNAL_ERROR = 0x5,
  CUFFT_EXEC_FAILED = 0x6,
  CUFFT_SETUP_FAILED = 0x7,
  CUFFT_INVALID_SIZE = 0x8,
  CUFFT_UNALIGNED_DATA = 0x9,
  CUFFT_INVALID_DEVICE = 0xB,
  CUFFT_NO_WORKSPACE = 0xD,
  CUFFT_NOT_IMPLEMENTED = 0xE,
  CUFFT_NOT_SUPPORTED = 0x10,
  CUFFT_MISSING_DEPENDENCY = 0x11,
  CUFFT_NVRTC_FAILURE = 0x12,
  CUFFT_NVJITLINK_FAILURE = 0x13,
  CUFFT_NVSHMEM_FAILURE = 0x14
} cufftResult;
typedef enum {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;
typedef enum { CUFFT_COMPATIBILITY_FFTW_PADDING = 0x01 } cufftCompatibility;
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

#define HEDDLE_NAME(name) HEDDLE_ABSENT("cuFFT", cufftResult, name)
HEDDLE_NAME(cufftCreate)
HEDDLE_NAME(cufftDestroy)
HEDDLE_NAME(cufftEstimate1d)
HEDDLE_NAME(cufftEstimate2d)
HEDDLE_NAME(cufftEstimate3d)
HEDDLE_NAME(cufftEstimateMany)
HEDDLE_NAME(cufftExecC2C)
HEDDLE_NAME(cufftExecC2R)
HEDDLE_NAME(cufftExecD2Z)
HEDDLE_NAME(cufftExecR2C)
HEDDLE_NAME(cufftExecZ2D)
HEDDLE_NAME(cufftExecZ2Z)
HEDDLE_NAME(cufftGetPlanPropertyInt64)
HEDDLE_NAME(cufftGetProperty)
HEDDLE_NAME(cufftGetSize)
HEDDLE_NAME(cufftGetSize1d)
HEDDLE_NAME(cufftGetSize2d)
HEDDLE_NAME(cufftGetSize3d)
HEDDLE_NAME(cufftGetSizeMany)
HEDDLE_NAME(cufftGetSizeMany64)
HEDDLE_NAME(cufftGetVersion)
HEDDLE_NAME(cufftMakePlan1d)
HEDDLE_NAME(cufftMakePlan2d)
HEDDLE_NAME(cufftMakePlan3d)
HEDDLE_NAME(cufftMakePlanMany)
HEDDLE_NAME(cufftMakePlanMany64)
HEDDLE_NAME(cufftPlan1d)
HEDDLE_NAME(cufftPlan2d)
HEDDLE_NAME(cufftPlan3d)
HEDDLE_NAME(cufftPlanMany)
HEDDLE_NAME(cufftResetPlanProperty)
HEDDLE_NAME(cufftSetAutoAllocation)
HEDDLE_NAME(cufftSetPlanPropertyInt64)
HEDDLE_NAME(cufftSetStream)
HEDDLE_NAME(cufftSetWorkArea)
#undef HEDDLE_NAME
