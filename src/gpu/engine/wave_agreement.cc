#include "gpu/engine/wave_agreement.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpu/result_sum.h"
#include "stats/student.h"

namespace heddle::gpu {
namespace {

constexpr std::size_t kFewestAgreeing = 3;  // waves
constexpr std::size_t kParts = 4;           // of the waves that agree
constexpr double kStandFor = 10;            // times their number, at most
constexpr double kCyclesAgree = 0.04;       // half the interval of 95 %, relative
constexpr double kDramAgrees = 0.1;         // the same of DRAM reads and writes
constexpr double kFewAccesses = 0.002;      // per warp instruction: no matter how they vary

using Counter = std::uint64_t Wave::*;

// For a warp instruction.
double rate(const Wave& wave, Counter counter) {
  return static_cast<double>(wave.*counter) /
         static_cast<double>(std::max<std::uint64_t>(1, wave.warp_instructions));
}

void add(Wave& sum, const Wave& wave) {
  sum.cycles += wave.cycles;
  sum.warp_instructions += wave.warp_instructions;
  sum.dram_reads += wave.dram_reads;
  sum.dram_writes += wave.dram_writes;
}

Wave sum_of(std::span<const Wave> waves) {
  Wave sum;
  for (const Wave& wave : waves) add(sum, wave);
  return sum;
}

// Does the mean of a rate over the parts stand for `left` further parts?
bool agrees(std::span<const Wave> parts, double left, double tolerance, double ignored,
            Counter counter) {
  const auto n = static_cast<double>(parts.size());
  std::vector<double> rates;
  for (const Wave& part : parts) rates.push_back(rate(part, counter));
  const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / n;
  double squares = 0, slope = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    squares += std::pow(rates[i] - mean, 2);
    slope += (rates[i] - mean) * (static_cast<double>(i) - (n - 1) / 2);
  }
  const double error =
      stats::student_quantile(n - 1) * std::sqrt(squares / (n - 1)) * std::sqrt(1 / n + 1 / left);
  const double drift = std::abs(slope) * 12 / (n * (n + 1));  // over all parts
  return std::max(error, drift) <= std::max(tolerance * mean, ignored);
}

// left: waves that they would stand for, for each wave of them.
bool parts_agree(const std::vector<Wave>& parts, double left) {
  const auto agree = [&](double tolerance, double ignored, Counter counter) {
    return agrees(parts, left * static_cast<double>(parts.size()), tolerance, ignored, counter);
  };
  return agree(kCyclesAgree, 0, &Wave::cycles) &&
         agree(kDramAgrees, kFewAccesses, &Wave::dram_reads) &&
         agree(kDramAgrees, kFewAccesses, &Wave::dram_writes);
}

}  // namespace

// The end of a wave varies by a part of a CTA, so several waves together vary less.
std::vector<Wave> parts_of(std::span<const Wave> waves) {
  const std::size_t n = std::min(kParts, waves.size());
  std::vector<Wave> parts(n);
  for (std::size_t i = 0; i < waves.size(); ++i)
    add(parts[((i + 1) * n - 1) / waves.size()], waves[i]);
  return parts;
}

std::size_t agreeing_waves(std::span<const std::vector<Wave>> launches, double left) {
  const std::size_t count = launches.front().size();
  if (count < kWarmUpWaves + kFewestAgreeing) return 0;
  const std::size_t most = count - kWarmUpWaves;
  for (std::size_t n = most; n >= std::max(kFewestAgreeing, (count + 1) / 2); --n) {
    if (left > kStandFor * static_cast<double>(n)) return 0;
    const bool agree = std::all_of(launches.begin(), launches.end(), [&](const auto& waves) {
      return parts_agree(parts_of(std::span(waves).last(n)), left / static_cast<double>(n));
    });
    if (agree) return n;
  }
  return 0;
}

void AgreedWaves::OfLaunch::add(const OfLaunch& later) {
  add_part(part, later.part);
  waves.insert(waves.end(), later.waves.begin(), later.waves.end());
  ctas_per_wave = later.ctas_per_wave;
}

const AgreedWaves::Kept* AgreedWaves::find(const std::vector<Kind>& kinds) const {
  const auto found = std::ranges::find(kept_, kinds, &Kept::kinds);
  return found == kept_.end() ? nullptr : &*found;
}

AgreedWaves::Kept& AgreedWaves::of(const std::vector<Kind>& kinds) {
  const auto found = std::ranges::find(kept_, kinds, &Kept::kinds);
  if (found != kept_.end()) return *found;
  kept_.emplace_back().kinds = kinds;
  return kept_.back();
}

void AgreedWaves::keep(const std::vector<Kind>& kinds, std::vector<OfLaunch> waves, bool agreed) {
  Kept& kept = of(kinds);
  kept.waves = std::move(waves);
  kept.agreed = agreed;
  ++kept.times;
  kept.at_once = 0;
}

void AgreedWaves::keep_for_later(const std::vector<Kind>& kinds, std::vector<OfLaunch> waves) {
  const Kept& kept = of(kinds);
  if (kept.agreed) return;
  for (std::size_t i = 0; i < kept.waves.size(); ++i) {
    OfLaunch sum = kept.waves[i];
    sum.add(waves[i]);
    waves[i] = std::move(sum);
  }
  keep(kinds, std::move(waves), false);
}

void AgreedWaves::count_at_once(const std::vector<Kind>& kinds) { ++of(kinds).at_once; }

bool enough_waves(std::span<const AgreedWaves::OfLaunch> earlier, double left) {
  return std::ranges::all_of(earlier, [&](const AgreedWaves::OfLaunch& one) {
    return left <= kStandFor * static_cast<double>(one.waves.size());
  });
}

bool agree_with_kept(std::span<const AgreedWaves::OfLaunch> earlier,
                     std::span<const std::vector<Wave>> launches, double left) {
  if (launches.front().size() <= kWarmUpWaves) return false;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    std::vector<Wave> all = earlier[i].waves;
    all.insert(all.end(), launches[i].begin() + kWarmUpWaves, launches[i].end());
    const double share = left / static_cast<double>(all.size());
    if (all.size() < kFewestAgreeing || share > kStandFor || !parts_agree(parts_of(all), share))
      return false;
  }
  return true;
}

bool like_earlier(std::span<const AgreedWaves::OfLaunch> earlier,
                  std::span<const std::vector<Wave>> launches, double left) {
  const std::size_t count = launches.front().size();
  if (count <= kWarmUpWaves) return false;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const std::size_t standing = earlier[i].waves.size() + count - kWarmUpWaves;
    if (left > kStandFor * static_cast<double>(standing)) return false;
    const Wave now = sum_of(std::span(launches[i]).subspan(kWarmUpWaves));
    const Wave before = sum_of(earlier[i].waves);
    const auto alike = [&](double tolerance, double ignored, auto counter) {
      const double expected = rate(before, counter);
      return std::abs(rate(now, counter) - expected) <= std::max(tolerance * expected, ignored);
    };
    if (!alike(kCyclesAgree, 0, &Wave::cycles) ||
        !alike(kDramAgrees, kFewAccesses, &Wave::dram_reads) ||
        !alike(kDramAgrees, kFewAccesses, &Wave::dram_writes))
      return false;
  }
  return true;
}

}  // namespace heddle::gpu
