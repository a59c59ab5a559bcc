// heddle cc: CUDA C++ to objects and executables with Debian's clang, no CUDA toolkit. The device
// side becomes PTX text that travels inside the host object; the executable is linked with our
// libcudart.so.13.
#pragma once

#include <string>
#include <vector>

namespace heddle::cuda {

// What one call of the compile driver is to do. The default is what `heddle cc FILE` does.
struct CompileOptions {
  std::vector<std::string>
      inputs;  // .cu .cpp .cc .cxx .c sources, .o .a .so for the linker; in the given order
  std::string
      output;  // -o; empty: a.out, or FILE.o with -c, FILE.ptx with -ptx, in the current folder
  bool compile_only = false;  // -c: stop at objects
  bool ptx_only = false;      // -ptx: stop at the device side's PTX
  bool fatbin_only =
      false;  // -fatbin, -cubin: as -ptx under another name; what loads modules reads the text
  bool device_link_only =
      false;  // -dlink: an empty object, since device code is linked when the program starts
  bool archive = false;          // -lib: objects into a static library
  bool flush_denormals = false;  // -ftz=true
  bool contract = true;          // -fmad=false turns it off
  bool exact_division = true;    // -prec-div=false: div.full
  bool exact_roots = true;       // -prec-sqrt=false: sqrt.approx
  int register_bound = 0;        // -maxrregcount: .maxnreg of every kernel; 0: none
  std::string language;          // -x cu, c++ or c: of every source; empty: by its ending
  bool keep = false;             // --keep: PTX and objects stay beside the output
  std::string preprocess;        // -E, -M or -MM: what the preprocessor says, or of what a source
                                 // depends; empty: compile
  bool tell_version = false;     // --version: as nvcc prints it, for scripts that read it
  bool tell_toolkit = false;     // --print-toolkit: the folder laid out as a CUDA toolkit
  bool verbose = false;          // -v: print every command before it runs
  bool fast_math =
      false;  // -use_fast_math: approximate instructions, denormals flushed, in device code
  bool line_tables = true;    // .loc lines in the PTX, so that diagnostics name CUDA lines
  bool debug = false;         // -g: full debug information for the host side
  bool warn_nothing = false;  // -w
  int optimization = 3;       // -O0 to -O3
  int architecture = 75;      // the PTX target sm_NN
  int generated = 0;  // the highest of all -gencode, which then is the architecture; 0: none
  std::string load_operator;   // -Xptxas -dlcm: of global loads that name none: ca, cg, cs, lu or
                               // cv; empty: as the device does
  std::string store_operator;  // -Xptxas -dscm: of global stores that name none: wb, cg, cs or wt
  std::string standard = "c++17";  // -std=
  std::string device_ptx;  // --device-ptx: PTX text to embed instead of the compiled device side
  std::vector<std::string> preprocessor;  // -I, -D, -U, -include, -isystem as clang takes them
  std::vector<std::string> diagnostics;   // -Wall and the like
  std::vector<std::string> host_flags;    // -Xcompiler
  std::vector<std::string> link_flags;    // -L, -l, -Xlinker
};

// Reads the arguments that follow `heddle cc`. Throws UserError for what it does not know, naming
// the nearest option.
CompileOptions parse_arguments(const std::vector<std::string>& arguments);

// Compiles and links. Returns the exit status: 0, or 2 when clang or the linker refused; their
// messages went to stderr. Throws UserError for missing files and for a missing compiler.
int compile(const CompileOptions& options);

// The options above, without other spellings of the same option.
struct CompileOptionInfo {
  std::string name;  // "-arch"
  bool takes_value;
  std::string meaning;
};
std::vector<CompileOptionInfo> compile_options();
// What `heddle cc --help` prints about them.
std::string compile_help();

}  // namespace heddle::cuda
