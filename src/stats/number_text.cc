#include "stats/number_text.h"

#include <fmt/format.h>

namespace heddle::stats {

std::string grouped(std::uint64_t value) {
  const std::string digits = fmt::format("{}", value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string percent(double share, int digits) {
  return fmt::format("{:.{}f} %", share * 100, digits);
}

}  // namespace heddle::stats
