// Bar charts of records of policies: last CTAs (kaws), classified loads (daws), phases (ipaws).
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report {

struct BarPicture {
  struct Bar {
    std::string label;
    double value;
    std::string text;  // after the bar
  };
  std::string title, note;
  std::vector<Bar> bars;
};

// In the order of the kernels, at most max_pictures.
std::vector<BarPicture> policy_bars(const nlohmann::ordered_json& results,
                                    std::size_t max_pictures);

}  // namespace heddle::report
