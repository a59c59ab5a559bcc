#include "mem/clocks.h"

#include <cmath>
#include <numeric>

namespace heddle::mem {

Clocks::Clocks(const config::ClockSpec& spec) {
  const double mhz[] = {spec.core_mhz, spec.icnt_mhz, spec.l2_mhz, spec.dram_mhz};
  Time* const periods[] = {&core, &icnt, &l2, &dram};
  std::uint64_t khz[4];
  std::uint64_t common = 1;
  constexpr std::uint64_t kLargest = std::uint64_t{1}
                                     << 44;  // leaves room for 10^12 cycles of the slowest clock
  bool exact = true;
  for (int i = 0; i < 4; ++i) {
    khz[i] = static_cast<std::uint64_t>(std::llround(mhz[i] * 1000));
    if (mhz[i] <= 0 || khz[i] == 0 || khz[i] > 100'000'000)
      throw UserError("clocks must be between 0.001 and 100000 MHz");
    const std::uint64_t factor = khz[i] / std::gcd(common, khz[i]);
    exact = exact && common <= kLargest / factor;
    if (exact) common *= factor;
  }
  if (!exact)
    common = kLargest;  // frequencies without a small common multiple: periods rounded to 1/2^44 ms
  for (int i = 0; i < 4; ++i) *periods[i] = common / khz[i];
}

}  // namespace heddle::mem
