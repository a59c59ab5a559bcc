#include "exec/compiled/lane_code.h"

namespace heddle::exec {

LaneCode::LaneCode(const DecodedKernel& kernel, RowUses uses)
    : RowCode(std::move(uses)), kernel_(kernel) {}

void LaneCode::begin_block(bool all_active) {
  all_active_ = all_active;
  begin_rows();
  known_.clear();
}

void LaneCode::begin_instruction(const DecodedInstruction& r, Pc pc) {
  lanes_ = is_guarded(r) ? Lanes::guarded : all_active_ ? Lanes::all : Lanes::active;
  if (has_guard()) {
    load_predicate(guarded, r.guard);
    if (!all_active_) and_(guarded, active);
  }
  begin_operands(r, pc, all_lanes());
}

void LaneCode::expand(const Reg32& mask, std::size_t offset) {
  vmovd(xmm0, mask);
  vpbroadcastd(ymm0, xmm0);
  for (int i = 0; i < kVectors; ++i) {
    const Xbyak::Address bits =
        constant(offsetof(LaneConstants, bit) + static_cast<std::size_t>(32 * i));
    vpand(ymm1, ymm0, bits);
    vpcmpeqd(ymm1, ymm1, bits);
    vmovdqa(at(offset + static_cast<std::size_t>(32 * i)), ymm1);
  }
}

void LaneCode::load_predicate(const Reg32& to, const PredicateSource& p) {
  mov(to, ptr[predicates + 4 * p.row]);
  if (p.flip) not_(to);
}

void LaneCode::end_result(const DecodedInstruction& r, int first, bool wide, std::size_t n,
                          bool canonical) {
  const std::uint32_t row = r.dst[n];
  if (has_guard()) expand(guarded, offsetof(LaneContext, guarded_lanes));
  for (int i = 0; i < (wide ? kWideVectors : kVectors) && !all_lanes(); ++i) {
    const Ymm result(first + i);
    const auto lanes = static_cast<std::size_t>((wide ? 16 : 32) * i) + lane_vectors();
    if (wide)
      vpmovsxdq(ymm0, at(lanes));
    else
      vmovdqa(ymm0, at(lanes));
    vmovdqa(ymm1, ptr[registers + (static_cast<int>(row) + 32 * i)]);
    vpblendvb(result, ymm1, result, ymm0);
  }
  forget(row, wide);
  keep_result(row, first, wide, n, canonical);
}

void LaneCode::forget(std::uint32_t row, bool wide) {
  forget_row(row, wide);
  known_.forget(row, wide);
}

void LaneCode::set_predicate(std::uint16_t row, const Reg32& value) {
  const Xbyak::Address to = ptr[predicates + 4 * row];
  if (!all_lanes()) {
    mov(ebp, to);
    xor_(value, ebp);
    and_(value, lane_mask());
    xor_(value, ebp);
  }
  mov(to, value);
}

}  // namespace heddle::exec
