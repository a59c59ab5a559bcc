// The tables of forms as text: one line each, as the PTX manual writes syntax.
#include <algorithm>

#include "ptx/forms/forms.h"
#include "ptx/forms/forms_table.h"

namespace heddle::ptx {

namespace {

// ".a" for a modifier that must be there, ".{a,b}" for one of several, "{.a,.b}" for what may be
// left out.
std::string slot_text(std::string_view slot) {
  const bool optional = slot.back() == '?';
  if (optional) slot.remove_suffix(1);
  for (const FormSet& set : form_sets())
    if (set.name == slot) slot = set.members;
  const std::string modifiers(slot);
  const bool several = modifiers.find('|') != std::string::npos;
  std::string out = optional ? "{." : several ? ".{" : ".";
  for (char c : modifiers) {
    if (c == '|')
      out += optional ? ",." : ",";
    else
      out += c;
  }
  return out + (optional || several ? "}" : "");
}

}  // namespace

std::string forms_text(std::string_view pattern) {
  std::string out;
  for (const FormRow& row : form_rows()) {
    std::string line(row.mnemonic);
    std::string_view rest = row.modifiers;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (end > 0) line += slot_text(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!row.operands.empty()) line += " " + std::string(row.operands);
    if (line.find(pattern) != std::string::npos) out += line + "\n";
  }
  return out;
}

}  // namespace heddle::ptx
