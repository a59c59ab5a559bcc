#include "tests/tidy/class_sizes.h"

#include <cctype>
#include <string_view>

namespace heddle::tidy {
namespace {

struct Token {
  std::string text;
  std::size_t line;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Words and single characters, without comments, literals and directives of the preprocessor.
std::vector<Token> tokens_of(const SourceFile& file) {
  std::vector<Token> tokens;
  bool directive = false, raw = false, comment = false;
  for (std::size_t n = 0; n < file.lines.size(); ++n) {
    const std::string& line = file.lines[n];
    if (raw || line.find("R\"(") != std::string::npos) {
      raw = line.find(")\"") == std::string::npos;
      if (!raw && line.ends_with(';')) tokens.push_back({";", n});
      continue;
    }
    const bool continued = directive;
    directive = (continued || line.starts_with('#')) && line.ends_with('\\');
    if (continued || line.starts_with('#')) continue;
    const std::string code = code_of(line);
    for (std::size_t i = 0; i < code.size(); ++i) {
      const std::string_view rest = std::string_view(code).substr(i);
      if (comment || rest.starts_with("/*")) {
        const std::size_t end = code.find("*/", i);
        comment = end == std::string::npos;
        if (comment) break;
        i = end + 1;
      } else if (is_word(code[i])) {
        std::size_t end = i;
        while (end < code.size() && is_word(code[end])) ++end;
        tokens.push_back({code.substr(i, end - i), n});
        i = end - 1;
      } else if (rest.starts_with("::") || rest.starts_with("->")) {
        tokens.push_back({std::string(rest.substr(0, 2)), n});
        ++i;
      } else if (code[i] != ' ') {
        tokens.push_back({std::string(1, code[i]), n});
      }
    }
  }
  return tokens;
}

// alignas(VALUE) stands before a name and declares nothing.
std::vector<Token> without_alignment(const std::vector<Token>& tokens) {
  std::vector<Token> kept;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text != "alignas") {
      kept.push_back(tokens[i]);
      continue;
    }
    int depth = 0;
    do {
      ++i;
      depth += (tokens[i].text == "(") - (tokens[i].text == ")");
    } while (depth > 0);
  }
  return kept;
}

class ClassReader {
 public:
  explicit ClassReader(const SourceFile& file) : tokens_(without_alignment(tokens_of(file))) {
    while (at_ < tokens_.size()) declaration(nullptr);
  }
  const std::vector<ClassSize>& classes() const { return classes_; }
  const std::vector<TypeName>& types() const { return types_; }

 private:
  struct Scope {
    std::string prefix;
    ClassSize size;
    bool is_public, has_fields = false, hides_data = false;
  };

  const std::string& text(std::size_t ahead = 0) const {
    static const std::string none;
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead].text : none;
  }
  bool done() const { return at_ >= tokens_.size(); }

  // Past the token that closes what begins here.
  void skip(const char* open, const char* close) {
    int depth = 0;
    for (; !done(); ++at_) {
      if (text() == open) ++depth;
      if (text() == close && --depth == 0) {
        ++at_;
        return;
      }
    }
  }
  bool skip_balanced() {
    for (const auto& [open, close] : {std::pair{"(", ")"}, {"{", "}"}, {"[", "]"}})
      if (text() == open) return skip(open, close), true;
    return false;
  }
  void skip_statement() {
    while (!done() && text() != ";")
      if (!skip_balanced()) ++at_;
    ++at_;
  }

  // One declaration of a class, or of a namespace when `scope` is null.
  void declaration(Scope* scope) {
    if (text() == "}" && !scope && !namespaces_.empty()) namespaces_.pop_back();
    if (text() == ";" || text() == "}") return void(++at_);
    if (text() == "namespace") return begin_namespace();
    if (text() == "public" || text() == "private" || text() == "protected") {
      if (scope) scope->is_public = text() == "public";
      at_ += 2;
      return;
    }
    if (text() == "using" || text() == "typedef" || text() == "static_assert" ||
        (text() == "extern" && text(1) != "{"))
      return skip_statement();
    if (text() == "extern") {
      namespaces_.push_back(namespaces_.empty() ? "" : namespaces_.back());
      return void(at_ += 2);
    }
    while (text() == "template") {
      ++at_;
      skip("<", ">");
    }
    if (text() == "friend") scope = nullptr;
    if (text() == "enum") {
      const std::string& name = text(text(1) == "class" ? 2 : 1);
      while (!done() && text() != "{" && text() != ";") ++at_;
      if (!scope && text() == "{") add_type(name);
      skip_balanced();
      return declarators(scope);
    }
    if (begins_class()) {
      class_body(scope);
      return declarators(scope);
    }
    const bool forward = text(2) == ";" && (text() == "class" || text() == "struct");
    function_or_data(forward ? nullptr : scope);
  }

  // The name of the innermost namespace is the last of namespaces_; empty in an unnamed one.
  void begin_namespace() {
    std::string name;
    for (++at_; !done() && text() != "{" && text() != ";"; ++at_) name += text();
    if (text() == "{") {
      const bool hidden = name.empty() || (!namespaces_.empty() && namespaces_.back().empty());
      const std::string outer = namespaces_.empty() ? "" : namespaces_.back() + "::";
      namespaces_.push_back(hidden ? "" : outer + name);
    }
    ++at_;
  }
  void add_type(const std::string& name) {
    if (is_word(name[0]) && !namespaces_.empty() && !namespaces_.back().empty())
      types_.push_back({name, namespaces_.back()});
  }

  bool begins_class() const {
    if (text() != "class" && text() != "struct" && text() != "union") return false;
    for (std::size_t i = 1; at_ + i < tokens_.size(); ++i) {
      if (text(i) == "{") return true;
      if (text(i) == ";" || text(i) == "(" || text(i) == "=") return false;
    }
    return false;
  }

  void class_body(const Scope* outer) {
    Scope scope;
    scope.is_public = text() != "class";
    ++at_;
    std::string name = text() == "{" || text() == ":" ? "(unnamed)" : text();
    scope.size.line = tokens_[at_].line;
    while (text(1) == "::") {  // defined outside of its class
      name += "::" + text(2);
      at_ += 2;
    }
    scope.prefix = (outer ? outer->prefix + "::" : "") + name;
    if (!outer && name.find(':') == std::string::npos) add_type(name);
    while (!done() && text() != "{") ++at_;
    ++at_;
    while (!done() && text() != "}") declaration(&scope);
    ++at_;
    scope.size.name = scope.prefix;
    scope.size.record = scope.has_fields && !scope.hides_data;
    classes_.push_back(scope.size);
  }

  // The names that a declaration of data ends with, the first one begun or not.
  void declarators(Scope* scope) {
    bool named = false;
    int names = 0;
    while (!done() && text() != ";") {
      if (text() == ",") {
        named = false;
      } else if (!named && is_word(text()[0])) {
        named = true;
        ++names;
      }
      if (!skip_balanced()) ++at_;
    }
    ++at_;
    add_members(scope, names);
  }

  static void add_members(Scope* scope, int members) {
    if (!scope || members == 0) return;
    scope->size.members += members;
    scope->hides_data |= !scope->is_public;
  }

  void function_or_data(Scope* scope) {
    bool is_static = false;
    int angles = 0;
    for (; !done(); ++at_) {
      is_static |= text() == "static";
      if (text() == "operator") return function(scope);
      if (text() == "<") ++angles;
      if (text() == ">") --angles;
      if (text() == "requires" && text(1) == "(") {
        ++at_;
        skip("(", ")");
        --at_;
      }
      if (text() == "decltype") {
        ++at_;
        skip("(", ")");
        --at_;
      }
      if (text() == "[" && text(1) == "[") {
        skip("[", "]");
        --at_;
      }
      if (angles > 0) {
        if (skip_balanced()) --at_;
        continue;
      }
      if (text() == "(") return function(scope);
      if (text() == ";" || text() == "=" || text() == "{" || text() == "," || text() == ":" ||
          text() == "[")
        break;
    }
    int members = 1;
    for (angles = 0; !done() && text() != ";";) {
      if (text() == "<") ++angles;
      if (text() == ">") --angles;
      if (text() == "," && angles <= 0) ++members;
      if (!skip_balanced()) ++at_;
    }
    ++at_;
    add_members(is_static ? nullptr : scope, members);
  }

  // From its parameters, or the word `operator`, past its body.
  void function(Scope* scope) {
    if (scope && text() == "(" && tokens_[at_ - 1].text == "fields") scope->has_fields = true;
    if (text() == "operator") {
      ++at_;
      if (text() == "(") at_ += 2;
      while (!done() && text() != "(") ++at_;
    }
    skip("(", ")");
    bool counts = true, initialises = false;
    while (!done() && text() != ";") {
      if (text() == "=" && (text(1) == "default" || text(1) == "delete")) counts = false;
      if (text() == ":") initialises = true;
      if (text() == "{" && !(initialises && is_word(tokens_[at_ - 1].text[0]))) {
        skip("{", "}");
        if (scope && counts) ++scope->size.methods;
        return;
      }
      if (!skip_balanced()) ++at_;
    }
    ++at_;
    if (scope && counts) ++scope->size.methods;
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::vector<std::string> namespaces_;
  std::vector<ClassSize> classes_;
  std::vector<TypeName> types_;
};

}  // namespace

std::vector<ClassSize> classes_of(const SourceFile& file) { return ClassReader(file).classes(); }
std::vector<TypeName> types_of(const SourceFile& file) { return ClassReader(file).types(); }

}  // namespace heddle::tidy
