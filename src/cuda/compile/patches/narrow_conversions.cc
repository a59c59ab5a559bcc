#include "cuda/compile/patches/narrow_conversions.h"

#include <algorithm>

namespace heddle::cuda {
namespace {

// The parts of "  %18 = fptoui float %17 to i8, !dbg !3"; empty for any other line.
struct Conversion {
  std::string_view name, operation, type, rest;  // "18", "fptoui float %17", "i8", and the rest
};

Conversion conversion_of(std::string_view line) {
  const std::size_t equals = line.find(" = fpto");
  const std::size_t to =
      equals == std::string_view::npos ? std::string_view::npos : line.find(" to i", equals);
  if (to == std::string_view::npos || !line.starts_with("  %") ||
      line.find(" = fptoui <", equals) == equals || line.find(" = fptosi <", equals) == equals)
    return {};
  const std::size_t type = to + 4,
                    end = std::min(line.find_first_not_of("0123456789", type + 1), line.size());
  const std::string_view into = line.substr(type, end - type);
  if (into != "i8" && into != "i16") return {};
  return {line.substr(3, equals - 3), line.substr(equals + 3, to - equals - 3), into,
          line.substr(end)};
}

}  // namespace

std::string with_wide_conversions(std::string_view ir) {
  std::string out;
  while (!ir.empty()) {
    const std::size_t end = std::min(ir.find('\n'), ir.size() - 1) + 1;
    const std::string_view line = ir.substr(0, end);
    ir.remove_prefix(end);
    const Conversion conversion = conversion_of(line);
    if (conversion.name.empty()) {
      out += line;
      continue;
    }
    const std::string wide = "%\"heddle.wide." + std::string(conversion.name) + "\"";
    out.append("  ")
        .append(wide)
        .append(" = ")
        .append(conversion.operation)
        .append(" to i32")
        .append(conversion.rest);
    out.append("  %")
        .append(conversion.name)
        .append(" = trunc i32 ")
        .append(wide)
        .append(" to ")
        .append(conversion.type)
        .append(conversion.rest);
  }
  return out;
}

}  // namespace heddle::cuda
