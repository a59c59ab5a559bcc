// The symbols that a PTX text defines for other texts and those that it needs, found by a scan that
// is faster than parsing. A program can contain hundreds of kilobytes of PTX that no kernel uses;
// only the texts that its kernels depend on are parsed.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cuda {

struct PtxSymbols {
  std::set<std::string, std::less<>> entries;  // kernels
  std::set<std::string, std::less<>>
      defined;  // functions, kernels and variables that other texts may use
  std::set<std::string, std::less<>> needed;     // functions, kernels and variables of other texts,
                                                 // except what the simulator provides
  std::set<std::string, std::less<>> variables;  // all module-scope variables that are defined here
};
PtxSymbols scan_symbols(std::string_view text);

// Groups of texts that must be linked: the ascending indices of texts connected by needed symbols.
std::vector<std::vector<std::size_t>> group_by_need(const std::vector<PtxSymbols>& texts);

}  // namespace heddle::cuda
