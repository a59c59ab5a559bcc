// The findings of a checked program as JSON, for check.json and the report.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "exec/check/checker.h"

namespace heddle::gpu {

nlohmann::ordered_json check_json(const exec::Checker& checker);

}  // namespace heddle::gpu
