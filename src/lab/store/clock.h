// Times of the results store.
#pragma once

#include <string>

namespace heddle::lab {

std::string utc_now();  // "2026-01-31T12:00:00Z"

}  // namespace heddle::lab
