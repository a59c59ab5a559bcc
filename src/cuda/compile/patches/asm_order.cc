#include "cuda/compile/patches/asm_order.h"

#include <algorithm>
#include <set>

namespace heddle::cuda {
namespace {

bool goes_beyond_operands(std::string_view assembly) {
  for (const std::string_view word :
       {".cc.", "addc.", "subc.", "madc.", "atom.", "ld.", "ldu.", "ldmatrix.", "wmma.load.",
        "suld.", "%clock", "%globaltimer", "activemask.", "bar.", "barrier.", "nanosleep."}) {
    if (assembly.find(word) != std::string_view::npos) return true;
  }
  return false;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  return line;
}

// "uselistorder ptr asm ...".
bool orders_uses_of_asm(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(' '), line.size()))
      .starts_with("uselistorder ptr asm ");
}

// The attribute group at `at`, as "#7".
std::string_view group_at(std::string_view line, std::size_t at) {
  return line.substr(at, line.find_first_not_of("0123456789", at + 1) - at);
}

// The attribute groups of calls that do not access memory. These are the calls that LLVM merges.
std::set<std::string_view> groups_without_memory(std::string_view ir) {
  constexpr std::string_view head = "attributes #";
  std::set<std::string_view> groups;
  while (!ir.empty()) {
    const std::string_view line = take_line(ir);
    if (line.starts_with(head) && line.find("memory(none)") != std::string_view::npos)
      groups.insert(group_at(line, head.size() - 1));
  }
  return groups;
}

}  // namespace

std::string with_ordered_asm(std::string_view ir) {
  constexpr std::string_view call = " asm \"";
  const std::set<std::string_view> pure = groups_without_memory(ir);
  std::string out;
  while (!ir.empty()) {
    const std::string_view line = take_line(ir);
    if (orders_uses_of_asm(line)) continue;
    const std::size_t at = line.find(call), text = at + call.size();
    const bool meant = at != std::string_view::npos &&
                       goes_beyond_operands(line.substr(text, line.find('"', text) - text));
    const std::size_t close = meant ? line.rfind(") #") : std::string_view::npos;
    const std::string_view group =
        close == std::string_view::npos ? std::string_view() : group_at(line, close + 2);
    if (!pure.contains(group)) {
      out += line;
      continue;
    }
    out.append(line.substr(0, at))
        .append(" asm sideeffect")
        .append(line.substr(at + 4, close + 1 - at - 4));
    out.append(" convergent nounwind").append(line.substr(close + 2 + group.size()));
  }
  return out;
}

}  // namespace heddle::cuda
