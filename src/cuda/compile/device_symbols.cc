#include "cuda/compile/device_symbols.h"

#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "base/demangle.h"
#include "ptx/module.h"

namespace heddle::cuda {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

// ".visible .func (.param .b32 func_retval0) _Z1fi(" -> "_Z1fi"; ".extern .global .align 4 .u32
// v[4];" -> "v".
std::string_view declared_name(std::string_view line) {
  if (const std::size_t result = line.find(") ");
      line.find(".func") != std::string_view::npos && result != std::string_view::npos)
    line.remove_prefix(result + 2);
  std::size_t begin = 0;
  while (begin < line.size()) {  // the first word that is neither a directive nor its number
    while (begin < line.size() && !is_word(line[begin]) && line[begin] != '.') ++begin;
    std::size_t end = begin;
    while (end < line.size() && (is_word(line[end]) || line[end] == '.')) ++end;
    const std::string_view word = line.substr(begin, end - begin);
    if (!word.empty() && word[0] != '.' && (word[0] < '0' || word[0] > '9')) return word;
    begin = end;
  }
  return {};
}

// The name in the source, without what a compiler adds for the file.
std::string source_name(const std::string& symbol) {
  std::string name = demangle(symbol);
  const std::size_t internal = name.find("_INTERNAL_"), scope = name.find("::", internal);
  if (internal != std::string::npos && scope != std::string::npos)
    name.erase(internal, scope + 2 - internal);
  return name;
}

// The strings of an object that can be names.
std::set<std::string> words_in(const std::string& object) {
  std::set<std::string> words;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < object.size(); ++i) {
    if (is_word(object[i])) continue;
    if (object[i] == '\0' && i > begin) words.insert(object.substr(begin, i - begin));
    begin = i + 1;
  }
  return words;
}

// Replaces whole words, but not mnemonics and their modifiers: "add.s32" beside a variable add.
std::string renamed(const std::string& ptx, const std::map<std::string, std::string>& names) {
  std::string out;
  for (std::size_t at = 0; at < ptx.size();) {
    std::size_t end = at;
    while (end < ptx.size() && (is_word(ptx[end]) || ptx[end] == '%')) ++end;
    if (end == at) {
      out += ptx[at++];
      continue;
    }
    const std::string word = ptx.substr(at, end - at);
    const bool is_mnemonic =
        (at > 0 && ptx[at - 1] == '.') || (end < ptx.size() && ptx[end] == '.');
    const auto found = is_mnemonic ? names.end() : names.find(word);
    out += found == names.end() ? word : found->second;
    at = end;
  }
  return out;
}

}  // namespace

std::string with_host_names(const std::string& ptx, const std::string& object) {
  const std::set<std::string> known = words_in(object);
  std::map<std::string, std::string> by_source;
  for (const std::string& word : known)
    if (word.starts_with("_Z")) by_source.emplace(source_name(word), word);
  std::map<std::string, std::string> names;
  const auto add = [&](const std::string& symbol) {
    const auto found = by_source.find(source_name(symbol));
    if (!known.contains(symbol) && found != by_source.end()) names.emplace(symbol, found->second);
  };
  const ptx::Module module = ptx::Module::parse(ptx, "");
  for (const std::string& kernel : module.kernel_names()) add(kernel);
  for (const ptx::Variable& variable : module.variables()) add(variable.name);
  return names.empty() ? ptx : renamed(ptx, names);
}

std::string names_of_device_code(const std::string& ptx) {
  std::string text;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    const bool defined = line.starts_with(".visible ") || line.starts_with(".weak "),
               needed = line.starts_with(".extern ");
    const bool reachable = line.find(".func") != std::string::npos ||
                           line.find(".global") != std::string::npos ||
                           line.find(".const") != std::string::npos;
    if (!(defined || needed) || !reachable) continue;
    const std::string_view name = declared_name(line);
    if (name.empty()) continue;
    const std::string symbol = "\"heddle.device." + std::string(name) + "\"";
    // The linker drops this section ("e") from its output, so an undefined name is no error.
    text += defined ? ".weak " + symbol + "\n.set " + symbol + ", 0\n"
                    : ".pushsection .heddle.needs,\"e\"\n.quad " + symbol + "\n.popsection\n";
  }
  return text;
}

}  // namespace heddle::cuda
