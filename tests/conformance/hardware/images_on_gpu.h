// Runs the cases of images/ through the driver.
#pragma once

#include <string>

#include "tests/conformance/hardware/driver.h"

namespace heddle::conformance {

// Prints the number of cases that ran and the differences; false when there are any. Writes the
// results of each family to `out`/FAMILY.results: a line with place and instruction of each case
// that ran, and a line with the words of all threads.
bool run_images(const Driver& driver, int architecture, const std::string& folder,
                const std::string& out);

}  // namespace heddle::conformance
