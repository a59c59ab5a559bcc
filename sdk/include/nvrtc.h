// NVRTC is not part of Heddle. Including this header compiles; a call is an error at its line.
#pragma once

#include <stddef.h>
#include "heddle/absent.h"

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
  NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
  NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
  NVRTC_ERROR_PCH_CREATE = 15,
  NVRTC_ERROR_CANCELLED = 16,
  NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;
typedef struct _nvrtcProgram* nvrtcProgram;

#define HEDDLE_NAME(name) HEDDLE_ABSENT("NVRTC", nvrtcResult, name)
HEDDLE_NAME(nvrtcAddNameExpression)
HEDDLE_NAME(nvrtcCompileProgram)
HEDDLE_NAME(nvrtcCreateProgram)
HEDDLE_NAME(nvrtcDestroyProgram)
HEDDLE_NAME(nvrtcGetCUBIN)
HEDDLE_NAME(nvrtcGetCUBINSize)
HEDDLE_NAME(nvrtcGetLTOIR)
HEDDLE_NAME(nvrtcGetLTOIRSize)
HEDDLE_NAME(nvrtcGetLoweredName)
HEDDLE_NAME(nvrtcGetNumSupportedArchs)
HEDDLE_NAME(nvrtcGetOptiXIR)
HEDDLE_NAME(nvrtcGetOptiXIRSize)
HEDDLE_NAME(nvrtcGetPCHCreateStatus)
HEDDLE_NAME(nvrtcGetPCHHeapSize)
HEDDLE_NAME(nvrtcGetPCHHeapSizeRequired)
HEDDLE_NAME(nvrtcGetPTX)
HEDDLE_NAME(nvrtcGetPTXSize)
HEDDLE_NAME(nvrtcGetProgramLog)
HEDDLE_NAME(nvrtcGetProgramLogSize)
HEDDLE_NAME(nvrtcGetSupportedArchs)
HEDDLE_NAME(nvrtcGetTypeName)
HEDDLE_NAME(nvrtcSetFlowCallback)
HEDDLE_NAME(nvrtcSetPCHHeapSize)
HEDDLE_NAME(nvrtcVersion)
#undef HEDDLE_NAME
HEDDLE_ABSENT("NVRTC", const char*, nvrtcGetErrorString)
