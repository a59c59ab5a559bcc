// Panels of a picture over time.
#pragma once

#include <string>
#include <vector>

#include "lab/run_series.h"

namespace heddle::report {

// Curves with one axis, or the parts of a stack.
struct Panel {
  std::string title;
  bool stack = false;  // of shares
  bool percent = false;
  struct Curve {
    std::string name;
    std::vector<double> values;
  };
  std::vector<Curve> curves;
};
std::vector<Panel> panels_of(const lab::RunSeries& series);

}  // namespace heddle::report
