#include "lab/sample/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/demangle.h"

namespace heddle::lab {
namespace {

constexpr std::size_t kFewestLaunches = 8;  // of a program that is sampled
constexpr std::size_t kSmallStratum = 6;    // up to here every launch is timed
constexpr std::size_t kCounted = 4;         // of a larger one, besides its first launch
constexpr double kSimilar = 1.1;            // most instructions of a stratum by fewest
constexpr double kMostTimed = 0.7;  // share of the instructions; beyond, all launches are timed

std::string selection_of(const std::vector<bool>& launches) {
  std::string text;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (!launches[i]) continue;
    const std::size_t first = i + 1;  // numbers of launches count from 1
    while (i + 1 < launches.size() && launches[i + 1]) ++i;
    text += fmt::format("{}{}..{}", text.empty() ? "" : ",", first, i + 1);
  }
  return text;
}

}  // namespace

LaunchFacts LaunchFacts::of(const nlohmann::ordered_json& launch) {
  LaunchFacts facts;
  facts.kernel = launch.at("name").get<std::string>();
  facts.shape =
      launch.at("grid").dump() + launch.at("block").dump() + launch.at("shared_bytes").dump();
  facts.instructions = launch.at("warp_instructions").get<std::uint64_t>();
  facts.nested = launch.contains("parent_launch");
  return facts;
}

// A program whose launches do not stand for each other is sampled inside its launches only.
SamplePlan::SamplePlan(std::vector<LaunchFacts> launches) : launches_(std::move(launches)) {
  if (std::any_of(launches_.begin(), launches_.end(),
                  [](const LaunchFacts& one) { return one.nested; })) {
    whole_ = "kernels of the program launch kernels";
    return;
  }
  make_strata();
  if (launches_.size() >= kFewestLaunches &&
      static_cast<double>(timed_instructions()) <= kMostTimed * static_cast<double>(instructions()))
    return;
  std::vector<std::size_t> all(launches_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  strata_ = {{all, all, 1}};
}

std::size_t SamplePlan::timed_launches() const {
  const std::vector<bool> is_timed = timed();
  return static_cast<std::size_t>(std::count(is_timed.begin(), is_timed.end(), true));
}

std::uint64_t SamplePlan::instructions() const {
  std::uint64_t all = 0;
  for (const LaunchFacts& one : launches_) all += one.instructions;
  return all;
}

std::uint64_t SamplePlan::timed_instructions() const {
  const std::vector<bool> is_timed = timed();
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < launches_.size(); ++i)
    if (is_timed[i]) all += launches_[i].instructions;
  return all;
}

void SamplePlan::make_strata() {
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < launches_.size(); ++i)
    alike[{launches_[i].kernel, launches_[i].shape}].push_back(i);
  const auto instructions = [&](std::size_t i) { return launches_[i].instructions; };
  for (auto& [kernel, members] : alike) {
    std::stable_sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
      return instructions(a) < instructions(b);
    });
    for (auto first = members.begin(); first != members.end();) {
      const double most = kSimilar * static_cast<double>(instructions(*first));
      const auto last = std::find_if(first, members.end(), [&](std::size_t i) {
        return static_cast<double>(instructions(i)) > most;
      });
      std::vector<std::size_t> similar(first, last);
      std::sort(similar.begin(), similar.end());
      add_stratum(similar);
      first = last;
    }
  }
}

// The first launch finds other caches than the later ones, so it stands for itself.
void SamplePlan::add_stratum(const std::vector<std::size_t>& similar) {
  if (similar.size() <= kSmallStratum) {
    strata_.push_back({similar, similar, 1});
    return;
  }
  strata_.push_back({{similar[0]}, {similar[0]}, 1});
  SampleStratum rest{{similar.begin() + 1, similar.end()}, {}, 1};
  double all = 0, counted = 0;
  for (const std::size_t i : rest.launches) all += static_cast<double>(launches_[i].instructions);
  for (std::size_t n = 0; n < kCounted; ++n) {
    rest.counted.push_back(rest.launches[(2 * n + 1) * rest.launches.size() / (2 * kCounted)]);
    counted += static_cast<double>(launches_[rest.counted.back()].instructions);
  }
  rest.weight =
      counted > 0 ? all / counted : static_cast<double>(rest.launches.size()) / double{kCounted};
  strata_.push_back(std::move(rest));
}

std::vector<bool> SamplePlan::timed() const {
  std::vector<bool> is_timed(launches_.size());
  for (const SampleStratum& stratum : strata_)
    for (const std::size_t launch : stratum.counted) {
      is_timed[launch] = true;
      if (launch > 0) is_timed[launch - 1] = true;
    }
  return is_timed;
}

std::size_t SamplePlan::launches_of(const std::string& name) const {
  return static_cast<std::size_t>(
      std::count_if(launches_.begin(), launches_.end(),
                    [&](const LaunchFacts& one) { return plain_name(one.kernel) == name; }));
}

std::string SamplePlan::selection() const { return selection_of(timed()); }

// Back from each timed launch, until they execute enough.
std::string SamplePlan::warming() const {
  const std::vector<bool> is_timed = timed();
  std::vector<bool> warms(is_timed.size());
  std::uint64_t instructions = kWarmingInstructions;
  for (std::size_t i = is_timed.size(); i-- > 0;) {
    if (is_timed[i]) instructions = 0;
    if (is_timed[i] || instructions >= kWarmingInstructions) continue;
    warms[i] = true;
    instructions += launches_[i].instructions;
  }
  return selection_of(warms);
}

}  // namespace heddle::lab
