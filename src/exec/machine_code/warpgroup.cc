// Products of a warpgroup: HGMMA, IGMMA, BGMMA, QGMMA, by the function of PTX's wgmma.
#include "exec/isa/warpgroup_product.h"

#include "exec/isa/control.h"
#include "exec/isa/matrix.h"
#include "exec/machine_code/operands.h"

namespace heddle::exec {
namespace {

// From a row: the words of a register and those behind it.
template <class Word>
Word* words_of(std::uint8_t* first, U32 reg) {
  return reinterpret_cast<Word*>(first + reg * kRowOfWords);
}
// A pair of uniform registers behind the first ones.
U64 descriptor(const std::uint8_t* first, U32 reg) {
  const auto word = [&](U32 n) {
    return *reinterpret_cast<const Lane<U32>*>(first + n * kRowOfWords);
  };
  return word(reg) | U64{word(reg + 1)} << 32;
}

// kRegisters: A is in registers, the first source; the descriptors are of A and of B.
template <bool kRegisters>
void multiply(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  WarpgroupProduct p(ptx_of(r));
  p.a_in_shared = !kRegisters;
  const std::uint8_t* const descriptors = row(w, r.src[kRegisters ? 1 : 0]);
  p.a_descriptor = descriptor(descriptors, 0), p.b_descriptor = descriptor(descriptors, 2);
  if (p.sparse)
    p.metadata =
        words_of<const U32>(const_cast<std::uint8_t*>(row(w, r.src[kRegisters ? 3 : 2])), 0);
  const bool has_sums = r.src[kRegisters ? 2 : 1].base == 0;
  p.adds_to_d = has_sums && predicate(w, r.src_predicate[0]) != 0;
  if (kRegisters)
    for (U32 reg = 0; reg < p.a.size(); ++reg)
      p.a[reg] = words_of<const U32>(const_cast<std::uint8_t*>(row(w, r.src[0])), reg);
  const U32 sums = p.type_d == ptx::Type::f16 ? p.n / 4 : p.n / 2;
  for (U32 reg = 0; reg < sums; ++reg) p.d[reg] = words_of<U32>(w.bases[0] + r.dst[0], reg);
  multiply_by_warpgroup(w, r, p);
}

}  // namespace

Handler warpgroup_product_handler(const sass::Instruction& i, DecodedInstruction& r) {
  const ptx::Instruction& product = ptx_of(r);
  if (product.opcode != ptx::Opcode::wgmma || r.dst_bytes[0] == 0) return nullptr;
  if (const auto& p = product.as<ptx::Wgmma>();
      p.sparse &&
      !SparseColumns::fits(p.k, 32 / ptx::element_bits(product.source_type), p.selector))
    return nullptr;
  const bool registers = i.form->operands[1].kind == sass::OperandKind::reg;
  const RowSource& addend = r.src[registers ? 2 : 1];
  if (addend.base == 0 && addend.offset != r.dst[0]) return nullptr;
  return registers ? multiply<true> : multiply<false>;
}

// Its warps have all read the matrices when one of them waits for the group.
bool multiply_and_arrive(Warp& w, const DecodedInstruction& r, std::uint32_t mask, Step* out) {
  if (mask == 0) return w.stack.advance(w.pc + 1), false;
  r.handler(w, r, mask);
  record_arrival(w, barrier_request(w, r, mask), true, out);
  w.stack.advance(w.pc + 1);
  return true;
}

}  // namespace heddle::exec
