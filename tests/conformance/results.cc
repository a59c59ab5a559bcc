#include "tests/conformance/results.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace heddle::conformance {

void write_results(const std::string& path, const std::string& machine,
                   const std::vector<Case>& cases, const Results& results) {
  std::ofstream file(path);
  file << "# " << machine << "\n";
  for (std::size_t c = 0; c < cases.size(); ++c) {
    if (results[c].empty()) continue;
    file << cases[c].statements << std::hex;
    for (std::uint64_t v : results[c]) file << "\t" << v;
    file << std::dec << "\n";
  }
  if (!file) throw std::runtime_error("cannot write " + path);
}

Results read_results(const std::string& path, const std::vector<Case>& cases) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  Results results(cases.size());
  std::string line;
  std::size_t c = 0;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    std::string statements;
    std::getline(fields, statements, '\t');
    while (c < cases.size() && cases[c].statements != statements) ++c;
    if (c == cases.size())
      throw std::runtime_error(path + ": '" + statements +
                               "' is not in this corpus, or out of order");
    std::uint64_t value = 0;
    while (fields >> std::hex >> value) results[c].push_back(value);
    if (results[c].size() != kVectors)
      throw std::runtime_error(path + ": '" + statements + "' has " +
                               std::to_string(results[c].size()) + " results");
    ++c;
  }
  return results;
}

bool allowed(const Case& c, const Expected& e, std::uint64_t result) {
  const auto inside = [](const std::string& type, std::uint64_t bits, double low, double high) {
    if (is_nan_of(type, bits)) return low != low;
    const double v = static_cast<double>(number_of(type, bits));
    return v >= low && v <= high;
  };
  switch (e.kind) {
    case Expected::Kind::bits: return result == e.bits;
    case Expected::Kind::nan: return is_nan_of(c.result, result);
    case Expected::Kind::open: return true;
    case Expected::Kind::unknown: return false;
    case Expected::Kind::range: break;
  }
  if (!c.result.ends_with("x2")) return inside(c.result, result, e.low, e.high);
  const std::string half = c.result.substr(0, c.result.size() - 2);
  return inside(half, result & 0xffff, e.low, e.high) &&
         inside(half, result >> 16 & 0xffff, e.low_upper, e.high_upper);
}

std::string differences(const std::vector<Case>& cases, const Results& results) {
  std::ostringstream out;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    if (results[i].empty()) continue;
    const auto operands = operand_vectors(c);
    std::size_t wrong = 0;
    for (std::size_t v = 0; v < kVectors; ++v) {
      Operands vector;
      for (const auto& o : operands) vector.push_back(o[v]);
      const Expected e = reference_result(c.key, vector);
      if (allowed(c, e, results[i][v])) continue;
      if (wrong++ > 0) continue;
      out << c.place << ": " << c.statements << std::hex;
      for (std::uint64_t o : vector) out << "  0x" << o;
      out << "  gives 0x" << results[i][v];
      if (e.kind == Expected::Kind::bits)
        out << ", not 0x" << e.bits;
      else if (e.kind == Expected::Kind::range)
        out << ", not within [" << std::hexfloat << e.low << ", " << e.high << "]"
            << std::defaultfloat;
      else
        out << ", not " << (e.kind == Expected::Kind::nan ? "a NaN" : "a known result");
      out << std::dec;
    }
    if (wrong) out << "  (" << wrong << " of " << kVectors << ")\n";
  }
  return out.str();
}

}  // namespace heddle::conformance
