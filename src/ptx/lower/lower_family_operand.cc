#include <utility>

#include "ptx/lower/function_lowering.h"

namespace heddle::ptx {

namespace {

using Role = OperandShape::Role;

// The selector of mma.sp or wgmma.mma_async.sp: one, two or all four lanes of a quad have the
// metadata of the sparse rows (SparseColumns). Returns what is wrong, or nothing.
std::string set_selector(std::uint8_t& selector, std::int64_t value, std::int64_t depth,
                         Type type) {
  const std::uint32_t bits = element_bits(type);
  const std::int64_t selectors = 64 / (bits == 32 ? 2 * depth : bits == 4 ? depth / 2 : depth);
  if (value < 0 || value >= selectors)
    return "the sparsity selector of this product is from 0 to " + std::to_string(selectors - 1);
  selector = static_cast<std::uint8_t>(value);
  return {};
}

// imm-scale-a, imm-scale-b, imm-trans-a (only when A is in shared memory), imm-trans-b of wgmma.
// Returns what is wrong, or nothing.
std::string set_wgmma_constant(Instruction& out, std::int64_t value) {
  auto& wgmma = out.as<Wgmma>();
  if (wgmma.sparse && !std::exchange(wgmma.has_selector, true))
    return set_selector(wgmma.selector, value, wgmma.k, out.source_type);
  const int number = wgmma.constants++;
  const bool shared_a = bool{out.src[0]};
  if (number < 2) {
    if (value != 1 && value != -1) return "imm-scale-a and imm-scale-b of wgmma are 1 or -1";
    (number == 0 ? wgmma.negate_a : wgmma.negate_b) = value == -1;
    return "";
  }
  if (value != 0 && value != 1) return "imm-trans-a and imm-trans-b of wgmma are 0 or 1";
  if (!shared_a && number == 3) return "wgmma has no imm-trans-a when A is in registers";
  (shared_a && number == 2 ? wgmma.transpose_a : wgmma.transpose_b) = value == 1;
  return "";
}

}  // namespace

void FunctionLowering::lower_parts(Instruction& out, const AstOperand& operand,
                                   std::size_t position) {
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
    if (operand.part_unit) code = (operand.part_unit == 'b' ? Video::kByte : Video::kHalf) + digits;
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
      if ((digits >> (4 * d) & 15) >= 2 * elements) fail(operand.at, "a register has no such part");
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

void FunctionLowering::lower_fragment(Instruction& out, const AstOperand& operand,
                                      const OperandShape& shape) {
  MatrixOperands& all = builder_.kernel.matrices.back();
  if (out.opcode == Opcode::wgmma && shape.role == Role::destination) {
    auto& registers = builder_.kernel.accumulators.emplace_back();
    out.as<Wgmma>().accumulators =
        static_cast<std::uint32_t>(builder_.kernel.accumulators.size() - 1);
    for (std::uint32_t i = 0; i < shape.elements; ++i)
      registers.push_back(reg(function_.vector_pool[operand.index + i].index));
    return;
  }
  if (shape.or_descriptor) {
    ++src_;  // the place of the descriptor
    if (operand.kind == AstOperand::Kind::reg) {
      out.src[src_ - 1] = reg(operand.index);
      return;
    }
  }
  const bool whole = operand.kind == AstOperand::Kind::vector;
  for (std::uint32_t i = 0; i < shape.elements; ++i) {
    const AstOperand& part = whole ? function_.vector_pool[operand.index + i] : operand;
    if (shape.role == Role::destination)
      all.dst[i] = reg(part.index);
    else
      all.src[shape.place + i] = source(part, shape.type);
  }
}

void FunctionLowering::lower_axes(Instruction& out, const AstOperand& operand, Type type) {
  const std::uint32_t count = axes_of(out.as<TextureFetch>().geometry);
  const bool whole = operand.kind == AstOperand::Kind::vector;
  for (std::uint32_t i = 0; i < count; ++i)
    out.src[src_++] = source(whole ? function_.vector_pool[operand.index + i] : operand, type);
}

void FunctionLowering::lower_sampler(Instruction& out, const AstInstruction& instruction) {
  if (out.opcode != Opcode::tex && out.opcode != Opcode::tld4) return;
  for (std::uint32_t n = 0; n < instruction.operand_count; ++n) {
    const AstOperand& texel = function_.operands[instruction.first_operand + n];
    if (texel.kind != AstOperand::Kind::texel || !texel.has_sampler) continue;
    out.as<TextureFetch>().has_sampler = true;
    out.src[src_++] = source(
        function_.vector_pool[static_cast<std::size_t>(texel.value) + texel.count], Type::b64);
  }
}

void FunctionLowering::lower_texel(Instruction& out, const AstOperand& operand) {
  const bool named = operand.symbol != kNoIndex;
  out.src[src_++] =
      named ? constant(address_of(operand.symbol, operand.at), 8, operand.at) : reg(operand.index);
  if (operand.kind != AstOperand::Kind::texel) return;
  const Geometry geometry = geometry_of(out);
  for (std::uint32_t i = 0; i < coordinates_of(geometry); ++i) {
    const bool is_integer = (i == 0 && has_layers(geometry)) || out.source_type != Type::f32;
    out.src[src_++] = source(function_.vector_pool[static_cast<std::size_t>(operand.value) + i],
                             is_integer ? Type::b32 : Type::f32);
  }
}

void FunctionLowering::lower_constant(Instruction& out, const AstOperand& operand) const {
  const auto value = static_cast<std::uint32_t>(operand.value);
  switch (out.opcode) {
    case Opcode::cp_async: return lower_copy_size(out, operand);
    case Opcode::cp_async_wait: out.as<CopyWait>().pending_groups = value; return;
    case Opcode::lop3: out.as<Lop3Table>().bits = static_cast<std::uint8_t>(value); return;
    case Opcode::wgmma:
      if (operand.kind == AstOperand::Kind::none) return;
      if (const auto mistake = set_wgmma_constant(out, operand.value); !mistake.empty())
        fail(operand.at, mistake);
      return;
    case Opcode::mma:
      if (const auto mistake = set_selector(out.as<Matrix>().selector, operand.value,
                                            out.as<Matrix>().k, out.source_type);
          !mistake.empty())
        fail(operand.at, mistake);
      return;
    case Opcode::wgmma_wait: out.as<ProductWait>().pending_groups = value; return;
    case Opcode::alloca: out.as<StackAlignment>().bytes = value; return;
    default: return;
  }
}

void FunctionLowering::lower_copy_size(Instruction& out, const AstOperand& operand) const {
  const bool fits = operand.value == 16 ||
                    (out.cache == CacheOperator::ca && (operand.value == 4 || operand.value == 8));
  if (!fits)
    fail(operand.at, out.cache == CacheOperator::ca ? "cp.async.ca copies 4, 8 or 16 bytes"
                                                    : "cp.async.cg copies 16 bytes");
  out.access_bytes = static_cast<std::uint8_t>(operand.value);
}

void FunctionLowering::lower_copy_address(Instruction& out, const AstOperand& operand,
                                          const OperandShape& shape) {
  // Of two addresses in shared memory the second is the source.
  const bool is_shared_source =
      out.opcode == Opcode::bulk_load && out.as<BulkCopy>().from_shared && src_ != 0;
  const std::size_t place = shape.place ? shape.place
                            : shape.space == Space::shared && !is_shared_source
                                ? CopySource::shared
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
  src_ = place == CopySource::mbarrier ? CopySource::cta_mask : CopySource::bytes;
}

}  // namespace heddle::ptx
