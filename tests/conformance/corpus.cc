#include "tests/conformance/corpus.h"

#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>

namespace heddle::conformance {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}
std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}
void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// The first list of choices; a vector of registers, {%a, %b}, is not one.
bool find_choice(const std::string& text, std::size_t& first, std::size_t& last) {
  for (first = text.find('{'); first != std::string::npos; first = text.find('{', first + 1)) {
    last = text.find('}', first);
    if (last != std::string::npos && text.find('%', first) > last) return true;
  }
  return false;
}

void expand(const std::string& text, std::vector<std::string>& out) {
  std::size_t first = 0, last = 0;
  if (!find_choice(text, first, last)) return out.push_back(text);
  const std::string list = text.substr(first, last - first + 1);
  for (const std::string& choice : split(list.substr(1, list.size() - 2), ',')) {
    std::string chosen = text;
    // A list on both sides of '=', ':' or '|', or in several statements, is one choice; a list that
    // occurs twice in one instruction is two.
    chosen.replace(first, list.size(), choice);
    const bool across = text.find_first_of("=:|;", first) < text.find(list, last);
    const bool types = text.find('=') != std::string::npos && last < text.find('=');
    if (across && !types) replace_all(chosen, list, choice);
    expand(chosen, out);
  }
}

struct Edges {
  std::vector<std::uint64_t> values;
};
const std::vector<std::uint64_t>& edges_of(const std::string& type) {
  using V = std::vector<std::uint64_t>;
  static const std::map<std::string, V> all = {
      {"f32", V{0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
                0xffc12345, 0x7f812345, 1,          0x80000001, 0x007fffff, 0x00800000, 0x80800000,
                0x7f7fffff, 0xff7fffff, 0x3f000000, 0x40200000, 0x4f000000, 0x5f000000, 0x33800000,
                0x3f800001, 0x477ff000, 0x7e800001, 0xc2fc0000}},
      {"f64", V{0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
                0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000012345,
                0x7ff0000000000123, 0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff,
                0x0010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x3fe0000000000000,
                0x4004000000000000, 0x41e0000000000000, 0x43e0000000000000, 0x380fffffffffffff,
                0x36a0000000000000, 0x47efffffe0000000, 0x3ca0000000000000}},
      {"f16", V{0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0xfe12, 0x7c01, 1, 0x8001,
                0x03ff, 0x0400, 0x7bff, 0xfbff, 0x3800, 0x4100, 0x3c01, 0x6400}},
      {"bf16", V{0, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81, 1, 0x8001,
                 0x007f, 0x0080, 0x7f7f, 0xff7f, 0x3f00, 0x4020, 0x3f81, 0x4b00}},
      {"n", V{0,  1,  2,  7,  8,  15,  16,  17,  31,         32,
              33, 47, 63, 64, 65, 100, 255, 256, 0x80000000, 0xffffffff}},
      {"lane", V{0, 1, 2, 15, 16, 30, 31}},
      {"count", V{0, 1, 2, 3, 16, 32, 33, 0xffffffff, 0xfffffffe, 0xfffffff0}},
      {"pred", V{0, 1}},
      {"16", V{0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0xfffe, 0x0100}},
      {"32", V{0, 1, 2, 31, 32, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff,
               0x80000000, 0xffffffff, 0xfffffffe, 0x00ffffff, 0x807f00ff}},
      {"64", V{0, 1, 2, 63, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
               1ull << 63, ~0ull, ~1ull, 0x00ff00ff00ff00ff}}};
  const auto found = all.find(type);
  if (found != all.end()) return found->second;
  return all.at(width_of(type) == 8 ? "64" : width_of(type) == 4 ? "32" : "16");
}

std::uint64_t any_value(const std::string& type, std::mt19937_64& random) {
  if (type.ends_with("16x2") && (type[0] == 'f' || type[0] == 'b')) {
    const std::string half = type.substr(0, type.size() - 2);
    return any_value(half, random) << 16 | any_value(half, random);
  }
  if (type == "f32x2") {
    const std::uint64_t upper = any_value("f32", random);
    return upper << 32 | any_value("f32", random);
  }
  const auto& edges = edges_of(type);
  if (type == "pred" || type == "lane" || type == "count" || random() % 3 == 0)
    return edges[random() % edges.size()];
  if (type == "n") return random() % 70;
  const std::uint64_t bits = random();
  if (type[0] == 'f' && random() % 2) {  // moderate numbers
    if (type == "f64") return (bits & 0x800fffffffffffff) | (1013 + random() % 20) << 52;
    if (type == "f32") return (bits & 0x807fffff) | (117 + random() % 20) << 23;
  }
  const std::size_t width = width_of(type);
  const std::uint64_t value = type[0] == 'f' || random() % 2 ? bits : bits >> random() % 64;
  return width == 8 ? value : value & ((std::uint64_t{1} << (8 * width)) - 1);
}

std::string declare_type(const std::string& type) {
  const std::size_t width = width_of(type);
  return width == 0 ? ".pred" : ".b" + std::to_string(8 * width);
}

std::string kernel_text(const Case& c, std::size_t number) {
  std::ostringstream out;
  out << ".visible .entry case_" << number
      << "(.param .u64 in, .param .u64 out) {\n  .reg .b32 %i<4>, %t<4>;\n  .reg .b64 %x<6>;\n  "
         ".reg .pred %q<2>;\n  .reg "
      << declare_type(c.result) << " %d;\n";
  static const char* const kNames[] = {"%a", "%b", "%c", "%e"};
  for (std::size_t o = 0; o < c.operands.size(); ++o)
    out << "  .reg " << declare_type(c.operands[o]) << " " << kNames[o] << ";\n";
  out << "  mov.u32 %i0, %ctaid.x; mov.u32 %i1, %ntid.x; mov.u32 %i2, %tid.x;\n  mad.lo.u32 %i3, "
         "%i0, %i1, %i2;\n"
         "  mul.wide.u32 %x0, %i3, 8;\n  ld.param.u64 %x1, [in];\n  ld.param.u64 %x2, [out];\n  "
         "add.u64 %x1, %x1, %x0;\n  add.u64 %x2, %x2, %x0;\n";
  for (std::size_t o = 0; o < c.operands.size(); ++o) {
    const std::size_t width = width_of(c.operands[o]);
    out << "  ld.global.u64 %x3, [%x1+" << o * kVectors * 8 << "];\n  ";
    if (width == 0)
      out << "setp.ne.u64 " << kNames[o] << ", %x3, 0;\n";
    else if (width == 8)
      out << "mov.b64 " << kNames[o] << ", %x3;\n";
    else
      out << "cvt.u" << 8 * width << ".u64 " << kNames[o] << ", %x3;\n";
  }
  out << "  " << c.statements << "\n  ";
  const std::size_t width = width_of(c.result);
  if (width == 0)
    out << "selp.u64 %x4, 1, 0, %d;\n";
  else if (width == 8)
    out << "mov.b64 %x4, %d;\n";
  else
    out << "cvt.u64.u" << 8 * width << " %x4, %d;\n";
  out << "  st.global.u64 [%x2], %x4;\n  ret;\n}\n";
  return out.str();
}

}  // namespace

std::size_t width_of(const std::string& type) {
  if (type == "pred") return 0;
  if (type == "f32x2") return 8;
  if (type == "n" || type == "lane" || type == "count" || type.ends_with("x2") ||
      type.ends_with("32"))
    return 4;
  return type.ends_with("64") ? 8 : 2;
}

std::vector<Case> expand_line(const std::string& line, const std::string& place) {
  std::vector<std::string> texts;
  expand(line, texts);
  std::vector<Case> cases;
  for (std::string& text : texts) {
    const std::size_t equals = text.find('='), colon = text.find(':'), bar = text.rfind(" | ");
    if (equals == std::string::npos || colon == std::string::npos || colon < equals)
      throw std::runtime_error(place + ": not a case: " + text);
    Case c;
    c.place = place;
    c.result = trim(text.substr(0, equals));
    for (const std::string& operand :
         split(trim(text.substr(equals + 1, colon - equals - 1)), ' ')) {
      if (operand.size() == 1 && operand[0] >= '1' && operand[0] <= '4')
        c.operands.assign(static_cast<std::size_t>(operand[0] - '0'), c.result);
      else if (!operand.empty())
        c.operands.push_back(operand == "%T" ? c.result : operand);
    }
    c.statements = trim(
        text.substr(colon + 1, bar == std::string::npos ? std::string::npos : bar - colon - 1));
    c.key = bar == std::string::npos ? "same" : trim(text.substr(bar + 3));
    for (std::string* s : {&c.statements, &c.key})
      replace_all(*s, "%T", c.result), replace_all(*s, "%A", c.operands.front());
    if (c.key == "same") c.key = c.statements.substr(0, c.statements.find(' '));
    // Operands with the same list of types have the same type.
    const bool pairs = c.operands.size() == 2 && text.find("%A") != std::string::npos &&
                       c.operands[0] != c.operands[1];
    if (!pairs) cases.push_back(std::move(c));
  }
  return cases;
}

std::vector<Case> read_corpus(const std::string& folder, const std::string& family) {
  std::ifstream file(folder + "/" + family + ".txt");
  if (!file) throw std::runtime_error("no corpus " + family + " in " + folder);
  std::vector<Case> cases;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (trim(line).empty() || line[0] == '#') continue;
    for (Case& c : expand_line(line, family + ".txt:" + std::to_string(number)))
      cases.push_back(std::move(c));
  }
  return cases;
}

std::vector<std::string> families() {
  return {"integer", "logic", "compare", "float", "half", "convert", "video"};
}

std::vector<std::vector<std::uint64_t>> operand_vectors(const Case& c) {
  std::uint64_t seed = 14695981039346656037u;
  for (char ch : c.statements) seed = (seed ^ static_cast<unsigned char>(ch)) * 1099511628211u;
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::uint64_t>> values(c.operands.size(),
                                                 std::vector<std::uint64_t>(kVectors));
  for (std::size_t v = 0; v < kVectors; ++v) {
    std::size_t place = v;
    for (std::size_t o = 0; o < c.operands.size(); ++o) {
      const auto& edges = edges_of(c.operands[o]);
      const bool combined = c.operands.size() < 3 && v < kVectors * 3 / 4;
      values[o][v] = combined && place / edges.size() < edges.size()
                         ? edges[place % edges.size()]
                         : any_value(c.operands[o], random);
      if (combined) place = o == 0 ? v / edges.size() : place;
    }
  }
  return values;
}

std::string module_text(const std::vector<Case>& cases) {
  std::string text = ".version 8.6\n.target sm_90\n.address_size 64\n";
  for (std::size_t i = 0; i < cases.size(); ++i) text += kernel_text(cases[i], i);
  return text;
}

}  // namespace heddle::conformance
