// Loads and stores, by the handlers of PTX: a load of 64 bits is one of two registers.
#pragma GCC optimize("O3")
#include "exec/isa/memory_access.h"

#include "exec/isa/decode.h"
#include "exec/machine_code/operands.h"
#include "exec/state/constant_bank.h"
#include "sass/operand_use.h"

namespace heddle::exec {
namespace {

using ptx::Space;
using sass::Opcode;

constexpr U32 kRow = 128;

// The instruction of PTX that does the same, with operands.
ptx::Instruction like_ptx(const DecodedInstruction& r) {
  ptx::Instruction i = ptx_of(r);
  ptx::Operand reg;
  reg.kind = ptx::Operand::Kind::reg;
  (i.opcode == ptx::Opcode::ld ? i.dst[0] : i.src[1]) = reg;
  if (r.src[0].present) {
    i.src[0] = reg;
    i.src[0].bytes = r.src[0].bytes;
  }
  return i;
}

bool only_true(const DecodedInstruction& r) {
  return r.src_predicate[0].flip == 0 && r.dst_predicate[0] == kPredicateRows + 2 &&
         r.src_predicate[0].row == kPredicateRows + 1;
}

Handler load_handler(const sass::Instruction& i, DecodedInstruction& r) {
  const sass::AccessShape access = sass::access_of(i);
  for (int v = 1; v < access.count; ++v) {
    const auto n = static_cast<std::size_t>(v);
    r.dst[n] = r.dst[0] + static_cast<U32>(v) * kRow;
    r.dst_bytes[n] = r.dst_bytes[0];
  }
  ptx::Instruction like = like_ptx(r);
  // The fast load of a word of shared memory has no other addresses.
  if (r.machine.extra.present || r.machine.address_shift != 0) like.space = Space::generic;
  return memory_handler(like);
}

Handler store_handler(const sass::Instruction& i, DecodedInstruction& r) {
  const sass::AccessShape access = sass::access_of(i);
  for (int v = 1; v < access.count; ++v) {
    const auto n = static_cast<std::size_t>(v);
    r.src[n + 1] = r.src[1];
    r.src[n + 1].offset += static_cast<U32>(v) * kRow;
  }
  return memory_handler(like_ptx(r));
}

// QSPC: whether an address is in global, local, or the CTA's shared memory, or in shared memory of
// its cluster.
enum class AddressSpace : std::uint8_t { global, local, shared, cluster };
template <AddressSpace kSpace>
void is_in_space(Warp& w, const DecodedInstruction& r, U32 mask) {
  std::array<U64, kWarpSize> addresses;
  raw_addresses(w, r, addresses);
  const Machine& m = *w.machine;
  U32 holds = 0;
  for (std::size_t l = 0; l < kWarpSize; ++l) {
    const U64 address = addresses[l];
    const bool shared = in_shared_window(m, address),
               local = address - m.map.local_window < kWindowBytes;
    const bool own =
        shared && shared_place(m, w.cta->rank, address - m.map.shared_window).rank == w.cta->rank;
    const bool is = kSpace == AddressSpace::global    ? !shared && !local
                    : kSpace == AddressSpace::local   ? local
                    : kSpace == AddressSpace::cluster ? shared
                                                      : own;
    holds |= U32{is} << l;
  }
  set_predicate(w, r.dst_predicate[0], holds, mask);
}
Handler space_query(const sass::Instruction& i, const DecodedInstruction& r) {
  if (r.dst_bytes[0] != 0) return nullptr;
  using sass::ClusterSpace, sass::QuerySpace;
  if (has_modifier(i, QuerySpace::G) || has_modifier(i, ClusterSpace::G))
    return is_in_space<AddressSpace::global>;
  if (has_modifier(i, QuerySpace::L) || has_modifier(i, ClusterSpace::L))
    return is_in_space<AddressSpace::local>;
  if (has_modifier(i, ClusterSpace::D)) return is_in_space<AddressSpace::cluster>;
  return is_in_space<AddressSpace::shared>;
}

const sass::Operand& constant_of(const sass::Instruction& i) {
  for (const sass::Operand& o : i.operands)
    if (o.kind == sass::OperandKind::constant) return o;
  return i.operands[0];
}

// LDC, ULDC of the banks that are not in device memory. A lane outside of the bank reads 0.
template <bool kUniform>
void load_constant(Warp& w, const DecodedInstruction& r, U32 mask) {
  const sass::Instruction& i = sass_of(r);
  const sass::Operand& operand = constant_of(i);
  const sass::AccessShape access = sass::access_of(i);
  const bool indexed = r.src[0].present;
  alignas(64) U32 values[2][kWarpSize];
  for (std::size_t l = 0; l < kWarpSize; ++l) {
    U64 offset = static_cast<U64>(operand.value);
    if (indexed) offset += source<U32>(w, r, 0)[l], offset &= 0xffffffff;
    if (w.step && !kUniform) w.step->addresses[l] = offset;
    if (l > 0 && (!indexed || kUniform)) {
      values[0][l] = values[0][0], values[1][l] = values[1][0];
      continue;
    }
    const auto bytes = static_cast<std::size_t>(access.bytes * access.count);
    U64 value = 0;
    read_constant(*w.machine, operand.bank, offset, &value, bytes);
    if (access.is_signed)
      value = static_cast<U64>(static_cast<std::int64_t>(value << (64 - 8 * bytes)) >>
                               (64 - 8 * bytes));
    values[0][l] = static_cast<U32>(value), values[1][l] = static_cast<U32>(value >> 32);
  }
  if (w.step && !kUniform) w.step->space = Space::param;
  if (kUniform) mask = ~U32{0};
  for (int n = 0; n < access.count; ++n)
    store_lanes<4>(w.bases[0] + r.dst[0] + static_cast<U32>(n) * kRow, values[n], mask);
}

Handler constant_handler(const sass::Instruction& i, DecodedInstruction& r) {
  if (sass::modifier_of<sass::ConstantMode>(i).value_or(sass::ConstantMode::IA_) !=
      sass::ConstantMode::IA_)
    return nullptr;
  if (i.opcode == Opcode::ULDC) return load_constant<true>;
  if (constant_of(i).bank != sass::kUserBank) return load_constant<false>;
  return load_handler(i, r);  // the user's constants are in device memory
}

}  // namespace

Handler memory_handler(const sass::Instruction& i, DecodedInstruction& r) {
  switch (i.opcode) {
    case Opcode::LD:
    case Opcode::LDG:
    case Opcode::LDS:
    case Opcode::LDL: return only_true(r) ? load_handler(i, r) : nullptr;
    case Opcode::ST:
    case Opcode::STG:
    case Opcode::STS:
    case Opcode::STL: return store_handler(i, r);
    case Opcode::LDC:
    case Opcode::ULDC: return constant_handler(i, r);
    case Opcode::QSPC: return space_query(i, r);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
