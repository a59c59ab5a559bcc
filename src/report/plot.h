// Pictures of results, for the terminal and as SVG. Every length is a figure of run.json or a ratio
// of two.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab/compare.h"

namespace heddle::report {

struct Canvas {
  int width = 100;
  bool colour = false;
};
// Of a file descriptor. Colour is used only on a terminal, and not when NO_COLOR is set.
Canvas canvas_of(int descriptor);

// What both pictures of a comparison show.
struct ComparisonBars {
  struct Row {
    std::string name;
    lab::KernelFigures figures;
    double speed_up;  // over the first row
  };
  std::vector<Row> rows;  // of contestants that did not fail
  double most_speed_up = 0;
  std::uint64_t most_slots = 0;
};
ComparisonBars comparison_bars(const lab::Comparison& comparison);

// Speed-ups over the first contestant, and the issue slots of each as a stack as long as its run.
std::string plot_comparison(const lab::Comparison& comparison, const Canvas& canvas);
std::string svg_of_comparison(const lab::Comparison& comparison);

// The rows of --interval over time, issue patterns and bars that policies declare.
std::string plot_run(const nlohmann::ordered_json& results, const Canvas& canvas);
std::string svg_of_run(const nlohmann::ordered_json& results);

}  // namespace heddle::report
