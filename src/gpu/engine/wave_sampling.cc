#include "gpu/engine/wave_sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace heddle::gpu {
namespace {

constexpr std::uint64_t kFewestWaves = 6;            // of a launch that is sampled
constexpr std::uint64_t kFewestWavesRepeating = 12;  // of one of a program that repeats
constexpr double kLeastSkipped = 4;                  // a fourth of all waves; fewer gain little

AgreedWaves::Kind kind_of(const RunningKernel& k) {
  return {program_of(k), k.result.name, k.result.module, k.result.grid, k.result.block};
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

void WaveSampling::set_programs(const std::vector<std::uint32_t>& present) {
  agreed_.forget_all();
  std::vector<Present> list;
  for (const std::uint32_t program : present) list.push_back({program, repeats(program), 0});
  present_ = std::move(list);
}

void WaveSampling::set_repeating(std::uint32_t program) {
  if (!repeats(program)) agreed_.forget_all();
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
  if (launches_.front().ends.size() < kWarmUpWaves) return true;
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
  if (state_ == State::watches) keep_waves_for_later();
  launches_.clear();
  for (const RunningKernel* k : candidates_) {
    launches_.emplace_back();
    launches_.back().launch = k->launch_number;
    launches_.back().kind = kind_of(*k);
  }
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

// The CTAs that a launch omits fill the GPU a whole number of times, so it ends with the same part
// of a wave.
void WaveSampling::stop_if_waves_agree() {
  const AgreedWaves::Kept* const earlier = agreed_.find(kinds());
  const bool at_once =
      waves_.front().size() == kWarmUpWaves && earlier && earlier->stands_at_once();
  std::vector<double> per_wave;
  for (std::size_t i = 0; i < launches_.size(); ++i)
    per_wave.push_back(at_once ? earlier->waves[i].ctas_per_wave : ctas_per_wave(launches_[i]));
  double left = std::numeric_limits<double>::infinity();
  bool gains = true;
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const RunningKernel& k = *candidates_[i];
    const std::uint64_t waiting = k.ctas_to_time() - k.ctas_placed;
    const auto whole = static_cast<double>(waiting - waiting % launches_[i].wave_ctas);
    if (whole / per_wave[i] >= left) continue;
    left = whole / per_wave[i];
    gains = whole * kLeastSkipped >= static_cast<double>(k.ctas_to_time() - launches_[i].first_cta);
  }
  if (!gains) {
    state_ = State::ignores;
    keep_waves_for_later();
    return;
  }
  const bool without_own = at_once && enough_waves(earlier->waves, left);
  const std::vector<AgreedWaves::OfLaunch> steady =
      without_own ? earlier->waves : find_steady(earlier, left);
  if (steady.empty()) return;
  state_ = State::ignores;
  for (std::size_t i = 0; i < launches_.size(); ++i) omit(i, steady[i], left * per_wave[i]);
  if (without_own)
    agreed_.count_at_once(kinds());
  else if (across_launches_)
    agreed_.keep(kinds(), steady, true);
}

std::vector<AgreedWaves::Kind> WaveSampling::kinds() const {
  std::vector<AgreedWaves::Kind> kinds;
  for (const Watched& one : launches_) kinds.push_back(one.kind);
  return kinds;
}

// Of each launch the waves that stand for the `left` ones; empty: none do.
std::vector<AgreedWaves::OfLaunch> WaveSampling::find_steady(const AgreedWaves::Kept* earlier,
                                                             double left) const {
  std::vector<AgreedWaves::OfLaunch> steady;
  if (const std::size_t count = agreeing_waves(waves_, left)) {
    for (std::size_t i = 0; i < launches_.size(); ++i) steady.push_back(last_waves(i, count));
    return steady;
  }
  if (!earlier) return steady;
  if (!(earlier->agreed ? like_earlier : agree_with_kept)(earlier->waves, waves_, left))
    return steady;
  steady = earlier->waves;
  for (std::size_t i = 0; i < launches_.size(); ++i)
    steady[i].add(last_waves(i, waves_[i].size() - kWarmUpWaves));
  return steady;
}

// The launches had too few waves to agree by themselves.
void WaveSampling::keep_waves_for_later() {
  if (!across_launches_ || waves_.front().size() <= kWarmUpWaves) return;
  std::vector<AgreedWaves::OfLaunch> waves;
  for (std::size_t i = 0; i < launches_.size(); ++i)
    waves.push_back(last_waves(i, waves_[i].size() - kWarmUpWaves));
  agreed_.keep_for_later(kinds(), std::move(waves));
}

AgreedWaves::OfLaunch WaveSampling::last_waves(std::size_t which, std::size_t count) const {
  const std::vector<KernelResult>& ends = launches_[which].ends;
  const auto last = std::span(waves_[which]).last(count);
  AgreedWaves::OfLaunch waves{
      ends.back(), {last.begin(), last.end()}, ctas_per_wave(launches_[which])};
  waves.part.subtract(ends[ends.size() - 1 - count]);
  return waves;
}

void WaveSampling::omit(std::size_t which, const AgreedWaves::OfLaunch& agreed, double ctas) {
  RunningKernel& k = *candidates_[which];
  SteadyWaves steady;
  steady.part = agreed.part;
  steady.waves = parts_of(agreed.waves);
  steady.skipped_ctas = static_cast<std::uint64_t>(std::llround(ctas));
  k.most_placed = k.ctas_to_time() - steady.skipped_ctas;
  k.result.steady.push_back(std::move(steady));
}

}  // namespace heddle::gpu
