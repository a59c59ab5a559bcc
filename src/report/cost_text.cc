#include "report/cost_text.h"

#include <fmt/format.h>

#include "report/text_table.h"

namespace heddle::report {
namespace {

std::string sampled_text(const lab::RunCost& cost) {
  if (!cost.whole.empty()) return "sampled run: as the full run, because " + cost.whole;
  if (cost.timed_launches == cost.launches)
    return fmt::format(
        "sampled run: at most {}: every launch is timed; it is shorter when waves of CTAs agree",
        about(cost.sampled_seconds()));
  return fmt::format(
      "sampled run: at most {}: {} launches are timed, with {} warp instructions; it is shorter "
      "when waves of CTAs agree",
      about(cost.sampled_seconds()), grouped(cost.timed_launches),
      grouped(cost.timed_instructions));
}

}  // namespace

std::string about(double seconds) {
  if (seconds < 60) return fmt::format("{:.2g} s", seconds);
  if (seconds < 3600) return fmt::format("{:.2g} min", seconds / 60);
  return fmt::format("{:.3g} h", seconds / 3600);
}

std::string cost_text(const lab::RunCost& cost) {
  return fmt::format(
      "heddle: functional pass: {} launches, {} warp instructions in {}\n"
      "heddle: timed, the first {} warp instructions take {} here: {:.2g} million a second\n"
      "heddle: full run: about {}\nheddle: {}\n",
      grouped(cost.launches), grouped(cost.instructions), about(cost.functional_seconds),
      grouped(cost.probe_instructions), about(cost.probe_seconds),
      1e-6 * cost.instructions_per_second(), about(cost.full_seconds()), sampled_text(cost));
}

}  // namespace heddle::report
