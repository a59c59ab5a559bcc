// The facts that a policy's paper argues with, said about a pair of policies.
#pragma once

#include <string>
#include <vector>

#include "lab/explanation.h"

namespace heddle::lab {

// At most three sentences, chosen by what both policies are made for; those whose figures hardly
// differ are left out.
std::vector<std::string> arguments(const Named& better, const Named& worse);

}  // namespace heddle::lab
