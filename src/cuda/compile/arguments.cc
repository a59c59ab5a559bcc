// The command line of heddle cc: nvcc's common options, and three of Heddle's own.
#include <algorithm>
#include <charconv>
#include <functional>
#include <string_view>

#include "base/diagnostics.h"
#include "cuda/compile/compile.h"

namespace heddle::cuda {

namespace {

using Text = const std::string&;

// The headers need C++11, which accepts C++98 programs.
std::string standard_of(Text text) {
  const bool is_older = text.ends_with("98") || text.ends_with("03");
  return is_older ? text.substr(0, text.size() - 2) + "11" : text;
}

// One option. none: takes no value. joined: "-Ifoo" and "-I foo". equals: "-std=c++17" and "-std
// c++17". optional_file: as equals, but a value that does not end in .toml is the next argument.
struct Option {
  enum class Value { none, joined, equals, optional_file };
  const char* name;
  Value value;
  const char* meaning;  // empty: a synonym of another option, or an ignored one
  std::function<void(CompileOptions&, Text)> apply;
};

constexpr int kUsualArchitecture = 75;

int parse_architecture(std::string_view text) {
  if (text == "native" || text == "all" || text == "all-major") return kUsualArchitecture;
  for (const std::string_view prefix : {"sm_", "compute_", "lto_"}) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  }
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool letter = end + 1 == text.data() + text.size() && (*end == 'a' || *end == 'f');
  if (error != std::errc{} || (end != text.data() + text.size() && !letter) || number < 10 ||
      number > 130) {
    throw UserError("cannot read the architecture '" + std::string(text) +
                    "'; write sm_75 or compute_75");
  }
  return number;
}

// "arch=compute_70,code=[sm_70,compute_70]": only the virtual architecture counts, because only PTX
// is kept. Of several -gencode the highest counts, because a driver loads the newest PTX that its
// device accepts and Heddle's devices accept all.
void generate_code(CompileOptions& options, Text option) {
  std::string_view text = option;
  const auto start = text.find("arch=");
  if (start == std::string_view::npos)
    throw UserError("-gencode needs arch=compute_NN, not '" + std::string(text) + "'");
  text.remove_prefix(start + 5);
  options.generated =
      std::max(options.generated, parse_architecture(text.substr(0, text.find(','))));
}

void split_commas(Text text, std::vector<std::string>& into) {
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(", \t", start), text.size());
    std::string flag = text.substr(start, end - start);
    if (flag.size() > 1 && flag.front() == '"' && flag.back() == '"')
      flag = flag.substr(1, flag.size() - 2);  // as CMake's FindCUDA writes them
    if (!flag.empty()) into.push_back(flag);
    start = end + 1;
  }
}

int parse_optimization(Text text) {
  if (text == "fast" || text == "s" || text == "z" || text == "g") return text == "fast" ? 3 : 1;
  if (text.empty()) return 1;
  if (text.size() != 1 || text[0] < '0' || text[0] > '3')
    throw UserError("-O takes 0, 1, 2 or 3, not '" + text + "'");
  return text[0] - '0';
}

// The runtime is always linked. A separate device runtime does not exist.
void link_with(CompileOptions& options, Text name) {
  if (name != "cudart" && name != "cudart_static" && name != "cudadevrt")
    options.link_flags.push_back("-l" + name);
}

bool parse_truth(Text text) {
  if (text == "true" || text == "1" || text == "yes") return true;
  if (text == "false" || text == "0" || text == "no") return false;
  throw UserError("'" + text + "' is neither true nor false");
}

int parse_registers(Text text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0 || number > 255)
    throw UserError("-maxrregcount takes 0 to 255, not '" + text + "'");
  return number;
}

std::string parse_language(Text text) {
  if (text == "cuda") return "cu";
  if (text == "cu" || text == "c++" || text == "c") return text;
  throw UserError("-x takes cu, c++ or c, not '" + text + "'");
}

void default_stream(CompileOptions& options, Text text) {
  if (text == "per-thread")
    options.preprocessor.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  else if (text != "legacy" && text != "null")
    throw UserError("-default-stream takes legacy or per-thread, not '" + text + "'");
}

void cache_option(Text word, std::initializer_list<std::string_view> names,
                  std::initializer_list<std::string_view> known, std::string& operator_) {
  for (const std::string_view name : names) {
    if (!word.starts_with(name)) continue;
    const std::string_view value = std::string_view(word).substr(name.size());
    if (std::find(known.begin(), known.end(), value) == known.end())
      throw UserError("heddle cc: -Xptxas " + word + ": no such cache operator");
    operator_ = value;
  }
}

void assembler_options(CompileOptions& options, Text text) {
  std::vector<std::string> words;
  split_commas(text, words);
  for (const std::string& word : words) {
    for (const std::string_view name : {"-maxrregcount=", "--maxrregcount="}) {
      if (word.starts_with(name))
        options.register_bound = parse_registers(word.substr(name.size()));
    }
    cache_option(word, {"-dlcm=", "--def-load-cache="}, {"ca", "cg", "cs", "lu", "cv"},
                 options.load_operator);
    cache_option(word, {"-dscm=", "--def-store-cache="}, {"wb", "cg", "cs", "wt"},
                 options.store_operator);
  }
}

void ignore(CompileOptions&, Text) {}

const std::vector<Option>& option_table() {
  using enum Option::Value;
  static const std::vector<Option> table = {
      {"-o", joined, "FILE: the output", [](auto& o, Text v) { o.output = v; }},
      {"--output-file", equals, "", [](auto& o, Text v) { o.output = v; }},
      {"-c", none, "compile to objects, do not link", [](auto& o, Text) { o.compile_only = true; }},
      {"-dc", none, "", [](auto& o, Text) { o.compile_only = true; }},
      {"--compile", none, "", [](auto& o, Text) { o.compile_only = true; }},
      {"-ptx", none, "write the PTX of the device code", [](auto& o, Text) { o.ptx_only = true; }},
      {"--ptx", none, "", [](auto& o, Text) { o.ptx_only = true; }},
      {"--device-ptx", equals, "FILE: embed this PTX instead of compiling the device side",
       [](auto& o, Text v) { o.device_ptx = v; }},
      {"--ps-hints", equals,
       "FILE: mark loops for the warp scheduler ps, by heddle analyze's hints",
       [](auto& o, Text v) { o.ps_hints = v; }},
      {"--cta-hints", optional_file,
       "[FILE.toml]: embed the direction of each kernel's CTAs; without FILE each launch is "
       "analysed",
       [](auto& o, Text v) { o.cta_hints = v.empty() ? kAnalysedAtLaunch : v; }},
      {"-keep", none, "", [](auto& o, Text) { o.keep = true; }},
      {"--keep", none, "keep PTX and objects in the folder of the output",
       [](auto& o, Text) { o.keep = true; }},
      {"-I", joined, "FOLDER: look for headers here",
       [](auto& o, Text v) { o.preprocessor.push_back("-I" + v); }},
      {"-isystem", joined, "FOLDER: look for system headers here",
       [](auto& o, Text v) { o.preprocessor.insert(o.preprocessor.end(), {"-isystem", v}); }},
      {"-include", equals, "FILE: include this first",
       [](auto& o, Text v) { o.preprocessor.insert(o.preprocessor.end(), {"-include", v}); }},
      {"-D", joined, "NAME[=VALUE]: define a macro",
       [](auto& o, Text v) { o.preprocessor.push_back("-D" + v); }},
      {"-U", joined, "NAME: undefine a macro",
       [](auto& o, Text v) { o.preprocessor.push_back("-U" + v); }},
      {"-L", joined, "FOLDER: look for libraries here",
       [](auto& o, Text v) { o.link_flags.push_back("-L" + v); }},
      {"-l", joined, "NAME: link with this library", link_with},
      {"-O", joined, "0..3: optimization level; 3 by default",
       [](auto& o, Text v) { o.optimization = parse_optimization(v); }},
      {"-std", equals, "c++11..c++23: the language; c++17 by default",
       [](auto& o, Text v) { o.standard = standard_of(v); }},
      {"--std", equals, "", [](auto& o, Text v) { o.standard = standard_of(v); }},
      {"-arch", equals, "sm_NN: the PTX target; sm_75 by default",
       [](auto& o, Text v) { o.architecture = parse_architecture(v); }},
      {"--gpu-architecture", equals, "",
       [](auto& o, Text v) { o.architecture = parse_architecture(v); }},
      {"-code", equals, "", ignore},
      {"--gpu-code", equals, "", ignore},
      {"-gencode", equals, "arch=compute_NN,code=...: as -arch; the highest of several",
       generate_code},
      {"--generate-code", equals, "", generate_code},
      {"-use_fast_math", none, "approximate device arithmetic",
       [](auto& o, Text) { o.fast_math = true; }},
      {"--use_fast_math", none, "", [](auto& o, Text) { o.fast_math = true; }},
      {"-maxrregcount", equals, "N: at most N registers per thread; affects the occupancy",
       [](auto& o, Text v) { o.register_bound = parse_registers(v); }},
      {"--maxrregcount", equals, "",
       [](auto& o, Text v) { o.register_bound = parse_registers(v); }},
      {"-ftz", equals, "true: denormal floats are flushed to zero",
       [](auto& o, Text v) { o.flush_denormals = parse_truth(v); }},
      {"--ftz", equals, "", [](auto& o, Text v) { o.flush_denormals = parse_truth(v); }},
      {"-fmad", equals, "false: no fused multiply-add",
       [](auto& o, Text v) { o.contract = parse_truth(v); }},
      {"--fmad", equals, "", [](auto& o, Text v) { o.contract = parse_truth(v); }},
      {"-prec-div", equals, "false: approximate float division",
       [](auto& o, Text v) { o.exact_division = parse_truth(v); }},
      {"--prec-div", equals, "", [](auto& o, Text v) { o.exact_division = parse_truth(v); }},
      {"-prec-sqrt", equals, "false: approximate float square roots",
       [](auto& o, Text v) { o.exact_roots = parse_truth(v); }},
      {"--prec-sqrt", equals, "", [](auto& o, Text v) { o.exact_roots = parse_truth(v); }},
      {"-default-stream", equals, "per-thread: launches without a stream use their thread's stream",
       default_stream},
      {"--default-stream", equals, "", default_stream},
      {"-Xptxas", equals,
       "options of ptxas: -maxrregcount, -dlcm and -dscm have an effect, the others are ignored"
       "on",
       assembler_options},
      {"--ptxas-options", equals, "", assembler_options},
      {"-x", equals, "cu, c++ or c: the language of the sources",
       [](auto& o, Text v) { o.language = parse_language(v); }},
      {"--x", equals, "", [](auto& o, Text v) { o.language = parse_language(v); }},
      {"-fatbin", none, "write a module for cuModuleLoad; it contains PTX",
       [](auto& o, Text) { o.ptx_only = o.fatbin_only = true; }},
      {"--fatbin", none, "", [](auto& o, Text) { o.ptx_only = o.fatbin_only = true; }},
      {"-cubin", none, "", [](auto& o, Text) { o.ptx_only = o.fatbin_only = true; }},
      {"--cubin", none, "", [](auto& o, Text) { o.ptx_only = o.fatbin_only = true; }},
      {"-dlink", none, "write an empty object: device code is linked when the program starts",
       [](auto& o, Text) { o.device_link_only = true; }},
      {"--device-link", none, "", [](auto& o, Text) { o.device_link_only = true; }},
      {"-lib", none, "write a static library of the objects",
       [](auto& o, Text) { o.archive = true; }},
      {"--lib", none, "", [](auto& o, Text) { o.archive = true; }},
      {"-shared", none, "make a shared library",
       [](auto& o, Text) { o.link_flags.push_back("-shared"); }},
      {"--shared", none, "", [](auto& o, Text) { o.link_flags.push_back("-shared"); }},
      {"-link", none, "", ignore},
      {"-E", none, "stop after the preprocessor", [](auto& o, Text) { o.preprocess = "-E"; }},
      {"--preprocess", none, "", [](auto& o, Text) { o.preprocess = "-E"; }},
      {"-M", none, "", [](auto& o, Text) { o.preprocess = "-M"; }},
      {"--generate-dependencies", none, "", [](auto& o, Text) { o.preprocess = "-M"; }},
      {"-MM", none, "", [](auto& o, Text) { o.preprocess = "-MM"; }},
      {"-MD", none, "write dependencies", [](auto& o, Text) { o.host_flags.push_back("-MD"); }},
      {"-MMD", none, "", [](auto& o, Text) { o.host_flags.push_back("-MMD"); }},
      {"-MP", none, "", [](auto& o, Text) { o.host_flags.push_back("-MP"); }},
      {"-MF", equals, "",
       [](auto& o, Text v) { o.host_flags.insert(o.host_flags.end(), {"-MF", v}); }},
      {"-MT", equals, "",
       [](auto& o, Text v) { o.host_flags.insert(o.host_flags.end(), {"-MT", v}); }},
      {"-m32", none, "",
       [](auto&, Text) { throw UserError("heddle cc: -m32: addresses have 64 bits"); }},
      {"-fPIC", none, "", [](auto& o, Text) { o.host_flags.push_back("-fPIC"); }},
      {"-pg", none, "", [](auto& o, Text) { o.host_flags.push_back("-pg"); }},
      {"-rdynamic", none, "", [](auto& o, Text) { o.link_flags.push_back("-rdynamic"); }},
      {"-g", none, "debug information for the host side", [](auto& o, Text) { o.debug = true; }},
      {"-G", none, "", [](auto& o, Text) { o.debug = true; }},
      {"-lineinfo", none, "CUDA line numbers in the PTX; always on", ignore},
      {"--generate-line-info", none, "", ignore},
      {"-Xcompiler", equals, "FLAGS: comma-separated flags for the host compiler",
       [](auto& o, Text v) { split_commas(v, o.host_flags); }},
      {"--compiler-options", equals, "", [](auto& o, Text v) { split_commas(v, o.host_flags); }},
      {"-Xlinker", equals, "FLAGS: comma-separated flags for the linker",
       [](auto& o, Text v) {
         std::vector<std::string> flags;
         split_commas(v, flags);
         for (const auto& flag : flags) o.link_flags.insert(o.link_flags.end(), {"-Xlinker", flag});
       }},
      {"--linker-options", equals, "", [](auto& o, Text v) { split_commas(v, o.link_flags); }},
      {"-Xnvlink", equals, "", ignore},
      {"--nvlink-options", equals, "", ignore},
      {"-Xcudafe", equals, "", ignore},
      {"--cudafe-options", equals, "", ignore},
      {"-Xfatbin", equals, "", ignore},
      {"-Xcicc", equals, "", ignore},
      {"-cudadevrt", equals, "", ignore},
      {"--cudadevrt", equals, "", ignore},
      {"--diag_suppress", equals, "", ignore},
      {"-diag_suppress", equals, "", ignore},
      {"--diag-warn", equals, "", ignore},
      {"--diag-error", equals, "", ignore},
      {"-po", equals, "", [](auto& o, Text v) { assembler_options(o, "-" + v); }},
      {"-Xopencc", equals, "", ignore},
      {"--opencc-options", equals, "", ignore},
      {"--host-compilation", equals, "", ignore},
      {"-noprof", none, "", ignore},
      {"-nohdinitlist", none, "", ignore},
      {"-keep-dir", equals, "", ignore},
      {"--keep-dir", equals, "", ignore},
      {"-split-compile", equals, "", ignore},
      {"--split-compile", equals, "", ignore},
      {"-restrict", none, "", ignore},
      {"--restrict", none, "", ignore},
      {"-src-in-ptx", none, "", ignore},
      {"--source-in-ptx", none, "", ignore},
      {"-extra-device-vectorization", none, "", ignore},
      {"--extra-device-vectorization", none, "", ignore},
      {"-expt-relaxed-constexpr", none, "", ignore},
      {"-expt-extended-lambda", none, "", ignore},
      {"-extended-lambda", none, "", ignore},
      {"-allow-unsupported-compiler", none, "", ignore},
      {"--allow-unsupported-compiler", none, "", ignore},
      {"--forward-unknown-to-host-compiler", none, "", ignore},
      {"-forward-unknown-to-host-compiler", none, "", ignore},
      {"-compress-all", none, "", ignore},
      {"-dw", none, "", [](auto& o, Text) { o.compile_only = true; }},
      {"--no-host-device-initializer-list", none, "", ignore},
      {"--no-host-device-move-forward", none, "", ignore},
      {"-noeh", none, "", ignore},
      {"-time", equals, "", ignore},
      {"-Xarchive", equals, "", ignore},
      {"-res-usage", none, "", ignore},
      {"--resource-usage", none, "", ignore},
      {"-t", equals, "", ignore},
      {"--threads", equals, "", ignore},
      {"-diag-suppress", equals, "", ignore},
      {"--diag-suppress", equals, "", ignore},
      {"-Wno-deprecated-gpu-targets", none, "", ignore},
      {"--Wno-deprecated-gpu-targets", none, "", ignore},
      {"--compiler-bindir", equals, "", ignore},
      {"--device-c", none, "", [](auto& o, Text) { o.compile_only = true; }},
      {"--relocatable-device-code", equals, "", ignore},
      {"--machine", equals, "", ignore},
      {"--disable-warnings", none, "", [](auto& o, Text) { o.no_warnings = true; }},
      {"--optimize", equals, "", [](auto& o, Text v) { o.optimization = parse_optimization(v); }},
      {"--undefine-macro", equals, "", [](auto& o, Text v) { o.preprocessor.push_back("-U" + v); }},
      {"--define-macro", equals, "", [](auto& o, Text v) { o.preprocessor.push_back("-D" + v); }},
      {"--include-path", equals, "", [](auto& o, Text v) { o.preprocessor.push_back("-I" + v); }},
      {"--library-path", equals, "", [](auto& o, Text v) { o.link_flags.push_back("-L" + v); }},
      {"--library", equals, "", link_with},
      {"--debug", none, "", [](auto& o, Text) { o.debug = true; }},
      {"--device-debug", none, "", [](auto& o, Text) { o.debug = true; }},
      {"-line-info", none, "", ignore},
      {"-ccbin", equals, "", ignore},
      {"-cudart", equals, "", ignore},
      {"--cudart", equals, "", ignore},
      {"-rdc", equals, "", ignore},
      {"-m64", none, "", ignore},
      {"--expt-relaxed-constexpr", none, "", ignore},
      {"--expt-extended-lambda", none, "", ignore},
      {"--extended-lambda", none, "", ignore},
      {"-pthread", none, "threads on the host side",
       [](auto& o, Text) { o.host_flags.push_back("-pthread"); }},
      {"-fopenmp", none, "OpenMP on the host side",
       [](auto& o, Text) { o.host_flags.push_back("-fopenmp"); }},
      {"--cuda-gpu-arch", equals, "",
       [](auto& o, Text v) { o.architecture = parse_architecture(v); }},  // clang's name
      {"--offload-arch", equals, "",
       [](auto& o, Text v) { o.architecture = parse_architecture(v); }},
      {"--cuda-path", equals, "", ignore},
      {"-fgpu-rdc", none, "", ignore},
      {"-fno-gpu-rdc", none, "", ignore},
      {"-V", none, "", [](auto& o, Text) { o.print_version = true; }},
      {"--version", none, "the CUDA version, as nvcc prints it",
       [](auto& o, Text) { o.print_version = true; }},
      {"--print-toolkit", none,
       "the folder to use as CUDA toolkit: make CUDA_PATH=$(heddle cc --print-toolkit)",
       [](auto& o, Text) { o.print_toolkit = true; }},
      {"-w", none, "no warnings", [](auto& o, Text) { o.no_warnings = true; }},
      {"-v", none, "print every command, and the output of clang -v",
       [](auto& o, Text) { o.verbose = true; }},
      {"--verbose", none, "", [](auto& o, Text) { o.verbose = true; }},
  };
  return table;
}

bool takes_value_in(const Option& option, Text argument) {
  const std::string_view name = option.name;
  if (!argument.starts_with(name)) return false;
  if (argument.size() == name.size()) return true;
  if (option.value == Option::Value::joined) return true;
  const bool is_joined_by_sign =
      option.value == Option::Value::equals || option.value == Option::Value::optional_file;
  return is_joined_by_sign && argument[name.size()] == '=';
}

// The option that an argument names: an exact match or the longest prefix, so that -include is not
// taken for -I and -lineinfo not for -l.
const Option* find_option(Text argument) {
  const Option* found = nullptr;
  for (const auto& option : option_table()) {
    if (!takes_value_in(option, argument)) continue;
    if (!found || std::string_view(option.name).size() > std::string_view(found->name).size())
      found = &option;
  }
  return found;
}

[[noreturn]] void refuse(Text argument) {
  std::vector<std::string> names;
  for (const auto& option : option_table()) names.emplace_back(option.name);
  const std::string near = nearest_names(argument.substr(0, argument.find('=')), names);
  throw UserError("heddle cc: unknown option '" + argument + "'" +
                  (near.empty() ? "" : "; did you mean " + near + "?"));
}

}  // namespace

CompileOptions parse_arguments(const std::vector<std::string>& arguments) {
  CompileOptions options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.size() < 2 || argument[0] != '-') {
      options.inputs.push_back(argument);
      continue;
    }
    // nvcc's own warnings. -Wno-deprecated-declarations and the like belong to the compiler.
    if (argument == "-Werror" && i + 1 < arguments.size() &&
        (arguments[i + 1] == "all-warnings" || arguments[i + 1].ends_with("-call") ||
         arguments[i + 1] == "reorder")) {
      if (arguments[i + 1] == "all-warnings") options.diagnostics.push_back("-Werror");
      ++i;
      continue;
    }
    if (argument.starts_with("-W") && !argument.starts_with("-Wl,")) {
      options.diagnostics.push_back(argument);
      continue;
    }
    if (argument.starts_with("-Wl,")) {
      options.link_flags.push_back(argument);
      continue;
    }
    const Option* option = find_option(argument);
    if (!option && argument.starts_with("-f")) {  // for the host: -fvisibility=hidden, -fPIE
      options.host_flags.push_back(argument);
      continue;
    }
    if (!option) refuse(argument);
    std::string value = argument.substr(std::string_view(option->name).size());
    if (option->value != Option::Value::joined && !value.empty()) value.erase(0, 1);
    const bool takes_file = option->value == Option::Value::optional_file && value.empty() &&
                            i + 1 < arguments.size() && arguments[i + 1].ends_with(".toml");
    if (takes_file) value = arguments[++i];
    const bool may_be_bare =
        std::string_view(option->name) == "-O" || option->value == Option::Value::optional_file;
    if (option->value != Option::Value::none && value.empty() && !may_be_bare) {
      if (i + 1 == arguments.size())
        throw UserError("heddle cc: " + argument + " needs a value after it");
      value = arguments[++i];
    }
    option->apply(options, value);
  }
  if (options.generated > 0) options.architecture = options.generated;
  return options;
}

std::vector<CompileOptionInfo> compile_options() {
  std::vector<CompileOptionInfo> list;
  for (const auto& option : option_table())
    if (*option.meaning)
      list.push_back({option.name, option.value != Option::Value::none, option.meaning});
  return list;
}

std::string compile_help() {
  std::string text;
  for (const CompileOptionInfo& option : compile_options()) {
    std::string name = option.name;
    name.resize(std::max<std::size_t>(name.size() + 2, 18), ' ');
    text += "  " + name + option.meaning + "\n";
  }
  return text + "  -W...             warnings, as clang takes them\n";
}

}  // namespace heddle::cuda
