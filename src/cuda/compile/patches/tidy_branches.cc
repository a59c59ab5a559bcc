#include "cuda/compile/patches/tidy_branches.h"

#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heddle::cuda {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The part of a line before its comment, without the blanks around it.
std::string_view code_of(std::string_view line) { return trimmed(line.substr(0, line.find("//"))); }

// A line between two instructions that is not an instruction or a label.
bool transparent(std::string_view code) {
  if (code.empty() || code.starts_with(".loc")) return true;
  // Marks of loops belong to a path.
  if (code.starts_with(".pragma")) return code.find("heddle_") == std::string_view::npos;
  return code.starts_with("$L__tmp") && code.ends_with(':');
}

struct Jump {
  std::string_view guard;  // "%p1" or "!%p1"; empty for an unconditional jump
  std::string_view target;
};

std::optional<Jump> jump_of(std::string_view code) {
  Jump jump;
  if (code.starts_with('@')) {
    const auto space = code.find_first_of(" \t");
    if (space == std::string_view::npos) return std::nullopt;
    jump.guard = code.substr(1, space - 1);
    code = trimmed(code.substr(space));
  }
  const std::string_view opcode = jump.guard.empty() ? "bra.uni" : "bra";
  if (!code.starts_with(opcode) || !code.ends_with(';')) return std::nullopt;
  const std::string_view rest = code.substr(opcode.size(), code.size() - opcode.size() - 1);
  if (rest.empty() || (rest[0] != ' ' && rest[0] != '\t')) return std::nullopt;
  jump.target = trimmed(rest);
  return jump;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

// "$L__BB0_7:                 // %.loopexit" ends with LLVM's name of the block.
std::string_view without_block_name(std::string_view line) {
  if (!line.starts_with("$L__BB") && !line.starts_with("// %bb.")) return line;
  return trimmed(line.substr(0, line.find("// %", 1)));
}

class Tidier {
 public:
  explicit Tidier(std::string_view ptx) : lines_(lines_of(ptx)) {}

  std::string tidied() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view code = code_of(lines_[i]);
      if (code.ends_with(':')) label_lines_[code.substr(0, code.size() - 1)] = i;
      const auto jump = jump_of(code);
      if (!jump) continue;
      if (jump->guard.empty()) {
        if (falls_to(i, jump->target)) lines_[i] = {};
      } else {
        invert(i, *jump);
      }
    }
    std::string text;
    for (const auto line : lines_) text.append(without_block_name(line)).append("\n");
    return text;
  }

 private:
  std::size_t next_code(std::size_t line) const {
    do ++line;
    while (line < lines_.size() && transparent(code_of(lines_[line])));
    return line;
  }
  // Whether the label follows this line without an instruction in between.
  bool falls_to(std::size_t line, std::string_view label) const {
    for (line = next_code(line); line < lines_.size(); line = next_code(line)) {
      const std::string_view code = code_of(lines_[line]);
      if (!code.ends_with(':')) return false;
      if (code.substr(0, code.size() - 1) == label) return true;
    }
    return false;
  }
  void invert(std::size_t line, const Jump& conditional) {
    const std::size_t second = next_code(line);
    if (second >= lines_.size()) return;
    const auto unconditional = jump_of(code_of(lines_[second]));
    if (!unconditional || !unconditional->guard.empty()) return;
    const bool to_next = falls_to(second, conditional.target);
    if (!to_next && !nearer_backward(unconditional->target, conditional.target)) return;
    const bool negated = conditional.guard.starts_with('!');
    const std::string guard =
        negated ? std::string(conditional.guard.substr(1)) : "!" + std::string(conditional.guard);
    changed_lines_.push_back("\t@" + guard + " bra \t" + std::string(unconditional->target) + ";");
    lines_[line] = changed_lines_.back();
    lines_[second] = {};
    if (to_next) return;
    changed_lines_.push_back("\tbra.uni \t" + std::string(conditional.target) + ";");
    lines_[second] = changed_lines_.back();
  }
  // Whether `label` begins a loop that a jump to `other` exits.
  bool nearer_backward(std::string_view label, std::string_view other) const {
    const auto at = label_lines_.find(label);
    const auto other_at = label_lines_.find(other);
    return at != label_lines_.end() &&
           (other_at == label_lines_.end() || other_at->second < at->second);
  }

  std::vector<std::string_view> lines_;
  std::unordered_map<std::string_view, std::size_t> label_lines_;  // of the labels passed so far
  std::deque<std::string> changed_lines_;  // a deque does not move its elements
};

}  // namespace

std::string tidy_branches(std::string_view ptx) { return Tidier(ptx).tidied(); }

}  // namespace heddle::cuda
