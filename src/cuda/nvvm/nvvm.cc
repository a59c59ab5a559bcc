#include "cuda/nvvm/nvvm.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cuda/nvvm/compiler.h"
#include "cuda/nvvm/ir.h"

struct _nvvmProgram {
  std::vector<heddle::nvvm::IrModule> modules;
  std::string result, log;
};

namespace {

using namespace heddle::nvvm;

nvvmResult add(nvvmProgram program, const char* text, size_t size, const char* name, bool lazy) {
  if (!program) return NVVM_ERROR_INVALID_PROGRAM;
  if (!text || size == 0) return NVVM_ERROR_INVALID_INPUT;
  program->modules.push_back({name ? name : "<unnamed>", std::string(text, size), lazy});
  return NVVM_SUCCESS;
}

template <typename Work>
nvvmResult with_log(nvvmProgram program, Work work) {
  if (!program) return NVVM_ERROR_INVALID_PROGRAM;
  program->log.clear();
  const auto report = [&](const std::exception& error, nvvmResult result) {
    program->log = error.what();
    return result;
  };
  try {
    work();
    return NVVM_SUCCESS;
  } catch (const InvalidOption& error) {
    return report(error, NVVM_ERROR_INVALID_OPTION);
  } catch (const InvalidIr& error) {
    return report(error, NVVM_ERROR_INVALID_IR);
  } catch (const std::exception& error) {
    return report(error, NVVM_ERROR_COMPILATION);
  }
}

NvvmOptions options_of(int count, const char** options) {
  return NvvmOptions(std::vector<std::string>(options, options + (options ? count : 0)));
}

bool has_module(nvvmProgram program) {
  for (const IrModule& module : program->modules)
    if (!module.lazy) return true;
  return false;
}

using Text = const std::string& (*)(const _nvvmProgram&);
const std::string& result_of(const _nvvmProgram& program) { return program.result; }
const std::string& log_of(const _nvvmProgram& program) { return program.log; }

nvvmResult copy(nvvmProgram program, Text text, char* to) {
  if (!program) return NVVM_ERROR_INVALID_PROGRAM;
  if (!to) return NVVM_ERROR_INVALID_INPUT;
  std::memcpy(to, text(*program).c_str(), text(*program).size() + 1);
  return NVVM_SUCCESS;
}

nvvmResult size_of(nvvmProgram program, Text text, size_t* size) {
  if (!program) return NVVM_ERROR_INVALID_PROGRAM;
  if (!size) return NVVM_ERROR_INVALID_INPUT;
  *size = text(*program).size() + 1;
  return NVVM_SUCCESS;
}

}  // namespace

extern "C" {

const char* nvvmGetErrorString(nvvmResult result) {
  switch (result) {
    case NVVM_SUCCESS: return "NVVM_SUCCESS";
    case NVVM_ERROR_INVALID_INPUT: return "NVVM_ERROR_INVALID_INPUT";
    case NVVM_ERROR_INVALID_PROGRAM: return "NVVM_ERROR_INVALID_PROGRAM";
    case NVVM_ERROR_INVALID_IR: return "NVVM_ERROR_INVALID_IR";
    case NVVM_ERROR_INVALID_OPTION: return "NVVM_ERROR_INVALID_OPTION";
    case NVVM_ERROR_NO_MODULE_IN_PROGRAM: return "NVVM_ERROR_NO_MODULE_IN_PROGRAM";
    case NVVM_ERROR_COMPILATION: return "NVVM_ERROR_COMPILATION";
  }
  return "unknown result";
}

nvvmResult nvvmVersion(int* major, int* minor) {
  if (!major || !minor) return NVVM_ERROR_INVALID_INPUT;
  *major = 2;
  *minor = 0;
  return NVVM_SUCCESS;
}

nvvmResult nvvmIRVersion(int* major, int* minor, int* debug_major, int* debug_minor) {
  if (!debug_major || !debug_minor) return NVVM_ERROR_INVALID_INPUT;
  *debug_major = 3;
  *debug_minor = 2;
  return nvvmVersion(major, minor);
}

nvvmResult nvvmCreateProgram(nvvmProgram* program) {
  if (!program) return NVVM_ERROR_INVALID_PROGRAM;
  *program = std::make_unique<_nvvmProgram>().release();
  return NVVM_SUCCESS;
}

nvvmResult nvvmDestroyProgram(nvvmProgram* program) {
  if (!program || !*program) return NVVM_ERROR_INVALID_PROGRAM;
  const std::unique_ptr<_nvvmProgram> owned(std::exchange(*program, nullptr));
  return NVVM_SUCCESS;
}

nvvmResult nvvmAddModuleToProgram(nvvmProgram program, const char* text, size_t size,
                                  const char* name) {
  return add(program, text, size, name, false);
}

nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram program, const char* text, size_t size,
                                      const char* name) {
  return add(program, text, size, name, true);
}

nvvmResult nvvmVerifyProgram(nvvmProgram program, int count, const char** options) {
  return with_log(program, [&] {
    options_of(count, options);
    for (const IrModule& module : program->modules) bitcode_of(module, false);
  });
}

nvvmResult nvvmCompileProgram(nvvmProgram program, int count, const char** options) {
  if (program && !has_module(program)) return NVVM_ERROR_NO_MODULE_IN_PROGRAM;
  return with_log(program,
                  [&] { program->result = compile(program->modules, options_of(count, options)); });
}

nvvmResult nvvmGetCompiledResultSize(nvvmProgram program, size_t* size) {
  return size_of(program, ::result_of, size);
}

nvvmResult nvvmGetCompiledResult(nvvmProgram program, char* result) {
  return copy(program, ::result_of, result);
}

nvvmResult nvvmGetProgramLogSize(nvvmProgram program, size_t* size) {
  return size_of(program, log_of, size);
}

nvvmResult nvvmGetProgramLog(nvvmProgram program, char* log) { return copy(program, log_of, log); }

}  // extern "C"
