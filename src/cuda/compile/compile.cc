#include "cuda/compile/compile.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string_view>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "base/process_group.h"
#include "base/temporary_folder.h"
#include "cuda/compile/device_symbols.h"
#include "cuda/compile/gpu_code.h"
#include "cuda/compile/header_cache.h"
#include "cuda/compile/hints.h"
#include "cuda/compile/host_compilation.h"
#include "cuda/compile/inputs.h"
#include "cuda/compile/link.h"
#include "cuda/compile/missing_parts.h"
#include "cuda/compile/patches/asm_order.h"
#include "cuda/compile/patches/cache_operators.h"
#include "cuda/compile/patches/grid_constants.h"
#include "cuda/compile/patches/kernel_attributes.h"
#include "cuda/compile/patches/local_data.h"
#include "cuda/compile/patches/narrow_conversions.h"
#include "cuda/compile/patches/source_patches.h"
#include "cuda/compile/patches/tidy_branches.h"
#include "cuda/compile/process.h"
#include "cuda/compile/target.h"
#include "cuda/compile/toolchain.h"

namespace heddle::cuda {

namespace fs = std::filesystem;

namespace {

// Rounds of compiling and patching: clang reports one place of each asm string at a time.
constexpr int kMaxRounds = 64;

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out.flush()) throw UserError("cannot write " + path.string());
}

// Adds .maxnreg to every kernel without __maxnreg__.
void bound_registers(std::string& ptx, int bound) {
  for (std::size_t entry = ptx.find(".entry "); entry != std::string::npos;
       entry = ptx.find(".entry ", entry + 1))
    if (ptx.find(".maxnreg ", entry) > ptx.find('{', entry))
      add_directive(ptx, entry, ".maxnreg " + std::to_string(bound));
}

void append(Command& command, const std::vector<std::string>& more) {
  command.insert(command.end(), more.begin(), more.end());
}

// Compiles the files of one command line: PTX, then one object per source, then the executable.
class Driver {
 public:
  Driver(const CompileOptions& options, Toolchain tools)
      : options_(options),
        tools_(std::move(tools)),
        target_(target_for(options.architecture)),
        commands_(options.verbose, options.dry_run),
        host_flags_(options.host_flags) {
    write_file(names_header_,
               "asm(\".include \\\"" + device_names_.filename().string() + "\\\"\");\n");
    if (tools_.openmp || std::erase(host_flags_, "-fopenmp") == 0) return;
    std::fprintf(
        stderr,
        "heddle cc: warning: clang's OpenMP is not installed: parallel regions of the host "
        "run on one thread; install libomp-19-dev\n");
  }

  int compile();

 private:
  Command base_command(bool cuda) const;
  void explain_device_launches(const std::string& source) const;
  bool fail_with_messages() const;
  std::optional<fs::path> find_header(const Command& flags) const;
  bool compile_patched(const Command& command, std::optional<fs::path>& header);
  bool preprocess(const std::string& source, InputKind kind) const;
  Command machine_flags() const;
  Command dependency_flags_of(const fs::path& ptx) const;
  bool make_ptx(const std::string& source, const fs::path& ptx);
  bool make_ptx_of(const std::string& ir, const Command& code, const fs::path& ptx);
  void read_hints();
  std::string with_hints(std::string ptx, const std::string& name);
  std::string with_machine_code(const std::string& ptx) const;
  std::string embedded(const std::string& ptx) const;
  bool make_device_code(const std::string& source, std::string& ptx);
  // A command without its precompiled header, and the header.
  struct HostCommand {
    Command flags;
    std::optional<fs::path> header;
  };
  HostCommand host_command(const std::string& source, InputKind kind, const fs::path& object,
                           const std::string& ptx) const;
  bool compile_host(const std::string& source, const fs::path& object, std::string& ptx);
  bool make_object(const std::string& source, InputKind kind, const fs::path& object);
  void remove_dependency(const std::string& name, const fs::path& object) const;
  fs::path place(const std::string& source, const char* extension);
  fs::path result_of(const std::string& source, const char* extension) const;

  const CompileOptions& options_;
  Toolchain tools_;
  Target target_;
  CommandRunner commands_;
  std::vector<std::string> host_flags_;
  const ProcessGroup group_;  // the folder is removed before a signal can end this process
  TemporaryFolder work_;
  // What the host side of a CUDA source includes.
  const fs::path names_header_ = work_.path() / "device_names.h",
                 // Found by its name, which no other folder has.
      device_names_ = work_.path() / (work_.path().filename().string() + ".names.s"),
                 device_code_ = work_.path() / "device_code";
  SourcePatches patches_{work_.path()};
  HeaderCache headers_{tools_.headers};
  std::set<fs::path> used_paths_;
  std::string messages_;  // of the last device compilation
  std::optional<KernelHints> ps_hints_, cta_hints_;
};

// An intermediate file: in the folder of the output with --keep, otherwise temporary.
fs::path Driver::place(const std::string& source, const char* extension) {
  fs::path folder = work_.path();
  if (options_.keep) {
    folder = options_.output.empty() ? fs::path(".") : fs::path(options_.output).parent_path();
    if (!options_.keep_folder.empty()) folder = options_.keep_folder;
  }
  const std::string stem = fs::path(source).stem().string();
  fs::path path = folder / (stem + extension);
  for (int copy = 2; !used_paths_.insert(path).second; ++copy)
    path = folder / (stem + "-" + std::to_string(copy) + extension);
  return path;
}

// The file that -c or -ptx writes for a source.
fs::path Driver::result_of(const std::string& source, const char* extension) const {
  if (!options_.output.empty()) return options_.output;
  return options_.output_folder / fs::path(source).filename().replace_extension(extension);
}

Command Driver::base_command(bool cuda) const {
  Command command = {tools_.clang.string(), "-Qunused-arguments"};
  if (options_.verbose) command.push_back("-v");
  if (cuda) {
    // The empty folder keeps clang from using a CUDA toolkit of this machine.
    append(command, {"-x",
                     "cuda",
                     "-nocudainc",
                     "-nocudalib",
                     "--cuda-path=" + work_.path().string(),
                     "-Wno-unknown-cuda-version",
                     "--cuda-gpu-arch=sm_" + std::to_string(target_.architecture),
                     "--cuda-feature=+ptx" + std::to_string(target_.ptx_version),
                     "-Xclang",
                     "-target-sdk-version=12.3",
                     "-fgnu-keywords",
                     "-Xclang",
                     "-fcuda-allow-variadic-functions",
                     "-D__CUDACC__",
                     "-D__CUDACC_VER_MAJOR__=13",
                     "-D__CUDACC_VER_MINOR__=0",
                     "-D__CUDACC_VER_BUILD__=0",
                     "-D__CUDA_ARCH_LIST__=" + std::to_string(target_.architecture * 10),
                     "-isystem",
                     tools_.include.string(),
                     "-include",
                     "cuda_runtime.h"});
    if (options_.named.specific == target_.architecture)
      append(command, {"-Xarch_device",
                       "-D__CUDA_ARCH_FEAT_SM" + std::to_string(target_.architecture) + "_ALL"});
  } else {
    append(command, {"-isystem", tools_.include.string()});
  }
  // nvcc and its gcc accept these in older programs, most with a warning. With -fno-strict-return a
  // function without a return statement returns an arbitrary value, as with gcc.
  append(command,
         {"-Wno-error=register", "-Wno-error=c++11-narrowing",
          "-Wno-error=reserved-user-defined-literal", "-Wno-error=implicit-function-declaration",
          "-Wno-error=implicit-int", "-Wno-missing-template-arg-list-after-template-kw",
          "-Wno-unknown-warning-option", "-Wno-pass-failed", "-Wno-error=int-conversion",
          "-Wno-static-float-init", "-Wno-vla-cxx-extension",
          "-Wno-error=incompatible-function-pointer-types", "-fno-strict-return"});
  if (!tools_.openmp)
    append(command, {"-idirafter", (tools_.include / "heddle" / "openmp").string()});
  command.push_back("-O" + std::to_string(options_.optimization));
  append(command, options_.preprocessor);
  append(command, patches_.flags());
  return command;
}

// Only for commands without -I, -D, -MD and the like: their files and macros could change what
// cuda_runtime.h contains, and a list of dependencies must name its files.
std::optional<fs::path> Driver::find_header(const Command& flags) const {
  const auto affects_headers = [](const std::string& flag) {
    return flag.size() > 1 && flag[0] == '-' && std::strchr("IDUMi", flag[1]);
  };
  const bool is_fixed = options_.preprocessor.empty() && options_.dependency_flags.empty() &&
                        patches_.flags().empty() &&
                        std::none_of(host_flags_.begin(), host_flags_.end(), affects_headers);
  const bool is_shown = options_.verbose || options_.dry_run;
  return is_fixed && !is_shown ? headers_.find(flags) : std::nullopt;
}

// Compiles until there is nothing to patch. Without a header afterwards, if clang did not compile
// with it.
bool Driver::compile_patched(const Command& command, std::optional<fs::path>& header) {
  const fs::path messages = work_.path() / "messages";
  for (int round = 0;; ++round) {
    Command whole = header ? HeaderCache::with_header(command, *header) : command;
    whole.insert(whole.begin() + 1,
                 isatty(STDERR_FILENO) ? "-fcolor-diagnostics" : "-fno-color-diagnostics");
    // An error of the back end must not write a copy of the source to the temporary files.
    whole.insert(whole.begin() + 1, "-gen-reproducer=off");
    append(whole, patches_.flags());
    const bool made = commands_.status_of(whole, messages.string()) == 0;
    if (options_.dry_run) return true;
    const std::string text = read_file(messages);
    if (!made && header) {
      HeaderCache::remove_refused(*header, text);
      header.reset();
      continue;
    }
    if (!made && round < kMaxRounds && patches_.apply(text)) continue;
    std::fputs(text.c_str(), stderr);
    messages_ = text;
    return made;
  }
}

bool Driver::fail_with_messages() const {
  std::fputs(messages_.c_str(), stderr);
  return false;
}

// Clang's messages for a launch from device code do not say what Heddle can compile.
void Driver::explain_device_launches(const std::string& source) const {
  for (const char* words : {"__heddle_nested::launch", "reference to __global__ function '"}) {
    if (messages_.find(words) == std::string::npos) continue;
    std::fprintf(stderr,
                 "heddle cc: %s launches kernels from device code (dynamic parallelism). There, "
                 "Heddle can launch a kernel that is named with all its template arguments and "
                 "that is not overloaded\n",
                 source.c_str());
    return;
  }
}

// Preprocesses for the host side.
bool Driver::preprocess(const std::string& source, InputKind kind) const {
  Command command = base_command(kind == InputKind::cuda);
  if (kind == InputKind::cuda) command.push_back("--cuda-host-only");
  if (kind == InputKind::c)
    append(command, {"-x", "c"});
  else
    command.push_back("-std=" + options_.standard);
  append(command, {options_.preprocess, source});
  append(command, host_flags_);
  append(command, options_.dependency_flags);
  if (!options_.output.empty()) append(command, {"-o", options_.output});
  return commands_.execute(command);
}

// Compiles LLVM's text to PTX; if it cannot, messages_ says why. code: options of the back end.
bool Driver::make_ptx_of(const std::string& ir, const Command& code, const fs::path& ptx) {
  const fs::path file = work_.path() / "device.ll";
  write_file(file, ir);
  Command command = {tools_.clang.string(),
                     "-Qunused-arguments",
                     "-w",
                     "-gen-reproducer=off",
                     "-x",
                     "ir",
                     "--target=nvptx64-nvidia-cuda",
                     "--cuda-path=" + work_.path().string(),  // not a toolkit of the machine
                     "-march=sm_" + std::to_string(target_.architecture),
                     "-Xclang",
                     "-target-feature",
                     "-Xclang",
                     "+ptx" + std::to_string(target_.ptx_version),
                     "-O" + std::to_string(options_.optimization),
                     "-S",
                     file.string(),
                     "-o",
                     ptx.string()};
  append(command, code);
  const fs::path messages = work_.path() / "messages";
  if (commands_.status_of(command, messages.string()) == 0) return true;
  messages_ = read_file(messages);
  return false;
}

// The flags that list the headers of a PTX file, which clang does not write by itself.
Command Driver::dependency_flags_of(const fs::path& ptx) const {
  Command flags = options_.dependency_flags;
  const auto has = [&](std::string_view begin) {
    return std::any_of(flags.begin(), flags.end(),
                       [&](const std::string& flag) { return flag.starts_with(begin); });
  };
  const bool lists = has("-MD") || has("-MMD"), names_target = has("-MT") || has("-MQ");
  if (lists && !has("-MF")) append(flags, {"-MF", fs::path(ptx).replace_extension(".d").string()});
  if (lists && !names_target) append(flags, {"-MT", ptx.string()});
  return flags;
}

bool Driver::make_ptx(const std::string& source, const fs::path& ptx) {
  Command command = base_command(true);
  // Shared, constant and local addresses are 32 bits wide and blocks stay in the order of the
  // source, as in nvcc's code.
  Command code = {options_.contract ? "-ffp-contract=fast" : "-ffp-contract=off",
                  "-Wno-linker-warnings",
                  "-Xclang",
                  "-fcuda-short-ptr",
                  "-mllvm",
                  "-nvptx-short-ptr",
                  "-mllvm",
                  "-disable-block-placement"};
  // LLVM 19 assumes that vectors of 16 bytes are aligned to 16 bytes, which is wrong for some.
  append(code, {"-mllvm", "-slp-max-vf=8"});
  // Clang ignores -ffp-contract for LLVM's text.
  append(code, {"-mllvm", options_.contract ? "-nvptx-fma-level=2" : "-nvptx-fma-level=0"});
  if (options_.fast_math)
    append(code, {"-mllvm", "-nvptx-prec-divf32=0", "-mllvm", "-nvptx-prec-sqrtf32=0"});
  if (!options_.fast_math && !options_.exact_division)
    append(code, {"-mllvm", "-nvptx-prec-divf32=1"});
  if (!options_.fast_math && !options_.exact_roots)
    append(code, {"-mllvm", "-nvptx-prec-sqrtf32=0"});
  // The order of uses decides some choices of LLVM.
  append(command, {"-std=" + options_.standard, "--cuda-device-only", "-S", "-emit-llvm", "-Xclang",
                   "-disable-llvm-passes", "-Xclang", "-emit-llvm-uselists", "-Xclang",
                   "-mlink-builtin-bitcode", "-Xclang", tools_.bitcode.string()});
  // Device memory can be exhausted, so programs compare the results of malloc and new with NULL.
  append(command, {"-fno-builtin-malloc", "-fcheck-new"});
  append(command, code);
  if (options_.line_tables) command.push_back("-gline-directives-only");
  if (options_.fast_math) append(command, {"-D__USE_FAST_MATH__", "-fgpu-approx-transcendentals"});
  if (options_.fast_math || options_.flush_denormals)
    command.push_back("-fgpu-flush-denormals-to-zero");
  append(command, machine_flags());
  const fs::path llvm_text = work_.path() / "source.ll";
  if (options_.ptx_only) append(command, dependency_flags_of(ptx));
  append(command, options_.diagnostics);
  if (options_.no_warnings) command.push_back("-w");
  std::optional<fs::path> header = find_header(command);
  append(command, {source, "-o", llvm_text.string()});
  std::string plain, ir;
  for (bool made = false; !made;) {
    if (!compile_patched(command, header)) {
      print_absent_libraries(source, messages_);
      print_missing_packages(messages_);
      explain_device_launches(source);
      return false;
    }
    if (!options_.dry_run) plain = read_file(llvm_text);
    // As nvcc generates asm statements, conversions, grid constants and local data.
    ir = with_grid_constants(with_wide_conversions(with_ordered_asm(plain)));
    made = make_ptx_of(ir, code, ptx);
    if (!made && !patches_.apply(messages_)) return fail_with_messages();
  }
  if (options_.dry_run) return true;
  if (passes_local_data(read_file(ptx))) {
    append(code, {"-mllvm", "-inline-threshold=100000"});
    if (!make_ptx_of(with_aligned_locals(ir), code, ptx)) return fail_with_messages();
  }
  std::string text =
      with_kernel_attributes(tidy_branches(read_file(ptx)), plain, target_.architecture);
  if (options_.register_bound > 0) bound_registers(text, options_.register_bound);
  if (!options_.load_operator.empty())
    text = with_cache_operator(text, "ld", options_.load_operator);
  if (!options_.store_operator.empty())
    text = with_cache_operator(text, "st", options_.store_operator);
  write_file(ptx, with_hints(std::move(text), ptx.filename().string()));
  return true;
}

// The instruction sets of the host, which decide what its headers declare on both sides.
Command Driver::machine_flags() const {
  Command flags;
  for (const std::string& flag : host_flags_)
    if (flag.starts_with("-m") &&
        (flag.starts_with("-march=") || flag.find('=') == std::string::npos))
      flags.push_back(flag);
  if (!flags.empty()) flags.push_back("-Wno-invalid-feature-combination");
  return flags;
}

void Driver::read_hints() {
  if (!options_.ps_hints.empty()) ps_hints_ = KernelHints::read(options_.ps_hints);
  if (!options_.cta_hints.empty() && options_.cta_hints != kAnalysedAtLaunch)
    cta_hints_ = KernelHints::read(options_.cta_hints);
}

std::string Driver::with_hints(std::string ptx, const std::string& name) {
  if (ps_hints_) ptx = ps_hints_->with_loop_marks(ptx, name, !options_.cta_hints.empty());
  if (cta_hints_) return cta_hints_->with_directions(ptx, name);
  return options_.cta_hints.empty() ? ptx : with_automatic_directions(ptx);
}

std::string Driver::with_machine_code(const std::string& ptx) const {
  return fat_binary_of(ptx, target_.architecture, options_.gpu_code, commands_, work_.path());
}

// What the host side of a CUDA source embeds. The runtime reads PTX up to the zero byte.
std::string Driver::embedded(const std::string& ptx) const {
  return options_.gpu_code.empty() ? ptx + '\0' : with_machine_code(ptx);
}

// The PTX for a CUDA source: of --device-ptx, or compiled.
bool Driver::make_device_code(const std::string& source, std::string& ptx) {
  if (!options_.device_ptx.empty()) {
    ptx = with_hints(read_file(options_.device_ptx), options_.device_ptx);
    return true;
  }
  const fs::path file = place(source, ".ptx");
  if (!make_ptx(source, file)) return false;
  if (!options_.dry_run) ptx = read_file(file);
  return true;
}

// ptx: of a CUDA source, as far as it is known.
Driver::HostCommand Driver::host_command(const std::string& source, InputKind kind,
                                         const fs::path& object, const std::string& ptx) const {
  const bool is_cuda = kind == InputKind::cuda;
  Command command = base_command(is_cuda);  // reads the patched sources
  if (is_cuda) command.push_back("--cuda-host-only");
  // Clang does not register the device code of a file without kernels and variables, but other
  // files may need its functions.
  if (is_cuda && ptx.find(".entry") == std::string::npos)
    command.push_back("-D__HEDDLE_REGISTER_FUNCTIONS__");
  append(command, kind == InputKind::c ? Command{"-x", "c"} : Command{"-std=" + options_.standard});
  // Programs compare with products that overflow, which gcc computes as they are.
  append(command, {"-c", "-fPIE", "-ffp-contract=off", "-fwrapv"});
  if (options_.debug) command.push_back("-g");
  append(command, host_flags_);
  append(command, options_.dependency_flags);
  append(command, options_.diagnostics);
  // Compiling the device side has printed the warnings.
  if (options_.no_warnings || (is_cuda && options_.device_ptx.empty())) command.push_back("-w");
  auto header = is_cuda ? find_header(command) : std::nullopt;
  if (is_cuda)
    append(command, {"-include", names_header_.string(), "-I", work_.path().string(), "-Xclang",
                     "-fcuda-include-gpubinary", "-Xclang", device_code_.string()});
  append(command, {source, "-o", object.string()});
  return {command, header};
}

// Compiles the host side of a CUDA source after its device side.
bool Driver::compile_host(const std::string& source, const fs::path& object, std::string& ptx) {
  const auto compile_with = [&] {
    write_file(device_code_, embedded(ptx));
    write_file(device_names_, names_of_device_code(ptx));
    HostCommand host = host_command(source, InputKind::cuda, object, ptx);
    return compile_patched(host.flags, host.header);
  };
  if (!compile_with()) return false;
  if (options_.device_ptx.empty() || options_.dry_run) return true;
  std::string named = with_host_names(ptx, read_file(object));
  if (named == ptx) return true;
  ptx = std::move(named);
  return compile_with();
}

bool Driver::make_object(const std::string& source, InputKind kind, const fs::path& object) {
  if (kind != InputKind::cuda) {
    HostCommand host = host_command(source, kind, object, {});
    return compile_patched(host.flags, host.header);
  }
  const fs::path host_messages = work_.path() / "host_messages";
  std::optional<HostCompilation> beside;
  const Command patches = patches_.flags();
  if (options_.device_ptx.empty() && !options_.dry_run && !options_.verbose) {
    const HostCommand host = host_command(source, kind, object, ".entry");  // it probably has one
    beside.emplace(host.header ? HeaderCache::with_header(host.flags, *host.header) : host.flags,
                   device_code_, device_names_, host_messages);
  }
  std::string ptx;
  if (!make_device_code(source, ptx)) return false;
  const bool made = beside && patches_.flags() == patches &&
                    ptx.find(".entry") != std::string::npos &&
                    beside->finish(embedded(ptx), names_of_device_code(ptx));
  beside.reset();
  if (made) std::fputs(read_file(host_messages).c_str(), stderr);
  if (!made && !compile_host(source, object, ptx)) return false;
  remove_dependency(names_header_.string(), object);
  return true;
}

// Removes a temporary file from what -MD wrote, because make could not rebuild it.
void Driver::remove_dependency(const std::string& name, const fs::path& object) const {
  const std::vector<std::string>& flags = options_.dependency_flags;
  const auto has = [&](const char* flag) { return std::find(flags.begin(), flags.end(), flag); };
  if (options_.dry_run || (has("-MD") == flags.end() && has("-MMD") == flags.end())) return;
  const auto named = has("-MF");
  const fs::path file = named != flags.end() && named + 1 != flags.end()
                            ? fs::path(named[1])
                            : fs::path(object).replace_extension(".d");
  std::string text = read_file(file);
  if (const std::size_t at = text.find(" " + name); at != std::string::npos)
    write_file(file, text.erase(at, name.size() + 1));
}

int Driver::compile() {
  constexpr int refused = static_cast<int>(ExitCode::usage);
  check_inputs(options_);
  read_hints();
  std::vector<std::string> objects;
  for (const auto& input : options_.inputs) {
    const InputKind kind = kind_of(input, options_.language);
    if (!options_.preprocess.empty()) {
      if (kind != InputKind::linkable && !preprocess(input, kind)) return refused;
    } else if (options_.ptx_only) {
      const fs::path result = result_of(input, options_.fatbin_only ? ".fatbin" : ".ptx");
      if (!make_ptx(input, result)) return refused;
      if (options_.fatbin_only && !options_.gpu_code.empty() && !options_.dry_run)
        write_file(result, with_machine_code(read_file(result)));
    } else if (kind == InputKind::linkable) {
      objects.push_back(input);
    } else {
      const fs::path object = options_.compile_only ? result_of(input, ".o") : place(input, ".o");
      if (!make_object(input, kind, object)) return refused;
      objects.push_back(object.string());
    }
  }
  for (const auto& hints : {&ps_hints_, &cta_hints_})
    if (*hints && options_.preprocess.empty()) (*hints)->check_used();
  if (options_.ptx_only || options_.compile_only || !options_.preprocess.empty()) return 0;
  const Linker linker(options_, tools_, commands_, host_flags_);
  if (options_.device_link_only)
    return linker.make_empty_object(work_.path().string()) ? 0 : refused;
  if (options_.archive) return linker.make_archive(objects) ? 0 : refused;
  if (!linker.link(objects)) return refused;
  return options_.run ? linker.run_program() : 0;
}

// The flags that make a host compiler answer and compile nothing: CMake projects ask for its kind
// by "nvcc .c -Xcompiler --version", with or without such a file.
Command questions_of(const CompileOptions& options) {
  Command questions;
  for (const std::string& flag : options.host_flags)
    if (flag == "--version" || flag.starts_with("-dump") || flag.starts_with("-print-"))
      questions.push_back(flag);
  return questions;
}

}  // namespace

int compile(const CompileOptions& options) {
  if (options.print_version)
    return std::puts("heddle cc " HEDDLE_VERSION
                     " (clang version 19), in nvcc's place\nCuda compilation tools, release 13.0, "
                     "V13.0.0") < 0;
  if (options.print_toolkit)
    return std::puts((find_toolchain().library / "heddle" / "toolkit").c_str()) < 0;
  if (!options.listed_targets.empty()) {
    for (const Target& target : known_targets())
      std::printf("%s%d\n", options.listed_targets.c_str(), target.architecture);
    return 0;
  }
  for (const std::string& note : options.notes)
    std::fprintf(stderr, "heddle cc: note: %s\n", note.c_str());
  const Toolchain tools = find_toolchain();
  if (Command command = questions_of(options); !command.empty()) {
    command.insert(command.begin(), tools.clang.string());
    return CommandRunner(options.verbose, options.dry_run).status_of(command);
  }
  return Driver(options, tools).compile();
}

}  // namespace heddle::cuda
