// The pragmas of Heddle: marks of loops for the warp scheduler ps, and the direction of CTAs. Other
// pragmas are skipped.
#include <charconv>

#include "ptx/syntax/parser.h"

namespace heddle::ptx {

namespace {

constexpr std::string_view kPrefix = "heddle_";
constexpr std::uint32_t kMaxGroup = 1u << 20;
constexpr const char* kKnown =
    "heddle_ps_begin N, heddle_ps_end, heddle_ps_loop N, heddle_cta_direction x|y|none|auto";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

CtaDirectionHint direction_named(std::string_view name) {
  if (name == "x") return CtaDirectionHint::x;
  if (name == "y") return CtaDirectionHint::y;
  if (name == "none") return CtaDirectionHint::none;
  return name == "auto" ? CtaDirectionHint::automatic : CtaDirectionHint::absent;
}

}  // namespace

// function: null at module scope. A directive of a function precedes its body.
void Parser::parse_pragma(AstFunction* function, bool in_body) {
  require(".pragma");
  while (token_.kind == Token::Kind::string) {
    if (const std::string_view text = trimmed(token_.text); text.starts_with(kPrefix))
      read_hint(text, function, in_body);
    advance();
    if (!accept(",")) break;
  }
  skip_statement();
}

void Parser::read_hint(std::string_view text, AstFunction* function, bool in_body) {
  const std::string_view name = text.substr(0, text.find_first_of(" \t"));
  const std::string_view value = trimmed(text.substr(name.size()));
  const std::string shown_name = "'" + std::string(name.substr(0, 80)) + "'";
  if (name == "heddle_cta_direction") {
    if (!function || !function->is_entry) fail(shown_name + " belongs to a kernel");
    function->cta_direction = direction_named(value);
    if (function->cta_direction == CtaDirectionHint::absent)
      fail(shown_name + " takes x, y, none or auto, not '" + std::string(value.substr(0, 80)) +
           "'");
    return;
  }
  const bool begins = name == "heddle_ps_begin", ends = name == "heddle_ps_end";
  if (!begins && !ends && name != "heddle_ps_loop")
    fail("unknown pragma " + shown_name + "; the pragmas of Heddle are " + kKnown);
  if (!in_body) fail(shown_name + " belongs in the body of a function");
  read_loop_mark(begins ? AstLoopMark::Kind::begin
                 : ends ? AstLoopMark::Kind::end
                        : AstLoopMark::Kind::loop,
                 value, *function);
}

void Parser::read_loop_mark(AstLoopMark::Kind kind, std::string_view value, AstFunction& function) {
  AstLoopMark mark;
  mark.kind = kind;
  mark.instruction = static_cast<std::uint32_t>(function.code.size());
  mark.at = position();
  mark.file = loc_file_;
  mark.file_line = loc_line_;
  if (kind == AstLoopMark::Kind::end) {
    if (!value.empty()) fail("'heddle_ps_end' takes no number");
  } else {
    const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), mark.group);
    if (error != std::errc{} || end != value.data() + value.size() || mark.group == 0 ||
        mark.group > kMaxGroup)
      fail("a group of warps has 1 to " + std::to_string(kMaxGroup) + " warps, not '" +
           std::string(value.substr(0, 80)) + "'");
  }
  function.loop_marks.push_back(mark);
}

}  // namespace heddle::ptx
