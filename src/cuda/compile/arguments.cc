// The command line of heddle cc: finds the options of option_table.h in the arguments.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "base/diagnostics.h"
#include "cuda/compile/compile.h"
#include "cuda/compile/option_table.h"
#include "cuda/compile/option_values.h"

namespace heddle::cuda {

namespace {

using Text = const std::string&;
using Effect = Option::Effect;
using Value = Option::Value;

struct FoundOption {
  const Option* option = nullptr;
  std::string_view name;
};

// Whether an argument is the option `name`, with or without its value.
bool is_written_as(const Option& option, std::string_view name, Text argument) {
  if (!argument.starts_with(name)) return false;
  if (argument.size() == name.size()) return true;
  if (option.value == Value::none) return false;
  const bool is_attached = option.value == Value::attached || option.value == Value::attached_list;
  return argument[name.size()] == '=' || (is_attached && !name.starts_with("--"));
}

// The longest name counts, so that -include is not taken for -I and -lineinfo not for -l.
FoundOption find_option(Text argument) {
  FoundOption found;
  for (const Option& option : option_table())
    for (const std::string_view name : option.names)
      if (name.size() > found.name.size() && is_written_as(option, name, argument))
        found = {&option, name};
  return found;
}

[[noreturn]] void refuse_unknown(Text argument) {
  std::vector<std::string> names;
  for (const Option& option : option_table())
    names.insert(names.end(), option.names.begin(), option.names.end());
  throw UserError("heddle cc: unknown option '" + argument + "'" +
                  did_you_mean(argument.substr(0, argument.find('=')), names));
}

// gcc's and clang's options that build systems write without -Xcompiler.
bool is_for_host_compiler(Text argument) {
  constexpr std::array prefixes = {
      "-f",      "-march=",   "-mtune=", "-mcpu=",    "-mcmodel=", "-mavx",    "-msse",
      "-mssse3", "-mfma",     "-mf16c",  "-mbmi",     "-mlzcnt",   "-mpopcnt", "-maes",
      "-mno-",   "-mprefer-", "-ggdb",   "-pedantic", "-ansi",     "-pipe",    "-static-lib"};
  const auto begins_argument = [&](const char* prefix) { return argument.starts_with(prefix); };
  return std::any_of(prefixes.begin(), prefixes.end(), begins_argument) ||
         (argument.size() == 3 && argument.starts_with("-g") && std::isdigit(argument[2]));
}

// The kinds of -Werror of nvcc, and clang's names.
struct WarningKind {
  std::string_view kind, flag;  // no flag: clang has no such warning, or it is an error
};
constexpr WarningKind kWarningKinds[] = {
    {"all-warnings", "-Werror"},
    {"reorder", "-Werror=reorder-ctor"},
    {"deprecated-declarations", "-Werror=deprecated-declarations"},
    {"cross-execution-space-call", ""},
    {"default-stream-launch", ""},
    {"missing-launch-bounds", ""},
    {"ext-lambda-captures-this", ""}};

const WarningKind* find_kind(Text text) {
  const auto found = std::find_if(std::begin(kWarningKinds), std::end(kWarningKinds),
                                  [&](const WarningKind& one) { return one.kind == text; });
  return found == std::end(kWarningKinds) ? nullptr : found;
}

class Parser {
 public:
  CompileOptions parse(const std::vector<std::string>& arguments) {
    add_arguments(arguments);
    for (; at_ < arguments_.size(); ++at_) read(arguments_[at_]);
    if (options_.named.generated > 0) options_.architecture = options_.named.generated;
    if (options_.assembly && !options_.ptx_only)
      throw UserError("heddle cc: -S needs --cuda-device-only; host code is compiled to objects");
    forward_unknown();
    share_preprocessor_flags();
    return std::move(options_);
  }

 private:
  // Options files are replaced by their contents.
  void add_arguments(const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto [option, name] = find_option(arguments[i]);
      if (!option || option->names[0] != "--options-file") {
        arguments_.push_back(arguments[i]);
        continue;
      }
      std::string value = arguments[i].substr(name.size());
      if (value.empty()) {
        if (++i == arguments.size()) refuse_missing_value(std::string(name));
        value = arguments[i];
      } else {
        value.erase(0, 1);
      }
      for (const std::string& file : split_list(value)) add_options_file(file);
    }
  }

  void add_options_file(Text file) {
    std::ifstream in(file, std::ios::binary);
    if (!in || !std::filesystem::is_regular_file(file))
      throw UserError("heddle cc: cannot read the options file " + file);
    if (!open_files_.insert(file).second)
      throw UserError("heddle cc: the options file " + file + " includes itself");
    add_arguments(split_words({std::istreambuf_iterator<char>(in), {}}));
    open_files_.erase(file);
  }

  [[noreturn]] static void refuse_missing_value(Text argument) {
    throw UserError("heddle cc: " + argument + " needs a value after it");
  }

  void read(Text argument) {
    if (argument.size() < 2 || argument[0] != '-') {
      options_.inputs.push_back(argument);
      return;
    }
    if (read_promotion(argument)) return;
    if (const FoundOption found = find_option(argument); found.option)
      return apply(*found.option, value_of(found, argument), argument);
    if (argument.starts_with("-Wl,"))
      options_.link_flags.push_back(argument);
    else if (argument.starts_with("-Wa,") || argument.starts_with("-Wp,"))
      options_.host_flags.push_back(argument);
    else if (argument.starts_with("-W"))
      options_.diagnostics.push_back(argument);
    else if (is_for_host_compiler(argument))
      options_.host_flags.push_back(argument);
    else
      unknown_.push_back(argument);
  }

  // -Werror and its kinds. The other warnings of gcc and clang are theirs.
  bool read_promotion(Text argument) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name != "-Werror" && name != "--Werror") return false;
    std::vector<std::string> kinds;
    if (name.size() < argument.size())
      kinds = split_list(argument.substr(name.size() + 1));
    else if (at_ + 1 < arguments_.size())
      kinds = split_list(arguments_[at_ + 1]);
    if (!std::all_of(kinds.begin(), kinds.end(), find_kind) || kinds.empty()) {
      if (name == "--Werror")
        throw UserError("heddle cc: --Werror takes all-warnings, reorder and other kinds of nvcc");
      options_.diagnostics.push_back(argument);  // gcc's and clang's -Werror and -Werror=NAME
      return true;
    }
    if (name.size() == argument.size()) ++at_;
    for (const std::string& kind : kinds)
      if (const auto flag = find_kind(kind)->flag; !flag.empty())
        options_.diagnostics.emplace_back(flag);
    return true;
  }

  // The value behind the name, or the next argument.
  std::string value_of(const FoundOption& found, Text argument) {
    const Value kind = found.option->value;
    std::string value = argument.substr(found.name.size());
    if (value.starts_with('=')) {
      value.erase(0, 1);
      if (value.empty()) refuse_missing_value(argument);
    }
    if (kind == Value::none || !value.empty()) return value;
    const bool is_last = at_ + 1 == arguments_.size();
    if (kind == Value::optional_file)
      return is_last || !arguments_[at_ + 1].ends_with(".toml") ? "" : arguments_[++at_];
    const bool is_level = !is_last && arguments_[at_ + 1].size() == 1;
    if (found.name == "-O" && !is_level) return value;  // as in gcc
    if (is_last) refuse_missing_value(argument);
    return arguments_[++at_];
  }

  void apply(const Option& option, Text value, Text argument) {
    const std::string meaning(option.meaning);
    if (option.effect == Effect::refused)
      throw UserError("heddle cc: " + argument + " is not supported: " + meaning);
    if (option.effect == Effect::noted)
      options_.notes.push_back(argument + " has no effect: " + meaning);
    if (option.effect != Effect::applied) return;
    if (option.value == Value::list || option.value == Value::attached_list)
      for (const std::string& part : split_list(value)) option.apply(options_, part);
    else
      option.apply(options_, value);
  }

  void forward_unknown() {
    for (const std::string& argument : unknown_) {
      if (options_.forward_to_compiler) options_.host_flags.push_back(argument);
      if (options_.forward_to_linker) options_.link_flags.push_back(argument);
      if (!options_.forward_to_compiler && !options_.forward_to_linker) refuse_unknown(argument);
    }
  }

  // nvcc preprocesses both sides with the host compiler. So flags of the preprocessor among those
  // for the host compiler are for the device side, too, and dependencies are written once.
  void share_preprocessor_flags() {
    std::vector<std::string> host_only;
    const std::vector<std::string>& all = options_.host_flags;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_dependency = all[i].starts_with("-M");
      constexpr std::array names = {"-isystem", "-iquote", "-idirafter", "-include",
                                    "-imacros", "-I",      "-D",         "-U",
                                    "-MF",      "-MT",     "-MQ",        "-M"};
      const auto name = std::find_if(names.begin(), names.end(),
                                     [&](const char* one) { return all[i].starts_with(one); });
      if (name == names.end()) {
        host_only.push_back(all[i]);
        continue;
      }
      auto& into = is_dependency ? options_.dependency_flags : options_.preprocessor;
      into.push_back(all[i]);
      const bool is_separate = all[i] == *name && *name != names.back();
      if (is_separate && i + 1 < all.size()) into.push_back(all[++i]);
    }
    options_.host_flags = std::move(host_only);
  }

  std::vector<std::string> arguments_, unknown_;
  std::set<std::string> open_files_;
  std::size_t at_ = 0;
  CompileOptions options_;
};

std::string names_of(const Option& option) {
  std::string names;
  for (const std::string_view name : option.names)
    names += (names.empty() ? "" : ", ") + std::string(name);
  return names + (option.placeholder.empty() ? "" : " " + std::string(option.placeholder));
}

// One option with its meaning below it when the names are long.
void describe(const Option& option, std::string& text) {
  constexpr std::size_t kMeaningColumn = 30;
  std::string line = "  " + names_of(option);
  if (line.size() + 2 > kMeaningColumn) {
    text += line + "\n";
    line.clear();
  }
  line.resize(kMeaningColumn, ' ');
  text += line + std::string(option.meaning) + "\n";
}

void describe_all(Effect effect, std::string_view title, std::string& text) {
  text += title;
  for (const Option& option : option_table())
    if (option.effect == effect) describe(option, text);
}

}  // namespace

CompileOptions parse_arguments(const std::vector<std::string>& arguments) {
  return Parser().parse(arguments);
}

std::vector<CompileOptionInfo> compile_options() {
  std::vector<CompileOptionInfo> list;
  for (const Option& option : option_table()) {
    if (option.effect != Effect::applied) continue;
    list.push_back({{option.names.begin(), option.names.end()},
                    std::string(option.placeholder),
                    std::string(option.meaning)});
  }
  return list;
}

std::string compile_help() {
  std::string text;
  describe_all(Effect::applied, "Options:\n", text);
  text += "  -W...                       warnings, as clang takes them\n";
  text += "  -f..., -march=..., -mavx2   and similar ones: for the host compiler\n";
  describe_all(Effect::noted, "\nWithout effect, with a note:\n", text);
  describe_all(Effect::silent, "\nWithout effect:\n", text);
  describe_all(Effect::refused, "\nNot supported:\n", text);
  return text;
}

}  // namespace heddle::cuda
