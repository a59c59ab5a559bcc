// The cases of images/ on whatever the driver drives.
#pragma once

#include <string>

#include "tests/conformance/hardware/driver.h"

namespace heddle::conformance {

// Prints how many cases ran and what differs; false when something does.
bool run_images(const Driver& driver, int architecture, const std::string& folder);

}  // namespace heddle::conformance
