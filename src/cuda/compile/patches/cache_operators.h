// ptxas has options for the cache operator of accesses that name none (-dlcm, -dscm). There is no
// ptxas here, so the PTX is told.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cuda {

// opcode: "ld" or "st". Its weak accesses to global and generic memory without operator and without
// .nc get one.
std::string with_cache_operator(std::string_view ptx, std::string_view opcode,
                                std::string_view cache_operator);

}  // namespace heddle::cuda
