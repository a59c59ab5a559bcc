#include "lab/analyze.h"

#include <fmt/format.h>

#include <cctype>
#include <set>
#include <vector>

#include "base/demangle.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The names in "const float* a, int n = 3, const T (&x)[4]": the last word of each parameter.
std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  int depth = 0;
  std::string one;
  const auto finish = [&] {
    one = one.substr(0, one.find('='));
    if (const auto bracket = one.find('['); bracket != std::string::npos) one.resize(bracket);
    while (!one.empty() && !is_word(one.back())) one.pop_back();
    std::size_t first = one.size();
    while (first > 0 && is_word(one[first - 1])) --first;
    names.push_back(one.substr(first));
    one.clear();
  };
  for (char c : list) {
    depth += (c == '(' || c == '<' || c == '{') - (c == ')' || c == '>' || c == '}');
    if (c == ',' && depth == 0)
      finish();
    else
      one += c;
  }
  finish();
  return names;
}

// The names of a kernel's parameters in its source; empty when its definition is not found.
std::vector<std::string> parameters_of(const std::string& kernel, const std::string& source) {
  std::string name = plain_name(kernel);
  if (const auto scope = name.rfind("::"); scope != std::string::npos)
    name = name.substr(scope + 2);
  for (std::size_t at = source.find(name); at != std::string::npos;
       at = source.find(name, at + 1)) {
    std::size_t open = at + name.size();
    while (open < source.size() && std::isspace(static_cast<unsigned char>(source[open]))) ++open;
    if ((at > 0 && is_word(source[at - 1])) || open >= source.size() || source[open] != '(')
      continue;
    std::size_t end = open + 1;
    for (int depth = 1; end < source.size() && depth > 0; ++end)
      depth += (source[end] == '(') - (source[end] == ')');
    std::size_t after = end;
    while (after < source.size() && std::isspace(static_cast<unsigned char>(source[after])))
      ++after;
    // A definition has __global__ in front and a body.
    const std::size_t global = source.rfind("__global__", at);
    if (after >= source.size() || source[after] != '{' || global == std::string::npos ||
        source.substr(global, at - global).find_first_of(";{}") != std::string::npos)
      continue;
    return names_in(source.substr(open + 1, end - open - 2));
  }
  return {};
}

std::string replaced(const std::string& text, const std::vector<std::string>& names) {
  static const std::string kPrefix = "param_";
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + kPrefix.size();
    const bool here =
        text.compare(at, kPrefix.size(), kPrefix) == 0 && (at == 0 || !is_word(text[at - 1]));
    while (here && end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    const std::size_t digits = here ? end - at - kPrefix.size() : 0;
    const std::size_t index = digits > 0 && digits < 5
                                  ? std::stoul(text.substr(at + kPrefix.size(), digits))
                                  : names.size();
    if (index < names.size() && !names[index].empty()) {
      result += names[index];
      at = end;
    } else {
      result += text[at++];
    }
  }
  return result;
}

void name_parameters(ordered_json& kernel, SourceFiles& files) {
  for (const ordered_json& access : kernel["accesses"]) {
    if (!access.contains("file")) continue;
    const std::vector<std::string> names =
        parameters_of(kernel["mangled"].get<std::string>(),
                      files.text(access["file"].get<std::string>()).value_or(""));
    if (names.empty()) continue;
    for (ordered_json& one : kernel["accesses"])
      if (one.contains("form")) one["form"] = replaced(one["form"].get<std::string>(), names);
    return;
  }
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) result += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return result + "\"";
}

}  // namespace

RunOutcome analyze(const RunRequest& request) {
  RunRequest changed = request;
  changed.functional = true;
  changed.keep_launches = false;
  changed.analysis.enabled = true;
  const PreparedRun run(changed);
  ProcessGroup group;
  const TemporaryFolder folder;
  ChildCommand command = run.command(folder);
  command.stdout_path = folder.file("stdout.txt");
  group.start(command);
  RunOutcome outcome = gather(run, folder, group.wait_any());
  outcome.interrupting_signal = group.interrupted();
  if (!outcome.analysis.is_null())
    for (ordered_json& kernel : outcome.analysis["kernels"])
      name_parameters(kernel, *outcome.sources);
  return outcome;
}

std::string hints_toml(const ordered_json& analysis, bool keep_uniform) {
  std::string toml =
      fmt::format("# Hints for heddle cc, from the analysis for {}.\n", analysis.value("gpu", ""));
  std::set<std::string> done;
  for (const ordered_json& kernel : analysis["kernels"]) {
    const std::string name = kernel["mangled"];
    if (!done.insert(name).second) continue;
    const ordered_json& reuse = kernel[keep_uniform ? "ctas_with_uniform" : "ctas"];
    toml +=
        fmt::format("\n# {}\n[[kernel]]\nname = {}\ndirection = {}\n", kernel.value("kernel", ""),
                    quoted(name), quoted(reuse.value("direction", "none")));
    for (const ordered_json& loop : kernel["loops"]) {
      if (!loop.contains("line")) continue;
      const std::string file = loop["file"];
      toml += fmt::format(
          "[[kernel.loop]]\nline = {}\nfile = {}\ngroup = {}\ngroup_with_mapping = {}\n",
          loop["line"].get<unsigned>(), quoted(file.substr(file.rfind('/') + 1)),
          loop.value("group", 0u), loop.value("group_with_mapping", 0u));
    }
  }
  return toml;
}

}  // namespace heddle::lab
