#include "cuda/compile/patches/grid_constants.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "cuda/compile/patches/llvm_text.h"

namespace heddle::cuda {
namespace {

constexpr std::string_view kCall = "call void @llvm.var.annotation.",
                           kText = "heddle_grid_constant";
constexpr std::string_view kList = "\n!nvvm.annotations = !{";

// The parts of "ptr byval(%struct.S) %0, i32 %1), ..." up to the closing parenthesis.
std::vector<std::string_view> parameters_of(std::string_view text) {
  std::vector<std::string_view> parameters;
  int depth = 0;
  bool quoted = false;
  std::size_t first = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    const bool closes = depth == 0 && c == ')';
    if (closes || (depth == 0 && c == ',')) {
      parameters.push_back(text.substr(first, i - first));
      first = i + 1;
    }
    if (closes) break;
    depth += c == '(' || c == '{' || c == '[';
    depth -= c == ')' || c == '}' || c == ']';
  }
  return parameters;
}

// "define dso_local void @kernel(" and its parameters.
struct Function {
  std::string_view name;
  std::vector<std::string_view> parameters;
};
Function function_of(std::string_view define, std::string_view ir) {
  const std::size_t at = define.find(" @"), open = define.find('(', at);
  if (at == std::string_view::npos || open == std::string_view::npos)
    refuse_llvm_text(ir, define, "a function lacks its name or its parameters");
  return {define.substr(at + 1, open - at - 1), parameters_of(define.substr(open + 1))};
}

// The name of what a line annotates: "%0". Empty for any other line.
std::string_view annotated(std::string_view line, std::string_view ir) {
  const std::size_t call = line.find(kCall);
  if (call == std::string_view::npos) return {};
  const auto parameters =
      parameters_of(line.substr(std::min(line.find('(', call), line.size() - 1) + 1));
  if (parameters.size() < 2) return {};
  const auto last_word = [](std::string_view text) { return text.substr(text.rfind(' ') + 1); };
  const std::size_t text = ir.find("\n" + std::string(last_word(parameters[1])) + " = ");
  if (text == std::string_view::npos) return {};
  const std::string_view constant = ir.substr(text + 1, ir.find('\n', text + 1) - text - 1);
  return constant.find(kText) == std::string_view::npos ? std::string_view()
                                                        : last_word(parameters[0]);
}

// The first number that no node of metadata has.
std::size_t unused_node(std::string_view ir) {
  std::size_t next = 0;
  for (std::size_t at = ir.find("\n!"); at != std::string_view::npos; at = ir.find("\n!", at + 1)) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(ir.data() + at + 2, ir.data() + ir.size(), number);
    if (error == std::errc()) next = std::max(next, number + 1);
  }
  return next;
}

}  // namespace

std::string with_grid_constants(std::string_view ir) {
  std::string out, list, nodes;
  std::size_t next = unused_node(ir);
  Function function;
  std::string numbers;  // of the function's grid constants: "i32 1, i32 3"
  const bool annotates = ir.find(kCall) != std::string_view::npos;
  // LLVM reads one node for a function.
  const auto end_function = [&] {
    if (numbers.empty()) return;
    const std::string node = "!" + std::to_string(next++);
    list += ", " + node;
    nodes += node + " = !{ptr " + std::string(function.name) + ", !\"grid_constant\", !{" +
             numbers + "}}\n";
    numbers.clear();
  };
  for (std::string_view rest = ir; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end);
    if (line.starts_with("define ")) {
      end_function();
      function = function_of(line, ir);
    }
    // The annotations are not among the uses any more.
    if (annotates &&
        line.substr(std::min(line.find_first_not_of(' '), line.size())).starts_with("uselistorder"))
      continue;
    const std::string_view name = annotated(line, ir);
    if (name.empty()) {
      out += line;
      continue;
    }
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
      if (function.parameters[i].ends_with(" " + std::string(name)) &&
          function.parameters[i].find(" byval(") != std::string_view::npos)
        numbers += (numbers.empty() ? "i32 " : ", i32 ") + std::to_string(i + 1);
  }
  end_function();
  const std::size_t at = out.find(kList);
  if (nodes.empty() || at == std::string::npos) return out;
  const std::size_t end = out.find('}', at);
  if (end == std::string::npos)
    refuse_llvm_text(ir, ir.substr(ir.find(kList) + 1), "the list of annotations does not end");
  out.insert(end, list);
  return out + nodes;
}

}  // namespace heddle::cuda
