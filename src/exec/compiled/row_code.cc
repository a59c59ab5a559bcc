#include "exec/compiled/row_code.h"

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

RowCode::RowCode(RowUses uses)
    : CodeGenerator(kCodeBytes, Xbyak::AutoGrow), uses_(std::move(uses)) {
  setDefaultJmpNEAR(true);
}

void RowCode::begin_operands(const DecodedInstruction& r, Pc pc, bool all_lanes) {
  pc_ = pc;
  uses_temporaries_ = false;
  for (std::size_t n = 0; n < r.src.size(); ++n) prepare_source(r, n);
  // Other lanes keep what memory has.
  for (std::size_t n = 0; n < r.dst.size() && !all_lanes; ++n)
    kept_.for_each([&](KeptRow& k, int group) {
      if (r.dst_bytes[n] && k.overlaps(r.dst[n], r.dst_bytes[n] == 8)) store(k, group);
    });
  kept_at_exit_ = kept_;
}

void RowCode::end_operands() {
  kept_.for_each([&](KeptRow& k, int) {
    k.next = k.read_after(pc_);
    k.after = kReadInOtherBlock;
  });
}

// What the families read from memory has to be there: words that become 64 bits, and parts of rows.
void RowCode::prepare_source(const DecodedInstruction& r, std::size_t n) {
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
      make_kept_canonical(k, group);
  });
}

void RowCode::make_kept_canonical(KeptRow& kept, int group) {
  for (int i = 0; i < KeptRows::kRegisters && !kept.canonical; ++i) {
    const Ymm x(KeptRows::first_register(group) + i);
    make_canonical(x, x, ymm0);
  }
  kept.canonical = true;
}

void RowCode::store(KeptRow& kept, int group) {
  if (!kept.is_missing()) return;
  make_kept_canonical(kept, group);
  for (int i = 0; i < (kept.wide ? kWideVectors : kVectors); ++i)
    vmovdqa(ptr[registers + (static_cast<int>(kept.row) + 32 * i)],
            Ymm(KeptRows::first_register(group) + i));
  kept.stored = true;
}

void RowCode::store_all() {
  store_rows(kept_);
  kept_.for_each([](KeptRow& k, int) {
    if (k.is_missing()) k.stored = k.canonical = true;
  });
}

void RowCode::store_rows(KeptRows rows) {
  rows.for_each([&](KeptRow& k, int group) { store(k, group); });
}

void RowCode::use_temporaries() {
  if (uses_temporaries_) return;
  uses_temporaries_ = true;
  store(kept_.at(0), 0);
  kept_.at(0) = {};
  kept_at_exit_ = kept_;
}

void RowCode::store_source(const RowSource& s) {
  kept_.for_each([&](KeptRow& k, int group) {
    if (s.base == 0 && k.overlaps(s.offset, s.bytes == 8)) store(k, group);
  });
  kept_at_exit_ = kept_;
}

void RowCode::write_back(const RowSource& s) {
  KeptRows rows = kept_;
  rows.for_each([&](KeptRow& k, int group) {
    if (s.base == 0 && k.overlaps(s.offset, s.bytes == 8)) store(k, group);
  });
}

Xbyak::Ymm RowCode::value(const RowSource& s, int i, int temporary, bool wide) {
  if (const int first = kept_in(s, wide); first >= 0) return Ymm(first + i);
  vmovdqa(Ymm(temporary), source(s, i));
  return Ymm(temporary);
}

int RowCode::begin_result(bool wide) {
  const int group = wide ? KeptRows::kWideGroup : kept_.choose(pc_, !uses_temporaries_);
  for (int g = group; g < (wide ? KeptRows::kGroups : group + 1); ++g)
    if (kept_.at(g).read_after(pc_) != kNeverRead) store(kept_.at(g), g);
  return KeptRows::first_register(group);
}

void RowCode::load_rows(const KeptRows& rows) {
  KeptRows(rows).for_each([&](const KeptRow& k, int group) {
    for (int i = 0; i < (k.wide ? kWideVectors : kVectors); ++i)
      vmovdqa(Ymm(KeptRows::first_register(group) + i),
              ptr[registers + (static_cast<int>(k.row) + 32 * i)]);
  });
}

void RowCode::keep_result(std::uint32_t row, int first, bool wide, std::size_t n, bool canonical) {
  kept_.put((first - KeptRows::kFirstRegister) / KeptRows::kRegisters,
            {.row = row,
             .wide = wide,
             .stored = false,
             .canonical = canonical,
             .next = uses_.after(pc_).dst[n]});
}

void RowCode::make_canonical(const Ymm& to, const Ymm& from, const Ymm& temporary) {
  constexpr std::uint8_t kUnordered = 3;
  vcmpps(temporary, from, from, kUnordered);
  vblendvps(to, from, constant(offsetof(LaneConstants, nan)), temporary);
}

}  // namespace heddle::exec
