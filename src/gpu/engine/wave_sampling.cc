#include "gpu/engine/wave_sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "stats/student.h"

namespace heddle::gpu {
namespace {

constexpr std::uint64_t kFewestWaves = 6;            // of a launch that is sampled
constexpr std::uint64_t kFewestWavesRepeating = 12;  // of one of a program that repeats
constexpr double kLeastSkipped = 4;                  // a fourth of all waves; fewer gain little
constexpr std::size_t kWarmUp = 1;                   // waves that find empty caches
constexpr std::size_t kFewestAgreeing = 3;           // waves
constexpr std::size_t kParts = 4;                    // of the waves that agree
constexpr double kStandFor = 10;                     // times their number, at most
constexpr double kCyclesAgree = 0.04;                // half the interval of 95 %, relative
constexpr double kDramAgrees = 0.1;                  // the same of DRAM reads and writes
constexpr double kFewAccesses = 0.002;  // per warp instruction: no matter how they vary

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

// left: waves that they would stand for, for each wave of them.
bool parts_agree(const std::vector<Wave>& parts, double left) {
  const auto agree = [&](double tolerance, double ignored, auto count) {
    return agrees(parts, left * static_cast<double>(parts.size()), tolerance, ignored, count);
  };
  return agree(kCyclesAgree, 0, [](const Wave& w) { return w.cycles; }) &&
         agree(kDramAgrees, kFewAccesses, [](const Wave& w) { return w.dram_reads; }) &&
         agree(kDramAgrees, kFewAccesses, [](const Wave& w) { return w.dram_writes; });
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

std::size_t agreeing_waves(std::span<const std::vector<Wave>> launches, double left) {
  const std::size_t count = launches.front().size();
  if (count < kWarmUp + kFewestAgreeing) return 0;
  const std::size_t most = count - kWarmUp;
  for (std::size_t n = most; n >= std::max(kFewestAgreeing, (count + 1) / 2); --n) {
    if (left > kStandFor * static_cast<double>(n)) return 0;
    const bool agree = std::all_of(launches.begin(), launches.end(), [&](const auto& waves) {
      return parts_agree(parts_of(std::span(waves).last(n)), left / static_cast<double>(n));
    });
    if (agree) return n;
  }
  return 0;
}

void WaveSampling::set_programs(const std::vector<std::uint32_t>& present) {
  std::vector<Present> list;
  for (const std::uint32_t program : present) list.push_back({program, repeats(program), 0});
  present_ = std::move(list);
}

void WaveSampling::set_repeating(std::uint32_t program) {
  for (Present& one : present_)
    if (one.program == program) one.repeats = true;
}

bool WaveSampling::repeats(std::uint32_t program) const {
  return std::any_of(present_.begin(), present_.end(),
                     [&](const Present& one) { return one.program == program && one.repeats; });
}

const RunningKernel* WaveSampling::launch_of(std::uint32_t program) const {
  const auto found = std::find_if(running_.begin(), running_.end(),
                                  [&](const auto& k) { return program_of(*k) == program; });
  return found == running_.end() ? nullptr : found->get();
}

void WaveSampling::look_at_waves() {
  find_candidates();
  if (!same_launches()) begin();
  if (state_ == State::fills && settled()) begin_waves();
  if (state_ != State::watches || !wave_ended()) return;
  end_wave();
  stop_if_waves_agree();
}

void WaveSampling::find_candidates() {
  candidates_.clear();
  for (const auto& k : running_)
    if (is_candidate(*k)) candidates_.push_back(k.get());
}

bool WaveSampling::is_candidate(const RunningKernel& k) const {
  const std::uint64_t held = hardware_.sms() * static_cast<std::uint64_t>(k.placing.ctas_per_sm);
  return !repeats(program_of(k)) ||
         (k.placed.size() >= kFewestWavesRepeating * held && can_watch(k));
}

bool WaveSampling::same_launches() const {
  return std::equal(
      candidates_.begin(), candidates_.end(), launches_.begin(), launches_.end(),
      [](const RunningKernel* k, const Watched& one) { return k->launch_number == one.launch; });
}

bool WaveSampling::wave_ended() const {
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const Watched& one = launches_[i];
    if (candidates_[i]->ctas_finished < one.first_cta + one.wave_ctas * (one.ends.size() + 1))
      return false;
  }
  return std::all_of(present_.begin(), present_.end(), [&](const Present& one) {
    if (!one.repeats) return true;
    const RunningKernel* const k = launch_of(one.program);
    return k && (is_candidate(*k) || k->launch_number > one.last_launch);
  });
}

void WaveSampling::note_repeated_launches() {
  for (Present& one : present_)
    if (const RunningKernel* const k = launch_of(one.program)) one.last_launch = k->launch_number;
}

bool WaveSampling::can_watch(const RunningKernel& k) const {
  return !k.nested && !cooperates(k) && !k.launch.clusters && !may_communicate(*k.launch.kernel);
}

// A program without a launch may begin one while the others omit CTAs.
void WaveSampling::begin() {
  launches_.clear();
  for (const RunningKernel* k : candidates_) launches_.push_back({k->launch_number, 0, 0, {}, {}});
  const auto launches_of = [&](const Present& one) {
    return std::count_if(candidates_.begin(), candidates_.end(),
                         [&](const RunningKernel* k) { return program_of(*k) == one.program; });
  };
  const bool watches = !candidates_.empty() &&
                       std::all_of(present_.begin(), present_.end(),
                                   [&](const Present& one) {
                                     const auto launches = launches_of(one);
                                     return launches == 1 || (launches == 0 && one.repeats);
                                   }) &&
                       std::all_of(candidates_.begin(), candidates_.end(),
                                   [&](const RunningKernel* k) { return can_watch(*k); });
  state_ = watches ? State::fills : State::ignores;
  placed_ = 0;
}

bool WaveSampling::begins_alone() const {
  return present_.size() == 1 && running_.size() == 1 && running_.front().ctas_finished == 0;
}

// Launches that share the GPU fill it first: no CTA has started since the last look.
bool WaveSampling::settled() {
  if (begins_alone()) return true;
  std::uint64_t placed = 0;
  bool all = true;
  for (const RunningKernel* k : candidates_) {
    placed += k->ctas_placed;
    all &= k->ctas_placed > k->ctas_finished;
  }
  return std::exchange(placed_, placed) == placed && all;
}

void WaveSampling::begin_waves() {
  state_ = State::watches;
  waves_.assign(launches_.size(), {});
  note_repeated_launches();
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const RunningKernel& k = *candidates_[i];
    Watched& one = launches_[i];
    if (begins_alone()) {
      one.wave_ctas = hardware_.sms() * static_cast<std::uint64_t>(k.placing.ctas_per_sm);
    } else {
      one.wave_ctas = k.ctas_placed - k.ctas_finished;
      one.first_cta = k.ctas_finished;
    }
    if (k.ctas_to_time() - one.first_cta < kFewestWaves * one.wave_ctas) state_ = State::ignores;
  }
}

void WaveSampling::end_wave() {
  for (std::size_t i = 0; i < hardware_.sms(); ++i) clock_.catch_up(i);
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    Watched& one = launches_[i];
    one.finished.push_back(candidates_[i]->ctas_finished);
    one.ends.push_back(ledger_.result_so_far(*candidates_[i]));
    KernelResult wave = one.ends.back();
    if (one.ends.size() > 1) wave.subtract(one.ends[one.ends.size() - 2]);
    waves_[i].push_back(
        {wave.cycles, wave.warp_instructions, wave.memory.dram.reads, wave.memory.dram.writes});
  }
  note_repeated_launches();
}

// Of a launch alone a wave is what the GPU holds; of several, the slowest sets its length.
double WaveSampling::ctas_per_wave(const Watched& one) const {
  if (present_.size() == 1 || one.finished.size() < 2) return static_cast<double>(one.wave_ctas);
  return static_cast<double>(one.finished.back() - one.finished.front()) /
         static_cast<double>(one.finished.size() - 1);
}

// The CTAs of a launch alone that remain are whole waves, so it ends with the same part of a wave.
void WaveSampling::stop_if_waves_agree() {
  double left = std::numeric_limits<double>::infinity();
  bool gains = true;
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const RunningKernel& k = *candidates_[i];
    const double wave = ctas_per_wave(launches_[i]);
    const double own = std::floor(static_cast<double>(k.ctas_to_time() - k.ctas_placed) / wave);
    if (own >= left) continue;
    left = own;
    gains = own * wave * kLeastSkipped >=
            static_cast<double>(k.ctas_to_time() - launches_[i].first_cta);
  }
  if (!gains) {
    state_ = State::ignores;
    return;
  }
  const std::size_t agreeing = agreeing_waves(waves_, left);
  if (agreeing == 0) return;
  state_ = State::ignores;
  for (std::size_t i = 0; i < launches_.size(); ++i) omit(i, agreeing, left);
}

void WaveSampling::omit(std::size_t which, std::size_t agreeing, double waves) {
  const Watched& one = launches_[which];
  RunningKernel& k = *candidates_[which];
  SteadyWaves steady;
  steady.part = one.ends.back();
  steady.part.subtract(one.ends[one.ends.size() - 1 - agreeing]);
  steady.waves = parts_of(std::span(waves_[which]).last(agreeing));
  steady.skipped_ctas = static_cast<std::uint64_t>(waves * ctas_per_wave(one));
  k.most_placed = k.ctas_to_time() - steady.skipped_ctas;
  k.result.steady.push_back(std::move(steady));
}

}  // namespace heddle::gpu
