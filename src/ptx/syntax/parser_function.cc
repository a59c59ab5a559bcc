#include <algorithm>
#include <array>

#include "ptx/syntax/parser.h"

namespace heddle::ptx {

void Parser::parse_function(Linkage linkage, bool is_entry) {
  AstFunction function;
  function.linkage = linkage;
  function.is_entry = is_entry;
  function_ = static_cast<std::uint32_t>(unit_.functions.size());
  scopes_.clear();
  register_formals_.clear();
  open_scope();
  if (!is_entry && token_.is("(")) function.results = parse_formals(false, true);
  function.at = position();
  function.name = std::string(read_word("a function name"));
  if (token_.is("(")) function.parameters = parse_formals(is_entry, false);
  parse_function_attributes(function);
  if (function.blocks_are_clusters && (!function.required_block || function.cluster == Dim3{}))
    fail(".blocksareclusters needs .reqntid and .reqnctapercluster");
  function.is_defined = token_.is("{");
  if (unit_.variable_names.contains(function.name))
    fail_at(function.at, "'" + function.name + "' is already a variable");

  const auto known = unit_.function_names.find(function.name);
  if (known != unit_.function_names.end()) {
    AstFunction& before = unit_.functions[known->second];
    if (before.is_defined && function.is_defined)
      fail_at(function.at, "'" + function.name + "' is defined twice");
    if (before.is_entry != is_entry)
      fail_at(function.at,
              "'" + function.name + "' is declared both as a kernel and as a function");
    if (function.linkage == Linkage::internal)
      function.linkage = before.linkage == Linkage::external ? Linkage::visible : before.linkage;
    function_ = known->second;
    if (function.is_defined) {
      for (std::uint32_t v : function.parameters) unit_.variables[v].function = function_;
      for (std::uint32_t v : function.results) unit_.variables[v].function = function_;
    }
    if (!before.is_defined) before = std::move(function);
  } else {
    unit_.function_names.emplace(function.name, function_);
    unit_.functions.push_back(std::move(function));
  }
  if (token_.is("{"))
    parse_body();
  else if (!accept(";") && (is_entry || !begins_directive()))  // nvopencc omits the ';'
    fail("expected '{' or ';', found " + shown());
  function_ = kNoIndex;
  scope_ = kNoIndex;
}

std::vector<std::uint32_t> Parser::parse_formals(bool is_entry, bool results) {
  std::vector<std::uint32_t> formals;
  require("(");
  while (!token_.is(")")) {
    if (!is_entry && token_.is(".reg")) {
      formals.push_back(parse_register_formal(results));
      if (!accept(",")) break;
      continue;
    }
    const bool hidden = is_entry && accept(".hidden");
    require(".param");
    const Declarator declarator =
        parse_declarator(is_entry ? Space::param : Space::frame, Linkage::internal);
    AstVariable formal = read_variable(declarator);
    formal.hidden = hidden;
    if (formal.unsized && (is_entry || results))
      fail_at(formal.at, "a kernel's parameter and a result need a length");
    formals.push_back(formal.unsized ? add_variadic_formal(std::move(formal))
                                     : add_variable(std::move(formal)));
    if (!accept(",")) break;
  }
  require(")");
  return formals;
}

// `.param .b8 rest[]` is the address of the arguments that a call passes in it: a register.
std::uint32_t Parser::add_variadic_formal(AstVariable formal) {
  make_variadic(formal);
  RegisterFormal pointer;
  pointer.name = name_store_.emplace_back(formal.name);
  pointer.shape.type = formal.type;
  pointer.variable = formal;
  pointer.index = static_cast<std::uint32_t>(unit_.variables.size());
  unit_.variables.push_back(std::move(formal));
  register_formals_.push_back(std::move(pointer));
  return register_formals_.back().index;
}

Dim3 Parser::parse_dimensions() {
  Dim3 extent;
  for (std::uint32_t* size : {&extent.x, &extent.y, &extent.z}) {
    *size = static_cast<std::uint32_t>(read_integer("a dimension", 1 << 20));
    if (*size == 0) fail("a dimension must be positive");
    if (extent.count() > (1 << 20)) fail("the product of the dimensions is too large");
    if (!accept(",")) break;
  }
  return extent;
}

// .maxntid bounds the number of threads; .reqntid gives the shape of the block.
void Parser::parse_block_bound(AstFunction& function, bool exact) {
  if (function.max_threads != 0 && function.required_block.has_value() != exact)
    fail(".maxntid and .reqntid cannot both be given");
  const Dim3 extent = parse_dimensions();
  function.max_threads = static_cast<std::uint32_t>(extent.count());
  if (exact) function.required_block = extent;
}

// Does the token begin a directive of a module?
bool Parser::begins_directive() const {
  static constexpr std::array<std::string_view, 15> kDirectives = {
      ".visible", ".extern", ".weak", ".common", ".entry", ".func",    ".global", ".const",
      ".shared",  ".local",  ".tex",  ".file",   ".loc",   ".section", ".alias"};
  return token_.kind == Token::Kind::end ||
         std::any_of(kDirectives.begin(), kDirectives.end(),
                     [this](std::string_view directive) { return token_.is(directive); });
}

void Parser::parse_cluster(AstFunction& function) {
  if (accept(".explicitcluster")) {
    function.explicit_cluster = true;
  } else if (accept(".reqnctapercluster")) {
    function.cluster = parse_dimensions();
  } else {
    require(".blocksareclusters");
    function.blocks_are_clusters = true;
  }
}

void Parser::parse_function_attributes(AstFunction& function) {
  while (token_.is_dotted()) {
    if (accept(".maxntid")) {
      parse_block_bound(function, false);
    } else if (accept(".reqntid")) {
      parse_block_bound(function, true);
    } else if (accept(".maxnreg")) {
      function.max_registers =
          static_cast<std::uint32_t>(read_integer("a number of registers", 1 << 30));
    } else if (accept(".minnctapersm") || accept(".maxnctapersm")) {
      read_integer("a number", 1 << 30);  // hints for register allocation
    } else if (accept(".maxclusterrank")) {
      function.max_cluster_ctas =
          static_cast<std::uint32_t>(read_integer("a number of CTAs", 1 << 30));
    } else if (token_.is(".reqnctapercluster") || token_.is(".explicitcluster") ||
               token_.is(".blocksareclusters")) {
      parse_cluster(function);
    } else if (accept(".noreturn") || accept(".unique")) {
      continue;
    } else if (token_.is(".pragma")) {
      parse_pragma(&function, false);
    } else if (!function.is_entry && begins_directive()) {
      return;
    } else {
      fail("the directive " + shown() + " is not supported for functions");
    }
  }
}

void Parser::parse_body() {
  require("{");
  label_uses_.clear();
  loc_file_ = loc_line_ = 0;
  load_register_formals();
  int depth = 1;
  while (depth > 0) {
    if (token_.kind == Token::Kind::end)
      fail("the body of '" + function().name + "' is never closed");
    if (accept("{")) {
      if (++depth > kMaxDepth) fail("scopes are nested too deeply");
      open_scope();
    } else if (token_.is("}")) {
      if (--depth == 0)
        end_register_formals(), resolve_labels();
      else
        scope_ = scopes_[scope_].parent;
      advance();
    } else if (accept(";")) {
      continue;
    } else if (token_.is_dotted()) {
      parse_or_skip([this] { parse_body_directive(); }, true);
    } else if (token_.is_word() && peek().is(":")) {
      parse_or_skip([this] { parse_label_or_table(); }, true);
    } else {
      parse_or_skip([this] { parse_instruction(); }, true);
    }
  }
}

void Parser::parse_body_directive() {
  if (accept(".reg")) return parse_registers();
  if (token_.is(".loc")) return parse_loc();
  if (token_.is(".pragma")) return parse_pragma(&function(), true);
  if (token_.is(".file")) return parse_file();
  if (token_.is(".section")) return skip_section();
  if (accept(".param")) {
    const auto first = static_cast<std::uint32_t>(unit_.variables.size());
    parse_variables(Space::frame, Linkage::internal);
    for (std::uint32_t v = first; v < unit_.variables.size(); ++v)
      unit_.variables[v].call_argument = true;
    return;
  }
  const Linkage linkage = parse_linkage();
  if (accept(".shared")) {
    // Dynamic shared memory may also be declared inside a function; all declarations name the same
    // memory.
    return parse_variables(Space::shared, linkage);
  }
  if (accept(".local")) return parse_variables(Space::local, linkage);
  if (linkage == Linkage::internal && accept(".global"))
    return parse_variables(Space::global, linkage);
  if (linkage == Linkage::internal && accept(".const"))
    return parse_variables(Space::constant, linkage);
  fail("the directive " + shown() + " is not supported inside a function");
}

void Parser::parse_loc() {
  advance();
  const auto file = static_cast<std::uint32_t>(read_integer("a file number", 0xffffffff));
  const auto line = static_cast<std::uint32_t>(read_integer("a line number", 0xffffffff));
  read_integer("a column", 0xffffffff);
  while (accept(",")) {  // function_name label{+offset}, inlined_at file line column
    const std::string_view what = read_word("function_name or inlined_at");
    if (what == "function_name") {
      read_word("a label");
      if (accept("+")) read_integer("an offset", ~std::uint64_t{0});
    } else if (what == "inlined_at") {
      for (int i = 0; i < 3; ++i) read_integer("a number", 0xffffffff);
    } else {
      fail("unknown part of .loc before " + shown());
    }
  }
  loc_file_ = file;
  loc_line_ = line;
}

void Parser::parse_label_or_table() {
  const TextPosition at = position();
  const std::string_view name = token_.text;
  advance();
  require(":");
  if (accept(".branchtargets")) return parse_branch_targets(name);
  if (accept(".calltargets")) return parse_call_targets(name);
  if (accept(".callprototype")) return parse_prototype(name);
  if (!scopes_[scope_]
           .labels.try_emplace(name, static_cast<std::uint32_t>(function().code.size()))
           .second) {
    fail_at(at, "the label '" + std::string(name.substr(0, 80)) + "' is declared twice");
  }
  if (const std::size_t marks = function().loop_marks.size())
    scopes_[scope_].marks_before.emplace(name, static_cast<std::uint32_t>(marks));
}

void Parser::parse_branch_targets(std::string_view name) {
  const auto table = static_cast<std::uint32_t>(function().branch_tables.size());
  if (!scopes_[scope_].tables.try_emplace(name, table).second)
    fail("this list of labels is declared twice");
  function().branch_tables.emplace_back();
  do {
    LabelUse use;
    use.at = position();
    use.name = read_word("a label");
    use.scope = scope_;
    use.table = table;
    use.table_entry = static_cast<std::uint32_t>(function().branch_tables.back().size());
    label_uses_.push_back(use);
    function().branch_tables.back().push_back(0);
  } while (accept(","));
  require(";");
}

const std::uint32_t* Parser::find_label(std::uint32_t scope, std::string_view name,
                                        bool table) const {
  for (; scope != kNoIndex; scope = scopes_[scope].parent) {
    const auto& names = table ? scopes_[scope].tables : scopes_[scope].labels;
    const auto found = names.find(name);
    if (found != names.end()) return &found->second;
  }
  return nullptr;
}

std::uint32_t Parser::marks_before(std::uint32_t scope, std::string_view label) const {
  for (; scope != kNoIndex; scope = scopes_[scope].parent) {
    if (!scopes_[scope].labels.contains(label)) continue;
    const auto found = scopes_[scope].marks_before.find(label);
    return found == scopes_[scope].marks_before.end() ? 0 : found->second;
  }
  return 0;
}

void Parser::resolve_labels() {
  for (const LabelUse& use : label_uses_) {
    const std::uint32_t* target = find_label(use.scope, use.name, use.names_table);
    const bool lost = refusals_ && use.table == kNoIndex &&
                      use.instruction >= function().code.size();  // skipped with its statement
    if (lost) continue;
    if (!target && refusals_)
      refusals_->push_back(UserError(unit_.where(use.at), "the label '" +
                                                              std::string(use.name.substr(0, 80)) +
                                                              "' is not in this function")
                               .what());
    if (!target && refusals_ && use.table == kNoIndex) {
      if (use.names_table) function().branch_tables.push_back({0});
      function().code[use.instruction].target =
          use.names_table ? static_cast<std::uint32_t>(function().branch_tables.size() - 1) : 0;
    }
    if (!target && refusals_) continue;
    if (!target)
      fail_at(use.at,
              "the label '" + std::string(use.name.substr(0, 80)) + "' is not in this function");
    if (use.table != kNoIndex)
      function().branch_tables[use.table][use.table_entry] = *target;
    else
      function().code[use.instruction].target = *target;
    if (const std::uint32_t marks = marks_before(use.scope, use.name))
      function().marks_before_target.emplace(use.instruction, marks);
  }
}

}  // namespace heddle::ptx
