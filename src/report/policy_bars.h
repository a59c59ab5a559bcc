// The bar charts that policies declare (policies/policy_info.h).
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/policy_info.h"

namespace heddle::report {

struct BarPicture {
  std::string title, note;
  std::vector<policies::Bar> bars;
};

// In the order of the kernels, at most max_pictures.
std::vector<BarPicture> policy_bars(const nlohmann::ordered_json& results,
                                    std::size_t max_pictures);

}  // namespace heddle::report
