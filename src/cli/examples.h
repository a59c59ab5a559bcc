// The examples that end the --help of a verb and its manual page.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace heddle::cli {

// "  heddle list schedulers\n  heddle list gpus"; empty for an unknown verb.
inline std::string examples_of(std::string_view verb) {
  struct Examples {
    std::string_view verb, first, second;
  };
  constexpr std::array kExamples{
#define HEDDLE_EXAMPLES(verb, first, second) Examples{verb, first, second},
#include "cli/examples.inc"
#undef HEDDLE_EXAMPLES
  };
  const auto* const found =
      std::ranges::find_if(kExamples, [&](const Examples& one) { return one.verb == verb; });
  if (found == kExamples.end()) return {};
  return "  " + std::string(found->first) + "\n  " + std::string(found->second);
}

}  // namespace heddle::cli
