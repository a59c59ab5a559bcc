#include <algorithm>
#include <bit>

#include "ptx/lower/lower.h"

namespace heddle::ptx {

namespace {

using Role = OperandShape::Role;

class FunctionLowering {
 public:
  FunctionLowering(KernelBuilder& builder, FunctionRef ref, std::uint16_t first_register)
      : builder_(builder),
        ref_(ref),
        unit_(builder.ast.units[ref.unit]),
        function_(unit_.functions[ref.function]),
        framed_(builder.calls.is_framed(ref)),
        first_register_(first_register) {}

  LoweredFunction run() {
    LoweredFunction out;
    out.first_register = first_register_;
    for (const AstInstruction& instruction : function_.code) {
      out.code.push_back(lower(instruction));
      out.callees.push_back(callees_of(instruction, out.code.back()));
    }
    if (can_fall_off(out.code)) append_ret(out);
    return out;
  }

 private:
  [[noreturn]] void fail(TextPosition at, const std::string& message) const {
    throw UserError(unit_.where(at), message);
  }

  // Can execution reach the end of the body without a ret? Such a body gets one.
  bool can_fall_off(const std::vector<Instruction>& code) const {
    if (code.empty()) return true;
    const Instruction& last = code.back();
    const bool stops = last.opcode == Opcode::ret || last.opcode == Opcode::exit ||
                       last.opcode == Opcode::bra || last.opcode == Opcode::brx ||
                       last.opcode == Opcode::trap;
    bool targeted = false;
    for (const Instruction& i : code)
      targeted |= i.opcode == Opcode::bra && i.target == code.size();
    for (const auto& table : function_.branch_tables)
      for (std::uint32_t t : table) targeted |= t == code.size();
    return !stops || last.guard || targeted;
  }
  static void append_ret(LoweredFunction& out) {
    Instruction end;
    end.opcode = Opcode::ret;
    end.op_class = OpClass::return_;
    end.ptx_line = out.code.empty() ? 0 : out.code.back().ptx_line;
    end.source = out.code.empty() ? 0 : out.code.back().source;
    out.code.push_back(end);
    out.callees.emplace_back();
  }

  // The functions that a call may execute. Also decides how the call is made.
  std::vector<std::uint32_t> callees_of(const AstInstruction& instruction, Instruction& out) {
    if (out.opcode != Opcode::call) return {};
    const AstCall& call = function_.calls[instruction.target];
    std::vector<std::uint32_t> callees;
    if (call.callee == kNoIndex) {
      for (const FunctionRef& callee : possible_callees(builder_.ast, ref_.unit, call))
        callees.push_back(builder_.calls.place_of(callee));
      out.src[0] = reg(call.pointer);
      note_registers(out);
      out.opcode = Opcode::call_through_site;
    } else if (const FunctionRef callee = resolve_callee(builder_.ast, ref_.unit, call);
               callee.unit == kNoIndex) {
      out.opcode = host_function(unit_.functions[call.callee].name);
      if (out.opcode == Opcode::device_malloc || out.opcode == Opcode::device_free)
        builder_.kernel.uses_heap = true;
    } else {
      callees.push_back(builder_.calls.place_of(callee));
      if (!builder_.calls.is_framed(callee)) return callees;
      out.opcode = Opcode::call_through_site;
    }
    out.payload = CallSiteIndex{static_cast<std::uint32_t>(builder_.kernel.call_sites.size())};
    CallSite site{frame_slots(builder_.layout, ref_.unit, unit_, call.arguments),
                  frame_slots(builder_.layout, ref_.unit, unit_, call.results), callees};
    check_host_call(out.opcode, site, call);
    builder_.kernel.call_sites.push_back(std::move(site));
    return callees;
  }

  // Host functions read their arguments without a check, so the sizes must match.
  void check_host_call(Opcode opcode, const CallSite& site, const AstCall& call) const {
    std::vector<std::uint32_t> wanted;
    switch (opcode) {
      case Opcode::vprintf: wanted = {8, 8}; break;
      case Opcode::assertfail: wanted = {8, 8, 4, 8, 8}; break;
      case Opcode::device_malloc:
      case Opcode::device_free: wanted = {8}; break;
      default: return;
    }
    bool fits = site.arguments.size() >= wanted.size();
    for (std::size_t i = 0; fits && i < wanted.size(); ++i)
      fits = site.arguments[i].bytes == wanted[i];
    for (const FrameSlot& slot : site.results) fits = fits && slot.bytes <= 8;
    if (!fits)
      fail(call.at, "the arguments do not match the parameters of '" +
                        unit_.functions[call.callee].name + "'");
  }

  Instruction lower(const AstInstruction& instruction) {
    const Form& form = unit_.forms[instruction.form];
    Instruction out = form.prototype;
    out.ptx_line = instruction.at.line;
    out.source = source_line(instruction);
    if (instruction.guard != kNoIndex) {
      out.guard = reg(instruction.guard);
      out.guard.negated = instruction.guard_negated;
    }
    if (out.opcode == Opcode::bra) out.target = instruction.target;
    if (out.opcode == Opcode::brx) out.payload = BranchTable{instruction.target};
    dst_ = src_ = 0;
    if (has_fragments(out.opcode)) {
      out.fragments = static_cast<std::uint32_t>(builder_.kernel.matrices.size());
      builder_.kernel.matrices.emplace_back();
    }
    std::uint32_t next = instruction.first_operand;
    for (const OperandShape& shape : form.operands) {
      if (shape.role == Role::label || shape.role == Role::call || shape.role == Role::table)
        continue;
      const AstOperand& operand = function_.operands[next++];
      lower_operand(out, operand, shape);
      if (out.opcode == Opcode::video)
        lower_parts(out, operand, shape.role == Role::destination ? 0 : src_);
      if (shape.role == Role::destination_pair || shape.role == Role::destination_optional_pair) {
        const AstOperand& second = function_.operands[next++];
        if (second.kind == AstOperand::Kind::reg) out.dst[1] = reg(second.index);
      }
    }
    lower_sampler(out, instruction);
    if (out.opcode == Opcode::mov && !out.src[0])
      out.type = Type::u32,
      out.src[0] = constant(0, 4, instruction.at);  // getctarank: a cluster has one CTA
    if (out.opcode == Opcode::bar && out.barrier == BarrierOp::none)
      out.barrier = BarrierOp::sync, out.cluster_barrier = true;
    // A 128-bit register is two 64-bit registers, so its loads and stores have two elements.
    if (out.type == Type::b128 && out.opcode != Opcode::atom) out.vector = 2;
    if (out.type == Type::b128 && (out.opcode == Opcode::ld || out.opcode == Opcode::st))
      out.type = Type::b64, out.access_bytes = 8;
    note_registers(out);
    return out;
  }

  // The parts of a register that a video instruction uses (Video::parts_d and others). position: 0
  // for the destination, n for the n-th source.
  void lower_parts(Instruction& out, const AstOperand& operand, std::size_t position) {
    const std::uint32_t elements = out.vector, digits = operand.part_digits;
    if (position > 2) {
      if (operand.part_unit) fail(operand.at, "the third operand cannot be a part of a register");
      return;
    }
    if (operand.part_unit && elements > 1 && (operand.part_unit == 'b') != (elements == 4))
      fail(operand.at, "the parts have another size than the instruction's elements");
    std::uint32_t code = 0;
    if (elements == 1) {
      const std::uint32_t last = operand.part_unit == 'b' ? 3 : 1;
      if (operand.part_unit && (operand.part_count != 1 || digits > last))
        fail(operand.at, "a register has no such part");
      if (operand.part_unit)
        code = (operand.part_unit == 'b' ? Video::kByte : Video::kHalf) + digits;
    } else if (position == 0) {
      for (std::uint32_t d = 0; d < operand.part_count; ++d) {
        const std::uint32_t digit = digits >> (4 * d) & 15;
        if (digit >= elements) fail(operand.at, "a register has no such part");
        code |= 1 << digit;
      }
      if (!operand.part_unit) code = (1 << elements) - 1;
    } else {
      if (operand.part_unit && operand.part_count != elements)
        fail(operand.at, "one part is needed for each element");
      for (std::uint32_t d = 0; d < operand.part_count; ++d) {
        if ((digits >> (4 * d) & 15) >= 2 * elements)
          fail(operand.at, "a register has no such part");
      }
      const std::uint32_t all =
          elements == 2 ? (position == 1 ? 0x10 : 0x32) : (position == 1 ? 0x3210 : 0x7654);
      code = operand.part_unit ? digits : all;
    }
    auto& video = out.as<Video>();
    (position == 0   ? video.parts_d
     : position == 1 ? video.parts_a
                     : video.parts_b) = static_cast<std::uint16_t>(code);
  }

  void lower_fragment(const AstOperand& operand, const OperandShape& shape) {
    MatrixOperands& all = builder_.kernel.matrices.back();
    const bool whole = operand.kind == AstOperand::Kind::vector;
    for (std::uint32_t i = 0; i < shape.elements; ++i) {
      const AstOperand& part = whole ? function_.vector_pool[operand.index + i] : operand;
      if (shape.role == Role::destination)
        all.dst[i] = reg(part.index);
      else
        all.src[shape.place + i] = source(part, shape.type);
    }
  }

  void lower_operand(Instruction& out, const AstOperand& operand, const OperandShape& shape) {
    if (shape.elements > 0) return lower_fragment(operand, shape);
    switch (shape.role) {
      case Role::destination:
      case Role::destination_pair:
      case Role::destination_optional_pair: return lower_destination(out, operand, shape);
      case Role::constant: return lower_constant(out, operand);
      case Role::address:
        return is_copy(out.opcode) ? lower_copy_address(out, operand, shape)
                                   : lower_address(out, operand);
      case Role::texel:
      case Role::handle: return lower_texel(out, operand);
      case Role::gradient: return lower_axes(out, operand, Type::f32);
      case Role::offsets:
        if (operand.kind == AstOperand::Kind::none) return;
        out.as<TextureFetch>().has_offsets = true;
        return lower_axes(out, operand, Type::s32);
      case Role::predicate:
      case Role::source:
        check_invariant(src_ < out.src.size(), "an instruction has too many operands");
        return lower_source(out, operand, shape);
      case Role::label:
      case Role::call:
      case Role::table:
      case Role::hint: return;
    }
  }

  // A gradient, or offsets: a value for each axis.
  void lower_axes(Instruction& out, const AstOperand& operand, Type type) {
    const std::uint32_t count = axes_of(out.as<TextureFetch>().geometry);
    const bool whole = operand.kind == AstOperand::Kind::vector;
    for (std::uint32_t i = 0; i < count; ++i)
      out.src[src_++] = source(whole ? function_.vector_pool[operand.index + i] : operand, type);
  }

  // The sampler's handle is the last source.
  void lower_sampler(Instruction& out, const AstInstruction& instruction) {
    if (out.opcode != Opcode::tex && out.opcode != Opcode::tld4) return;
    for (std::uint32_t n = 0; n < instruction.operand_count; ++n) {
      const AstOperand& texel = function_.operands[instruction.first_operand + n];
      if (texel.kind != AstOperand::Kind::texel || !texel.has_sampler) continue;
      out.as<TextureFetch>().has_sampler = true;
      out.src[src_++] = source(
          function_.vector_pool[static_cast<std::size_t>(texel.value) + texel.count], Type::b64);
    }
  }

  void lower_texel(Instruction& out, const AstOperand& operand) {
    const bool named = operand.symbol != kNoIndex;
    out.src[src_++] = named ? constant(address_of(operand.symbol, operand.at), 8, operand.at)
                            : reg(operand.index);
    if (operand.kind != AstOperand::Kind::texel) return;
    const Geometry geometry = geometry_of(out);
    for (std::uint32_t i = 0; i < coordinates_of(geometry); ++i) {
      const bool is_integer = (i == 0 && has_layers(geometry)) || out.source_type != Type::f32;
      out.src[src_++] = source(function_.vector_pool[static_cast<std::size_t>(operand.value) + i],
                               is_integer ? Type::b32 : Type::f32);
    }
  }

  // Other instructions check their constant and do not use it.
  void lower_constant(Instruction& out, const AstOperand& operand) const {
    const auto value = static_cast<std::uint32_t>(operand.value);
    switch (out.opcode) {
      case Opcode::cp_async: return lower_copy_size(out, operand);
      case Opcode::cp_async_wait: out.as<CopyWait>().pending_groups = value; return;
      case Opcode::lop3: out.as<Lop3Table>().bits = static_cast<std::uint8_t>(value); return;
      case Opcode::alloca: out.as<StackAlignment>().bytes = value; return;
      default: return;
    }
  }
  void lower_copy_size(Instruction& out, const AstOperand& operand) const {
    const bool fits = operand.value == 16 || (out.cache == CacheOperator::ca &&
                                              (operand.value == 4 || operand.value == 8));
    if (!fits)
      fail(operand.at, out.cache == CacheOperator::ca ? "cp.async.ca copies 4, 8 or 16 bytes"
                                                      : "cp.async.cg copies 16 bytes");
    out.access_bytes = static_cast<std::uint8_t>(operand.value);
  }
  static bool is_copy(Opcode o) {
    return o == Opcode::cp_async || o == Opcode::bulk_load || o == Opcode::bulk_store;
  }
  void lower_copy_address(Instruction& out, const AstOperand& operand, const OperandShape& shape) {
    const std::size_t place = shape.place                    ? shape.place
                              : shape.space == Space::shared ? CopySource::shared
                                                             : CopySource::global;
    auto displacement = static_cast<std::uint64_t>(operand.value);
    if (operand.index != kNoIndex) out.src[place] = reg(operand.index);
    if (operand.symbol != kNoIndex) displacement += address_of(operand.symbol, operand.at);
    const auto offset = static_cast<std::uint32_t>(displacement);
    if (place == CopySource::global)
      out.address_offset = static_cast<std::int64_t>(displacement);
    else if (out.opcode == Opcode::cp_async)
      out.as<AsyncCopy>().shared_offset = offset;
    else if (place == CopySource::shared)
      out.as<BulkCopy>().shared_offset = offset;
    else
      out.as<BulkCopy>().mbarrier_offset = offset;
    src_ = CopySource::bytes;
  }

  void lower_destination(Instruction& out, const AstOperand& operand, const OperandShape& shape) {
    if (operand.kind == AstOperand::Kind::vector) {
      if (shape.pack) out.vector = operand.count;
      for (std::uint32_t i = 0; i < operand.count; ++i) {
        const AstOperand& part = function_.vector_pool[operand.index + i];
        if (part.kind == AstOperand::Kind::reg) out.dst[i] = reg(part.index);
      }
    } else if (operand.kind == AstOperand::Kind::reg) {
      out.dst[0] = reg(operand.index);
      if (is_wide(operand)) out.dst[1] = reg(operand.index + 1);
    }
  }
  bool is_wide(const AstOperand& operand) const {
    return operand.kind == AstOperand::Kind::reg &&
           function_.registers[operand.index].type == Type::b128;
  }

  bool in_frame(std::uint32_t variable) const {
    return framed_ && unit_.variables[variable].space == Space::local &&
           unit_.variables[variable].function == ref_.function;
  }

  void lower_source(Instruction& out, const AstOperand& operand, const OperandShape& shape) {
    if (operand.kind == AstOperand::Kind::symbol && in_frame(operand.index)) {
      out.opcode = Opcode::local_address;
      out.address_offset =
          static_cast<std::int64_t>(address_of(operand.index, operand.at)) + operand.value;
      out.src[src_++] = local_frame();
      return;
    }
    if (operand.kind == AstOperand::Kind::vector) {
      OperandShape element = shape;
      if (shape.pack) {
        out.vector = operand.count;
        const std::uint32_t part = bytes_of(shape.type) / operand.count;
        element.type = part == 8 ? Type::b64 : part == 4 ? Type::b32 : Type::b16;
      }
      for (std::uint32_t i = 0; i < operand.count; ++i)
        out.src[src_++] = source(function_.vector_pool[operand.index + i], element.type);
      return;
    }
    if (operand.kind == AstOperand::Kind::special &&
        is_dynamic(static_cast<SpecialRegister>(operand.index))) {
      out.opcode = Opcode::read_special;
      out.special = static_cast<SpecialRegister>(operand.index);
      return;
    }
    if (operand.kind == AstOperand::Kind::none)
      ++src_;
    else
      out.src[src_++] = source(operand, shape.type);
    if (is_wide(operand)) out.src[src_++] = reg(operand.index + 1);
  }

  void lower_address(Instruction& out, const AstOperand& operand) {
    out.address_offset = operand.value;
    if (operand.index != kNoIndex) out.src[src_] = reg(operand.index);
    ++src_;
    if (operand.symbol != kNoIndex) {
      out.address_offset += static_cast<std::int64_t>(address_of(operand.symbol, operand.at));
      if (in_frame(operand.symbol)) out.src[0] = local_frame();
      if (unit_.variables[operand.symbol].space == Space::frame) out.space = Space::frame;
    } else if (out.space == Space::param && !function_.is_entry) {
      out.space = Space::frame;
    }
    if (out.space == Space::param && out.opcode == Opcode::st)
      fail(operand.at, "a kernel's parameters cannot be written");
    if (out.space == Space::frame) out.op_class = OpClass::alu;
  }

  Operand reg(std::uint32_t index) const {
    const Type type = function_.registers[index].type;
    Operand operand;
    operand.kind = type == Type::pred ? Operand::Kind::pred : Operand::Kind::reg;
    operand.bytes = type == Type::pred ? 0 : bytes_of(type) >= 8 ? 8 : 4;
    operand.reg = static_cast<std::uint16_t>(first_register_ + index);
    return operand;
  }

  Operand source(const AstOperand& operand, Type type) {
    const std::uint8_t bytes = bytes_of(type) == 8 ? 8 : 4;
    const auto value = static_cast<std::uint64_t>(operand.value);
    switch (operand.kind) {
      case AstOperand::Kind::reg: {
        Operand out = reg(operand.index);
        out.negated = operand.negated;
        return out;
      }
      case AstOperand::Kind::special:
        if (static_cast<SpecialRegister>(operand.index) == SpecialRegister::reserved_shared) {
          const bool size = operand.value == kReservedSharedSize;
          return constant(size ? kReservedSharedBytes : builder_.layout.reserved_shared + value,
                          bytes, operand.at);
        }
        return preset(operand, bytes);
      case AstOperand::Kind::function: return constant(function_address(operand), 8, operand.at);
      case AstOperand::Kind::symbol:
        return constant(address_of(operand.index, operand.at) + value, bytes, operand.at);
      case AstOperand::Kind::integer:
        return constant(type == Type::pred ? (value ? ~std::uint64_t{0} : 0) : value, bytes,
                        operand.at);
      case AstOperand::Kind::single:
        if (type != Type::f64) return constant(value, bytes, operand.at);
        return constant(std::bit_cast<std::uint64_t>(static_cast<double>(
                            std::bit_cast<float>(static_cast<std::uint32_t>(value)))),
                        8, operand.at);
      case AstOperand::Kind::floating:
        if (bytes == 8) return constant(value, 8, operand.at);
        return constant(
            std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(value))), 4,
            operand.at);
      default: return {};
    }
  }

  Operand constant(std::uint64_t bits, std::uint8_t bytes, TextPosition at) {
    if (bytes == 4) bits &= 0xffffffffu;
    auto& words = builder_.kernel.constants;
    const auto [place, added] = builder_.constant_rows.try_emplace(
        {bits, bytes}, static_cast<std::uint16_t>(words.size() / kWarpSize));
    if (added) {
      if (words.size() / kWarpSize > 0xfff0) fail(at, "too many different constants in one kernel");
      for (int lane = 0; lane < kWarpSize; ++lane) {
        words.push_back(static_cast<std::uint32_t>(bits));
        if (bytes == 8) words.push_back(static_cast<std::uint32_t>(bits >> 32));
      }
    }
    Operand operand;
    operand.kind = Operand::Kind::constant;
    operand.bytes = bytes;
    operand.row = place->second;
    return operand;
  }

  std::uint64_t function_address(const AstOperand& operand) const {
    const FunctionRef function = find_definition(builder_.ast, ref_.unit, operand.index);
    if (function.unit == kNoIndex)
      fail(operand.at, "the function '" + unit_.functions[operand.index].name +
                           "' is not defined: it has no address");
    return address_of_function(builder_.ast, function);
  }

  Operand local_frame() {
    AstOperand special;
    special.kind = AstOperand::Kind::special;
    special.index = static_cast<std::uint32_t>(SpecialRegister::local_frame);
    return preset(special, 4);
  }

  Operand preset(const AstOperand& operand, std::uint8_t bytes) {
    auto& presets = builder_.kernel.preset_registers;
    const auto number = static_cast<std::uint32_t>(operand.value);
    const auto [place, added] = builder_.preset_index.try_emplace(
        {operand.index * 64 + number, bytes}, static_cast<std::uint32_t>(presets.size()));
    if (added) {
      std::uint16_t row = 0;
      if (!presets.empty())
        row = static_cast<std::uint16_t>(presets.back().row + presets.back().bytes / 4);
      presets.push_back({static_cast<SpecialRegister>(operand.index), row, number, bytes});
    }
    Operand out;
    out.kind = Operand::Kind::reg;
    out.bytes = bytes;
    out.row = presets[place->second].row;
    return out;
  }

  std::uint64_t address_of(std::uint32_t index, TextPosition at) const {
    const AstVariable& variable = unit_.variables[index];
    if (is_placed(variable.space)) {
      const auto found = builder_.addresses.find(variable.linked_name);
      if (found == builder_.addresses.end())
        fail(at, "the variable '" + variable.name + "' is not defined");
      return found->second.value;
    }
    const auto found = builder_.layout.offsets.find({ref_.unit, index});
    if (found == builder_.layout.offsets.end())
      fail(at, "the variable '" + variable.name + "' is not defined");
    return found->second;
  }

  std::uint32_t source_line(const AstInstruction& instruction) {
    const auto file = unit_.files.find(instruction.file);
    if (instruction.file_line == 0 || file == unit_.files.end()) return 0;
    auto& lines = builder_.kernel.source_lines;
    const auto [place, added] = builder_.source_indices.try_emplace(
        {file->second, instruction.file_line}, static_cast<std::uint32_t>(lines.size()));
    if (added) lines.push_back({file->second, instruction.file_line});
    return place->second;
  }

  void note_registers(Instruction& out) const {
    const auto note = [](auto& list, std::uint8_t& count, const Operand& operand) {
      if (!operand || operand.reg == Operand::kNoReg) return;
      if (std::find(list.begin(), list.begin() + count, operand.reg) != list.begin() + count)
        return;
      check_invariant(count < list.size(), "an instruction accesses too many registers");
      list[count++] = operand.reg;
    };
    for (const Operand& operand : out.src) note(out.reads, out.read_count, operand);
    note(out.reads, out.read_count, out.guard);
    for (const Operand& operand : out.dst) note(out.writes, out.write_count, operand);
    if (!has_fragments(out.opcode)) return;
    for (const Operand& operand : builder_.kernel.matrices[out.fragments].src)
      note(out.reads, out.read_count, operand);
    for (const Operand& operand : builder_.kernel.matrices[out.fragments].dst)
      note(out.writes, out.write_count, operand);
  }

  KernelBuilder& builder_;
  FunctionRef ref_;
  const Unit& unit_;
  const AstFunction& function_;
  bool framed_;
  std::uint16_t first_register_;
  std::size_t dst_ = 0, src_ = 0;
};

}  // namespace

std::vector<FrameSlot> frame_slots(const Layout& layout, std::uint32_t unit, const Unit& in,
                                   const std::vector<std::uint32_t>& variables) {
  std::vector<FrameSlot> slots;
  for (std::uint32_t v : variables) {
    slots.push_back({static_cast<std::uint32_t>(layout.offsets.at({unit, v})),
                     static_cast<std::uint32_t>(in.variables[v].bytes)});
  }
  return slots;
}

LoweredFunction lower_function(KernelBuilder& builder, FunctionRef ref) {
  const Unit& unit = builder.ast.units[ref.unit];
  const AstFunction& function = unit.functions[ref.function];
  const std::uint32_t first = builder.kernel.architectural_registers;
  builder.kernel.architectural_registers += static_cast<std::uint32_t>(function.registers.size());
  if (builder.kernel.architectural_registers >= Operand::kNoReg) {
    throw UserError(unit.where(function.at), "'" + function.name + "' uses too many registers");
  }
  return FunctionLowering(builder, ref, static_cast<std::uint16_t>(first)).run();
}

}  // namespace heddle::ptx
