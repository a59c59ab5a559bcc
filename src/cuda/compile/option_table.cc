#include "cuda/compile/option_table.h"

#include <initializer_list>

#include "base/diagnostics.h"
#include "cuda/compile/option_values.h"

namespace heddle::cuda {

namespace {

using Text = const std::string&;
using Names = std::initializer_list<std::string_view>;
using enum Option::Value;
using Apply = std::function<void(CompileOptions&, Text)>;

Option applied(Names names, Option::Value value, std::string_view placeholder,
               std::string_view meaning, Apply apply) {
  return {names, value, Option::Effect::applied, placeholder, meaning, std::move(apply)};
}

Option flag(Names names, std::string_view meaning, bool CompileOptions::* member) {
  return applied(names, none, "", meaning, [member](auto& o, Text) { o.*member = true; });
}

Option truth(Names names, std::string_view meaning, bool CompileOptions::* member) {
  return applied(names, one, "BOOL", meaning,
                 [member](auto& o, Text v) { o.*member = parse_truth(v); });
}

Option text(Names names, std::string_view placeholder, std::string_view meaning,
            std::string CompileOptions::* member) {
  return applied(names, one, placeholder, meaning, [member](auto& o, Text v) { o.*member = v; });
}

// Every value is appended to a list of flags behind `before`; a `before` that ends in a blank is a
// flag of its own.
Option flags(Names names, Option::Value value, std::string_view placeholder,
             std::string_view meaning, std::vector<std::string> CompileOptions::* member,
             std::string before) {
  return applied(names, value, placeholder, meaning,
                 [member, before = std::move(before)](auto& o, Text v) {
                   const bool separate = before.ends_with(' ');
                   if (separate) (o.*member).push_back(before.substr(0, before.size() - 1));
                   (o.*member).push_back(separate ? v : before + v);
                 });
}

Option silent(Names names, Option::Value value, std::string_view reason) {
  return {names, value, Option::Effect::silent, value == none ? "" : "VALUE", reason, {}};
}

Option noted(Names names, Option::Value value, std::string_view reason) {
  return {names, value, Option::Effect::noted, value == none ? "" : "VALUE", reason, {}};
}

Option refused(Names names, Option::Value value, std::string_view reason) {
  return {names, value, Option::Effect::refused, value == none ? "" : "VALUE", reason, {}};
}

// Macro definitions reach nvcc's compiler through a shell, so makefiles write \" for ".
std::string without_escapes(Text text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\\' || i + 1 == text.size() || text[i + 1] != '"') plain += text[i];
  return plain;
}

// The runtime is always linked. A separate device runtime does not exist.
void link_with(CompileOptions& options, Text name) {
  if (name != "cudart" && name != "cudart_static" && name != "cudadevrt")
    options.link_flags.push_back("-l" + name);
}

void add_host_flags(CompileOptions& options, Text text) {
  for (std::string& flag : split_flags(text)) options.host_flags.push_back(std::move(flag));
}

void add_linker_flags(CompileOptions& options, Text text) {
  for (std::string& flag : split_flags(text)) {
    options.link_flags.emplace_back("-Xlinker");
    options.link_flags.push_back(std::move(flag));
  }
}

using C = CompileOptions;

std::vector<Option> phases() {
  return {
      flag({"--compile", "-c", "--device-c", "-dc", "--device-w", "-dw"},
           "compile to objects, do not link", &C::compile_only),
      flag({"--ptx", "-ptx", "--cuda-device-only"}, "write the PTX of the device code",
           &C::ptx_only),
      applied({"--fatbin", "-fatbin", "--cubin", "-cubin"}, none, "",
              "write a module for cuModuleLoad: PTX, and the code of --gpu-code",
              [](auto& o, Text) { o.ptx_only = o.fatbin_only = true; }),
      flag({"--device-link", "-dlink"},
           "write an empty object: device code is linked when the program starts",
           &C::device_link_only),
      flag({"--lib", "-lib"}, "write a static library of the objects", &C::archive),
      flag({"--run", "-run"}, "link, then run the program with heddle run", &C::run),
      applied({"--run-args", "-run-args"}, list, "ARGUMENTS", "arguments of the program of -run",
              [](auto& o, Text v) { o.run_arguments.push_back(v); }),
      applied({"--preprocess", "-E"}, none, "", "stop after the preprocessor",
              [](auto& o, Text) { o.preprocess = "-E"; }),
      applied({"--generate-dependencies", "-M"}, none, "", "write the headers that a file includes",
              [](auto& o, Text) { o.preprocess = "-M"; }),
      applied({"--generate-nonsystem-dependencies", "-MM"}, none, "",
              "as -M, without system headers", [](auto& o, Text) { o.preprocess = "-MM"; }),
      applied({"--generate-dependencies-with-compile", "-MD"}, none, "",
              "compile and write dependencies for make",
              [](auto& o, Text) { o.dependency_flags.push_back("-MD"); }),
      applied({"--generate-nonsystem-dependencies-with-compile", "-MMD"}, none, "",
              "as -MD, without system headers",
              [](auto& o, Text) { o.dependency_flags.push_back("-MMD"); }),
      applied({"--generate-dependency-targets", "-MP"}, none, "",
              "add an empty target for each dependency",
              [](auto& o, Text) { o.dependency_flags.push_back("-MP"); }),
      flags({"--dependency-output", "-MF"}, one, "FILE", "where -MD and the like write",
            &C::dependency_flags, "-MF "),
      flags({"--dependency-target-name", "-MT"}, one, "TARGET", "the target of the dependencies",
            &C::dependency_flags, "-MT "),
      silent({"--link", "-link"}, none, "the default"),
      refused({"--cuda", "-cuda"}, none, "there is no intermediate C++; use -c, -ptx or -E"),
      refused({"--optix-ir", "-optix-ir"}, none, "Heddle has no OptiX; use -ptx"),
      refused({"--ltoir", "-ltoir"}, none, "Heddle's device code is PTX; use -ptx"),
      refused({"--clean-targets", "-clean"}, none, "remove the files yourself"),
      flag({"-S"}, "with --cuda-device-only: as -ptx, as clang spells it", &C::assembly),
  };
}

std::vector<Option> files() {
  return {
      text({"--output-file", "-o"}, "FILE", "the output", &C::output),
      text({"--output-directory", "-odir"}, "DIR", "where outputs without -o are written",
           &C::output_folder),
      flags({"--pre-include", "-include"}, list, "FILE", "include this first", &C::preprocessor,
            "-include "),
      flags({"--include-path", "-I"}, attached_list, "DIR", "look for headers here",
            &C::preprocessor, "-I"),
      flags({"--system-include", "-isystem"}, attached_list, "DIR", "look for system headers here",
            &C::preprocessor, "-isystem "),
      applied({"--define-macro", "-D"}, attached_list, "NAME[=VALUE]", "define a macro",
              [](auto& o, Text v) { o.preprocessor.push_back("-D" + without_escapes(v)); }),
      flags({"--undefine-macro", "-U"}, attached_list, "NAME", "undefine a macro", &C::preprocessor,
            "-U"),
      flags({"--library-path", "-L"}, attached_list, "DIR", "look for libraries here",
            &C::link_flags, "-L"),
      applied({"--library", "-l"}, attached_list, "NAME", "link with this library", link_with),
      applied({"--x", "-x"}, one, "cu|c++|c", "the language of the sources",
              [](auto& o, Text v) { o.language = parse_language(v); }),
      flag({"--keep", "-keep", "--save-temps", "-save-temps"},
           "keep PTX and objects in the folder of the output", &C::keep),
      text({"--keep-dir", "-keep-dir"}, "DIR", "the folder of --keep", &C::keep_folder),
      text({"--archiver-binary", "-arbin"}, "FILE", "the program that makes static libraries",
           &C::archiver),
      text({"--device-ptx"}, "FILE", "embed this PTX instead of compiling the device side",
           &C::device_ptx),
      text({"--ps-hints"}, "FILE",
           "mark loops for the warp scheduler ps, by heddle analyze's hints", &C::ps_hints),
      applied({"--cta-hints"}, optional_file, "[FILE.toml]",
              "embed the direction of each kernel's CTAs, or auto",
              [](auto& o, Text v) { o.cta_hints = v.empty() ? kAnalysedAtLaunch : v; }),
      silent({"--objdir-as-tempdir", "-objtemp"}, none, "intermediate files are temporary"),
      silent({"--compiler-bindir", "-ccbin"}, one, "clang 19 compiles the host side"),
      silent({"--allow-unsupported-compiler", "-allow-unsupported-compiler"}, none,
             "clang 19 compiles the host side"),
      silent({"--libdevice-directory", "-ldir", "--target-directory", "-target-dir", "--cuda-path"},
             one, "Heddle has its own headers and libraries"),
      silent({"--cudart", "-cudart", "--cudadevrt", "-cudadevrt"}, one,
             "Heddle's runtime is always linked, as a shared library"),
      silent({"--dont-use-profile", "-noprof"}, none, "there is no nvcc.profile"),
      silent({"--input-drive-prefix", "-idp", "--dependency-drive-prefix", "-ddp", "--drive-prefix",
              "-dp"},
             one, "for Windows"),
      silent({"--use-local-env", "-use-local-env", "--force-cl-env-setup", "-force-cl-env-setup"},
             none, "for Windows"),
  };
}

std::vector<Option> language() {
  return {
      applied({"--std", "-std"}, one, "c++11..c++23", "the language; c++17 by default",
              [](auto& o, Text v) { o.standard = parse_standard(v); }),
      applied({"--optimize", "-O"}, attached, "0..3", "optimization level; 3 by default",
              [](auto& o, Text v) { o.optimization = parse_optimization(v); }),
      applied({"--debug", "-g", "--device-debug", "-G"}, none, "",
              "debug information for the host side", [](auto& o, Text) { o.debug = true; }),
      applied({"--default-stream", "-default-stream"}, one, "legacy|per-thread",
              "per-thread: launches without a stream use their thread's stream", default_stream),
      flags({"--ftemplate-depth", "-ftemplate-depth"}, one, "N",
            "the maximum depth of template instantiations", &C::diagnostics, "-ftemplate-depth="),
      flags({"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit"}, one, "N",
            "the maximum number of notes about instantiations", &C::diagnostics,
            "-ftemplate-backtrace-limit="),
      applied({"--shared", "-shared"}, none, "", "make a shared library",
              [](auto& o, Text) { o.link_flags.push_back("-shared"); }),
      applied({"--profile", "-pg"}, none, "", "instrument host code for gprof",
              [](auto& o, Text) { o.host_flags.push_back("-pg"); }),
      applied({"--no-exceptions", "-noeh"}, none, "", "no exceptions in host code",
              [](auto& o, Text) { o.host_flags.push_back("-fno-exceptions"); }),
      applied({"--frandom-seed", "-frandom-seed"}, one, "SEED", "accepted for host code",
              [](auto& o, Text v) { o.host_flags.push_back("-frandom-seed=" + v); }),
      applied({"-rdynamic"}, none, "", "export the symbols of the program",
              [](auto& o, Text) { o.link_flags.push_back("-rdynamic"); }),
      applied({"-pthread"}, none, "", "threads on the host side",
              [](auto& o, Text) { o.host_flags.push_back("-pthread"); }),
      applied({"-fopenmp"}, none, "", "OpenMP on the host side",
              [](auto& o, Text) { o.host_flags.push_back("-fopenmp"); }),
      silent({"--generate-line-info", "-lineinfo", "-line-info"}, none,
             "the PTX always has CUDA line numbers"),
      silent({"--machine", "-m"}, one, "addresses have 64 bits"),
      silent({"--m64", "-m64"}, none, "addresses have 64 bits"),
      refused({"--m32", "-m32"}, none, "addresses have 64 bits"),
      silent({"--no-align-double"}, none, "addresses have 64 bits"),
      silent({"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", "--extended-lambda",
              "-extended-lambda", "--expt-extended-lambda", "-expt-extended-lambda"},
             none, "always on"),
      silent({"--no-host-device-initializer-list", "-nohdinitlist", "--no-host-device-move-forward",
              "-nohdmoveforward"},
             none, "those functions are on both sides"),
      noted({"--fdevice-syntax-only", "-fdevice-syntax-only"}, none, "device code is compiled"),
      noted({"--qpp-config", "-qpp-config"}, one, "clang 19 compiles the host side"),
      silent({"--host-compilation"}, one, "of early CUDA"),
      silent({"-fgpu-rdc", "-fno-gpu-rdc"}, none, "device code of all files is linked"),
  };
}

std::vector<Option> device_code() {
  return {
      applied({"--gpu-architecture", "-arch"}, one, "sm_NN", "the PTX target; sm_75 by default",
              [](auto& o, Text v) { select_architecture(o, v); }),
      applied({"--generate-code", "-gencode"}, one, "arch=compute_NN,code=...",
              "as -arch; the highest of several", generate_code),
      applied({"--offload-arch", "--cuda-gpu-arch"}, one, "sm_NN",
              "as -arch; the highest of several", generate_architecture),
      applied({"--gpu-code"}, list, "sm_NN[,sm_NN]",
              "add machine code; needs ptxas and fatbinary of NVIDIA's toolkit",
              [](auto& o, Text v) { o.gpu_code.push_back(parse_architecture(v)); }),
      applied({"--maxrregcount", "-maxrregcount"}, one, "N",
              "at most N registers per thread; affects the occupancy",
              [](auto& o, Text v) { o.register_bound = parse_registers(v); }),
      flag({"--use_fast_math", "-use_fast_math"}, "approximate device arithmetic", &C::fast_math),
      truth({"--ftz", "-ftz"}, "true: denormal floats are flushed to zero", &C::flush_denormals),
      truth({"--fmad", "-fmad"}, "false: no fused multiply-add", &C::contract),
      truth({"--prec-div", "-prec-div"}, "false: approximate float division", &C::exact_division),
      truth({"--prec-sqrt", "-prec-sqrt"}, "false: approximate float square roots",
            &C::exact_roots),
      silent({"--gpu-code", "-code"}, list, "the program contains PTX only"),
      silent({"--cuda-include-ptx", "--no-cuda-include-ptx"}, one,
             "the program always contains PTX"),
      silent({"--relocatable-device-code", "-rdc"}, one, "device code of all files is linked"),
      noted({"--entries", "-e"}, list, "every kernel is compiled"),
      silent({"--dlink-time-opt", "-dlto", "--lto", "-lto", "--gen-opt-lto", "-gen-opt-lto"}, none,
             "device code is linked when the program starts"),
      silent({"--extensible-whole-program", "-ewp", "--no-device-link", "-nodlink",
              "--relocatable-ptx", "-reloc-ptx"},
             none, "device code is linked when the program starts"),
      silent({"--extra-device-vectorization", "-extra-device-vectorization", "--restrict",
              "-restrict", "--keep-device-functions", "-keep-device-functions"},
             none, "no effect on the result"),
      silent({"--dopt", "-dopt", "--Ofast-compile", "-Ofc", "--jump-table-density", "-jtd",
              "--split-compile", "-split-compile", "--split-compile-extended",
              "-split-compile-extended"},
             one, "no effect on the result"),
      silent({"--compress-mode", "-compress-mode"}, one, "PTX is not compressed"),
      silent({"--no-compress", "-no-compress", "-compress-all"}, none, "PTX is not compressed"),
      silent({"--static-global-template-stub", "-static-global-template-stub",
              "--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility"},
             one, "clang chooses the linkage of kernels"),
      silent({"--source-in-ptx", "-src-in-ptx"}, none, "the PTX has CUDA line numbers"),
      noted({"--device-stack-protector", "-device-stack-protector"}, one,
            "heddle run reports accesses out of bounds"),
      noted({"--sanitize", "-sanitize"}, one, "use heddle check"),
      noted({"--compile-as-tools-patch", "-astoolspatch"}, none, "Heddle has no CUDA tools"),
      refused({"--relocatable-link", "-r"}, none, "link with ld -r"),
      refused({"--host-linker-script", "-hls"}, one, "Heddle's programs need no linker script"),
      silent({"--augment-host-linker-script", "-aug-hls"}, none,
             "Heddle's programs need no linker script"),
  };
}

std::vector<Option> phase_options() {
  return {
      applied({"--compiler-options", "-Xcompiler"}, one, "FLAGS",
              "comma-separated flags for the host compiler; -I, -D and the like for both sides",
              add_host_flags),
      applied({"--linker-options", "-Xlinker"}, one, "FLAGS",
              "comma-separated flags for the linker", add_linker_flags),
      applied({"--ptxas-options", "-Xptxas"}, one, "FLAGS",
              "options of ptxas: -maxrregcount, -dlcm and -dscm have an effect", assembler_options),
      applied({"-po"}, one, "FLAG", "an option of ptxas, as in early CUDA",
              [](auto& o, Text v) { assembler_options(o, "-" + v); }),
      silent(
          {"--nvlink-options", "-Xnvlink", "--fatbin-options", "-Xfatbin", "--archive-options",
           "-Xarchive", "--cudafe-options", "-Xcudafe", "-Xcicc", "--opencc-options", "-Xopencc"},
          one, "Heddle does not use that program"),
      flag({"--forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler"},
           "unknown options are for the host compiler", &C::forward_to_compiler),
      flag({"--forward-unknown-to-host-linker", "-forward-unknown-to-host-linker"},
           "unknown options are for the linker", &C::forward_to_linker),
      applied({"--forward-unknown-opts", "-forward-unknown-opts"}, none, "",
              "unknown options are for both",
              [](auto& o, Text) { o.forward_to_compiler = o.forward_to_linker = true; }),
  };
}

std::vector<Option> tool() {
  return {
      applied({"--options-file", "-optf"}, list, "FILE", "read options from a file", {}),
      flag({"--dryrun", "-dryrun"}, "print the commands and run none", &C::dry_run),
      flag({"--verbose", "-v"}, "print every command, and the output of clang -v", &C::verbose),
      flag({"--version", "-V"}, "the CUDA version, as nvcc prints it", &C::print_version),
      flag({"--print-toolkit"},
           "the folder to use as CUDA toolkit: make CUDA_PATH=$(heddle cc --print-toolkit)",
           &C::print_toolkit),
      applied({"--list-gpu-arch", "-arch-ls"}, none, "", "print the targets as compute_NN",
              [](auto& o, Text) { o.listed_targets = "compute_"; }),
      applied({"--list-gpu-code", "-code-ls"}, none, "", "print the targets as sm_NN",
              [](auto& o, Text) { o.listed_targets = "sm_"; }),
      flag({"--disable-warnings", "-w"}, "no warnings", &C::no_warnings),
      applied({"--threads", "-t"}, attached, "N", "accepted: a command compiles in one thread",
              [](auto&, Text v) { parse_number(v); }),
      noted(
          {"--Wdefault-stream-launch", "-Wdefault-stream-launch", "--Wmissing-launch-bounds",
           "-Wmissing-launch-bounds", "--Wext-lambda-captures-this", "-Wext-lambda-captures-this"},
          none, "clang has no such warning"),
      flags({"--Wreorder", "-Wreorder"}, none, "", "warn when initializers are reordered",
            &C::diagnostics, "-Wreorder"),
      flags({"--Wno-deprecated-declarations", "-Wno-deprecated-declarations"}, none, "",
            "no warning for deprecated names", &C::diagnostics, "-Wno-deprecated-declarations"),
      silent({"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets"}, none,
             "no target is deprecated"),
      silent({"--diag-error", "-diag-error", "--diag-suppress", "-diag-suppress", "--diag-warn",
              "-diag-warn", "--diag_suppress", "-diag_suppress"},
             list, "clang has no numbers of messages"),
      silent({"--brief-diagnostics", "-brief-diag"}, one, "clang prints the messages"),
      silent({"--display-error-number", "-err-no", "--no-display-error-number", "-no-err-no"}, none,
             "clang has no numbers of messages"),
      noted({"--resource-usage", "-res-usage"}, none, "heddle run prints registers and memory"),
      noted({"--time", "-time", "--fdevice-time-trace", "-fdevice-time-trace"}, one,
            "Heddle does not measure compilation"),
      noted({"--optimization-info", "-opt-info"}, list, "clang's remarks are off"),
      silent({"--jobserver", "-jobserver"}, none, "a command compiles in one thread"),
  };
}

}  // namespace

const std::vector<Option>& option_table() {
  static const std::vector<Option> table = [] {
    std::vector<Option> all;
    for (auto* part : {phases, files, language, device_code, phase_options, tool})
      for (Option& option : part()) all.push_back(std::move(option));
    return all;
  }();
  return table;
}

}  // namespace heddle::cuda
