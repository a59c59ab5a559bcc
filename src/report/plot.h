// Pictures of results, in the terminal and as SVG. Every length is a figure of run.json or a ratio
// of two.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "lab/compare.h"

namespace heddle::report {

struct Canvas {
  int width = 100;
  bool colour = false;
};
// Colour only on a terminal, and not where NO_COLOR is set.
Canvas canvas_of(int descriptor);

// Speed-ups over the first contestant, and where the issue slots of each went: bars as long as the
// runs.
std::string plot_comparison(const lab::Comparison& comparison, const Canvas& canvas);
std::string svg_of_comparison(const lab::Comparison& comparison);

// The rows of --interval over time, and the patterns that ipaws judged.
std::string plot_run(const nlohmann::ordered_json& results, const Canvas& canvas);
std::string svg_of_run(const nlohmann::ordered_json& results);

}  // namespace heddle::report
