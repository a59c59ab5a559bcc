// The error bar of a quotient of two estimates.
#pragma once

namespace heddle::stats {

// Half its width. The other two are half the bars of the parts over the parts.
constexpr double quotient_bar(double quotient, double relative_bar, double other_relative_bar) {
  return quotient * (relative_bar + other_relative_bar);
}

}  // namespace heddle::stats
