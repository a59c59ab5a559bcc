#include "tests/conformance/reference.h"

#include <algorithm>

namespace heddle::conformance {

Name::Name(const std::string& text) {
  words.emplace_back();
  for (char c : text) {
    if (c == '.')
      words.emplace_back();
    else
      words.back() += c;
  }
}
bool Name::has(const std::string& word) const {
  return std::find(words.begin() + 1, words.end(), word) != words.end();
}

Expected reference_result(const std::string& key, const Operands& operands) {
  const Name name(key);
  using Family = Expected (*)(const Name&, const Operands&);
  for (Family family : {reference_video, reference_convert, reference_compare, reference_logic,
                        reference_integer, reference_float, reference_half}) {
    const Expected out = family(name, operands);
    if (out.kind != Expected::Kind::unknown) return out;
  }
  return {};
}

}  // namespace heddle::conformance
