#include "report/slot_words.h"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <string_view>

#include "stats/ratio.h"

namespace heddle::report {
namespace {

constexpr double kMinShare = 0.02;  // of all issue slots
// From this share of an SM's cycles on, the load/store unit explains a busy pipeline.
constexpr double kLoadStoreUnitBusy = 0.25;

// In the order of sm::LsuStall.
constexpr std::array<std::string_view, sm::kLsuStalls> kStallPhrases{
    "bank conflicts in shared memory keep the load/store unit busy",
    "the load/store unit waits for the constant cache",
    "uncoalesced accesses keep the load/store unit busy",
    "the load/store unit waits for the L1 data cache",
    "the load/store unit waits for the network",
    "the load/store unit waits for the texture cache"};

}  // namespace

std::string lost_slots_text(const lab::KernelFigures& figures, std::size_t max_uses) {
  std::string text;
  for (const auto& [use, count] : lab::lost_slots(figures)) {
    const double share = figures.share_of(use);
    if (max_uses-- == 0 || share < kMinShare) break;
    text +=
        fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", sm::info(use).label, 100 * share);
  }
  return text.empty() ? "-" : text;
}

std::string slot_use_text(sm::SlotUse use, const lab::KernelFigures& figures) {
  std::string_view phrase = sm::info(use).phrase;
  const auto& stalls = figures.lsu_stalls;
  const auto stalled = std::accumulate(stalls.begin(), stalls.end(), std::uint64_t{0});
  if (use == sm::SlotUse::pipeline &&
      stats::ratio(stalled, figures.resident.sm_cycles) >= kLoadStoreUnitBusy)
    phrase = kStallPhrases[static_cast<std::size_t>(lab::most_frequent_stall(figures))];
  return fmt::format("{} ({})", sm::info(use).label, phrase);
}

}  // namespace heddle::report
