// Charts of results. Every length is a figure of run.json or a ratio of two.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lab/compare.h"
#include "report/chart.h"
#include "report/panels.h"

namespace heddle::report {

// Speed-ups over the first contestant, the issue slots of each as a stack as long as its run, and
// the rows of --interval, a line for each contestant. With names of series, these alone.
Chart chart_of_comparison(const lab::Comparison& comparison, std::size_t max_points,
                          const SeriesNames& series = {});

// The rows of --interval over time, at most max_points of them; issue patterns and bars that
// policies declare, at most max_pictures of each. With names of series, these alone.
Chart chart_of_run(const nlohmann::ordered_json& results, std::size_t max_points,
                   std::size_t max_pictures, const SeriesNames& series = {});

struct Canvas {
  int width = 100;
  bool colour = false;
};
// Of a file descriptor. Colour is used only on a terminal, and not when NO_COLOR is set.
Canvas canvas_of(int descriptor);

// For a terminal.
std::string plot_comparison(const lab::Comparison& comparison, const Canvas& canvas,
                            const SeriesNames& series = {});
std::string plot_run(const nlohmann::ordered_json& results, const Canvas& canvas,
                     const SeriesNames& series = {});

// For files.
std::string svg_of_comparison(const lab::Comparison& comparison, const SeriesNames& series = {});
std::string svg_of_run(const nlohmann::ordered_json& results, const SeriesNames& series = {});

}  // namespace heddle::report
