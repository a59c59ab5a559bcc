#include "cuda/fatbin/ptx_symbols.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "ptx/device_runtime.h"
#include "ptx/syntax/declarations.h"

namespace heddle::cuda {
namespace {

// Functions that device code may call without defining them.
constexpr std::array<std::string_view, 10> kProvided{"vprintf", "malloc", "free",   "__assertfail",
                                                     "_Znwm",   "_Znam",  "_ZdlPv", "_ZdaPv",
                                                     "_ZdlPvm", "_ZdaPvm"};

bool is_provided(const std::string& name) {
  return std::find(kProvided.begin(), kProvided.end(), name) != kProvided.end() ||
         ptx::runtime_function(name);
}

}  // namespace

PtxSymbols scan_symbols(std::string_view text, const std::string& file) {
  using Kind = ptx::Declaration::Kind;
  PtxSymbols symbols;
  for (const ptx::Declaration& declaration : ptx::scan_declarations(text, file)) {
    const std::string& name = declaration.name;
    const bool kernel = declaration.kind == Kind::kernel;
    if (declaration.is_external) {
      if (!is_provided(name)) symbols.needed.insert(name);
      continue;
    }
    if (kernel) symbols.entries.insert(name);
    if (declaration.kind == Kind::variable) symbols.variables.insert(name);
    if (kernel || declaration.is_shared) symbols.defined.insert(name);
  }
  return symbols;
}

std::vector<std::vector<std::size_t>> group_by_need(const std::vector<PtxSymbols>& texts) {
  std::map<std::string, std::size_t, std::less<>> owner;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const auto& name : texts[i].defined) owner.emplace(name, i);
  }
  std::vector<std::size_t> leader(texts.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto lead = [&](std::size_t i) {
    while (leader[i] != i) i = leader[i];
    return i;
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const auto& name : texts[i].needed) {
      const auto found = owner.find(name);
      if (found == owner.end()) continue;
      const std::size_t a = lead(i), b = lead(found->second);
      leader[std::max(a, b)] = std::min(a, b);
    }
  }
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < texts.size(); ++i) groups[lead(i)].push_back(i);
  std::vector<std::vector<std::size_t>> result;
  for (auto& [first, members] : groups) result.push_back(std::move(members));
  return result;
}

}  // namespace heddle::cuda
