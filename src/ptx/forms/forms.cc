#include "ptx/forms/forms.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <string>

#include "base/diagnostics.h"
#include "ptx/forms/forms_table.h"
#include "ptx/forms/modifiers.h"
#include "ptx/forms/operand_notation.h"

namespace heddle::ptx {

namespace {

// Cuts `text` at each `separator` and calls f for every piece that is not empty.
template <class F>
void for_pieces(std::string_view text, char separator, F&& f) {
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    if (end > start) f(text.substr(start, end - start));
    start = end + 1;
  }
}

// One of a row's modifiers, or one of several alternatives.
struct Slot {
  std::vector<std::string_view> alternatives;
  bool optional = false;
  bool has(std::string_view modifier) const {
    return std::find(alternatives.begin(), alternatives.end(), modifier) != alternatives.end();
  }
};

// A row of the tables, read.
struct ParsedRow {
  Opcode opcode;
  std::vector<Slot> slots;
  std::vector<OperandPattern> operands;
};

std::vector<Slot> parse_slots(std::string_view modifiers) {
  std::vector<Slot> slots;
  for_pieces(modifiers, ' ', [&](std::string_view piece) {
    Slot slot;
    slot.optional = piece.back() == '?';
    if (slot.optional) piece.remove_suffix(1);
    for (const FormSet& set : form_sets()) {
      if (set.name == piece) piece = set.members;
    }
    for_pieces(piece, '|', [&](std::string_view a) { slot.alternatives.push_back(a); });
    slots.push_back(std::move(slot));
  });
  return slots;
}

// The rows of one mnemonic. A program uses few mnemonics, so only theirs are parsed.
const std::vector<ParsedRow>& rows_of(std::string_view mnemonic) {
  static std::mutex mutex;
  static std::map<std::string, std::vector<ParsedRow>, std::less<>> parsed;
  const std::lock_guard lock(mutex);
  if (const auto found = parsed.find(mnemonic); found != parsed.end()) return found->second;
  std::vector<ParsedRow> rows;
  for (const FormRow& row : form_rows())
    if (row.mnemonic == mnemonic)
      rows.push_back({row.opcode, parse_slots(row.modifiers), parse_operands(row.operands)});
  static const std::vector<ParsedRow> none;  // an unknown name is not kept
  return rows.empty() ? none : parsed.emplace(mnemonic, std::move(rows)).first->second;
}

// Does each modifier fill a slot of its own, and is every slot filled that has to be?
bool row_accepts(const ParsedRow& row, const Modifiers& modifiers) {
  std::vector<char> filled(row.slots.size(), 0);
  for (const std::string_view modifier : modifiers) {
    std::size_t n = 0;
    while (n < row.slots.size() && (filled[n] || !row.slots[n].has(modifier))) ++n;
    if (n == row.slots.size()) return false;
    filled[n] = 1;
  }
  for (std::size_t n = 0; n < row.slots.size(); ++n)
    if (!filled[n] && !row.slots[n].optional) return false;
  return true;
}

// Why no row fits.
std::string refusal(std::string_view mnemonic, const Modifiers& modifiers) {
  static constexpr std::array<std::array<std::string_view, 2>, 4> kRefusedFamilies = {
      {{"tcgen05", "tensor memory"},
       {"clusterlaunchcontrol", "thread-block cluster"},
       {"multimem", "multimem"},
       {"tensormap", "tensor map"}}};
  for (const auto& [name, family] : kRefusedFamilies)
    if (name == mnemonic) return std::string(family) + " instructions are not supported";
  if (rows_of(mnemonic).empty()) {
    std::vector<std::string> names;
    for (const FormRow& row : form_rows()) names.emplace_back(row.mnemonic);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return "no such instruction is known" + did_you_mean(mnemonic, names);
  }
  for (const std::string_view modifier : modifiers) {
    bool used = false;
    for (const ParsedRow& row : rows_of(mnemonic))
      for (const Slot& slot : row.slots) used |= slot.has(modifier);
    if (!used)
      return "'." + std::string(modifier) + "' is not supported with " + std::string(mnemonic);
  }
  return "this combination of modifiers is not supported";
}

}  // namespace

std::string decode_form(std::string_view name, InstructionForm& form) {
  Modifiers modifiers;
  for_pieces(name, '.', [&](std::string_view piece) { modifiers.push_back(piece); });
  if (modifiers.empty()) return "no such instruction is known";
  const std::string_view mnemonic = modifiers.front();
  modifiers.erase(modifiers.begin());
  for (const ParsedRow& row : rows_of(mnemonic)) {
    if (!row_accepts(row, modifiers)) continue;
    form = {};
    form.prototype.opcode = row.opcode;
    form.prototype.payload = payload_for(row.opcode);
    apply_modifiers(form.prototype, mnemonic, modifiers);
    const bool cache_hint =
        std::find(modifiers.begin(), modifiers.end(), "L2::cache_hint") != modifiers.end();
    for (const OperandPattern& pattern : row.operands) {
      if (!pattern.with_cache_hint || cache_hint)
        form.operands.push_back(shape_of(pattern, form.prototype));
    }
    return "";
  }
  return refusal(mnemonic, modifiers);
}

}  // namespace heddle::ptx
