// cuRAND's host API is not part of Heddle; a call is an error at its line. Kernels use
// curand_kernel.h.
#pragma once

#include "cuda_runtime.h"
#include "heddle/absent.h"

typedef enum {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
typedef enum {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;
typedef struct curandGenerator_st* curandGenerator_t;
typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;

#define HEDDLE_NAME(name) HEDDLE_ABSENT("cuRAND's host side", curandStatus_t, name)
HEDDLE_NAME(curandCreateGenerator)
HEDDLE_NAME(curandCreateGeneratorHost)
HEDDLE_NAME(curandCreatePoissonDistribution)
HEDDLE_NAME(curandDestroyDistribution)
HEDDLE_NAME(curandDestroyGenerator)
HEDDLE_NAME(curandGenerate)
HEDDLE_NAME(curandGenerateBinomial)
HEDDLE_NAME(curandGenerateBinomialMethod)
HEDDLE_NAME(curandGenerateLogNormal)
HEDDLE_NAME(curandGenerateLogNormalDouble)
HEDDLE_NAME(curandGenerateLongLong)
HEDDLE_NAME(curandGenerateNormal)
HEDDLE_NAME(curandGenerateNormalDouble)
HEDDLE_NAME(curandGeneratePoisson)
HEDDLE_NAME(curandGeneratePoissonMethod)
HEDDLE_NAME(curandGenerateSeeds)
HEDDLE_NAME(curandGenerateUniform)
HEDDLE_NAME(curandGenerateUniformDouble)
HEDDLE_NAME(curandGetDirectionVectors32)
HEDDLE_NAME(curandGetDirectionVectors64)
HEDDLE_NAME(curandGetProperty)
HEDDLE_NAME(curandGetScrambleConstants32)
HEDDLE_NAME(curandGetScrambleConstants64)
HEDDLE_NAME(curandGetVersion)
HEDDLE_NAME(curandSetGeneratorOffset)
HEDDLE_NAME(curandSetGeneratorOrdering)
HEDDLE_NAME(curandSetPseudoRandomGeneratorSeed)
HEDDLE_NAME(curandSetQuasiRandomGeneratorDimensions)
HEDDLE_NAME(curandSetStream)
#undef HEDDLE_NAME
