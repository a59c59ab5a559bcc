// Pictures of what policies record per kernel, as lists of bars: last CTAs (kaws), classified loads
// (daws), phases (ipaws).
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

struct BarPicture {
  struct Bar {
    std::string label;
    double value;
    std::string text;
  };  // text: behind the bar
  std::string title, note;
  std::vector<Bar> bars;
};

// Of the first kernels that have any, at most so many pictures.
std::vector<BarPicture> policy_bars(const nlohmann::ordered_json& results, std::size_t most);

}  // namespace heddle::report
