// The runs of a study that some figures need: a study has more rows and cases than they show.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/reproduction/paper.h"

namespace heddle::lab {

class NeededRuns {
 public:
  // Of the study with this name in the paper's file: for the figures' bars, and for the claims and
  // readings that have it.
  NeededRuns(const Study& study, const std::string& name, const std::vector<Figure>& figures);

  bool contains(const std::string& workload, const std::string& scheduler) const {
    return runs_.contains({workload, scheduler});
  }

 private:
  void add(const Measure& measure, const std::vector<std::string>& rows);

  const Study& study_;
  std::set<std::pair<std::string, std::string>> runs_;  // workload and scheduler
};

}  // namespace heddle::lab
