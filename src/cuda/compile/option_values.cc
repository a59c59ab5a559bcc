#include "cuda/compile/option_values.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>

#include "base/diagnostics.h"

namespace heddle::cuda {

namespace {

constexpr int kUsualArchitecture = 75;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The whole text as a number.
bool read_number(std::string_view text, int& number) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && stop == text.data() + text.size();
}

// As a shell reads a word: nvcc gives the flags to its host compiler through one.
std::string without_quotes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size())
      plain += text[++i];
    else if (text[i] != '"' && text[i] != '\'')
      plain += text[i];
  }
  return plain;
}

void cache_option(const std::string& word, std::initializer_list<std::string_view> names,
                  std::initializer_list<std::string_view> known, std::string& operator_) {
  for (const std::string_view name : names) {
    if (!word.starts_with(name)) continue;
    const std::string_view value = std::string_view(word).substr(name.size());
    if (std::find(known.begin(), known.end(), value) == known.end())
      throw UserError("heddle cc: -Xptxas " + word + ": no such cache operator");
    operator_ = value;
  }
}

}  // namespace

int parse_architecture(std::string_view text) {
  if (text == "native" || text == "all" || text == "all-major") return kUsualArchitecture;
  std::string_view digits = text;
  for (const std::string_view prefix : {"sm_", "compute_", "lto_"})
    if (digits.starts_with(prefix)) digits.remove_prefix(prefix.size());
  if (digits.ends_with('a') || digits.ends_with('f')) digits.remove_suffix(1);
  int number = 0;
  if (!read_number(digits, number) || number < 10 || number > 130)
    throw UserError("cannot read the architecture '" + std::string(text) +
                    "'; write sm_75 or compute_75");
  return number;
}

// Only the virtual architecture counts, because only PTX is kept. Of several the highest counts,
// because a driver loads the newest PTX that its device accepts and Heddle's devices accept all.
void generate_code(CompileOptions& options, const std::string& text) {
  const auto start = text.find("arch=");
  if (start == std::string::npos)
    throw UserError("-gencode needs arch=compute_NN, not '" + text + "'");
  const std::string_view after = std::string_view(text).substr(start + 5);
  generate_architecture(options, std::string(after.substr(0, after.find(','))));
}

void select_architecture(CompileOptions& options, std::string_view text) {
  options.architecture = parse_architecture(text);
  options.named.specific = text.ends_with('a') ? options.architecture : 0;
}

void generate_architecture(CompileOptions& options, const std::string& text) {
  const int architecture = parse_architecture(text);
  if (architecture > options.named.generated) options.named.specific = 0;
  if (architecture >= options.named.generated && text.ends_with('a'))
    options.named.specific = architecture;
  options.named.generated = std::max(options.named.generated, architecture);
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : text) {
    quoted ^= c == '"';
    if (c == ',' && !quoted)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  std::erase(parts, "");
  return parts;
}

std::vector<std::string> split_flags(const std::string& text) {
  std::vector<std::string> flags(1);
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      flags.back() += text[++i];
      continue;
    }
    const bool is_end = quote == 0 && (c == ',' || is_blank(c));
    if (quote ? c == quote : c == '"' || c == '\'') quote = quote ? '\0' : c;
    if (is_end)
      flags.emplace_back();
    else
      flags.back() += c;
  }
  for (std::string& flag : flags) flag = without_quotes(flag);
  std::erase(flags, "");
  return flags;
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      if (text[++i] != '\n') words.back() += text[i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == '#' && words.back().empty()) {
      i = std::min(text.find('\n', i), text.size());
    } else if (!quoted && is_blank(c)) {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  std::erase(words, "");
  return words;
}

std::string parse_standard(const std::string& text) {
  const bool is_older = text.ends_with("98") || text.ends_with("03");
  return is_older ? text.substr(0, text.size() - 2) + "11" : text;
}

std::string parse_language(const std::string& text) {
  if (text == "cuda") return "cu";
  if (text == "cu" || text == "c++" || text == "c") return text;
  throw UserError("-x takes cu, c++ or c, not '" + text + "'");
}

int parse_optimization(const std::string& text) {
  if (text == "fast") return 3;
  if (text.empty() || text == "s" || text == "z" || text == "g") return 1;
  if (text.size() != 1 || text[0] < '0' || text[0] > '3')
    throw UserError("-O takes 0, 1, 2 or 3, not '" + text + "'");
  return text[0] - '0';
}

int parse_registers(const std::string& text) {
  int number = 0;
  if (!read_number(text, number) || number < 0 || number > 255)
    throw UserError("-maxrregcount takes 0 to 255, not '" + text + "'");
  return number;
}

int parse_number(const std::string& text) {
  int number = 0;
  if (!read_number(text, number)) throw UserError("'" + text + "' is not a number");
  return number;
}

bool parse_truth(const std::string& text) {
  if (text == "true" || text == "1" || text == "yes") return true;
  if (text == "false" || text == "0" || text == "no") return false;
  throw UserError("'" + text + "' is neither true nor false");
}

void assembler_options(CompileOptions& options, const std::string& text) {
  for (const std::string& word : split_flags(text)) {
    for (const std::string_view name : {"-maxrregcount=", "--maxrregcount="})
      if (word.starts_with(name))
        options.register_bound = parse_registers(word.substr(name.size()));
    cache_option(word, {"-dlcm=", "--def-load-cache="}, {"ca", "cg", "cs", "lu", "cv"},
                 options.load_operator);
    cache_option(word, {"-dscm=", "--def-store-cache="}, {"wb", "cg", "cs", "wt"},
                 options.store_operator);
  }
}

void default_stream(CompileOptions& options, const std::string& text) {
  if (text == "per-thread")
    options.preprocessor.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  else if (text != "legacy" && text != "null")
    throw UserError("-default-stream takes legacy or per-thread, not '" + text + "'");
}

}  // namespace heddle::cuda
