#include <algorithm>
#include <array>

#include "ptx/syntax/parser.h"

namespace heddle::ptx {

namespace {

constexpr std::size_t kMaxElements = 128;  // of a vector: the accumulators of wgmma

struct SpecialName {
  std::string_view name;
  SpecialRegister special;
  enum class Components : std::uint8_t { none, three } components = Components::none;  // .x .y .z
  std::int64_t value = 0;  // selects one of several (%reserved_smem_offset_0, _1)
};
using Components = SpecialName::Components;
constexpr std::array<SpecialName, 37> kSpecials = {
    {{"%tid", SpecialRegister::tid_x, Components::three},
     {"%ntid", SpecialRegister::ntid_x, Components::three},
     {"%ctaid", SpecialRegister::ctaid_x, Components::three},
     {"%nctaid", SpecialRegister::nctaid_x, Components::three},
     {"%laneid", SpecialRegister::laneid},
     {"%warpid", SpecialRegister::warpid},
     {"%nwarpid", SpecialRegister::nwarpid},
     {"%smid", SpecialRegister::smid},
     {"%nsmid", SpecialRegister::nsmid},
     {"%gridid", SpecialRegister::gridid},
     {"%lanemask_eq", SpecialRegister::lanemask_eq},
     {"%lanemask_lt", SpecialRegister::lanemask_lt},
     {"%lanemask_le", SpecialRegister::lanemask_le},
     {"%lanemask_gt", SpecialRegister::lanemask_gt},
     {"%lanemask_ge", SpecialRegister::lanemask_ge},
     {"%dynamic_smem_size", SpecialRegister::dynamic_smem_size},
     {"%total_smem_size", SpecialRegister::total_smem_size},
     {"%clock", SpecialRegister::clock},
     {"%clock_hi", SpecialRegister::clock_hi},
     {"%clock64", SpecialRegister::clock64},
     {"%globaltimer", SpecialRegister::globaltimer},
     {"%globaltimer_lo", SpecialRegister::globaltimer_lo},
     {"%globaltimer_hi", SpecialRegister::globaltimer_hi},
     {"%envreg", SpecialRegister::envreg},
     {"%clusterid", SpecialRegister::clusterid_x, Components::three},
     {"%nclusterid", SpecialRegister::nclusterid_x, Components::three},
     {"%cluster_ctaid", SpecialRegister::cluster_ctaid_x, Components::three},
     {"%cluster_nctaid", SpecialRegister::cluster_nctaid_x, Components::three},
     {"%cluster_ctarank", SpecialRegister::cluster_ctarank},
     {"%cluster_nctarank", SpecialRegister::cluster_nctarank},
     {"%aggr_smem_size", SpecialRegister::total_smem_size},
     {"%reserved_smem_offset_begin", SpecialRegister::reserved_shared},
     {"%reserved_smem_offset_end", SpecialRegister::reserved_shared, Components::none,
      kReservedSharedBytes},
     {"%reserved_smem_offset_cap", SpecialRegister::reserved_shared, Components::none,
      kReservedSharedSize},
     {"%reserved_smem_offset_0", SpecialRegister::reserved_shared},
     {"%reserved_smem_offset_1", SpecialRegister::reserved_shared, Components::none,
      kReservedSharedBytes / 2},
     {"%current_graph_exec", SpecialRegister::current_graph}}};

// %pm0 to %pm7 and their 64-bit forms, whose values PTX does not define.
bool is_performance_counter(std::string_view name) {
  return name.starts_with("%pm") && name.size() > 3 && name[3] >= '0' && name[3] <= '7' &&
         (name.size() == 4 || name.substr(4) == "_64");
}

}  // namespace

AstOperand Parser::parse_operand() {
  if (token_.is("[")) return parse_address();
  if (token_.is("{")) return parse_vector();
  if (token_.is("!") && peek().is_word()) {
    advance();
    AstOperand operand = parse_name_operand();
    operand.negated = true;
    return operand;
  }
  if (token_.is_word() && !token_.is("WARP_SZ")) {
    const AstOperand operand = parse_name_operand();
    return operand.kind == AstOperand::Kind::reg && token_.is("+") ? parse_sum(operand) : operand;
  }
  return parse_constant_operand();
}

AstOperand Parser::parse_constant_operand() {
  AstOperand operand;
  operand.at = position();
  const ConstantValue value = parse_constant();
  operand.kind = value.kind == ConstantValue::Kind::integer  ? AstOperand::Kind::integer
                 : value.kind == ConstantValue::Kind::single ? AstOperand::Kind::single
                                                             : AstOperand::Kind::floating;
  operand.value = static_cast<std::int64_t>(value.bits);
  return operand;
}

AstOperand Parser::parse_special(std::string_view name) {
  AstOperand operand;
  operand.kind = AstOperand::Kind::special;
  operand.at = position();
  if (is_performance_counter(name)) {
    operand.kind = AstOperand::Kind::integer;
    advance();
    return operand;
  }
  for (const SpecialName& special : kSpecials) {
    std::uint32_t index = static_cast<std::uint32_t>(special.special);
    if (special.name == "%envreg") {
      if (!name.starts_with(special.name) || name.size() > 9 || name.size() == special.name.size())
        continue;
      for (char c : name.substr(special.name.size())) {
        if (c < '0' || c > '9') fail("unknown name '" + std::string(name) + "'");
        operand.value = operand.value * 10 + (c - '0');
      }
      if (operand.value > 31) fail("there are 32 %envreg");
    } else if (special.name != name) {
      continue;
    }
    if (special.value != 0) operand.value = special.value;
    advance();
    operand.index = index;
    return special.components == Components::none ? operand : parse_special_component(operand);
  }
  fail("unknown name '" + std::string(name.substr(0, 80)) + "'");
}

// %tid.x, or %tid: the four components. The fourth is always 0.
AstOperand Parser::parse_special_component(const AstOperand& special) {
  std::array<AstOperand, 4> components;
  components.fill(special);
  for (std::uint32_t n = 0; n < 3; ++n) components[n].index += n;
  components[3].kind = AstOperand::Kind::integer;
  if (!token_.is_dotted() || !token_.joined) {
    AstOperand all = add_vector(components);
    all.is_special = true;
    return all;
  }
  std::size_t component = std::string_view(".x.y.z.w").find(token_.text);
  if (component == std::string_view::npos)
    component = std::string_view(".r.g.b.a").find(token_.text);
  if (component == std::string_view::npos) fail("a special register has no component " + shown());
  advance();
  return components[component / 2];
}

// %is_explicit_cluster: a predicate that a generated instruction computes.
AstOperand Parser::parse_explicit_cluster() {
  AstOperand predicate, flag, zero;
  predicate.at = flag.at = zero.at = position();
  predicate.kind = AstOperand::Kind::reg;
  predicate.index = add_register(Type::pred, "");
  flag.kind = AstOperand::Kind::special;
  flag.index = static_cast<std::uint32_t>(SpecialRegister::is_explicit_cluster);
  zero.kind = AstOperand::Kind::integer;
  AstInstruction owner;
  owner.at = position();
  add_generated("setp.ne.u32", {predicate, flag, zero}, owner);
  advance();
  return predicate;
}

AstOperand Parser::parse_name_operand() {
  AstOperand operand;
  operand.at = position();
  if (!token_.is_word()) fail("expected an operand, found " + shown());
  const std::string_view name = token_.text;
  if (name == "_") {
    operand.kind = AstOperand::Kind::sink;
    advance();
    return operand;
  }
  if (const Entity* entity = find(name)) {
    operand = operand_of(*entity);
    advance();
    if (entity->kind == Entity::Kind::vector && token_.is_dotted() && token_.joined)
      operand = parse_component(*entity);
    if (entity->kind == Entity::Kind::vector) return operand;
  } else if (const auto variable = unit_.variable_names.find(std::string(name));
             variable != unit_.variable_names.end()) {
    operand.kind = AstOperand::Kind::symbol;
    operand.index = variable->second;
    advance();
  } else if (unit_.function_names.contains(std::string(name))) {
    operand.kind = AstOperand::Kind::function;
    operand.index = unit_.function_names.find(std::string(name))->second;
    unit_.pointed.insert(operand.index);
    advance();
  } else if (name == "%is_explicit_cluster") {
    return parse_explicit_cluster();
  } else if (name.starts_with('%')) {
    return parse_special(name);
  } else {
    fail("'" + std::string(name.substr(0, 80)) + "' is not declared");
  }
  if (operand.kind == AstOperand::Kind::symbol && unit_.variables[operand.index].hidden)
    fail_at(operand.at, "the hidden parameter '" + std::string(name.substr(0, 80)) +
                            "' is passed by NVIDIA's driver only: its value is not known");
  if (operand.kind == AstOperand::Kind::symbol && token_.is("[")) return parse_element(operand);
  if (operand.kind == AstOperand::Kind::symbol && (token_.is("+") || token_.is("-"))) {
    operand.value = static_cast<std::int64_t>(parse_binary(9).bits);
  }
  if (operand.kind == AstOperand::Kind::reg && token_.is_dotted() && token_.joined)
    parse_parts(operand);
  return operand;
}

// .x, .y, .z, .w of a vector register, or .r, .g, .b, .a
AstOperand Parser::parse_component(const Entity& vector) {
  static constexpr std::array<std::string_view, 2> kLetters = {"xyzw", "rgba"};
  const std::string_view text = token_.text;
  std::size_t component = std::string_view::npos;
  for (const std::string_view letters : kLetters)
    if (text.size() == 2) component = std::min(component, letters.find(text[1]));
  if (component >= vector.elements)
    fail("this vector register has " + std::to_string(vector.elements) + " elements, no " +
         shown());
  AstOperand operand;
  operand.kind = AstOperand::Kind::reg;
  operand.index = vector.index + static_cast<std::uint32_t>(component);
  operand.at = position();
  advance();
  return operand;
}

AstOperand Parser::operand_of(const Entity& entity) {
  AstOperand operand;
  operand.kind =
      entity.kind == Entity::Kind::variable ? AstOperand::Kind::symbol : AstOperand::Kind::reg;
  operand.index = entity.index;
  operand.at = position();
  if (entity.kind != Entity::Kind::vector) return operand;
  std::array<AstOperand, 4> elements;
  elements.fill(operand);
  for (std::uint32_t n = 0; n < entity.elements; ++n) elements[n].index += n;
  return add_vector({elements.data(), entity.elements});
}

AstOperand Parser::add_vector(std::span<const AstOperand> elements) {
  AstOperand operand;
  operand.kind = AstOperand::Kind::vector;
  operand.at = elements.front().at;
  operand.count = static_cast<std::uint8_t>(elements.size());
  auto& pool = function().vector_pool;
  operand.index = static_cast<std::uint32_t>(pool.size());
  pool.insert(pool.end(), elements.begin(), elements.end());
  return operand;
}

// %r1.b2, %r1.h10, %r1.b3210
void Parser::parse_parts(AstOperand& operand) {
  const std::string_view text = token_.text;
  const bool digits = text.size() >= 3 && text.size() <= 6 &&
                      text.find_first_not_of("01234567", 2) == std::string_view::npos;
  if (!digits || (text[1] != 'b' && text[1] != 'h')) fail("vector registers are not supported");
  operand.part_unit = text[1];
  for (char c : text.substr(2))
    operand.part_digits = static_cast<std::uint16_t>(operand.part_digits << 4 | (c - '0')),
    ++operand.part_count;
  advance();
}

AstOperand Parser::parse_vector() {
  const TextPosition at = position();
  require("{");
  std::array<AstOperand, kMaxElements> elements;
  std::size_t count = 0;
  do {
    if (count == elements.size())
      fail("a vector has at most " + std::to_string(kMaxElements) + " elements");
    if (token_.is("{") || token_.is("["))
      fail("expected an element of the vector, found " + shown());
    elements[count++] = parse_operand();
    if (elements[count - 1].kind == AstOperand::Kind::vector)
      fail_at(elements[count - 1].at, "an element of a vector is one register");
  } while (accept(","));
  require("}");
  AstOperand operand = add_vector({elements.data(), count});
  operand.at = at;
  return operand;
}

// [handle, {x, y}], [handle, x], [handle, sampler, {x, y}]: parse_address() has read the handle.
void Parser::parse_coordinates(AstOperand& operand) {
  operand.kind = AstOperand::Kind::texel;
  if (operand.value != 0) fail_at(operand.at, "a texture or surface cannot have an offset");
  auto& pool = function().vector_pool;
  AstOperand sampler;
  AstOperand coordinates = parse_operand();
  if (coordinates.kind != AstOperand::Kind::vector && accept(",")) {
    operand.has_sampler = true;
    sampler = coordinates;
    coordinates = parse_operand();
  }
  operand.count = 1;
  if (coordinates.kind == AstOperand::Kind::vector) {
    operand.value = coordinates.index;
    operand.count = coordinates.count;
  } else {
    operand.value = static_cast<std::int64_t>(pool.size());
    pool.push_back(coordinates);
  }
  if (operand.has_sampler) pool.push_back(sampler);  // directly after the coordinates
}

AstOperand Parser::parse_address() {
  AstOperand operand;
  operand.kind = AstOperand::Kind::address;
  operand.at = position();
  require("[");
  if (token_.is_word() && !token_.is("WARP_SZ")) {
    const AstOperand base = parse_name_operand();
    operand.value = base.value;
    if (base.kind == AstOperand::Kind::reg)
      operand.index = base.index;
    else if (base.kind == AstOperand::Kind::symbol)
      operand.symbol = base.index;
    else
      fail_at(base.at, "an address begins with a register, a variable or a number");
    if (token_.is("+") || token_.is("-")) {
      const TextPosition at = position();
      // parse_unary() also accepts "+-4".
      const ConstantValue value = parse_binary(9);
      if (value.kind != ConstantValue::Kind::integer)
        fail_at(at, "an address offset is an integer");
      operand.value =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(operand.value) + value.bits);
    }
  } else {
    const ConstantValue value = parse_constant();
    if (value.kind != ConstantValue::Kind::integer) fail_at(operand.at, "an address is an integer");
    operand.value = static_cast<std::int64_t>(value.bits);
  }
  if (accept(",")) parse_coordinates(operand);
  require("]");
  return operand;
}

}  // namespace heddle::ptx
