#include "sass/ptx_fields.h"

#include "sass/operand_use.h"

namespace heddle::sass {
namespace {

using ptx::AtomicOp;
using ptx::Type;

Type type_of(const AccessShape& access) {
  switch (access.bytes) {
    case 1: return access.is_signed ? Type::s8 : Type::u8;
    case 2: return access.is_signed ? Type::s16 : Type::u16;
    default: return Type::b32;
  }
}

Type type_of_atomic(const Instruction& i) {
  if (const auto type = modifier_of<AtomicType>(i)) {
    switch (*type) {
      case AtomicType::U32_: return Type::u32;
      case AtomicType::S32: return Type::s32;
      case AtomicType::n64: return Type::u64;
      case AtomicType::F32_FTZ_RN: return Type::f32;
      case AtomicType::F16x2_RN: return Type::f16x2;
      case AtomicType::S64: return Type::s64;
      case AtomicType::F64_RN: return Type::f64;
    }
  }
  if (const auto type = modifier_of<AtomicInteger>(i)) {
    constexpr std::array kTypes{Type::u32, Type::s32, Type::u64, Type::s64, Type::b128};
    return kTypes[static_cast<std::size_t>(*type)];
  }
  if (const auto type = modifier_of<AtomicFloat>(i)) {
    switch (*type) {
      case AtomicFloat::F64_RN: return Type::f64;
      case AtomicFloat::F16x2_RN:
      case AtomicFloat::F16x4_RN:
      case AtomicFloat::F16x8_RN: return Type::f16x2;
      case AtomicFloat::BF16x2_RN:
      case AtomicFloat::BF16x4_RN:
      case AtomicFloat::BF16x8_RN: return Type::bf16x2;
      default: return Type::f32;
    }
  }
  if (const auto type = modifier_of<SharedType>(i)) {
    if (*type == SharedType::S32) return Type::s32;
    return *type == SharedType::n64 ? Type::u64 : Type::u32;
  }
  return access_of(i).bytes == 8 ? Type::b64 : Type::b32;
}

// The values of Reduction, GenericAtomic and Atomic are in the same order.
AtomicOp operation_of(const Instruction& i) {
  constexpr std::array kOperations{AtomicOp::add, AtomicOp::min,  AtomicOp::max,
                                   AtomicOp::inc, AtomicOp::dec,  AtomicOp::and_,
                                   AtomicOp::or_, AtomicOp::xor_, AtomicOp::exch};
  std::size_t value = kOperations.size();
  if (const auto o = modifier_of<AtomicMinMax>(i)) value = static_cast<std::size_t>(*o);
  if (const auto o = modifier_of<Reduction>(i)) value = static_cast<std::size_t>(*o);
  if (const auto o = modifier_of<GenericAtomic>(i)) value = static_cast<std::size_t>(*o);
  if (const auto o = modifier_of<Atomic>(i)) value = static_cast<std::size_t>(*o);
  if (value < kOperations.size()) return kOperations[value];
  if (i.form->name == "ATOMS.POPC.INC.32") return AtomicOp::add;
  return i.form->name.find(".CAS") != std::string::npos ? AtomicOp::cas : AtomicOp::none;
}

// A1TR: one arrival, and the register has the bytes that will arrive; ART0: it has the arrivals.
ptx::Mbarrier arrival_of(const Instruction& i) {
  const auto arrive =
      has_flag(i, "OPTOUT") ? ptx::MbarrierOp::arrive_drop : ptx::MbarrierOp::arrive;
  switch (modifier_of<ArrivalCounts>(i).value_or(ArrivalCounts::A1T0)) {
    case ArrivalCounts::A1TR_: return {.op = arrive, .expects_bytes = true};
    case ArrivalCounts::A0T1:
    case ArrivalCounts::A0TR: return {.op = ptx::MbarrierOp::expect_tx};
    case ArrivalCounts::A0TX: return {.op = ptx::MbarrierOp::complete_tx};
    case ArrivalCounts::A1T0:
    case ArrivalCounts::ART0: break;
  }
  return {.op = arrive};
}

void set_barrier_fields(KernelInstruction& i) {
  const std::string& name = i.code.form->name;
  if (name == "SYNCS.EXCH.64") return;
  i.opcode = ptx::Opcode::mbarrier;
  if (name == "SYNCS.ARRIVE.TRANS64")
    i.payload = arrival_of(i.code);
  else if (name == "SYNCS.CCTL")
    i.payload = ptx::Mbarrier{.op = ptx::MbarrierOp::inval};
  else
    i.payload = ptx::Mbarrier{.op = ptx::MbarrierOp::wait};
}

Type type_of(BulkType type) {
  switch (type) {
    case BulkType::S32: return Type::s32;
    case BulkType::U64: return Type::u64;
    case BulkType::S64: return Type::s64;
    case BulkType::F16_RN: return Type::f16;
    case BulkType::BF16_RN: return Type::bf16;
    case BulkType::F32_RN: return Type::f32;
    case BulkType::F64_RN: return Type::f64;
    default: return Type::u32;
  }
}

// STAS, REDAS: a bulk copy from registers.
void set_remote_store(KernelInstruction& i) {
  i.opcode = ptx::Opcode::bulk_load;
  i.payload = ptx::BulkCopy{.shared_offset = static_cast<std::uint32_t>(i.code.operands[0].value),
                            .from_shared = true,
                            .from_registers = true};
  i.atomic = operation_of(i.code);
  const auto type = modifier_of<RemoteType>(i.code);
  i.type = type == RemoteType::n64 ? Type::u64 : type == RemoteType::S32 ? Type::s32 : Type::u32;
}

// The type of a tensor's reduction is that of its tensor map.
void set_bulk_copy(KernelInstruction& i) {
  i.opcode = is_bulk_load(i.code) ? ptx::Opcode::bulk_load : ptx::Opcode::bulk_store;
  i.payload = ptx::BulkCopy{.dimensions = static_cast<std::uint8_t>(tensor_dimensions(i.code)),
                            .from_shared = is_bulk_from_shared(i.code),
                            .multicast = has_flag(i.code, "MULTICAST"),
                            .im2col = has_flag(i.code, "IM2COL"),
                            .has_offsets = has_flag(i.code, "IM2COL") && is_bulk_load(i.code)};
  i.atomic = operation_of(i.code);
  if (const auto type = modifier_of<BulkType>(i.code)) i.type = type_of(*type);
}

Type type_of(EighthFloat format) { return format == EighthFloat::E5M2 ? Type::e5m2 : Type::e4m3; }
Type type_of(Byte8 format) { return format == Byte8::S8 ? Type::s8 : Type::u8; }

// The types of A and of B are the first and the second modifier of their kind.
template <class Format>
void set_types(const Instruction& i, ptx::Instruction& out, ptx::Wgmma& product) {
  bool second = false;
  for (std::size_t n = 0; n < i.form->modifiers.size(); ++n) {
    if (i.form->modifiers[n].kind != kKindOf<Format>) continue;
    const Type type = type_of(static_cast<Format>(i.modifiers[n]));
    (second ? product.type_b : out.source_type) = type;
    second = true;
  }
}

void set_group_product(KernelInstruction& i) {
  const ProductShape shape = *product_shape_of(i.code);
  ptx::Wgmma product{.n = static_cast<std::uint16_t>(shape.columns),
                     .k = static_cast<std::uint16_t>(shape.depth)};
  const auto sums = modifier_of<HalfAccumulator>(i.code);
  i.type = !sums ? Type::s32 : *sums == HalfAccumulator::F16 ? Type::f16 : Type::f32;
  if (const auto source = modifier_of<GroupSource>(i.code))
    i.source_type = product.type_b = *source == GroupSource::TF32   ? Type::tf32
                                     : *source == GroupSource::BF16 ? Type::bf16
                                                                    : Type::f16;
  else if (i.code.opcode == Opcode::BGMMA)
    i.source_type = product.type_b = Type::b1;
  set_types<EighthFloat>(i.code, i, product);
  set_types<Byte8>(i.code, i, product);
  product.sparse = i.code.form->name.ends_with(".SP");
  for (std::size_t k = 0; product.sparse && k < i.code.form->operands.size(); ++k)
    if (i.code.form->operands[k].kind == OperandKind::immediate)
      product.selector = static_cast<std::uint8_t>(i.code.operands[k].value);
  // Halves have a depth of 16, tf32 of 8; other types than halves are not transposed.
  const std::uint32_t depth_of_a = product.sparse ? shape.depth / 2 : shape.depth;
  if (i.code.opcode == Opcode::HGMMA && (depth_of_a == 8) != (i.source_type == Type::tf32)) return;
  product.negate_a = has_flag(i.code, "negA") || i.code.operands[1].negated;
  product.negate_b = has_flag(i.code, "negB");
  product.transpose_a = has_flag(i.code, "tnspA"), product.transpose_b = has_flag(i.code, "tnspB");
  if (i.source_type == Type::tf32 && (product.transpose_a || product.transpose_b)) return;
  i.satfinite = has_flag(i.code, "SAT");
  i.opcode = ptx::Opcode::wgmma;
  i.payload = product;
}

}  // namespace

void set_ptx_fields(KernelInstruction& i) {
  switch (i.code.opcode) {
    case Opcode::LD:
    case Opcode::LDG:
    case Opcode::LDS:
    case Opcode::LDL:
    case Opcode::LDC:
      i.opcode = ptx::Opcode::ld;
      i.type = type_of(access_of(i.code));
      break;
    case Opcode::ST:
    case Opcode::STG:
    case Opcode::STS:
    case Opcode::STL:
      i.opcode = ptx::Opcode::st;
      i.type = type_of(access_of(i.code));
      break;
    case Opcode::ATOM:
    case Opcode::ATOMG:
    case Opcode::ATOMS:
    case Opcode::RED:
    case Opcode::REDG:
      if (modifier_of<AtomicInteger>(i.code) == AtomicInteger::n128) break;  // not executed
      i.opcode = is_vector_atomic(i.code) ? ptx::Opcode::atom_wide : ptx::Opcode::atom;
      i.type = type_of_atomic(i.code);
      i.atomic = operation_of(i.code);
      break;
    case Opcode::LDGSTS: {
      i.opcode = ptx::Opcode::cp_async;
      ptx::AsyncCopy copy;
      for (const Operand& o : i.code.operands) {
        if (o.kind != OperandKind::memory) continue;
        copy.shared_offset = static_cast<std::uint32_t>(o.value);
        break;
      }
      i.payload = copy;
      break;
    }
    case Opcode::SYNCS: set_barrier_fields(i); break;
    case Opcode::ARRIVES:
      i.opcode = ptx::Opcode::cp_async_arrive;
      i.payload = ptx::CopyArrival{.noinc = modifier_of<CopyArrivalCount>(i.code) ==
                                            CopyArrivalCount::ARVCNT};
      break;
    case Opcode::UBLKCP:
    case Opcode::UBLKRED:
    case Opcode::UTMALDG:
    case Opcode::UTMASTG:
    case Opcode::UTMAREDG:
      if (is_bulk_copy(i.code)) set_bulk_copy(i);
      break;
    case Opcode::STAS:
    case Opcode::REDAS: set_remote_store(i); break;
    case Opcode::HGMMA:
    case Opcode::IGMMA:
    case Opcode::BGMMA:
    case Opcode::QGMMA: set_group_product(i); break;
    case Opcode::MEMBAR: i.opcode = ptx::Opcode::membar; break;
    case Opcode::UCGABAR_ARV: i.opcode = ptx::Opcode::cluster_arrive; break;
    case Opcode::UCGABAR_WAIT: i.cluster = true; break;
    default: break;
  }
}

}  // namespace heddle::sass
