#include "ptx/syntax/declarations.h"

#include "ptx/syntax/lexer.h"

namespace heddle::ptx {

namespace {

class DeclarationScanner {
 public:
  DeclarationScanner(std::string_view text, const std::string& file) : lexer_(text, file) {
    advance();
  }

  std::vector<Declaration> scan() {
    while (!at_end()) {
      if (token_.is(".extern"))
        linkage_.is_external = true;
      else if (token_.is(".visible") || token_.is(".weak") || token_.is(".common"))
        linkage_.is_shared = true;
      else if (token_.is(".entry") || token_.is(".func"))
        scan_function();
      else if (token_.is(".global") || token_.is(".const") || token_.is(".tex"))
        scan_variables();
      else if (token_.is(";"))
        linkage_ = {};
      if (opens())
        skip_group();
      else
        advance();
    }
    return std::move(found_);
  }

 private:
  bool at_end() const { return token_.kind == Token::Kind::end; }
  bool opens() const { return token_.is("{") || token_.is("(") || token_.is("["); }
  void advance() { token_ = lexer_.next(); }

  // To the token after the closing bracket.
  void skip_group() {
    int depth = 0;
    do {
      if (opens()) ++depth;
      if (token_.is("}") || token_.is(")") || token_.is("]")) --depth;
      advance();
    } while (depth > 0 && !at_end());
  }

  void add(Declaration::Kind kind, std::string name) {
    found_.push_back({kind, linkage_.is_external, linkage_.is_shared, std::move(name)});
  }

  // Ends at the parameters, or at the token after a name without them.
  void scan_function() {
    const bool entry = token_.is(".entry");
    advance();
    if (token_.is("(")) skip_group();
    if (token_.is_word())
      add(entry ? Declaration::Kind::kernel : Declaration::Kind::function,
          std::string(token_.text));
    linkage_ = {};
  }

  // .global .align 4 .u32 a, b<2>, c[2] = {1, 2}; ends at the ';'.
  void scan_variables() {
    while (!at_end() && !token_.is(";")) {
      while (!at_end() && !token_.is_word() && !token_.is(";")) opens() ? skip_group() : advance();
      if (!token_.is_word()) break;
      scan_variable();
      while (!at_end() && !token_.is(",") && !token_.is(";")) opens() ? skip_group() : advance();
    }
    linkage_ = {};
  }

  void scan_variable() {
    const std::string name(token_.text);
    advance();
    if (!token_.is("<")) return add(Declaration::Kind::variable, name);
    advance();
    numbered_ += token_.value;
    if (token_.kind != Token::Kind::integer || token_.value > kMaxNumberedVariables ||
        numbered_ > kMaxNumberedVariables)
      return;  // the parser refuses it
    for (std::uint64_t n = 0; n < token_.value; ++n)
      add(Declaration::Kind::variable, name + std::to_string(n));
  }

  Lexer lexer_;
  Token token_;
  Declaration linkage_;  // of the statement so far
  std::vector<Declaration> found_;
  std::uint64_t numbered_ = 0;
};

}  // namespace

std::vector<Declaration> scan_declarations(std::string_view text, const std::string& file) {
  return DeclarationScanner(text, file).scan();
}

}  // namespace heddle::ptx
