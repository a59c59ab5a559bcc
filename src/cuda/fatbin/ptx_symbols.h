// The symbols that a PTX text defines for other texts and those that it needs, found by a scan of
// its tokens (ptx/syntax/declarations.h). Only the texts that a program's kernels depend on are
// parsed.
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
// `file` is the text's name in messages. UserError when the text has no tokens of PTX.
PtxSymbols scan_symbols(std::string_view text, const std::string& file);

// Groups of texts that must be linked: the ascending indices of texts connected by needed symbols.
std::vector<std::vector<std::size_t>> group_by_need(const std::vector<PtxSymbols>& texts);

}  // namespace heddle::cuda
