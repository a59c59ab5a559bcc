// The grid of a study: axes of values; a point has one value of every axis.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lab/study_section.h"

namespace heddle::lab {

struct GridValue {
  std::string label;                   // "8", "large"
  std::vector<std::string> overrides;  // "sm.l1d.ways=8"; empty for the axes seed and isa
};

struct GridAxis {
  std::string name;  // a parameter, "seed", "isa", or the name of a table of variants
  std::vector<GridValue> values;
};

inline constexpr const char* kSeedAxis = "seed";
inline constexpr const char* kIsaAxis = "isa";
inline constexpr std::size_t kMaxAxisValues = 10'000;

// Reads [grid] of a study or a case. Throws UserError with the line.
std::vector<GridAxis> read_grid(const StudySection& section);
// `axes` with those of `others` added; an axis of the same name is replaced.
std::vector<GridAxis> merged(std::vector<GridAxis> axes, const std::vector<GridAxis>& others);
// Calls `use` for every point; the last axis changes fastest. Without axes there is one point.
using GridPoint = std::vector<std::pair<const GridAxis*, const GridValue*>>;
void for_each_point(const std::vector<GridAxis>& axes,
                    const std::function<void(const GridPoint&)>& use);

}  // namespace heddle::lab
