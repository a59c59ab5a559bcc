#include "cuda/compile/inputs.h"

#include <filesystem>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "ptx/module.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

InputKind kind_of_extension(const std::string& extension, const std::string& input) {
  if (extension == ".cu") return InputKind::cuda;
  if (extension == ".cpp" || extension == ".c++" || extension == ".cc" || extension == ".cxx" ||
      extension == ".C")
    return InputKind::cxx;
  if (extension == ".c") return InputKind::c;
  throw UserError(input + ": heddle cc takes .cu, .cpp, .cc, .cxx, .c, .o, .a and .so files");
}

}  // namespace

InputKind kind_of(const std::string& input, const std::string& language) {
  const std::string extension = fs::path(input).extension().string();
  if (extension == ".o" || extension == ".a" || extension == ".so" ||
      input.find(".so.") != std::string::npos)
    return InputKind::linkable;
  if (language.empty()) return kind_of_extension(extension, input);
  return language == "cu" ? InputKind::cuda : language == "c" ? InputKind::c : InputKind::cxx;
}

void check_inputs(const CompileOptions& options) {
  if (options.inputs.empty()) throw UserError("heddle cc: no input files");
  int sources = 0;
  int cuda_sources = 0;
  for (const auto& input : options.inputs) {
    const InputKind kind = kind_of(input, options.language);
    if (!fs::exists(input)) throw UserError(input + ": no such file");
    sources += kind != InputKind::linkable;
    cuda_sources += kind == InputKind::cuda;
  }
  const bool separate = options.compile_only || options.ptx_only;
  if (options.device_link_only || options.archive) {
    if (options.output.empty()) throw UserError("heddle cc: -dlink and -lib need -o FILE");
    if (separate) throw UserError("heddle cc: -dlink and -lib exclude -c and -ptx");
  }
  if (separate && !options.output.empty() && sources > 1)
    throw UserError("heddle cc: -o with -c or -ptx takes one source file");
  if (!options.device_ptx.empty()) {
    if (!fs::exists(options.device_ptx)) throw UserError(options.device_ptx + ": no such file");
    if (cuda_sources != 1)
      throw UserError("heddle cc: --device-ptx replaces the device side of exactly one .cu file");
    if (options.ptx_only) throw UserError("heddle cc: -ptx and --device-ptx exclude each other");
    ptx::Module::parse(read_file(options.device_ptx),
                       options.device_ptx);  // an error names this file here
  }
  if (options.ptx_only && cuda_sources != sources)
    throw UserError("heddle cc: -ptx takes .cu files only");
}

}  // namespace heddle::cuda
