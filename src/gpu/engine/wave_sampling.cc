#include "gpu/engine/wave_sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "stats/student.h"

namespace heddle::gpu {
namespace {

constexpr std::uint64_t kFewestWaves = 6;   // of a launch that is sampled
constexpr std::uint64_t kLeastSkipped = 4;  // a fourth of all waves; fewer gain little
constexpr std::size_t kWarmUp = 1;          // waves that find empty caches
constexpr std::size_t kFewestAgreeing = 3;  // waves
constexpr std::size_t kParts = 4;           // of the waves that agree
constexpr std::uint64_t kStandFor = 10;     // times their number, at most
constexpr double kCyclesAgree = 0.04;       // half the interval of 95 %, relative
constexpr double kDramAgrees = 0.1;         // the same of DRAM reads and writes
constexpr double kFewAccesses = 0.002;      // per warp instruction: no matter how they vary

// Does the mean of a rate over the parts stand for `left` further parts?
template <class Count>
bool agrees(std::span<const Wave> parts, double left, double tolerance, double ignored,
            Count count) {
  const auto n = static_cast<double>(parts.size());
  std::vector<double> rates;
  for (const Wave& part : parts)
    rates.push_back(static_cast<double>(count(part)) /
                    static_cast<double>(std::max<std::uint64_t>(1, part.warp_instructions)));
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

}  // namespace

bool may_communicate(const isa::Kernel& kernel) {
  return kernel.uses_heap || kernel.uses_device_runtime ||
         std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                     [](const isa::Instruction& i) {
                       if (i.space == isa::Space::shared || i.space == isa::Space::local)
                         return false;
                       if (i.op_class == isa::OpClass::atomic) return i.write_count > 0;
                       return i.op_class == isa::OpClass::load && i.ordering != isa::Ordering::weak;
                     });
}

// The end of a wave varies by a part of a CTA, so several waves together vary less.
std::vector<Wave> parts_of(std::span<const Wave> waves) {
  const std::size_t n = std::min(kParts, waves.size());
  std::vector<Wave> parts(n);
  for (std::size_t i = 0; i < waves.size(); ++i) {
    Wave& part = parts[((i + 1) * n - 1) / waves.size()];
    part.cycles += waves[i].cycles;
    part.warp_instructions += waves[i].warp_instructions;
    part.dram_reads += waves[i].dram_reads;
    part.dram_writes += waves[i].dram_writes;
  }
  return parts;
}

std::size_t agreeing_waves(std::span<const Wave> waves, std::uint64_t left) {
  if (waves.size() < kWarmUp + kFewestAgreeing) return 0;
  const std::size_t most = waves.size() - kWarmUp;
  for (std::size_t n = most; n >= std::max(kFewestAgreeing, (waves.size() + 1) / 2); --n) {
    if (left > kStandFor * n) return 0;
    const std::vector<Wave> parts = parts_of(waves.last(n));
    const double left_parts = static_cast<double>(left * parts.size()) / static_cast<double>(n);
    const auto agree = [&](double tolerance, double ignored, auto count) {
      return agrees(parts, left_parts, tolerance, ignored, count);
    };
    if (agree(kCyclesAgree, 0, [](const Wave& w) { return w.cycles; }) &&
        agree(kDramAgrees, kFewAccesses, [](const Wave& w) { return w.dram_reads; }) &&
        agree(kDramAgrees, kFewAccesses, [](const Wave& w) { return w.dram_writes; }))
      return n;
  }
  return 0;
}

void WaveSampling::look_at_waves() {
  if (running_.size() != 1) {
    watches_ = false;
    if (running_.empty()) launch_ = 0;
    return;
  }
  RunningKernel& k = running_.front();
  if (k.launch_number != launch_) begin(k);
  if (!watches_ || k.ctas_finished < wave_ctas_ * (waves_.size() + 1)) return;
  end_wave(k);
  stop_if_waves_agree(k);
}

void WaveSampling::begin(const RunningKernel& k) {
  launch_ = k.launch_number;
  wave_ctas_ = hardware_.sms() * static_cast<std::uint64_t>(k.placing.ctas_per_sm);
  waves_.clear();
  ends_.clear();
  watches_ = !k.nested && !cooperates(k) && !k.launch.clusters &&
             k.placed.size() >= kFewestWaves * wave_ctas_ && !may_communicate(*k.launch.kernel);
}

void WaveSampling::end_wave(const RunningKernel& k) {
  for (std::size_t i = 0; i < hardware_.sms(); ++i) clock_.catch_up(i);
  ends_.push_back(ledger_.result_so_far(k));
  KernelResult wave = ends_.back();
  if (ends_.size() > 1) wave.subtract(ends_[ends_.size() - 2]);
  waves_.push_back(
      {wave.cycles, wave.warp_instructions, wave.memory.dram.reads, wave.memory.dram.writes});
}

// The CTAs that remain are whole waves, so the launch ends with the same part of a wave.
void WaveSampling::stop_if_waves_agree(RunningKernel& k) {
  const std::uint64_t left = (k.placed.size() - k.ctas_placed) / wave_ctas_;
  if (left * wave_ctas_ * kLeastSkipped < k.placed.size()) {
    watches_ = false;
    return;
  }
  const std::size_t agreeing = agreeing_waves(waves_, left);
  if (agreeing == 0) return;
  watches_ = false;
  k.most_placed = k.placed.size() - left * wave_ctas_;
  auto steady = std::make_shared<SteadyWaves>();
  steady->part = ends_.back();
  steady->part.subtract(ends_[ends_.size() - 1 - agreeing]);
  steady->waves = parts_of(std::span(waves_).last(agreeing));
  steady->skipped = left;
  k.result.steady = std::move(steady);
}

}  // namespace heddle::gpu
