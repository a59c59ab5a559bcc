// Runs the cases of images/ through the driver.
#pragma once

#include <string>

#include "tests/conformance/hardware/driver.h"

namespace heddle::conformance {

// Prints the number of cases that ran and the differences; false when there are any.
bool run_images(const Driver& driver, int architecture, const std::string& folder);

}  // namespace heddle::conformance
