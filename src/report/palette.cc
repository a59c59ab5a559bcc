#include "report/palette.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/fnv.h"
#include "report/presentation.h"
#include "sched/framework/policy_entry.h"

namespace heddle::report {
namespace {

// Distinct with deuteranopia, protanopia and tritanopia, on white and on dark grey. Most are of
// Okabe and Ito, "Color Universal Design", 2008.
constexpr std::array<std::string_view, 10> kColours{"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                                    "#cc79a7", "#56b4e9", "#882255", "#999933",
                                                    "#7f7f7f", "#7b5ccf"};

constexpr int kVariants = 6;  // symbols and dashes of report/web/colours.js

std::size_t hash(std::string_view text) {
  const std::uint64_t value = fnv64(text);
  return static_cast<std::size_t>(value ^ (value >> 32));
}

// Relative luminance (WCAG 2.1).
double luminance(std::string_view colour) {
  constexpr std::array<double, 3> kWeights{0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (std::size_t i = 0; i < kWeights.size(); ++i) {
    int value = 0;
    std::from_chars(colour.data() + 1 + 2 * i, colour.data() + 3 + 2 * i, value, 16);
    const double share = value / 255.0;
    sum +=
        kWeights[i] * (share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4));
  }
  return sum;
}

}  // namespace

PolicyLook look_of_policy(const std::string& policy) {
  const std::size_t end = std::min(policy.find_first_of(":, +"), policy.size());
  const std::string_view name = std::string_view(policy).substr(0, end),
                         rest = std::string_view(policy).substr(end);
  const auto* const known = presentation_of<sched::PolicyEntry>(name);
  const std::size_t place =
      known && known->look >= 0 ? static_cast<std::size_t>(known->look) : hash(name);
  int variant = static_cast<int>(place / kColours.size() % kVariants);
  if (!rest.empty())
    variant = (variant + 1 + static_cast<int>(hash(rest) % (kVariants - 1))) % kVariants;
  return {kColours[place % kColours.size()], variant};
}

std::string_view ink_on(std::string_view colour) {
  const double background = luminance(colour);
  return (background + 0.05) / 0.05 > 1.05 / (background + 0.05) ? "#000000" : "#ffffff";
}

}  // namespace heddle::report
