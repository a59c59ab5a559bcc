#include "mem/clocks.h"

#include <cmath>
#include <numeric>

namespace heddle::mem {

Clocks::Clocks(const config::ClockSpec& spec) {
  const double mhz[] = {spec.core_mhz, spec.icnt_mhz, spec.l2_mhz, spec.dram_mhz};
  Time* const periods[] = {&core, &icnt, &l2, &dram};
  std::uint64_t khz[4];
  std::uint64_t common = 1;
  // A multiple up to 2^44 lets 10^12 cycles of the slowest clock fit in 64 bits.
  constexpr std::uint64_t kMaxMultiple = std::uint64_t{1} << 44;
  bool exact = true;
  for (int i = 0; i < 4; ++i) {
    khz[i] = static_cast<std::uint64_t>(std::llround(mhz[i] * 1000));
    if (mhz[i] <= 0 || khz[i] == 0 || khz[i] > 100'000'000)
      throw UserError("clocks must be between 0.001 and 100000 MHz");
    const std::uint64_t factor = khz[i] / std::gcd(common, khz[i]);
    exact = exact && common <= kMaxMultiple / factor;
    if (exact) common *= factor;
  }
  // Frequencies without a small common multiple get periods rounded to 1/2^44 ms.
  if (!exact) common = kMaxMultiple;
  for (int i = 0; i < 4; ++i) *periods[i] = common / khz[i];
}

}  // namespace heddle::mem
