// NVIDIA's interface of libnvvm, as far as programs use it.
#pragma once

#include <cstddef>

extern "C" {
enum nvvmResult {
  NVVM_SUCCESS = 0,
  NVVM_ERROR_INVALID_INPUT = 4,
  NVVM_ERROR_INVALID_PROGRAM = 5,
  NVVM_ERROR_INVALID_IR = 6,
  NVVM_ERROR_INVALID_OPTION = 7,
  NVVM_ERROR_NO_MODULE_IN_PROGRAM = 8,
  NVVM_ERROR_COMPILATION = 9,
};
using nvvmProgram = struct _nvvmProgram*;

const char* nvvmGetErrorString(nvvmResult result);
nvvmResult nvvmVersion(int* major, int* minor);
nvvmResult nvvmIRVersion(int* major, int* minor, int* debug_major, int* debug_minor);
nvvmResult nvvmCreateProgram(nvvmProgram* program);
nvvmResult nvvmDestroyProgram(nvvmProgram* program);
nvvmResult nvvmAddModuleToProgram(nvvmProgram program, const char* text, size_t size,
                                  const char* name);
nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram program, const char* text, size_t size,
                                      const char* name);
nvvmResult nvvmVerifyProgram(nvvmProgram program, int count, const char** options);
nvvmResult nvvmCompileProgram(nvvmProgram program, int count, const char** options);
nvvmResult nvvmGetCompiledResultSize(nvvmProgram program, size_t* size);
nvvmResult nvvmGetCompiledResult(nvvmProgram program, char* result);
nvvmResult nvvmGetProgramLogSize(nvvmProgram program, size_t* size);
nvvmResult nvvmGetProgramLog(nvvmProgram program, char* log);
}
