// The options -dlcm and -dscm of ptxas: the cache operator of accesses without one. Heddle does not
// use ptxas, so the operator is written into the PTX.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cuda {

// opcode: "ld" or "st". Weak accesses to global and generic memory get the operator, unless they
// have one or .nc.
std::string with_cache_operator(std::string_view ptx, std::string_view opcode,
                                std::string_view cache_operator);

}  // namespace heddle::cuda
