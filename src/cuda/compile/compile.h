// heddle cc: compiles CUDA C++ to objects and executables with Debian's clang, without a CUDA
// toolkit. Device code becomes PTX text, which is embedded in the host object. The executable is
// linked with Heddle's libcudart.so.13.
#pragma once

#include <string>
#include <vector>

namespace heddle::cuda {

inline constexpr const char* kAnalysedAtLaunch = "auto";

// Architectures as options name them.
struct NamedArchitectures {
  int generated = 0;  // the highest of all -gencode; 0: none
  int specific = 0;   // 90 for sm_90a: programs may use what only this one has; 0: none
};

// What one command line requests. The defaults are those of `heddle cc FILE`.
struct CompileOptions {
  // Sources (.cu .cpp .cc .cxx .c) and files for the linker (.o .a .so), in the given order.
  std::vector<std::string> inputs;
  // -o. Empty: a.out, or FILE.o with -c, FILE.ptx with -ptx, in the current folder.
  std::string output;
  bool compile_only = false;      // -c: write objects
  bool ptx_only = false;          // -ptx: write the PTX of the device code
  bool assembly = false;          // -S: only with -ptx
  bool fatbin_only = false;       // -fatbin, -cubin: as -ptx, with another file name
  bool device_link_only = false;  // -dlink: write an empty object
  bool archive = false;           // -lib: write a static library of the objects
  bool flush_denormals = false;   // -ftz=true
  bool contract = true;           // -fmad=false: no fused multiply-add
  bool exact_division = true;     // -prec-div=false: div.full
  bool exact_roots = true;        // -prec-sqrt=false: sqrt.approx
  int register_bound = 0;         // -maxrregcount: .maxnreg of every kernel; 0: none
  std::string language;           // -x: cu, c++ or c, of every source; empty: by file name
  bool keep = false;              // --keep: keep PTX and objects in the folder of the output
  std::string keep_folder;        // --keep-dir: the folder for --keep; empty: that of the output
  std::string output_folder;      // -odir: where outputs without -o are written
  std::string archiver = "ar";    // -arbin
  bool run = false;               // -run: run the program after linking
  std::vector<std::string> run_arguments;  // -run-args
  bool dry_run = false;                    // -dryrun: print the commands, run none
  std::string preprocess;                  // -E, -M or -MM; empty: compile
  bool print_version = false;              // --version: as nvcc prints it, for scripts that read it
  bool print_toolkit = false;              // --print-toolkit: the folder to use as CUDA toolkit
  std::string listed_targets;  // --list-gpu-arch and -code: print the targets with this prefix
  bool verbose = false;        // -v: print every command before it runs
  // -use_fast_math: approximate instructions and flushed denormals in device code.
  bool fast_math = false;
  bool line_tables = true;   // .loc lines in the PTX, so that diagnostics name CUDA lines
  bool debug = false;        // -g: full debug information for the host side
  bool no_warnings = false;  // -w
  int optimization = 3;      // -O0 to -O3
  int architecture = 75;     // the PTX target sm_NN
  NamedArchitectures named;
  std::vector<int> gpu_code;  // --gpu-code: machine code beside the PTX, by the user's ptxas
  // -Xptxas -dlcm: the cache operator of global loads without one: ca, cg, cs, lu or cv. Empty: the
  // device decides.
  std::string load_operator;
  // -Xptxas -dscm: the same for global stores: wb, cg, cs or wt.
  std::string store_operator;
  std::string standard = "c++17";  // -std=
  // --ps-hints FILE: the marks of loops for the warp scheduler ps; --cta-hints FILE: the direction
  // of each kernel's CTAs, or kAnalysedAtLaunch. Empty: none. hints.h describes the file.
  std::string ps_hints, cta_hints;
  std::string device_ptx;                 // --device-ptx: PTX to embed instead of compiled code
  std::vector<std::string> preprocessor;  // -I, -D, -U, -include, -isystem as clang accepts them
  std::vector<std::string> diagnostics;   // -Wall and the like
  std::vector<std::string> dependency_flags;  // -MD, -MF and the like
  std::vector<std::string> host_flags;        // -Xcompiler
  std::vector<std::string> link_flags;        // -L, -l, -Xlinker
  bool forward_to_compiler = false;           // unknown options are host_flags
  bool forward_to_linker = false;             // unknown options are link_flags
  std::vector<std::string> notes;             // of accepted options whose output will be missed
};

// Reads the arguments that follow `heddle cc`. UserError for an unknown option, with the nearest
// known one.
CompileOptions parse_arguments(const std::vector<std::string>& arguments);

// Compiles and links. Returns the exit status: 0, or 2 after an error of clang or the linker, which
// print to stderr. UserError for missing files and for a missing compiler.
int compile(const CompileOptions& options);

// The options that have an effect.
struct CompileOptionInfo {
  std::vector<std::string> names;  // "--output-file", "-o"
  std::string placeholder;         // "FILE"; empty: takes no value
  std::string meaning;
};
std::vector<CompileOptionInfo> compile_options();
// The option lines of `heddle cc --help`.
std::string compile_help();

}  // namespace heddle::cuda
