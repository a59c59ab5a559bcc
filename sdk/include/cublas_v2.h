// cuBLAS is not part of Heddle. Including this header compiles; a call is an error at its line.
#pragma once

#include "cuComplex.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"
#include "heddle/absent.h"

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_ALGO2 = 2,
  CUBLAS_GEMM_ALGO3 = 3,
  CUBLAS_GEMM_ALGO4 = 4,
  CUBLAS_GEMM_ALGO5 = 5,
  CUBLAS_GEMM_ALGO6 = 6,
  CUBLAS_GEMM_ALGO7 = 7,
  CUBLAS_GEMM_ALGO8 = 8,
  CUBLAS_GEMM_ALGO9 = 9,
  CUBLAS_GEMM_ALGO10 = 10,
  CUBLAS_GEMM_ALGO11 = 11,
  CUBLAS_GEMM_ALGO12 = 12,
  CUBLAS_GEMM_ALGO13 = 13,
  CUBLAS_GEMM_ALGO14 = 14,
  CUBLAS_GEMM_ALGO15 = 15,
  CUBLAS_GEMM_ALGO16 = 16,
  CUBLAS_GEMM_ALGO17 = 17,
  CUBLAS_GEMM_ALGO18 = 18,
  CUBLAS_GEMM_ALGO19 = 19,
  CUBLAS_GEMM_ALGO20 = 20,
  CUBLAS_GEMM_ALGO21 = 21,
  CUBLAS_GEMM_ALGO22 = 22,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
  CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
  CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
  CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
  CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
  CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
  CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
  CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
  CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
  CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
  CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
  CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
  CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
  CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
  CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
  CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;
typedef struct cublasContext* cublasHandle_t;
typedef cudaDataType cublasDataType_t;

// Of every name there is one with 64-bit sizes.
#define HEDDLE_NAME(name)                       \
  HEDDLE_ABSENT("cuBLAS", cublasStatus_t, name) \
  HEDDLE_ABSENT("cuBLAS", cublasStatus_t, name##_64)
HEDDLE_NAME(cublasAsumEx)
HEDDLE_NAME(cublasAxpyEx)
HEDDLE_NAME(cublasCaxpy)
HEDDLE_NAME(cublasCcopy)
HEDDLE_NAME(cublasCdgmm)
HEDDLE_NAME(cublasCdotc)
HEDDLE_NAME(cublasCdotu)
HEDDLE_NAME(cublasCgbmv)
HEDDLE_NAME(cublasCgeam)
HEDDLE_NAME(cublasCgelsBatched)
HEDDLE_NAME(cublasCgemm)
HEDDLE_NAME(cublasCgemm3m)
HEDDLE_NAME(cublasCgemm3mBatched)
HEDDLE_NAME(cublasCgemm3mEx)
HEDDLE_NAME(cublasCgemm3mStridedBatched)
HEDDLE_NAME(cublasCgemmBatched)
HEDDLE_NAME(cublasCgemmEx)
HEDDLE_NAME(cublasCgemmStridedBatched)
HEDDLE_NAME(cublasCgemv)
HEDDLE_NAME(cublasCgemvBatched)
HEDDLE_NAME(cublasCgemvStridedBatched)
HEDDLE_NAME(cublasCgeqrfBatched)
HEDDLE_NAME(cublasCgerc)
HEDDLE_NAME(cublasCgeru)
HEDDLE_NAME(cublasCgetrfBatched)
HEDDLE_NAME(cublasCgetriBatched)
HEDDLE_NAME(cublasCgetrsBatched)
HEDDLE_NAME(cublasChbmv)
HEDDLE_NAME(cublasChemm)
HEDDLE_NAME(cublasChemv)
HEDDLE_NAME(cublasCher)
HEDDLE_NAME(cublasCher2)
HEDDLE_NAME(cublasCher2k)
HEDDLE_NAME(cublasCherk)
HEDDLE_NAME(cublasCherk3mEx)
HEDDLE_NAME(cublasCherkEx)
HEDDLE_NAME(cublasCherkx)
HEDDLE_NAME(cublasChpmv)
HEDDLE_NAME(cublasChpr)
HEDDLE_NAME(cublasChpr2)
HEDDLE_NAME(cublasCmatinvBatched)
HEDDLE_NAME(cublasCopyEx)
HEDDLE_NAME(cublasCreate)
HEDDLE_NAME(cublasCrot)
HEDDLE_NAME(cublasCrotg)
HEDDLE_NAME(cublasCscal)
HEDDLE_NAME(cublasCsrot)
HEDDLE_NAME(cublasCsscal)
HEDDLE_NAME(cublasCswap)
HEDDLE_NAME(cublasCsymm)
HEDDLE_NAME(cublasCsymv)
HEDDLE_NAME(cublasCsyr)
HEDDLE_NAME(cublasCsyr2)
HEDDLE_NAME(cublasCsyr2k)
HEDDLE_NAME(cublasCsyrk)
HEDDLE_NAME(cublasCsyrk3mEx)
HEDDLE_NAME(cublasCsyrkEx)
HEDDLE_NAME(cublasCsyrkx)
HEDDLE_NAME(cublasCtbmv)
HEDDLE_NAME(cublasCtbsv)
HEDDLE_NAME(cublasCtpmv)
HEDDLE_NAME(cublasCtpsv)
HEDDLE_NAME(cublasCtpttr)
HEDDLE_NAME(cublasCtrmm)
HEDDLE_NAME(cublasCtrmv)
HEDDLE_NAME(cublasCtrsm)
HEDDLE_NAME(cublasCtrsmBatched)
HEDDLE_NAME(cublasCtrsv)
HEDDLE_NAME(cublasCtrttp)
HEDDLE_NAME(cublasDasum)
HEDDLE_NAME(cublasDaxpy)
HEDDLE_NAME(cublasDcopy)
HEDDLE_NAME(cublasDdgmm)
HEDDLE_NAME(cublasDdot)
HEDDLE_NAME(cublasDestroy)
HEDDLE_NAME(cublasDgbmv)
HEDDLE_NAME(cublasDgeam)
HEDDLE_NAME(cublasDgelsBatched)
HEDDLE_NAME(cublasDgemm)
HEDDLE_NAME(cublasDgemmBatched)
HEDDLE_NAME(cublasDgemmGroupedBatched)
HEDDLE_NAME(cublasDgemmStridedBatched)
HEDDLE_NAME(cublasDgemv)
HEDDLE_NAME(cublasDgemvBatched)
HEDDLE_NAME(cublasDgemvStridedBatched)
HEDDLE_NAME(cublasDgeqrfBatched)
HEDDLE_NAME(cublasDger)
HEDDLE_NAME(cublasDgetrfBatched)
HEDDLE_NAME(cublasDgetriBatched)
HEDDLE_NAME(cublasDgetrsBatched)
HEDDLE_NAME(cublasDmatinvBatched)
HEDDLE_NAME(cublasDnrm2)
HEDDLE_NAME(cublasDotEx)
HEDDLE_NAME(cublasDotcEx)
HEDDLE_NAME(cublasDrot)
HEDDLE_NAME(cublasDrotg)
HEDDLE_NAME(cublasDrotm)
HEDDLE_NAME(cublasDrotmg)
HEDDLE_NAME(cublasDsbmv)
HEDDLE_NAME(cublasDscal)
HEDDLE_NAME(cublasDspmv)
HEDDLE_NAME(cublasDspr)
HEDDLE_NAME(cublasDspr2)
HEDDLE_NAME(cublasDswap)
HEDDLE_NAME(cublasDsymm)
HEDDLE_NAME(cublasDsymv)
HEDDLE_NAME(cublasDsyr)
HEDDLE_NAME(cublasDsyr2)
HEDDLE_NAME(cublasDsyr2k)
HEDDLE_NAME(cublasDsyrk)
HEDDLE_NAME(cublasDsyrkx)
HEDDLE_NAME(cublasDtbmv)
HEDDLE_NAME(cublasDtbsv)
HEDDLE_NAME(cublasDtpmv)
HEDDLE_NAME(cublasDtpsv)
HEDDLE_NAME(cublasDtpttr)
HEDDLE_NAME(cublasDtrmm)
HEDDLE_NAME(cublasDtrmv)
HEDDLE_NAME(cublasDtrsm)
HEDDLE_NAME(cublasDtrsmBatched)
HEDDLE_NAME(cublasDtrsv)
HEDDLE_NAME(cublasDtrttp)
HEDDLE_NAME(cublasDzasum)
HEDDLE_NAME(cublasDznrm2)
HEDDLE_NAME(cublasGemmBatchedEx)
HEDDLE_NAME(cublasGemmEx)
HEDDLE_NAME(cublasGemmGroupedBatchedEx)
HEDDLE_NAME(cublasGemmStridedBatchedEx)
HEDDLE_NAME(cublasGetAtomicsMode)
HEDDLE_NAME(cublasGetEmulationSpecialValuesSupport)
HEDDLE_NAME(cublasGetEmulationStrategy)
HEDDLE_NAME(cublasGetFixedPointEmulationMantissaBitCountPointer)
HEDDLE_NAME(cublasGetFixedPointEmulationMantissaBitOffset)
HEDDLE_NAME(cublasGetFixedPointEmulationMantissaControl)
HEDDLE_NAME(cublasGetFixedPointEmulationMaxMantissaBitCount)
HEDDLE_NAME(cublasGetLoggerCallback)
HEDDLE_NAME(cublasGetMathMode)
HEDDLE_NAME(cublasGetMatrix)
HEDDLE_NAME(cublasGetMatrixAsync)
HEDDLE_NAME(cublasGetPointerMode)
HEDDLE_NAME(cublasGetProperty)
HEDDLE_NAME(cublasGetSmCountTarget)
HEDDLE_NAME(cublasGetStream)
HEDDLE_NAME(cublasGetVector)
HEDDLE_NAME(cublasGetVectorAsync)
HEDDLE_NAME(cublasGetVersion)
HEDDLE_NAME(cublasHSHgemvBatched)
HEDDLE_NAME(cublasHSHgemvStridedBatched)
HEDDLE_NAME(cublasHSSgemvBatched)
HEDDLE_NAME(cublasHSSgemvStridedBatched)
HEDDLE_NAME(cublasHgemm)
HEDDLE_NAME(cublasHgemmBatched)
HEDDLE_NAME(cublasHgemmStridedBatched)
HEDDLE_NAME(cublasIamaxEx)
HEDDLE_NAME(cublasIaminEx)
HEDDLE_NAME(cublasIcamax)
HEDDLE_NAME(cublasIcamin)
HEDDLE_NAME(cublasIdamax)
HEDDLE_NAME(cublasIdamin)
HEDDLE_NAME(cublasIsamax)
HEDDLE_NAME(cublasIsamin)
HEDDLE_NAME(cublasIzamax)
HEDDLE_NAME(cublasIzamin)
HEDDLE_NAME(cublasLoggerConfigure)
HEDDLE_NAME(cublasMigrateComputeType)
HEDDLE_NAME(cublasNrm2Ex)
HEDDLE_NAME(cublasRotEx)
HEDDLE_NAME(cublasRotgEx)
HEDDLE_NAME(cublasRotmEx)
HEDDLE_NAME(cublasRotmgEx)
HEDDLE_NAME(cublasSasum)
HEDDLE_NAME(cublasSaxpy)
HEDDLE_NAME(cublasScalEx)
HEDDLE_NAME(cublasScasum)
HEDDLE_NAME(cublasScnrm2)
HEDDLE_NAME(cublasScopy)
HEDDLE_NAME(cublasSdgmm)
HEDDLE_NAME(cublasSdot)
HEDDLE_NAME(cublasSetAtomicsMode)
HEDDLE_NAME(cublasSetEmulationSpecialValuesSupport)
HEDDLE_NAME(cublasSetEmulationStrategy)
HEDDLE_NAME(cublasSetFixedPointEmulationMantissaBitCountPointer)
HEDDLE_NAME(cublasSetFixedPointEmulationMantissaBitOffset)
HEDDLE_NAME(cublasSetFixedPointEmulationMantissaControl)
HEDDLE_NAME(cublasSetFixedPointEmulationMaxMantissaBitCount)
HEDDLE_NAME(cublasSetLoggerCallback)
HEDDLE_NAME(cublasSetMathMode)
HEDDLE_NAME(cublasSetMatrix)
HEDDLE_NAME(cublasSetMatrixAsync)
HEDDLE_NAME(cublasSetPointerMode)
HEDDLE_NAME(cublasSetSmCountTarget)
HEDDLE_NAME(cublasSetStream)
HEDDLE_NAME(cublasSetVector)
HEDDLE_NAME(cublasSetVectorAsync)
HEDDLE_NAME(cublasSetWorkspace)
HEDDLE_NAME(cublasSgbmv)
HEDDLE_NAME(cublasSgeam)
HEDDLE_NAME(cublasSgelsBatched)
HEDDLE_NAME(cublasSgemm)
HEDDLE_NAME(cublasSgemmBatched)
HEDDLE_NAME(cublasSgemmEx)
HEDDLE_NAME(cublasSgemmGroupedBatched)
HEDDLE_NAME(cublasSgemmStridedBatched)
HEDDLE_NAME(cublasSgemv)
HEDDLE_NAME(cublasSgemvBatched)
HEDDLE_NAME(cublasSgemvStridedBatched)
HEDDLE_NAME(cublasSgeqrfBatched)
HEDDLE_NAME(cublasSger)
HEDDLE_NAME(cublasSgetrfBatched)
HEDDLE_NAME(cublasSgetriBatched)
HEDDLE_NAME(cublasSgetrsBatched)
HEDDLE_NAME(cublasSmatinvBatched)
HEDDLE_NAME(cublasSnrm2)
HEDDLE_NAME(cublasSrot)
HEDDLE_NAME(cublasSrotg)
HEDDLE_NAME(cublasSrotm)
HEDDLE_NAME(cublasSrotmg)
HEDDLE_NAME(cublasSsbmv)
HEDDLE_NAME(cublasSscal)
HEDDLE_NAME(cublasSspmv)
HEDDLE_NAME(cublasSspr)
HEDDLE_NAME(cublasSspr2)
HEDDLE_NAME(cublasSswap)
HEDDLE_NAME(cublasSsymm)
HEDDLE_NAME(cublasSsymv)
HEDDLE_NAME(cublasSsyr)
HEDDLE_NAME(cublasSsyr2)
HEDDLE_NAME(cublasSsyr2k)
HEDDLE_NAME(cublasSsyrk)
HEDDLE_NAME(cublasSsyrkx)
HEDDLE_NAME(cublasStbmv)
HEDDLE_NAME(cublasStbsv)
HEDDLE_NAME(cublasStpmv)
HEDDLE_NAME(cublasStpsv)
HEDDLE_NAME(cublasStpttr)
HEDDLE_NAME(cublasStrmm)
HEDDLE_NAME(cublasStrmv)
HEDDLE_NAME(cublasStrsm)
HEDDLE_NAME(cublasStrsmBatched)
HEDDLE_NAME(cublasStrsv)
HEDDLE_NAME(cublasStrttp)
HEDDLE_NAME(cublasSwapEx)
HEDDLE_NAME(cublasTSSgemvBatched)
HEDDLE_NAME(cublasTSSgemvStridedBatched)
HEDDLE_NAME(cublasTSTgemvBatched)
HEDDLE_NAME(cublasTSTgemvStridedBatched)
HEDDLE_NAME(cublasUint8gemmBias)
HEDDLE_NAME(cublasZaxpy)
HEDDLE_NAME(cublasZcopy)
HEDDLE_NAME(cublasZdgmm)
HEDDLE_NAME(cublasZdotc)
HEDDLE_NAME(cublasZdotu)
HEDDLE_NAME(cublasZdrot)
HEDDLE_NAME(cublasZdscal)
HEDDLE_NAME(cublasZgbmv)
HEDDLE_NAME(cublasZgeam)
HEDDLE_NAME(cublasZgelsBatched)
HEDDLE_NAME(cublasZgemm)
HEDDLE_NAME(cublasZgemm3m)
HEDDLE_NAME(cublasZgemmBatched)
HEDDLE_NAME(cublasZgemmStridedBatched)
HEDDLE_NAME(cublasZgemv)
HEDDLE_NAME(cublasZgemvBatched)
HEDDLE_NAME(cublasZgemvStridedBatched)
HEDDLE_NAME(cublasZgeqrfBatched)
HEDDLE_NAME(cublasZgerc)
HEDDLE_NAME(cublasZgeru)
HEDDLE_NAME(cublasZgetrfBatched)
HEDDLE_NAME(cublasZgetriBatched)
HEDDLE_NAME(cublasZgetrsBatched)
HEDDLE_NAME(cublasZhbmv)
HEDDLE_NAME(cublasZhemm)
HEDDLE_NAME(cublasZhemv)
HEDDLE_NAME(cublasZher)
HEDDLE_NAME(cublasZher2)
HEDDLE_NAME(cublasZher2k)
HEDDLE_NAME(cublasZherk)
HEDDLE_NAME(cublasZherkx)
HEDDLE_NAME(cublasZhpmv)
HEDDLE_NAME(cublasZhpr)
HEDDLE_NAME(cublasZhpr2)
HEDDLE_NAME(cublasZmatinvBatched)
HEDDLE_NAME(cublasZrot)
HEDDLE_NAME(cublasZrotg)
HEDDLE_NAME(cublasZscal)
HEDDLE_NAME(cublasZswap)
HEDDLE_NAME(cublasZsymm)
HEDDLE_NAME(cublasZsymv)
HEDDLE_NAME(cublasZsyr)
HEDDLE_NAME(cublasZsyr2)
HEDDLE_NAME(cublasZsyr2k)
HEDDLE_NAME(cublasZsyrk)
HEDDLE_NAME(cublasZsyrkx)
HEDDLE_NAME(cublasZtbmv)
HEDDLE_NAME(cublasZtbsv)
HEDDLE_NAME(cublasZtpmv)
HEDDLE_NAME(cublasZtpsv)
HEDDLE_NAME(cublasZtpttr)
HEDDLE_NAME(cublasZtrmm)
HEDDLE_NAME(cublasZtrmv)
HEDDLE_NAME(cublasZtrsm)
HEDDLE_NAME(cublasZtrsmBatched)
HEDDLE_NAME(cublasZtrsv)
HEDDLE_NAME(cublasZtrttp)
HEDDLE_NAME(cublasGetCudartVersion)
HEDDLE_NAME(cublasXerbla)
#undef HEDDLE_NAME
HEDDLE_ABSENT("cuBLAS", const char*, cublasGetStatusName)
HEDDLE_ABSENT("cuBLAS", const char*, cublasGetStatusString)
