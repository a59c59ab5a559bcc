// Which symbols a PTX text offers to other texts and which it needs from them, found without
// parsing it. A program can carry hundreds of kilobytes of PTX that no kernel uses; only the texts
// that kernels depend on are parsed.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cuda {

struct PtxSymbols {
  std::set<std::string, std::less<>> entries;  // kernels
  std::set<std::string, std::less<>> defined;  // functions and variables that other texts may use
  std::set<std::string, std::less<>>
      needed;  // functions and variables defined elsewhere, except those the simulator provides
  std::set<std::string, std::less<>>
      variables;  // all module-scope variables defined here, private ones included
};
PtxSymbols scan_symbols(std::string_view text);

// Texts that belong together: each group holds the indices of texts connected by a needed symbol,
// ascending.
std::vector<std::vector<std::size_t>> group_by_need(const std::vector<PtxSymbols>& texts);

}  // namespace heddle::cuda
