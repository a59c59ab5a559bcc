#include "ptx/forms/older_forms.h"

#include <algorithm>
#include <array>
#include <vector>

namespace heddle::ptx {

namespace {

using Words = std::vector<std::string_view>;

template <std::size_t n>
bool among(std::string_view word, const std::array<std::string_view, n>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}
bool has_any(const Words& words, std::initializer_list<std::string_view> wanted) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}
bool floating(std::string_view type) { return type == "f16" || type == "f32" || type == "f64"; }

// The rounding of an instruction without a rounding modifier.
std::string_view rounding_of(std::string_view opcode, const Words& words) {
  if (has_any(words, {"approx", "full", "rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"}))
    return {};
  const std::string_view type = words.back();
  constexpr std::array<std::string_view, 3> divisions = {"div", "rcp", "sqrt"};
  constexpr std::array<std::string_view, 5> functions = {"rsqrt", "sin", "cos", "lg2", "ex2"};
  if (among(opcode, functions)) return "approx";
  if (among(opcode, divisions)) return type == "f32" ? "approx" : type == "f64" ? "rn" : "";
  if ((opcode == "mad" || opcode == "fma") && (type == "f32" || type == "f64")) return "rn";
  if (opcode != "cvt" || words.size() < 2) return {};
  const std::string_view to = words[words.size() - 2];
  if (floating(to) && !floating(type)) return "rn";
  if (!floating(to) && floating(type)) return "rzi";
  const bool narrows = (to == "f32" && type == "f64") || (to == "f16" && type != "f16");
  return narrows ? "rn" : "";
}

// Does the instruction flush subnormal numbers to zero?
bool flushes(std::string_view opcode, const Words& words) {
  constexpr std::array<std::string_view, 18> flushing = {
      "add", "sub", "mul", "mad", "div", "rcp", "sqrt", "rsqrt", "sin",
      "cos", "lg2", "ex2", "min", "max", "abs", "neg",  "set",   "setp"};
  if (has_any(words, {"ftz"})) return false;
  if (opcode == "cvt") return has_any(words, {"f32"}) && !has_any(words, {"f16"});
  return words.back() == "f32" && among(opcode, flushing);
}

}  // namespace

std::string modern_name(std::string_view name) {
  Words words;
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('.', start), name.size());
    words.push_back(name.substr(start, end - start));
    start = end + 1;
  }
  const std::string_view opcode = words.front();
  words.erase(words.begin());
  if (words.empty()) return std::string(name);
  std::string newer(opcode);
  if (const std::string_view rounding = rounding_of(opcode, words); !rounding.empty())
    newer += "." + std::string(rounding);
  if (flushes(opcode, words)) newer += ".ftz";
  for (const std::string_view word : words) newer += "." + std::string(word);
  return newer;
}

}  // namespace heddle::ptx
