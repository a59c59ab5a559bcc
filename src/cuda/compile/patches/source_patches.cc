#include "cuda/compile/patches/source_patches.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

namespace heddle::cuda {

namespace fs = std::filesystem;

namespace {

constexpr const char* kHostCall = ": error: reference to __host__ function '";
constexpr const char* kCaller = ": note: called by '";
constexpr const char* kAssignment = ": note: 'operator=' declared here";
// Of a kernel template; a note follows.
constexpr const char* kKernelCandidate =
    ": note: candidate function not viable: call to __global__ function from __";
// These macros are in Heddle's header; the program's text is named by the note before it.
constexpr const char* kOwnMacros[] = {": note: expanded from macro '__device__'",
                                      ": note: expanded from macro '__shared__'"};
constexpr const char* kMacro = ": note: expanded from macro";
constexpr const char* kError = ": error: ";

struct SourcePlace {
  std::string file;
  std::size_t line = 0, column = 0;
  auto operator<=>(const SourcePlace&) const = default;
};

// Doubles the percent sign before `at`.
bool double_percent(std::string& text, std::size_t begin, std::size_t at) {
  const std::size_t percent = text.rfind('%', std::min(at, text.size()));
  if (percent == std::string::npos || percent < begin) return false;
  text.insert(percent, 1, '%');
  return true;
}

// Moves alignas(...) before the words in front of it.
bool move_alignment(std::string& text, std::size_t begin, std::size_t at) {
  if (text.compare(at, 7, "alignas") != 0) return false;
  std::size_t end = text.find('(', at);
  for (int depth = 0; end < text.size(); ++end) {
    depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  if (end >= text.size()) return false;
  std::size_t start = at;
  const auto is_word = [](char c) {
    return c == '_' || c == ' ' || c == '\t' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  };
  while (start > begin && is_word(text[start - 1])) --start;
  start = text.find_first_not_of(" \t", start);
  if (start >= at || (start > begin && text[start - 1] == '#')) return false;
  const std::string alignment = text.substr(at, end + 1 - at),
                    words = text.substr(start, at - start);
  text.replace(start, end + 1 - start,
               alignment + " " + words.substr(0, words.find_last_not_of(" \t") + 1));
  return true;
}

// "<< <" becomes " <<<", and ">> >" becomes " >>>". The length stays, so that the columns of other
// messages about the line stay valid.
bool join_launch_brackets(std::string& text, std::size_t begin, std::size_t at) {
  const char bracket = text[at];
  if ((bracket != '<' && bracket != '>') || at == begin) return false;
  const std::size_t pair = text.find_last_not_of(" \t", at - 1);
  if (pair == std::string::npos || pair <= begin || pair + 1 == at || text[pair] != bracket ||
      text[pair - 1] != bracket)
    return false;
  text[pair - 1] = text[pair] = ' ';
  text[at - 1] = text[at - 2] = bracket;
  return true;
}

// A grid or block in braces, as in "<<<1, {8, 4}>>>", becomes a dim3.
bool name_dimensions(std::string& text, std::size_t at) {
  const std::size_t launch = text.rfind("<<<", at);
  if (text[at] != '{' || launch == std::string::npos) return false;
  int depth = 0, commas = 0;
  for (std::size_t i = launch + 3; i < at; ++i) {
    if (text[i] == ';' || text.compare(i, 3, ">>>") == 0) return false;
    depth += text[i] == '(' || text[i] == '{' ? 1 : text[i] == ')' || text[i] == '}' ? -1 : 0;
    commas += text[i] == ',' && depth == 0;
  }
  if (depth != 0 || commas > 1) return false;
  text.insert(at, "dim3");
  return true;
}

// "#pragma unroll" as the text of a macro becomes _Pragma("unroll").
bool quote_pragma(std::string& text, std::size_t begin, std::size_t at) {
  constexpr std::string_view word = "pragma";
  if (text[at] != '#' || at == begin) return false;
  const std::size_t name = text.find_first_not_of(" \t", at + 1);
  if (name == std::string::npos || text.compare(name, word.size(), word) != 0) return false;
  const std::size_t start = text.find_first_not_of(" \t", name + word.size());
  std::size_t end = std::min(text.find_first_of("\n\\", at), text.size());
  for (const char* comment : {"//", "/*"}) end = std::min(end, text.find(comment, at));
  if (start >= end) return false;
  end = text.find_last_not_of(" \t\r", end - 1) + 1;
  std::string quoted;
  for (const char c : text.substr(start, end - start)) {
    if (c == '"') quoted += '\\';
    quoted += c;
  }
  text.replace(at, end - at, "_Pragma(\"" + quoted + "\")");
  return true;
}

bool fix_expression(std::string& text, std::size_t begin, std::size_t at) {
  return join_launch_brackets(text, begin, at) || name_dimensions(text, at) ||
         quote_pragma(text, begin, at);
}

// Whether a parenthesis that opens behind `from` is still open at `at`.
bool is_open(const std::string& text, std::size_t from, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = from + 1; i < at; ++i) {
    if (text[i] == '"' && text[i - 1] != '\\') quoted = !quoted;
    if (quoted) continue;
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && text[i] == ')') return false;
  }
  return depth > 0;
}

// Two operands of an asm statement without a comma, as in 'asm("..." :: "r"(a) "r"(b))'. The comma
// replaces a blank where there is one, so that the columns of other messages stay valid.
bool separate_operands(std::string& text, std::size_t, std::size_t at) {
  if (at == 0 || (text[at] != '"' && text[at] != '[')) return false;
  const std::size_t before = text.find_last_not_of(" \t\r\n", at - 1);
  if (before == std::string::npos || text[before] != ')') return false;
  const std::size_t statement = text.rfind("asm", before);
  if (statement == std::string::npos || !is_open(text, statement, at)) return false;
  const std::size_t blank = text.find_first_of(" \t", before);
  if (blank < at)
    text[blank] = ',';
  else
    text.insert(at, 1, ',');
  return true;
}

// "kernel<<<grid, block>>>(x)" in device code becomes a call of a template in Heddle's headers. The
// name may have a scope before it and template arguments behind it.
bool launch_from_device(std::string& text, std::size_t begin, std::size_t at) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  if (at >= text.size() || !is_word(text[at])) return false;
  std::size_t start = at;
  while (start > begin && (is_word(text[start - 1]) || text[start - 1] == ':')) --start;
  std::size_t end = at;
  const auto skip_name = [&] {
    while (end < text.size() && (is_word(text[end]) || text[end] == ':')) ++end;
    const std::size_t next = text.find_first_not_of(" \t\r\n", end);
    return next == std::string::npos ? text.size() : next;
  };
  std::size_t open = skip_name();
  if (text.compare(open, 3, "<<<") != 0 && open < text.size() && text[open] == '<') {
    int depth = 0, parentheses = 0;
    for (end = open; end < text.size(); ++end) {
      parentheses += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
      if (parentheses == 0) depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
      if (depth == 0 || text[end] == ';') break;
    }
    if (depth != 0) return false;
    ++end;
    open = skip_name();
  }
  if (text.compare(open, 3, "<<<") != 0) return false;
  const std::size_t close = text.find(">>>", open);
  if (close == std::string::npos) return false;
  const std::string kernel = text.substr(start, end - start);
  // Lines keep their numbers.
  const std::string between = text.substr(end, open - end);
  text.replace(close, 3, ")");
  text.replace(start, open + 3 - start,
               "__heddle_nested::launch<decltype(" + kernel + "), " + kernel + ">" + between + "(");
  return true;
}

// Thrust's launches stand under a condition that is false on the device. Clang rejects a call of a
// host function even in unreachable code, but the kernels that the code launches must be compiled.
// So the code becomes the body of a lambda that is never called.
bool wrap_host_code(std::string& text, std::size_t, std::size_t at) {
  const std::string condition = "if (__THRUST_HAS_CUDART__)", mark = "{ __HEDDLE_HOST_PART__ ";
  const std::size_t start = text.rfind(condition, at);
  const std::size_t open = start == std::string::npos
                               ? start
                               : text.find_first_not_of(" \t\r\n", start + condition.size());
  if (open == std::string::npos || text.compare(open, mark.size(), mark) == 0) return false;
  const bool block = text[open] == '{';
  std::size_t end = open;
  for (int depth = 0; end < text.size(); ++end) {
    depth += text[end] == '{' || text[end] == '('   ? 1
             : text[end] == '}' || text[end] == ')' ? -1
                                                    : 0;
    if (depth == 0 && text[end] == (block ? '}' : ';')) break;
  }
  if (end >= text.size() || at > end) return false;
  text.insert(end + 1, block ? "; }" : " }; }");
  text.insert(open, block ? mark : mark + "{ ");
  return true;
}

// Thrust's iterators have an assignment operator without the __host__ __device__ of their
// constructors.
bool qualify_assignment(std::string& text, std::size_t begin, std::size_t at) {
  const std::string sides = "__host__ __device__ ";
  begin = text.find_first_not_of(" \t", begin);
  if (begin > at || text.compare(begin, sides.size(), sides) == 0) return false;
  text.insert(begin, sides);
  return true;
}

// Removes "__device__" from a kernel's "__device__ __shared__" variable. Spaces replace the word,
// so that the columns of other messages stay valid.
bool remove_device_word(std::string& text, std::size_t begin, std::size_t at) {
  const std::string word = "__device__";
  if (text.compare(at, word.size(), word) != 0) return false;
  const std::size_t before = at == 0 ? std::string::npos : text.find_last_of(";{}", at - 1);
  const std::size_t start = before == std::string::npos ? begin : std::max(begin, before + 1);
  if (text.substr(start, text.find(';', at) - start).find("__shared__") == std::string::npos)
    return false;
  text.replace(at, word.size(), word.size(), ' ');
  return true;
}

// The bracket that closes the one at `open`.
std::size_t closing(const std::string& text, std::size_t open) {
  const char left = text[open], right = left == '[' ? ']' : '}';
  for (int depth = 0; open < text.size(); ++open) {
    depth += text[open] == left ? 1 : text[open] == right ? -1 : 0;
    if (depth == 0) return open;
  }
  return std::string::npos;
}

// "int counts[n] = {1, 2};" of a variable n becomes assignments: gcc initializes such arrays, too.
// Clang names the size.
bool assign_elements(std::string& text, std::size_t begin, std::size_t at) {
  std::size_t sizes = text.rfind('[', at);
  if (sizes == std::string::npos || sizes <= begin) return false;
  while (text[sizes - 1] == ']' && text.rfind('[', sizes - 1) > begin)
    sizes = text.rfind('[', sizes - 1);
  std::size_t first = sizes;
  while (first > begin &&
         (std::isalnum(static_cast<unsigned char>(text[first - 1])) || text[first - 1] == '_'))
    --first;
  const std::string name = text.substr(first, sizes - first);
  std::size_t sized = closing(text, sizes);
  while (sized != std::string::npos && text[sized + 1] == '[') sized = closing(text, sized + 1);
  if (name.empty() || sized == std::string::npos) return false;
  const std::size_t open = text.find_first_not_of(" \t\n=", sized + 1);
  if (open == std::string::npos || text[open] != '{') return false;
  const std::size_t close = closing(text, open);
  if (close == std::string::npos ||
      text.find_first_not_of(" \t\n", close + 1) != text.find(';', close))
    return false;
  const std::string list = text.substr(open + 1, close - open - 1);
  std::string code = "; __builtin_memset(" + name + ", 0, sizeof " + name + ");";
  if (list.find_first_not_of("0., \t\nf{}") != std::string::npos)
    code += " { auto* heddle_to = " + name +
            "; for (const auto& heddle_value : " + "std::initializer_list<__typeof__(*" + name +
            ")>{" + list + "}) *heddle_to++ = heddle_value; }";
  else
    code.append(static_cast<std::size_t>(std::count(list.begin(), list.end(), '\n')), '\n');
  text.replace(sized + 1, close - sized, code);
  return true;
}

// "extern __shared__ Tile tile;" becomes a reference to the first element of an array.
bool make_shared_array(std::string& text, std::size_t, std::size_t at) {
  const std::size_t end = text.find(';', at);
  if (end == std::string::npos) return false;
  const std::size_t last = text.find_last_not_of(" \t", end - 1);
  std::size_t start = last + 1;
  while (start > at &&
         (std::isalnum(static_cast<unsigned char>(text[start - 1])) || text[start - 1] == '_'))
    --start;
  if (start == at || start > last) return false;
  const std::string name = text.substr(start, last + 1 - start), array = "__heddle_array_" + name;
  text.replace(start, last + 1 - start, array + "[]; auto& " + name + " = " + array + "[0]");
  return true;
}

// "Cast<T>::to<N>(x)" and "c.to<N>(x)", whose first part depends on parameters of a template, need
// "template" before the last name. Clang's column is that name or the beginning of the chain.
bool name_template(std::string& text, std::size_t begin, std::size_t at) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  const auto separator = [&](std::size_t i) -> std::size_t {
    if (text.compare(i, 2, "::") == 0 || text.compare(i, 2, "->") == 0) return 2;
    return i < text.size() && text[i] == '.' ? 1 : 0;
  };
  std::size_t name = std::string::npos, i = at;
  if (at >= begin + 2 && (separator(at - 2) == 2 || separator(at - 1) == 1)) name = at;
  while (i < text.size()) {
    const std::size_t word = i;
    while (i < text.size() && is_word(text[i])) ++i;
    if (i == word || i == text.size()) break;
    if (text[i] == '<') {
      if (word != at) name = word;
      int depth = 0, parentheses = 0;
      for (; i < text.size() && text[i] != ';'; ++i) {
        parentheses += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (parentheses == 0) depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
        if (depth == 0) break;
      }
      if (depth != 0) break;
      ++i;
    }
    const std::size_t length = separator(i);
    if (length == 0) break;
    i += length;
  }
  if (name == std::string::npos) return false;
  text.insert(name, "template ");
  return true;
}

// What clang 19 says about text that nvcc accepts, and the patch for it.
// tests/cuda/patches_clang_test.cc asks the clang that is found.
struct Rule {
  const char* message;
  bool (*patch)(std::string& text, std::size_t begin, std::size_t at);
  const char* note = nullptr;  // follows the message where the patch helps
};
constexpr Rule kRules[] = {
    {": error: invalid % escape in inline assembly string", double_percent},
    {": error: an attribute list cannot appear here", move_alignment},
    {": error: 'alignas' attribute cannot be applied to types", move_alignment},
    {": error: expected expression", fix_expression},
    {": error: expected ')'", separate_operands},
    {": error: no matching function for call to '", launch_from_device, kKernelCandidate},
    {": error: reference to __global__ function '", launch_from_device},
    {": error: reference to overloaded function could not be resolved", name_template},
    {": error: missing 'template' keyword prior to dependent template name '", name_template},
    {": error: use 'template' keyword to treat '", name_template},
    {": error: __constant__, __device__, and __managed__ are not allowed on non-static local "
     "variables",
     remove_device_word},
    {": error: variable-sized object may not be initialized", assign_elements},
    {": error: __shared__ variable '", make_shared_array},  // ... cannot be 'extern'
};

std::string without_colours(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm' && text[i] != 'K') ++i;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// FILE:LINE:COLUMN before `mark`.
std::optional<SourcePlace> place_before(const std::string& text, const char* mark) {
  const std::size_t end = text.find(mark);
  if (end == std::string::npos) return std::nullopt;
  const std::size_t second = text.rfind(':', end - 1);
  const std::size_t first =
      second == std::string::npos || second == 0 ? std::string::npos : text.rfind(':', second - 1);
  if (first == std::string::npos) return std::nullopt;
  return SourcePlace{text.substr(0, first), std::strtoul(text.c_str() + first + 1, nullptr, 10),
                     std::strtoul(text.c_str() + second + 1, nullptr, 10)};
}

bool names_own_macro(const std::string& text) {
  return std::any_of(std::begin(kOwnMacros), std::end(kOwnMacros),
                     [&](const char* macro) { return text.find(macro) != std::string::npos; });
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// Clang's notes name the declaration in Heddle's headers that conflicts with the program's own.
bool declares_texture(const std::string& messages) {
  if (!contains(messages, "heddle/textures.h") && !contains(messages, "heddle/runtime_templates.h"))
    return false;
  for (const std::string name : {"'texture'", "'surface'"})
    if (contains(messages, (": error: redefinition of " + name).c_str()) ||
        contains(messages, (": error: reference to " + name + " is ambiguous").c_str()) ||
        contains(messages, ": error: too few template parameters in template redeclaration"))
      return true;
  return false;
}

// nvcc's is an external declaration, to which every definition may be added.
bool declares_warp_size(const std::string& messages) {
  return contains(messages, "heddle/builtin_variables.h") &&
         (contains(messages, ": error: redefinition of 'warpSize'") ||
          contains(messages, "declaration of 'warpSize' follows non-"));
}

// nvcc looks up members of a template's own class when the template is instantiated.
bool names_late_member(const std::string& messages) {
  return contains(messages, ": error: no member named '");
}

// Clang ends with this message, which names no place, when it has inlined the conversion.
bool casts_to_other_space(const std::string& messages) {
  return contains(messages, "error in backend: Cannot cast between two non-generic address spaces");
}

struct Option {
  bool (*is_needed)(const std::string& messages);
  const char* flag;
};
constexpr Option kOptions[] = {
    {declares_texture, "-D__HEDDLE_FREES_NAMES__"},
    {declares_warp_size, "-D__HEDDLE_FREES_WARP_SIZE__"},
    {names_late_member, "-fdelayed-template-parsing"},
    {casts_to_other_space, "-D__HEDDLE_OPAQUE_CASTS__"},
};

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

bool SourcePatches::find_options(const std::string& messages) {
  bool found = false;
  for (const Option& option : kOptions)
    if (option.is_needed(messages)) found |= options_.insert(option.flag).second;
  return found;
}

bool SourcePatches::patch_thrust(const std::string& messages) {
  std::istringstream lines(messages);
  bool patched = false, searching = false;
  for (std::string text; std::getline(lines, text);) {
    auto place = place_before(text, kHostCall);
    searching |= place.has_value();
    if (!place) place = place_before(text, kCaller);
    if (searching && place && patch(place->file, place->line, place->column, wrap_host_code))
      patched = true, searching = false;
    const auto assignment = place_before(text, kAssignment);
    const bool thrusts = assignment && assignment->file.find("/thrust/") != std::string::npos;
    if (searching && thrusts &&
        patch(assignment->file, assignment->line, assignment->column, qualify_assignment))
      patched = true, searching = false;
  }
  return patched;
}

bool SourcePatches::apply(const std::string& messages) {
  const std::string plain = without_colours(messages);
  std::istringstream lines(plain);
  bool patched = find_options(plain);
  patched |= patch_thrust(plain);
  std::set<SourcePlace> done;  // each instance of a template has its message
  SourcePlace place;           // line 0: no place
  const Rule* rule = nullptr;
  bool is_noted = false;
  const auto apply_rule = [&] {
    if (place.line && is_noted && done.insert(place).second)
      patched |= patch(place.file, place.line, place.column, rule->patch);
    place = {};
  };
  for (std::string text; std::getline(lines, text);) {
    const auto* const found =
        std::find_if(std::begin(kRules), std::end(kRules),
                     [&](const Rule& one) { return place_before(text, one.message); });
    if (found != std::end(kRules)) {
      apply_rule();
      rule = found;
      place = *place_before(text, rule->message);
      is_noted = !rule->note;
    } else if (text.find(kError) != std::string::npos) {
      apply_rule();
    } else if (place.line && rule->note && place_before(text, rule->note)) {
      is_noted = true;
    } else if (const auto spelled = place_before(text, kMacro);
               spelled && place.line && is_noted && !names_own_macro(text)) {
      place = *spelled;  // the innermost macro contains the text; its note comes last
    }
  }
  apply_rule();
  if (!copies_.empty()) write();
  return patched;
}

bool SourcePatches::patch(const std::string& file, std::size_t line, std::size_t column,
                          Patch patch) {
  const std::string name = fs::absolute(file).lexically_normal().string();
  auto found = copies_.find(name);
  if (found == copies_.end()) {
    std::ifstream in(name, std::ios::binary);
    if (!in) return false;
    Copy copy{folder_ / ("patched-" + std::to_string(copies_.size())),
              {std::istreambuf_iterator<char>(in), {}}};
    found = copies_.emplace(name, std::move(copy)).first;
  }
  std::string& text = found->second.text;
  std::size_t begin = 0;
  for (std::size_t n = 1; n < line && begin != std::string::npos; ++n)
    begin = text.find('\n', begin) == std::string::npos ? std::string::npos
                                                        : text.find('\n', begin) + 1;
  if (begin == std::string::npos || column == 0) return false;
  return begin + column - 1 < text.size() && patch(text, begin, begin + column - 1);
}

void SourcePatches::write() const {
  std::ofstream overlay(folder_ / "overlay.yaml");
  overlay << "{\"version\": 0, \"use-external-names\": false, \"roots\": [";
  const char* separator = "";
  for (const auto& [name, copy] : copies_) {
    std::ofstream(copy.path, std::ios::binary) << copy.text;
    overlay << separator << "{\"type\": \"file\", \"name\": " << quoted(name)
            << ", \"external-contents\": " << quoted(copy.path.string()) << "}";
    separator = ", ";
  }
  overlay << "]}\n";
}

std::vector<std::string> SourcePatches::flags() const {
  std::vector<std::string> all(options_.begin(), options_.end());
  if (!copies_.empty())
    all.insert(all.end(), {"-ivfsoverlay", (folder_ / "overlay.yaml").string()});
  return all;
}

}  // namespace heddle::cuda
