// The command line of heddle cc: nvcc's everyday options, and three of our own.
#include <algorithm>
#include <charconv>
#include <functional>
#include <string_view>

#include "base/diagnostics.h"
#include "cuda/compile/compile.h"

namespace heddle::cuda {

namespace {

using Text = const std::string&;

// One option. flag: takes no value. joined: "-Ifoo" and "-I foo". equals: "-std=c++17" and "-std c++17".
struct Option {
  enum class Value { none, joined, equals };
  const char* name;
  Value value;
  const char* meaning;  // empty: another spelling of the option above it
  std::function<void(CompileOptions&, Text)> apply;
};

int parse_architecture(std::string_view text) {
  for (const std::string_view prefix : {"sm_", "compute_", "lto_"}) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  }
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool letter = end + 1 == text.data() + text.size() && (*end == 'a' || *end == 'f');
  if (error != std::errc{} || (end != text.data() + text.size() && !letter) || number < 20 || number > 130) {
    throw UserError("cannot read the architecture '" + std::string(text) + "'; write sm_75 or compute_75");
  }
  return number;
}

// "arch=compute_70,code=[sm_70,compute_70]": only the virtual architecture matters, PTX is all that is kept.
int parse_generate_code(std::string_view text) {
  const auto start = text.find("arch=");
  if (start == std::string_view::npos) throw UserError("-gencode needs arch=compute_NN, not '" + std::string(text) + "'");
  text.remove_prefix(start + 5);
  return parse_architecture(text.substr(0, text.find(',')));
}

void split_commas(Text text, std::vector<std::string>& into) {
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    if (end > start) into.push_back(text.substr(start, end - start));
    start = end + 1;
  }
}

int parse_optimization(Text text) {
  if (text == "fast" || text == "s" || text == "z" || text == "g") return text == "fast" ? 3 : 1;
  if (text.empty()) return 1;
  if (text.size() != 1 || text[0] < '0' || text[0] > '3') throw UserError("-O takes 0, 1, 2 or 3, not '" + text + "'");
  return text[0] - '0';
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
      {"-ptx", none, "stop at the PTX of the device side", [](auto& o, Text) { o.ptx_only = true; }},
      {"--ptx", none, "", [](auto& o, Text) { o.ptx_only = true; }},
      {"--device-ptx", equals, "FILE: embed this PTX instead of compiling the device side",
       [](auto& o, Text v) { o.device_ptx = v; }},
      {"-keep", none, "", [](auto& o, Text) { o.keep = true; }},
      {"--keep", none, "keep PTX and objects beside the output", [](auto& o, Text) { o.keep = true; }},
      {"-I", joined, "FOLDER: look for headers here", [](auto& o, Text v) { o.preprocessor.push_back("-I" + v); }},
      {"-isystem", joined, "FOLDER: look for system headers here",
       [](auto& o, Text v) { o.preprocessor.insert(o.preprocessor.end(), {"-isystem", v}); }},
      {"-include", equals, "FILE: include this first",
       [](auto& o, Text v) { o.preprocessor.insert(o.preprocessor.end(), {"-include", v}); }},
      {"-D", joined, "NAME[=VALUE]: define a macro", [](auto& o, Text v) { o.preprocessor.push_back("-D" + v); }},
      {"-U", joined, "NAME: undefine a macro", [](auto& o, Text v) { o.preprocessor.push_back("-U" + v); }},
      {"-L", joined, "FOLDER: look for libraries here", [](auto& o, Text v) { o.link_flags.push_back("-L" + v); }},
      {"-l", joined, "NAME: link with this library", [](auto& o, Text v) { o.link_flags.push_back("-l" + v); }},
      {"-O", joined, "0..3: how hard to optimize; 3 by default", [](auto& o, Text v) { o.optimization = parse_optimization(v); }},
      {"-std", equals, "c++11..c++23: the language; c++17 by default", [](auto& o, Text v) { o.standard = v; }},
      {"--std", equals, "", [](auto& o, Text v) { o.standard = v; }},
      {"-arch", equals, "sm_NN: the PTX target; sm_75 by default", [](auto& o, Text v) { o.architecture = parse_architecture(v); }},
      {"--gpu-architecture", equals, "", [](auto& o, Text v) { o.architecture = parse_architecture(v); }},
      {"-code", equals, "", ignore},
      {"--gpu-code", equals, "", ignore},
      {"-gencode", equals, "arch=compute_NN,code=...: as -arch", [](auto& o, Text v) { o.architecture = parse_generate_code(v); }},
      {"--generate-code", equals, "", [](auto& o, Text v) { o.architecture = parse_generate_code(v); }},
      {"-use_fast_math", none, "approximate device arithmetic", [](auto& o, Text) { o.fast_math = true; }},
      {"--use_fast_math", none, "", [](auto& o, Text) { o.fast_math = true; }},
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
      {"-Xptxas", equals, "", ignore},
      {"--ptxas-options", equals, "", ignore},
      {"-maxrregcount", equals, "", ignore},
      {"--maxrregcount", equals, "", ignore},
      {"-Xnvlink", equals, "", ignore},
      {"-Xarchive", equals, "", ignore},
      {"-res-usage", none, "", ignore},
      {"--resource-usage", none, "", ignore},
      {"-ftz", equals, "", ignore},
      {"--ftz", equals, "", ignore},
      {"-prec-div", equals, "", ignore},
      {"--prec-div", equals, "", ignore},
      {"-prec-sqrt", equals, "", ignore},
      {"--prec-sqrt", equals, "", ignore},
      {"-fmad", equals, "", ignore},
      {"--fmad", equals, "", ignore},
      {"-default-stream", equals, "", ignore},
      {"--default-stream", equals, "", ignore},
      {"-t", equals, "", ignore},
      {"--threads", equals, "", ignore},
      {"-diag-suppress", equals, "", ignore},
      {"--diag-suppress", equals, "", ignore},
      {"-Wno-deprecated-gpu-targets", none, "", ignore},
      {"--compiler-bindir", equals, "", ignore},
      {"--device-c", none, "", [](auto& o, Text) { o.compile_only = true; }},
      {"--relocatable-device-code", equals, "", ignore},
      {"--machine", equals, "", ignore},
      {"--disable-warnings", none, "", [](auto& o, Text) { o.warn_nothing = true; }},
      {"--optimize", equals, "", [](auto& o, Text v) { o.optimization = parse_optimization(v); }},
      {"--define-macro", equals, "", [](auto& o, Text v) { o.preprocessor.push_back("-D" + v); }},
      {"--include-path", equals, "", [](auto& o, Text v) { o.preprocessor.push_back("-I" + v); }},
      {"--library-path", equals, "", [](auto& o, Text v) { o.link_flags.push_back("-L" + v); }},
      {"--library", equals, "", [](auto& o, Text v) { o.link_flags.push_back("-l" + v); }},
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
      {"-pthread", none, "threads on the host side", [](auto& o, Text) { o.host_flags.push_back("-pthread"); }},
      {"-fopenmp", none, "OpenMP on the host side", [](auto& o, Text) { o.host_flags.push_back("-fopenmp"); }},
      {"-w", none, "no warnings", [](auto& o, Text) { o.warn_nothing = true; }},
      {"-v", none, "print every command before it runs", [](auto& o, Text) { o.verbose = true; }},
      {"--verbose", none, "", [](auto& o, Text) { o.verbose = true; }},
  };
  return table;
}

bool takes_value_in(const Option& option, Text argument) {
  const std::string_view name = option.name;
  if (!argument.starts_with(name)) return false;
  if (argument.size() == name.size()) return true;
  if (option.value == Option::Value::joined) return true;
  return option.value == Option::Value::equals && argument[name.size()] == '=';
}

// The option an argument names: an exact or longest match, so that -include is not -I and -lineinfo is not -l.
const Option* find_option(Text argument) {
  const Option* found = nullptr;
  for (const auto& option : option_table()) {
    if (!takes_value_in(option, argument)) continue;
    if (!found || std::string_view(option.name).size() > std::string_view(found->name).size()) found = &option;
  }
  return found;
}

[[noreturn]] void refuse(Text argument) {
  std::vector<std::string> names;
  for (const auto& option : option_table()) names.emplace_back(option.name);
  const std::string near = nearest_names(argument.substr(0, argument.find('=')), names);
  throw UserError("heddle cc: unknown option '" + argument + "'" + (near.empty() ? "" : "; did you mean " + near + "?"));
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
    if (argument.starts_with("-W") && !argument.starts_with("-Wl,")) {
      options.diagnostics.push_back(argument);
      continue;
    }
    if (argument.starts_with("-Wl,")) {
      options.link_flags.push_back(argument);
      continue;
    }
    const Option* option = find_option(argument);
    if (!option) refuse(argument);
    std::string value = argument.substr(std::string_view(option->name).size());
    if (option->value == Option::Value::equals && !value.empty()) value.erase(0, 1);
    const bool may_be_bare = std::string_view(option->name) == "-O";
    if (option->value != Option::Value::none && value.empty() && !may_be_bare) {
      if (i + 1 == arguments.size()) throw UserError("heddle cc: " + argument + " needs a value after it");
      value = arguments[++i];
    }
    option->apply(options, value);
  }
  return options;
}

std::string compile_help() {
  std::string text;
  for (const auto& option : option_table()) {
    if (!*option.meaning) continue;
    std::string name = option.name;
    name.resize(std::max<std::size_t>(name.size() + 2, 18), ' ');
    text += "  " + name + option.meaning + "\n";
  }
  return text + "  -W...             warnings, as clang takes them\n";
}

}  // namespace heddle::cuda
