// Parses PTX text into a Unit: a recursive-descent parser that resolves names and checks every
// instruction. Its parts: parser_module.cc (directives), parser_variable.cc
// (declarations, initialisers), parser_function.cc (headers, bodies, scopes), parser_instruction.cc
// (statements), parser_operand.cc (operands), parser_expression.cc (constants), parser_check.cc
// (types).
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/syntax/ast.h"
#include "ptx/syntax/lexer.h"

namespace heddle::ptx {

// The value of a constant expression.
struct ConstantValue {
  enum class Kind : std::uint8_t { integer, single, floating };
  Kind kind = Kind::integer;
  bool is_unsigned = false;
  std::uint64_t bits = 0;
  double as_double() const;
};

// A text with more refusals is not PTX: parsing stops.
inline constexpr std::size_t kMaxRefusals = 1000;

class Parser {
 public:
  // refusals: when given, receives a message for each refused statement, and parsing continues;
  // otherwise the first refusal is thrown.
  Parser(std::string_view text, Unit& unit, std::vector<std::string>* refusals = nullptr);
  void parse_module();

 private:
  struct Entity {
    enum class Kind : std::uint8_t { reg, variable } kind;
    std::uint32_t index;
  };
  struct RegisterRange {
    std::string_view prefix;
    std::uint64_t count;
    Type type;
  };
  struct Scope {
    std::uint32_t parent = kNoIndex;
    std::unordered_map<std::string_view, Entity> names;
    std::vector<RegisterRange> ranges;
    std::unordered_map<std::string_view, std::uint32_t> labels;  // instruction indices
    std::unordered_map<std::string_view, std::uint32_t> tables;  // branch tables
    // By label: the loop marks of the function before it; absent: 0.
    std::unordered_map<std::string_view, std::uint32_t> marks_before;
  };
  struct LabelUse {
    std::string_view name;
    std::uint32_t scope;
    TextPosition at;
    std::uint32_t instruction = kNoIndex;             // the branch, or
    std::uint32_t table = kNoIndex, table_entry = 0;  // the entry of a branch table
    bool names_table = false;
  };
  struct Declarator {  // what precedes the name of a variable
    Space space = Space::none;
    Linkage linkage = Linkage::internal;
    Type type = Type::none;
    std::uint64_t align = 0, vector = 1;
  };

  // Tokens
  void advance();
  const Token& peek();
  bool accept(std::string_view text);
  void require(std::string_view text);
  std::string_view read_word(std::string_view what);
  std::uint64_t read_integer(std::string_view what, std::uint64_t limit);
  TextPosition position() const { return {token_.line, token_.column}; }
  std::string shown() const;
  [[noreturn]] void fail(const std::string& message) const { fail_at(position(), message); }
  [[noreturn]] void fail_at(TextPosition at, const std::string& message) const;

  // Module
  void parse_directive();
  void parse_version();
  void parse_target();
  void parse_file();
  void parse_alias();
  void skip_section();
  void skip_statement();
  template <class Parse>
  void parse_or_skip(Parse parse, bool in_body);
  void skip_refused(bool in_body);

  // Variables
  Linkage parse_linkage();
  Declarator parse_declarator(Space space, Linkage linkage);
  void parse_attribute(Declarator& declarator);
  void parse_texture_references(Linkage linkage);
  void parse_variables(Space space, Linkage linkage);
  std::uint32_t parse_variable(const Declarator& declarator);
  void parse_sampler_fields(AstVariable& variable);
  void parse_initializer(AstVariable& variable, const std::vector<std::uint64_t>& dims);
  void parse_initializer_list(AstVariable& variable, const std::vector<std::uint64_t>& dims,
                              std::size_t level, std::uint64_t first);
  void parse_initial_value(AstVariable& variable, std::uint64_t element);
  void parse_initial_address(AstVariable& variable, std::uint64_t offset, std::uint64_t mask);
  void store_initial(AstVariable& variable, std::uint64_t offset, std::uint64_t bits,
                     std::uint64_t bytes);
  std::uint32_t add_variable(AstVariable variable);

  // Functions
  void parse_function(Linkage linkage, bool is_entry);
  std::vector<std::uint32_t> parse_formals(bool is_entry);
  void parse_function_attributes(AstFunction& function);
  Dim3 parse_dimensions();
  void parse_block_bound(AstFunction& function, bool exact);
  void parse_cluster(std::string_view directive);
  void parse_body();
  void parse_body_directive();
  void parse_registers();
  void parse_loc();
  void parse_label_or_table();
  void parse_branch_targets(std::string_view name);

  // Pragmas
  void parse_pragma(AstFunction* function, bool in_body);
  void read_hint(std::string_view text, AstFunction* function, bool in_body);
  void read_loop_mark(AstLoopMark::Kind kind, std::string_view value, AstFunction& function);
  void resolve_labels();
  const std::uint32_t* find_label(std::uint32_t scope, std::string_view name, bool table) const;
  std::uint32_t marks_before(std::uint32_t scope, std::string_view label) const;
  void open_scope();

  // Names
  const Entity* find(std::string_view name);
  const Entity* find_in_range(Scope& scope, std::string_view name);
  void declare(std::string_view name, Entity entity, TextPosition at);
  std::uint32_t add_register(Type type, std::string_view name);

  // Instructions and operands
  void parse_instruction();
  std::uint32_t parse_form(std::string_view& name);
  void parse_operands(AstInstruction& instruction, const Form& form, std::string_view name);
  void parse_call(AstInstruction& instruction);
  void parse_callee(AstCall& call);
  std::vector<std::uint32_t> parse_call_variables();
  AstOperand parse_operand();
  AstOperand parse_name_operand();
  AstOperand parse_special(std::string_view name);
  void parse_parts(AstOperand& operand);
  AstOperand parse_vector();
  AstOperand parse_address();
  void parse_coordinates(AstOperand& operand);
  AstOperand parse_constant_operand();

  // Checks
  void check_operands(AstInstruction& instruction, const Form& form, std::string_view name);
  void check_operand(AstOperand& operand, const OperandShape& shape, const Form& form,
                     std::string_view name);
  void check_vector(AstOperand& operand, const OperandShape& shape, const Form& form,
                    std::string_view name);
  void check_register(const AstOperand& operand, Type type, bool relaxed, std::string_view name);
  void check_address(const AstOperand& operand, const OperandShape& shape, const Form& form,
                     std::string_view name);
  void check_handle(std::uint32_t symbol, std::uint32_t index, Space wanted, TextPosition at);
  bool is_float_register(const AstOperand& operand);
  void check_texel(const AstOperand& operand, const OperandShape& shape, const Form& form,
                   std::string_view name);
  void check_scalar_source(const AstOperand& operand, const OperandShape& shape,
                           std::string_view name);

  // Constants
  ConstantValue parse_constant();
  ConstantValue parse_binary(int lowest_precedence);
  ConstantValue parse_unary();
  ConstantValue parse_primary();
  ConstantValue apply(std::string_view op, const ConstantValue& a, const ConstantValue& b,
                      TextPosition at);

  AstFunction& function() { return unit_.functions[function_]; }

  static constexpr int kMaxDepth = 64;  // nesting of scopes and expressions

  Unit& unit_;
  Lexer lexer_;
  Token token_;
  std::optional<Token> ahead_;
  std::unordered_map<std::string_view, std::uint32_t> form_indices_;
  bool older_ = false;  // PTX 1.x
  int depth_ = 0;
  std::vector<std::string>* refusals_ = nullptr;

  // The function being read.
  std::uint32_t function_ = kNoIndex;
  std::vector<Scope> scopes_;
  std::deque<std::string> name_store_;  // names of variables; scopes refer to them
  std::uint32_t scope_ = kNoIndex;
  std::vector<LabelUse> label_uses_;
  std::uint32_t loc_file_ = 0, loc_line_ = 0;
};

// Parses one statement. With a list of refusals, a refused statement is recorded and skipped.
template <class Parse>
void Parser::parse_or_skip(Parse parse, bool in_body) {
  if (!refusals_) return parse();
  const Token first = token_;
  try {
    parse();
  } catch (const UserError& refusal) {
    if (refusals_->size() >= kMaxRefusals || token_.kind == Token::Kind::end) throw;
    refusals_->push_back(refusal.what());
    depth_ = 0;
    if (token_.text.data() == first.text.data() && token_.kind == Token::Kind::punctuation)
      advance();
    skip_refused(in_body);
  }
}

}  // namespace heddle::ptx
