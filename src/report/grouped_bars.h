// Bars in groups, as papers show speed-ups: a group per program, a bar per scheduler. A report
// draws them as SVG, and its page the same description (document.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

struct GroupedBars {
  struct Bar {
    std::optional<double> value;      // nothing: not measured
    std::optional<double> reference;  // a mark at this value, for example a published one
  };
  struct Group {
    std::string name;
    std::vector<Bar> bars;           // one per series
    std::vector<std::string> notes;  // a line each below the name
  };
  std::string title, axis;          // axis: the meaning of the values
  std::string reference_meaning;    // of the marks; empty: there are none
  std::vector<std::string> series;  // at most as many as bar_colours() has
  std::vector<Group> groups;
  std::optional<double> baseline;  // a dashed line at this value
};

std::string svg_of_bars(const GroupedBars& bars);

}  // namespace heddle::report
