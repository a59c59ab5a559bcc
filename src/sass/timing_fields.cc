#include "sass/timing_fields.h"

#include <algorithm>

#include "sass/operand_use.h"
#include "sass/register_ranges.h"

namespace heddle::sass {
namespace {

using isa::OpClass;
using isa::Space;

constexpr int kThirdSlot = 64;  // the bit where it begins

bool waits_for_products(const Instruction& i) {
  return i.opcode == Opcode::WARPGROUP && i.form->name == "WARPGROUP.DEPBAR.LE";
}

OpClass class_of(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::IADD3:
    case Opcode::VIADD:
    case Opcode::UIADD3:
    case Opcode::LEA:
    case Opcode::ULEA: return OpClass::int_add;
    case Opcode::IMNMX:
    case Opcode::VIMNMX:
    case Opcode::VIADDMNMX: return OpClass::int_max;
    case Opcode::IMAD:
    case Opcode::UIMAD:
    case Opcode::IDP: return OpClass::int_mad;
    case Opcode::FADD:
    case Opcode::FSWZADD:
    case Opcode::HADD2: return OpClass::fp_add;
    case Opcode::FMNMX: return OpClass::fp_max;
    case Opcode::FMUL:
    case Opcode::HMUL2: return OpClass::fp_mul;
    case Opcode::FFMA:
    case Opcode::HFMA2: return OpClass::fp_fma;
    case Opcode::DADD: return OpClass::dp_add;
    case Opcode::DSETP: return OpClass::dp_max;
    case Opcode::DMUL: return OpClass::dp_mul;
    case Opcode::DFMA: return OpClass::dp_fma;
    case Opcode::MUFU: return OpClass::sfu;
    case Opcode::SHFL:
    case Opcode::REDUX: return OpClass::shuffle;
    case Opcode::HMMA:
    case Opcode::IMMA:
    case Opcode::BMMA:
    case Opcode::DMMA:
    case Opcode::QMMA:
    case Opcode::HGMMA:
    case Opcode::IGMMA:
    case Opcode::BGMMA:
    case Opcode::QGMMA: return OpClass::tensor;
    case Opcode::LD:
    case Opcode::LDG:
    case Opcode::LDS:
    case Opcode::LDL:
    case Opcode::LDC:
    case Opcode::LDSM:
    case Opcode::LDGSTS:
    case Opcode::TEX:
    case Opcode::TLD4:
    case Opcode::TXD:
    case Opcode::SULD:
    case Opcode::TLD: return OpClass::load;
    case Opcode::SUST: return OpClass::store;
    case Opcode::SURED: return OpClass::atomic;
    case Opcode::ST:
    case Opcode::STG:
    case Opcode::STS:
    case Opcode::STL: return OpClass::store;
    case Opcode::ATOM:
    case Opcode::ATOMG:
    case Opcode::ATOMS:
    case Opcode::RED:
    case Opcode::REDG: return OpClass::atomic;
    case Opcode::SYNCS: return OpClass::atomic;
    case Opcode::STSM: return OpClass::store;
    case Opcode::STAS:
    case Opcode::REDAS: return OpClass::load;  // ends when the bytes have arrived
    case Opcode::UBLKCP:
    case Opcode::UBLKRED:
    case Opcode::UTMALDG:
    case Opcode::UTMASTG:
    case Opcode::UTMAREDG: return is_bulk_store(i) ? OpClass::store : OpClass::load;
    case Opcode::WARPGROUP: return waits_for_products(i) ? OpClass::memory_barrier : OpClass::alu;
    case Opcode::MEMBAR: return OpClass::memory_barrier;
    case Opcode::BRA:
    case Opcode::BRX: return OpClass::branch;
    case Opcode::CALL: return OpClass::call;
    case Opcode::RET: return OpClass::return_;
    case Opcode::EXIT: return OpClass::exit_;
    case Opcode::UCGABAR_WAIT:
    case Opcode::BAR: return OpClass::barrier;
    default: return OpClass::alu;
  }
}

Space space_of(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::LDG:
    case Opcode::STG:
    case Opcode::ATOMG:
    case Opcode::RED:
    case Opcode::REDG:
    case Opcode::UBLKCP:
    case Opcode::UBLKRED:
    case Opcode::UTMALDG:
    case Opcode::UTMASTG:
    case Opcode::UTMAREDG:
    case Opcode::LDGSTS: return Space::global;
    case Opcode::LD:
    case Opcode::ST:
    case Opcode::ATOM: return Space::generic;
    case Opcode::LDS:
    case Opcode::STS:
    case Opcode::ATOMS:
    case Opcode::SYNCS:
    case Opcode::ARRIVES:
    case Opcode::STSM:
    case Opcode::STAS:
    case Opcode::REDAS:
    case Opcode::LDSM: return Space::shared;
    case Opcode::LDL:
    case Opcode::STL: return Space::local;
    case Opcode::TEX:
    case Opcode::TLD4:
    case Opcode::TXD:
    case Opcode::TLD: return Space::texture;
    case Opcode::SULD:
    case Opcode::SUST:
    case Opcode::SURED: return Space::surface;
    case Opcode::LDC:
      for (const Operand& operand : i.operands)
        if (operand.kind == OperandKind::constant)
          return operand.bank == kUserBank ? Space::constant : Space::param;
      return Space::none;
    default: return Space::none;
  }
}

isa::Ordering ordering_of(const Instruction& i) {
  const auto strong = [](bool system) {
    return system ? isa::Ordering::volatile_ : isa::Ordering::relaxed;
  };
  if (const auto o = modifier_of<LoadOrder>(i)) {
    if (*o == LoadOrder::STRONG_SYS || *o == LoadOrder::MMIO_SYS) return strong(true);
    if (*o == LoadOrder::STRONG_SM || *o == LoadOrder::STRONG_GPU ||
        *o == LoadOrder::STRONG_GPU_PRIVATE || *o == LoadOrder::MMIO_GPU)
      return strong(false);
  }
  if (const auto o = modifier_of<StoreOrder>(i)) {
    if (*o == StoreOrder::STRONG_SYS || *o == StoreOrder::MMIO_SYS) return strong(true);
    if (*o != StoreOrder::WEAK_) return strong(false);
  }
  const bool system = modifier_of<Scope>(i) == Scope::SYS;
  if (const auto s = modifier_of<LoadSemantics>(i);
      s == LoadSemantics::STRONG || s == LoadSemantics::MMIO)
    return strong(system);
  if (const auto s = modifier_of<StoreSemantics>(i);
      s == StoreSemantics::STRONG || s == StoreSemantics::MMIO)
    return strong(system);
  return isa::Ordering::weak;
}

// The threads of an SM share its L1, so a load that is strong for the SM only may hit there.
isa::CacheOperator cache_of(const Instruction& i) {
  const auto order = modifier_of<LoadOrder>(i);
  if (order && (*order == LoadOrder::CONSTANT || *order == LoadOrder::CONSTANT_PRIVATE))
    return isa::CacheOperator::nc;
  if (modifier_of<LoadSemantics>(i) == LoadSemantics::CONSTANT) return isa::CacheOperator::nc;
  if (order == LoadOrder::STRONG_SM) return isa::CacheOperator::ca;
  return isa::CacheOperator::none;
}

isa::BarrierOp barrier_of(const Instruction& i) {
  if (ends_group(i) || i.opcode == Opcode::UCGABAR_WAIT) return isa::BarrierOp::sync;
  if (i.opcode != Opcode::BAR) return isa::BarrierOp::none;
  if (i.form->name == "BAR.ARV") return isa::BarrierOp::arrive;
  switch (modifier_of<BarrierReduction>(i).value_or(BarrierReduction::POPC)) {
    case BarrierReduction::POPC:
      return i.form->name == "BAR.RED" ? isa::BarrierOp::red_popc : isa::BarrierOp::sync;
    case BarrierReduction::AND: return isa::BarrierOp::red_and;
    default: return isa::BarrierOp::red_or;
  }
}

isa::CopyStep copy_step_of(const Instruction& i) {
  using isa::CopyStep;
  switch (i.opcode) {
    case Opcode::LDGSTS: return CopyStep::start;
    case Opcode::LDGDEPBAR:
    case Opcode::UTMACMDFLUSH: return CopyStep::commit;
    case Opcode::ARRIVES: return CopyStep::arrive;
    case Opcode::HGMMA:
    case Opcode::IGMMA:
    case Opcode::BGMMA:
    case Opcode::QGMMA: return ends_group(i) ? CopyStep::last_product : CopyStep::product;
    case Opcode::WARPGROUP:
      return waits_for_products(i) ? CopyStep::wait_for_products : CopyStep::none;
    default:
      return is_bulk_load(i) || is_remote_store(i) ? CopyStep::bulk_load
             : is_bulk_store(i)                    ? CopyStep::bulk_store
                                                   : CopyStep::none;
  }
}

std::uint32_t matrix_work_of(const Instruction& i) {
  // Of one warp: 16 rows, each of 256 bits. A sparse A has as many.
  if (const auto shape = product_shape_of(i)) return 16 * shape->columns * 256;
  const auto product = warp_product_of(i);
  return product ? product->rows * product->columns * product->depth_of_a() * product->element_bits
                 : 0;
}

// The control word with what operands say of it: registers that stay in the reuse cache, and the
// counters and the threshold of DEPBAR.
isa::ControlWord control_of(const KernelInstruction& i, const RegisterNumbering& numbers) {
  isa::ControlWord control = i.code.control;
  for (const Operand& operand : i.code.operands) {
    if (operand.kind == OperandKind::scoreboard && i.code.opcode == Opcode::DEPBAR)
      control.threshold_counter = operand.index;
    if (operand.kind == OperandKind::scoreboards) control.wait_mask |= operand.index;
    if (operand.kind == OperandKind::immediate && i.code.opcode == Opcode::DEPBAR)
      control.threshold = static_cast<std::uint8_t>(operand.value);
    if (operand.kind != OperandKind::reg || !operand.reuse) continue;
    const auto place =
        std::find(i.reads.begin(), i.reads.begin() + i.read_count, numbers.reg(operand.index));
    if (place - i.reads.begin() < 8)
      control.reuse |= static_cast<std::uint8_t>(1U << (place - i.reads.begin()));
  }
  return control;
}

class RegisterList {
 public:
  explicit RegisterList(KernelInstruction& instruction) : i_(instruction) {}

  // value: the register is a source operand; otherwise the guard or the base of an address.
  void read(std::uint16_t reg, bool value) {
    auto* const end = i_.reads.begin() + i_.read_count;
    auto* place = std::find(i_.reads.begin(), end, reg);
    const auto k = static_cast<std::uint8_t>(place - i_.reads.begin());
    if (place == end) {
      if (i_.read_count == isa::kMaxReads) return;
      i_.reads[i_.read_count++] = reg;
      i_.not_values |= std::uint32_t{1} << k;
    }
    if (!value) return;
    i_.not_values &= ~(std::uint32_t{1} << k);
    if (i_.operand_count < isa::kMaxReads) i_.operands[i_.operand_count++] = k;
  }
  void write(std::uint16_t reg) {
    auto* const end = i_.writes.begin() + i_.write_count;
    if (std::find(i_.writes.begin(), end, reg) == end && i_.write_count < isa::kMaxWrites)
      i_.writes[i_.write_count++] = reg;
  }

 private:
  KernelInstruction& i_;
};

// The sums of a warpgroup's product are ready when its group is, which the code waits for.
bool is_sum_of_group(const Instruction& i, std::size_t k) {
  return product_shape_of(i) && (k == 0 || i.form->operands[k].field.ranges[0].first == kThirdSlot);
}

// P2R and R2P: bit n of the mask is predicate n.
std::uint64_t moved_predicates(const Instruction& i) {
  const std::size_t last = i.form->operands.size() - 1;
  return i.operands[last].kind == OperandKind::immediate
             ? static_cast<std::uint64_t>(i.operands[last].value)
             : ~std::uint64_t{0};
}

void list_operand(RegisterList& list, KernelInstruction& i, std::size_t k,
                  const RegisterNumbering& numbers) {
  const Operand& operand = i.code.operands[k];
  const bool written = i.code.form->operands[k].written || (i.code.opcode == Opcode::R2P && k == 0);
  const auto use = [&](std::uint16_t reg, bool value) {
    if (written)
      list.write(reg);
    else
      list.read(reg, value);
  };
  if (operand.kind == OperandKind::predicate && operand.index != kTruePredicate)
    use(numbers.predicate(operand.index), true);
  if (operand.kind == OperandKind::uniform_predicate && operand.index != kTruePredicate)
    use(numbers.uniform_predicate(operand.index), true);
  if (operand.kind == OperandKind::text && i.code.form->operands[k].text == "PR")
    for (int n = 0; n < kTruePredicate; ++n)
      if (moved_predicates(i.code) >> n & 1) use(numbers.predicate(n), true);
  if (operand.kind == OperandKind::memory) {
    i.address_offset = operand.value;
    if (operand.index != kZeroRegister) i.base_register = numbers.reg(operand.index);
  }
  if (operand.kind == OperandKind::reg && is_sum_of_group(i.code, k)) return;
  for (const RegisterRange& range : register_ranges(i.code, k))
    for (int n = range.first; n < range.first + range.count; ++n)
      use(range.uniform ? numbers.uniform(n) : numbers.reg(n), !range.of_address);
}

}  // namespace

void count_registers(const Instruction& i, RegisterNumbering& numbers) {
  for (std::size_t k = 0; k < i.form->operands.size(); ++k)
    for (const RegisterRange& range : register_ranges(i, k)) {
      int& count = range.uniform ? numbers.uniform_registers : numbers.registers;
      count = std::max(count, range.first + range.count);
    }
}

void set_timing_fields(KernelInstruction& i, const RegisterNumbering& numbers) {
  i.op_class = class_of(i.code);
  i.on_uniform_datapath = is_uniform(i.code) || i.code.opcode == Opcode::VOTEU;
  i.space = space_of(i.code);
  i.ordering = ordering_of(i.code);
  i.cache = cache_of(i.code);
  i.barrier = barrier_of(i.code);
  i.matrix_work = matrix_work_of(i.code);
  const AccessShape access = access_of(i.code);
  i.access_bytes = static_cast<std::uint8_t>(access.bytes);
  i.vector = static_cast<std::uint8_t>(access.count);
  i.copy = copy_step_of(i.code);
  if (waits_for_products(i.code))
    i.groups_left = static_cast<std::uint32_t>(i.code.operands[1].value);
  RegisterList list(i);
  for (std::size_t k = 0; k < i.code.form->operands.size(); ++k) list_operand(list, i, k, numbers);
  i.control = control_of(i, numbers);
  if (i.code.guard.predicate == kTruePredicate) return;
  i.guard_register = i.code.guard.uniform ? numbers.uniform_predicate(i.code.guard.predicate)
                                          : numbers.predicate(i.code.guard.predicate);
  list.read(i.guard_register, false);
}

}  // namespace heddle::sass
