// The part of a program that is timed; by default all of it. The rest runs functionally.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::config {

// Launches by number (from 1, in execution order) and kernels by name.
class KernelSelection {
 public:
  KernelSelection() = default;  // all
  // "3", "3..7", "..7", "3..", "bfs*" (* any text, ? any character), "all", and lists of these.
  // Throws UserError for other texts.
  explicit KernelSelection(const std::string& text);

  const std::string& text() const { return text_; }
  bool all() const { return ranges_.empty() && patterns_.empty(); }
  // name: as in the module. Patterns are matched with it, with its demangled form, and with the
  // demangled form without namespaces and arguments.
  bool contains(std::uint64_t launch, const std::string& name) const;

 private:
  std::string text_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;  // inclusive
  std::vector<std::string> patterns_;
};

// Launches of a captured program that are timed, by number from 1. The replay ends after the last.
struct LaunchRange {
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  std::uint64_t first = 1, last = kEnd;  // kEnd: to the end of the program
  std::uint64_t warms_from = 1;          // up to the first one, launches warm the L2

  bool operator==(const LaunchRange&) const = default;
  bool contains(std::uint64_t launch) const { return launch >= first && launch <= last; }
  bool warms(std::uint64_t launch) const { return launch >= warms_from && launch < first; }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive("first", self.first)("last", self.last)("warms_from", self.warms_from);
  }
};

struct TimedPart {
  KernelSelection kernels;
  std::uint64_t skip = 0;                // the first launches are not timed, whatever `kernels` is
  std::uint64_t limit_cycles = 0;        // core cycles of all timed launches together; 0: no limit
  std::uint64_t limit_instructions = 0;  // their thread instructions
  bool samples_waves = false;            // not all waves of the CTAs of a timed launch are timed
  KernelSelection warming;               // of launches that run functionally; without text: none
  LaunchRange range;                     // of a run in parts

  bool everything() const {
    return kernels.all() && skip == 0 && !limited() && range == LaunchRange();
  }
  bool limited() const { return limit_cycles > 0 || limit_instructions > 0; }
  bool contains(std::uint64_t launch, const std::string& name) const {
    return launch > skip && range.contains(launch) && kernels.contains(launch, name);
  }
  // The accesses of its last CTAs go through the L2.
  bool warms(std::uint64_t launch, const std::string& name) const {
    return range.warms(launch) || (!warming.text().empty() && warming.contains(launch, name));
  }
  bool reached(std::uint64_t cycles, std::uint64_t instructions) const {
    return (limit_cycles && cycles >= limit_cycles) ||
           (limit_instructions && instructions >= limit_instructions);
  }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive("kernels", self.kernels)("skip", self.skip)("limit_cycles", self.limit_cycles);
    archive("limit_instructions", self.limit_instructions)("samples_waves", self.samples_waves);
    archive("warming", self.warming)("range", self.range);
  }
};

}  // namespace heddle::config
