#include "exec/compiled/lane_code.h"

namespace heddle::exec {
namespace {

constexpr std::size_t kCodeBytes = 64 << 10;  // it grows
constexpr int kFirstKept = 8;                 // vector register
constexpr std::uint32_t kRowBytes = 128;

bool overlap(std::uint32_t a, bool a_wide, std::uint32_t b, bool b_wide) {
  return a < b + (b_wide ? 2 : 1) * kRowBytes && b < a + (a_wide ? 2 : 1) * kRowBytes;
}

}  // namespace

LaneCode::LaneCode(const DecodedKernel& kernel)
    : CodeGenerator(kCodeBytes, Xbyak::AutoGrow),
      predicate_rows_(kernel.predicate_rows),
      parameter_bytes_(kernel.kernel->parameter_bytes) {
  setDefaultJmpNEAR(true);
}

void LaneCode::begin_block(bool all_active) {
  all_active_ = all_active;
  kept_.fill({});
  known_.fill({});
}

void LaneCode::begin_instruction(const DecodedInstruction& r) {
  const bool always = r.guard.row == predicate_rows_ && r.guard.flip == 0;
  lanes_ = !always ? Lanes::guarded : all_active_ ? Lanes::all : Lanes::active;
  if (always) return;
  load_predicate(guarded, r.guard);
  if (!all_active_) and_(guarded, active);
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

int LaneCode::kept_in(const RowSource& s, bool wide) const {
  for (std::size_t g = 0; g < kept_.size() && s.base == 0; ++g)
    if (kept_[g].row == s.offset && kept_[g].wide == wide)
      return kFirstKept + kVectors * static_cast<int>(g);
  return -1;
}

Xbyak::Ymm LaneCode::value(const RowSource& s, int i, int temporary, bool wide) {
  if (const int first = kept_in(s, wide); first >= 0) return Ymm(first + i);
  vmovdqa(Ymm(temporary), source(s, i));
  return Ymm(temporary);
}

int LaneCode::begin_result(bool wide) {
  if (wide) return kFirstKept;
  next_group_ = kept_[0].wide ? 0 : 1 - next_group_;
  return kFirstKept + kVectors * static_cast<int>(next_group_);
}

void LaneCode::end_result(const DecodedInstruction& r, int first, bool wide, std::size_t n) {
  const std::uint32_t row = r.dst[n];
  const auto group = static_cast<std::size_t>((first - kFirstKept) / kVectors);
  if (has_guard()) expand(guarded, offsetof(LaneContext, guarded_lanes));
  for (int i = 0; i < (wide ? kWideVectors : kVectors); ++i) {
    const Ymm result(first + i);
    const Xbyak::Address to = ptr[registers + (static_cast<int>(row) + 32 * i)];
    if (!all_lanes()) {
      const auto lanes = static_cast<std::size_t>((wide ? 16 : 32) * i) + lane_vectors();
      if (wide)
        vpmovsxdq(ymm0, at(lanes));
      else
        vmovdqa(ymm0, at(lanes));
      vmovdqa(ymm1, to);
      vpblendvb(result, ymm1, result, ymm0);
    }
    vmovdqa(to, result);
  }
  kept_[group] = {};
  if (wide || kept_[0].wide) kept_.fill({});
  forget(row, wide);
  kept_[group] = {row, wide};
}

void LaneCode::forget(std::uint32_t row, bool wide) {
  for (Kept& k : kept_)
    if (k.row != kNothing && overlap(k.row, k.wide, row, wide)) k = {};
  for (KnownAddresses& k : known_)
    if (k.row != kNothing && overlap(k.row, k.wide, row, wide)) k = {};
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

int LaneCode::find_addresses(std::uint32_t row, bool wide) const {
  if (has_guard()) return -1;
  for (std::size_t n = 0; n < known_.size(); ++n)
    if (known_[n].row == row && known_[n].wide == wide) return static_cast<int>(n);
  return -1;
}

int LaneCode::keep_addresses(std::uint32_t row, bool wide) {
  next_addresses_ = (next_addresses_ + 1) % known_.size();
  known_[next_addresses_] = has_guard() ? KnownAddresses{} : KnownAddresses{row, wide};
  return static_cast<int>(next_addresses_);
}

void LaneCode::load_kept(const KeptRows& rows) {
  for (std::size_t g = 0; g < rows.size(); ++g) {
    if (rows[g].row == kNothing) continue;
    for (int i = 0; i < (rows[g].wide ? kWideVectors : kVectors); ++i)
      vmovdqa(Ymm(kFirstKept + kVectors * static_cast<int>(g) + i),
              ptr[registers + (static_cast<int>(rows[g].row) + 32 * i)]);
  }
}

}  // namespace heddle::exec
