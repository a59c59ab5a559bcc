// Details and series of a kernel as JSON.
#pragma once

#include <map>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "gpu/kernel_result.h"

namespace heddle::gpu {

nlohmann::ordered_json details_json(const KernelResult& result);
// Sums over launches: all loops together, and the divergence of loads.
class DetailsTotals {
 public:
  void add(const KernelResult& launch);
  nlohmann::ordered_json json() const;  // empty without details

 private:
  LoopDetail loops_;
  // The executions of each load in a loop, over all launches of its kernel.
  std::map<std::pair<std::string, Pc>, LoadShapes> loads_;
  bool any_ = false;
};
// {"columns": names, "rows": numbers}. Columns that are zero in all rows are omitted.
nlohmann::ordered_json series_json(const KernelResult& result);

}  // namespace heddle::gpu
