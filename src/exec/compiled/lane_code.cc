#include "exec/compiled/lane_code.h"

namespace heddle::exec {
namespace {

constexpr std::size_t kCodeBytes = 64 << 10;  // it grows

// Does the instruction read its sources as single precision numbers, whose NaNs are all the same?
bool reads_numbers(const DecodedInstruction& r) {
  using ptx::Opcode;
  if (ptx_of(r).type != ptx::Type::f32) return false;
  switch (ptx_of(r).opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::fma:
    case Opcode::div:
    case Opcode::sqrt:
    case Opcode::rcp:
    case Opcode::min:
    case Opcode::max:
    case Opcode::abs:
    case Opcode::neg:
    case Opcode::setp: return true;
    default: return false;
  }
}

}  // namespace

LaneCode::LaneCode(const DecodedKernel& kernel, RowUses uses)
    : CodeGenerator(kCodeBytes, Xbyak::AutoGrow),
      kernel_(kernel),
      uses_(std::move(uses)) {
  setDefaultJmpNEAR(true);
}

void LaneCode::begin_block(bool all_active) {
  all_active_ = all_active;
  kept_ = {};
  known_.clear();
}

void LaneCode::begin_instruction(const DecodedInstruction& r, Pc pc) {
  pc_ = pc;
  uses_temporaries_ = false;
  lanes_ = is_guarded(r) ? Lanes::guarded : all_active_ ? Lanes::all : Lanes::active;
  if (has_guard()) {
    load_predicate(guarded, r.guard);
    if (!all_active_) and_(guarded, active);
  }
  for (std::size_t n = 0; n < r.src.size(); ++n) prepare_source(r, n);
  // Other lanes keep what memory has.
  for (std::size_t n = 0; n < r.dst.size() && !all_lanes(); ++n)
    kept_.for_each([&](KeptRow& k, int group) {
      if (r.dst_bytes[n] && k.overlaps(r.dst[n], r.dst_bytes[n] == 8)) store(k, group);
    });
  kept_at_exit_ = kept_;
}

// What the families read from memory has to be there: words that become 64 bits, and parts of rows.
void LaneCode::prepare_source(const DecodedInstruction& r, std::size_t n) {
  const RowSource& s = r.src[n];
  if (!s.present || s.base != 0) return;
  const bool wide = s.bytes == 8;
  kept_.for_each([&](KeptRow& k, int group) {
    if (!k.overlaps(s.offset, wide)) return;
    const bool same = k.row == s.offset && k.wide == wide;
    if (same) k.after = uses_.after(pc_).src[n];
    if (!same || (!wide && r.dst_bytes[0] == 8))
      store(k, group);
    else if (!reads_numbers(r))
      make_canonical(k, group);
  });
}

void LaneCode::end_instruction() {
  kept_.for_each([&](KeptRow& k, int) {
    k.next = k.read_after(pc_);
    k.after = kReadInOtherBlock;
  });
}

void LaneCode::make_canonical(KeptRow& kept, int group) {
  for (int i = 0; i < KeptRows::kRegisters && !kept.canonical; ++i) {
    const Ymm x(KeptRows::first_register(group) + i);
    exec::make_canonical(*this, x, x, ymm0);
  }
  kept.canonical = true;
}

void LaneCode::store(KeptRow& kept, int group) {
  if (!kept.is_missing()) return;
  make_canonical(kept, group);
  for (int i = 0; i < (kept.wide ? kWideVectors : kVectors); ++i)
    vmovdqa(ptr[registers + (static_cast<int>(kept.row) + 32 * i)],
            Ymm(KeptRows::first_register(group) + i));
  kept.stored = true;
}

void LaneCode::store_all() {
  store_rows(kept_);
  kept_.for_each([](KeptRow& k, int) {
    if (k.is_missing()) k.stored = k.canonical = true;
  });
}

void LaneCode::store_rows(KeptRows rows) {
  rows.for_each([&](KeptRow& k, int group) { store(k, group); });
}

void LaneCode::use_temporaries() {
  if (uses_temporaries_) return;
  uses_temporaries_ = true;
  store(kept_.at(0), 0);
  kept_.at(0) = {};
  kept_at_exit_ = kept_;
}

void LaneCode::store_source(const RowSource& s) {
  kept_.for_each([&](KeptRow& k, int group) {
    if (s.base == 0 && k.overlaps(s.offset, s.bytes == 8)) store(k, group);
  });
  kept_at_exit_ = kept_;
}

void LaneCode::write_back(const RowSource& s) {
  KeptRows rows = kept_;
  rows.for_each([&](KeptRow& k, int group) {
    if (s.base == 0 && k.overlaps(s.offset, s.bytes == 8)) store(k, group);
  });
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

Xbyak::Ymm LaneCode::value(const RowSource& s, int i, int temporary, bool wide) {
  if (const int first = kept_in(s, wide); first >= 0) return Ymm(first + i);
  vmovdqa(Ymm(temporary), source(s, i));
  return Ymm(temporary);
}

int LaneCode::begin_result(bool wide) {
  const int group = wide ? KeptRows::kWideGroup : kept_.choose(pc_, !uses_temporaries_);
  for (int g = group; g < (wide ? KeptRows::kGroups : group + 1); ++g)
    if (kept_.at(g).read_after(pc_) != kNeverRead) store(kept_.at(g), g);
  return KeptRows::first_register(group);
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
  kept_.put((first - KeptRows::kFirstRegister) / KeptRows::kRegisters,
            {.row = row,
             .wide = wide,
             .stored = false,
             .canonical = canonical,
             .next = uses_.after(pc_).dst[n]});
}

void LaneCode::forget(std::uint32_t row, bool wide) {
  kept_.forget(row, wide);
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

void LaneCode::load_rows(const KeptRows& rows) {
  KeptRows(rows).for_each([&](const KeptRow& k, int group) {
    for (int i = 0; i < (k.wide ? kWideVectors : kVectors); ++i)
      vmovdqa(Ymm(KeptRows::first_register(group) + i),
              ptr[registers + (static_cast<int>(k.row) + 32 * i)]);
  });
}

void make_canonical(LaneCode& c, const Xbyak::Ymm& to, const Xbyak::Ymm& from,
                    const Xbyak::Ymm& temporary) {
  constexpr std::uint8_t kUnordered = 3;
  c.vcmpps(temporary, from, from, kUnordered);
  c.vblendvps(to, from, c.constant(offsetof(LaneConstants, nan)), temporary);
}

}  // namespace heddle::exec
