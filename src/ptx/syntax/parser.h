// Parses PTX text into an AstUnit: a recursive-descent parser that resolves names and checks every
// instruction. Its parts: parser_module.cc (directives), parser_variable.cc
// (declarations, initialisers), parser_function.cc (headers, bodies), parser_name.cc (scopes,
// registers), parser_instruction.cc (statements), parser_call.cc (calls), parser_operand.cc
// (operands), parser_expression.cc (constants), parser_check.cc (types).
#pragma once

#include <deque>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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
  Parser(std::string_view text, AstUnit& unit, std::vector<std::string>* refusals = nullptr);
  void parse_module();

 private:
  struct Entity {
    enum class Kind : std::uint8_t { reg, variable, vector /* adjacent registers */ } kind;
    std::uint32_t index;
    std::uint8_t elements = 1;
  };
  struct RegisterShape {
    Type type = Type::none;
    std::uint8_t elements = 1;
    std::uint64_t bytes() const { return std::uint64_t{bytes_of(type)} * elements; }
  };
  struct RegisterRange {
    std::string_view prefix;
    std::uint64_t count;
    RegisterShape shape;
  };
  // A .reg parameter or result, which travels in a .param variable.
  struct RegisterFormal {
    std::string_view name;
    RegisterShape shape;
    AstVariable variable;
    std::uint32_t index = kNoIndex;  // of the variable in the unit
    Entity registers{};
    bool is_result = false;
  };
  // Parameters of a function or a prototype.
  struct Signature {
    std::vector<AstVariable> results, parameters;
  };
  struct Scope {
    std::uint32_t parent = kNoIndex;
    std::unordered_map<std::string_view, Entity> names;
    std::vector<RegisterRange> ranges;
    std::unordered_map<std::string_view, std::uint32_t> labels;  // instruction indices
    std::unordered_map<std::string_view, std::uint32_t> tables;  // branch tables
    std::unordered_map<std::string_view, Signature> signatures;  // .callprototype, .calltargets
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
  void parse_numbered_variables(const Declarator& declarator);
  std::uint32_t parse_variable(const Declarator& declarator);
  AstVariable read_variable(const Declarator& declarator);
  void parse_sampler_fields(AstVariable& variable);
  void parse_initializer(AstVariable& variable, const std::vector<std::uint64_t>& dims);
  void parse_initializer_list(AstVariable& variable, const std::vector<std::uint64_t>& dims,
                              std::size_t level, std::uint64_t first);
  void parse_initial_value(AstVariable& variable, std::uint64_t element);
  void parse_initial_address(AstVariable& variable, std::uint64_t offset, std::uint64_t mask);
  std::uint32_t variable_named(std::string_view name);
  void store_initial(AstVariable& variable, std::uint64_t offset, std::uint64_t bits,
                     std::uint64_t bytes);
  std::uint32_t add_variable(AstVariable variable);

  // Functions
  void parse_function(Linkage linkage, bool is_entry);
  std::vector<std::uint32_t> parse_formals(bool is_entry, bool results);
  static void make_variadic(AstVariable& formal);
  std::uint32_t add_variadic_formal(AstVariable formal);
  bool begins_directive() const;
  void parse_function_attributes(AstFunction& function);
  Dim3 parse_dimensions();
  void parse_block_bound(AstFunction& function, bool exact);
  void parse_cluster(AstFunction& function);
  void parse_body();
  void parse_body_directive();
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

  // Names
  void open_scope();
  void parse_registers();
  RegisterShape parse_register_shape();
  std::uint64_t read_count(std::string_view what, std::uint64_t limit);
  const Entity* find(std::string_view name);  // part of the text: a scope may keep it
  const Entity* find_in_range(Scope& scope, std::string_view name);
  void declare(std::string_view name, Entity entity, TextPosition at);
  Entity add_register(const RegisterShape& shape, std::string_view name);
  std::uint32_t add_register(Type type, std::string_view name);

  // Calls and parameters in registers
  void parse_call(AstInstruction instruction);
  void parse_callee(AstCall& call);
  std::vector<AstOperand> parse_call_list();
  std::uint32_t variable_for(const AstOperand& operand, const std::vector<AstVariable>& formals,
                             std::size_t n);
  void add_parameter_access(bool stores, std::uint32_t variable, const AstOperand& operand,
                            const AstInstruction& owner);
  void add_generated(const std::string& name, std::initializer_list<AstOperand> given,
                     const AstInstruction& owner);
  Signature signature_of(const AstFunction& function) const;
  Signature find_signature(std::string_view name) const;
  void parse_call_targets(std::string_view name);
  void parse_prototype(std::string_view name);
  std::vector<AstVariable> parse_prototype_list();
  RegisterFormal read_register_formal();
  std::uint32_t parse_register_formal(bool is_result);
  AstOperand operand_of(const RegisterFormal& formal);
  void load_register_formals();
  void store_register_results(const AstInstruction& owner);
  void end_register_formals();

  // Instructions and operands
  void parse_instruction();
  void add_instruction(const AstInstruction& instruction);
  std::string_view read_form_name();
  std::uint32_t parse_guard();
  std::uint32_t form_named(std::string_view name, TextPosition at);
  void parse_operands(AstInstruction& instruction, const InstructionForm& form,
                      std::string_view name);
  AstOperand parse_operand();
  AstOperand operand_of(const Entity& entity);
  AstOperand parse_component(const Entity& vector);
  AstOperand add_vector(std::span<const AstOperand> elements);
  AstOperand parse_name_operand();
  AstOperand parse_special(std::string_view name);
  AstOperand parse_special_component(const AstOperand& special);
  AstOperand parse_explicit_cluster();
  void parse_parts(AstOperand& operand);
  AstOperand parse_vector();
  AstOperand parse_address();
  void parse_coordinates(AstOperand& operand);
  AstOperand parse_constant_operand();

  // Operands and instructions that need further instructions
  AstOperand add_result(const std::string& name, Type type, const AstOperand& a,
                        const AstOperand& b);
  AstOperand parse_sum(const AstOperand& first);
  AstOperand parse_element(const AstOperand& array);
  void parse_async_store(const AstInstruction& owner, std::string_view name);
  std::uint32_t pass_by_address(const AstOperand& argument, const AstVariable& formal,
                                const AstInstruction& owner);

  // Checks
  void check_operands(AstInstruction& instruction, const InstructionForm& form,
                      std::string_view name);
  void check_operand(AstOperand& operand, const OperandShape& shape, const InstructionForm& form,
                     std::string_view name);
  void check_vector(AstOperand& operand, const OperandShape& shape, const InstructionForm& form,
                    std::string_view name);
  void check_register(const AstOperand& operand, Type type, bool relaxed, std::string_view name);
  void check_address(AstOperand& operand, const OperandShape& shape, const InstructionForm& form,
                     std::string_view name);
  void check_handle(std::uint32_t symbol, std::uint32_t index, Space wanted, TextPosition at);
  bool is_float_register(const AstOperand& operand);
  void check_texel(const AstOperand& operand, const OperandShape& shape,
                   const InstructionForm& form, std::string_view name);
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

  AstUnit& unit_;
  Lexer lexer_;
  Token token_;
  std::optional<Token> ahead_;
  std::unordered_map<std::string_view, std::uint32_t> form_indices_;
  bool older_ = false;                    // PTX 1.x
  std::uint64_t numbered_variables_ = 0;  // declared as name<N>
  int depth_ = 0;
  std::vector<std::string>* refusals_ = nullptr;

  // The function being read.
  std::uint32_t function_ = kNoIndex;
  std::vector<Scope> scopes_;
  std::deque<std::string> name_store_;  // names of variables; scopes refer to them
  std::uint32_t scope_ = kNoIndex;
  std::vector<RegisterFormal> register_formals_;
  AstInstruction owner_;  // position, source line and guard of the instruction being read
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
