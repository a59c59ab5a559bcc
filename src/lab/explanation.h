// Why one scheduler beats another, in a sentence.
#pragma once

#include <string>
#include <vector>

#include "lab/facts.h"

namespace heddle::lab {

struct Named {
  std::string scheduler;
  Facts facts;
};

// Less than 1 % apart in cycles.
bool is_level(const Facts& fewer, const Facts& more);

// From issue slots, caches and DRAM. `level` names the others that are level with the better one.
std::string explain(const Named& better, const Named& worse, const std::vector<std::string>& level);

}  // namespace heddle::lab
