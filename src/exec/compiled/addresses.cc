// The addresses of an access are computed for all lanes, and compared with the bounds once.
#include <algorithm>
#include <bit>

#include "exec/compiled/access.h"

namespace heddle::exec {
namespace {

using Xbyak::Label;
using Xbyak::Operand;
using Xbyak::Reg64;
using Xbyak::Ymm;

// Replaces the inactive lanes of the vector by those of `other`.
void select_lanes(LaneCode& c, const Ymm& x, const Ymm& other, int vector, const Ymm& temporary) {
  if (c.all_lanes()) return;
  c.vmovdqa(temporary, c.at(c.lane_vectors() + static_cast<std::size_t>(32 * vector)));
  c.vpblendvb(x, other, x, temporary);
}

// Addresses of 32 bits, relative to the start of the memory, into registers 0 to 3.
void load_words(LaneCode& c, const RowSource& base) {
  if (!c.all_lanes()) {
    c.tzcnt(c.eax, c.lane_mask());
    c.vpbroadcastd(
        c.ymm4,
        c.ptr[(base.base ? c.constants : c.registers) + c.rax * 4 + static_cast<int>(base.offset)]);
  }
  for (int i = 0; i < kLaneGroups; ++i) {
    c.with(base, i, [&](const Operand& s) { c.vmovdqa(Ymm(i), s); });
    select_lanes(c, Ymm(i), c.ymm4, i, c.ymm5);
  }
}

// Addresses of 64 bits, relative to that of the first active lane, which is stored. Not when
// they are 2 GiB apart.
void load_pairs(LaneCode& c, const RowSource& base, const LaneAccess& a, Label& interpret) {
  const Reg64 rows = base.base ? c.constants : c.registers;
  if (c.all_lanes()) {
    c.with(
        base, 0,
        [&](const Operand& s) {
          if (s.isMEM())
            c.mov(c.rax, c.source(base, 0));
          else
            c.vmovq(c.rax, Xbyak::Xmm(s.getIdx()));
        },
        true);
  } else {
    c.tzcnt(c.eax, c.lane_mask());
    c.mov(c.rax, c.ptr[rows + c.rax * 8 + static_cast<int>(base.offset)]);
  }
  c.mov(c.at(a.addresses + offsetof(LaneAddresses, first)), c.rax);
  c.vmovq(c.xmm4, c.rax);
  c.vpbroadcastq(c.ymm4, c.xmm4);
  c.vpxor(c.ymm7, c.ymm7, c.ymm7);
  for (int i = 0; i < kLaneGroups; ++i) {
    for (int half = 0; half < 2; ++half) {
      const Ymm x = half ? c.ymm5 : Ymm(i);
      c.with(base, 2 * i + half, [&](const Operand& s) { c.vmovdqa(x, s); }, true);
      c.vpsubq(x, x, c.ymm4);
      if (!c.all_lanes()) {
        c.vpmovsxdq(c.ymm6, c.at(c.lane_vectors() + static_cast<std::size_t>(32 * i + 16 * half)));
        c.vpand(x, x, c.ymm6);
      }
      c.vpaddq(c.ymm6, x, c.constant(offsetof(LaneConstants, half_range)));
      c.vpor(c.ymm7, c.ymm7, c.ymm6);
    }
    c.vshufps(Ymm(i), Ymm(i), c.ymm5, 0x88);
    c.vpermq(Ymm(i), Ymm(i), 0xd8);
  }
  // If this access is interpreted, later ones with its base have to be, too.
  constexpr std::uint64_t kOutside = std::uint64_t{1} << 62;
  c.mov(c.rbp, kOutside);
  c.mov(c.at(a.addresses + offsetof(LaneAddresses, greatest)), c.rbp);
  c.vptest(c.ymm7, c.constant(offsetof(LaneConstants, high_words)));
  c.jnz(interpret);
}

// The least or greatest element of registers 0 to 3 into rax; destroys register 4 and 5.
void reduce(LaneCode& c, bool greatest, bool is_signed) {
  const auto step = [&](const auto& d, const auto& x, const auto& y) {
    if (is_signed)
      greatest ? c.vpmaxsd(d, x, y) : c.vpminsd(d, x, y);
    else
      greatest ? c.vpmaxud(d, x, y) : c.vpminud(d, x, y);
  };
  step(c.ymm4, c.ymm0, c.ymm1);
  step(c.ymm5, c.ymm2, c.ymm3);
  step(c.ymm4, c.ymm4, c.ymm5);
  c.vextracti128(c.xmm5, c.ymm4, 1);
  step(c.xmm4, c.xmm4, c.xmm5);
  c.vpshufd(c.xmm5, c.xmm4, 0x4e);
  step(c.xmm4, c.xmm4, c.xmm5);
  c.vpshufd(c.xmm5, c.xmm4, 0xb1);
  step(c.xmm4, c.xmm4, c.xmm5);
  if (is_signed) {
    c.vmovd(c.eax, c.xmm4);
    c.movsxd(c.rax, c.eax);
  } else {
    c.vmovd(c.eax, c.xmm4);
  }
}

// Stores what is known of the relative addresses in registers 0 to 3.
void describe(LaneCode& c, const LaneAccess& a, bool is_signed) {
  for (int i = 0; i < kLaneGroups; ++i) c.vmovdqa(c.at(relative_addresses(a, i)), Ymm(i));
  reduce(c, false, is_signed);
  c.mov(c.at(a.addresses + offsetof(LaneAddresses, least)), c.rax);
  reduce(c, true, is_signed);
  c.mov(c.at(a.addresses + offsetof(LaneAddresses, greatest)), c.rax);
  c.vpxor(c.ymm5, c.ymm5, c.ymm5);
  c.vpxor(c.ymm6, c.ymm6, c.ymm6);
  c.vpxor(c.ymm7, c.ymm7, c.ymm7);
  for (int i = 0; i < kLaneGroups; ++i) {
    c.vpor(c.ymm7, c.ymm7, Ymm(i));
    c.vpbroadcastd(c.ymm4, c.at(relative_addresses(a, i)));
    c.vpsubd(c.ymm4, Ymm(i), c.ymm4);
    c.vpor(c.ymm5, c.ymm5, c.ymm4);
    c.vpxor(c.ymm4, c.ymm4, c.constant(offsetof(LaneConstants, word_steps)));
    c.vpor(c.ymm6, c.ymm6, c.ymm4);
  }
  c.vmovdqa(c.at(a.addresses + offsetof(LaneAddresses, bits)), c.ymm7);
  c.xor_(c.eax, c.eax);
  c.xor_(c.ebp, c.ebp);
  c.vptest(c.ymm5, c.ymm5);
  c.setnz(c.al);
  c.vptest(c.ymm6, c.ymm6);
  c.setnz(c.bpl);
  c.and_(c.ebp, c.eax);
  c.add(c.eax, c.ebp);
  c.mov(c.at(a.addresses + offsetof(LaneAddresses, pattern)), c.eax);
}

// The offsets of the access, and of those behind it in the block that have the same base and can
// be checked at once with it.
CheckedOffsets offsets_to_check(LaneCode& c, LaneAccess& a) {
  CheckedOffsets all{
      .start = a.offset, .bytes = a.total(), .begin = a.offset, .end = a.offset + a.total()};
  Pc next = c.has_guard() ? kReadInOtherBlock : c.uses().after(c.pc()).src[0];
  while (next < kReadInOtherBlock) {
    const DecodedInstruction& r = c.instruction(next);
    const RowSource& base = r.src[0];
    const LaneAccess later = access_of(r);
    const auto same = std::find_if(r.src.begin(), r.src.end(), [&](const RowSource& s) {
      return s.present && s.base == 0 && s.offset == c.instruction(c.pc()).src[0].offset;
    });
    if (same == r.src.end()) break;
    if (later.bytes != 0 && base.base == 0 && same == r.src.begin() &&
        later.is_load == a.is_load && !c.is_guarded(r) && all.aligns(later.offset, later.total())) {
      all.begin = std::min(all.begin, later.offset);
      all.end = std::max(all.end, later.offset + later.total());
      a.checks_later = true;
    }
    next = c.uses().after(next).src[static_cast<std::size_t>(same - r.src.begin())];
  }
  return all;
}

void check_alignment(LaneCode& c, const LaneAccess& a, Label& interpret) {
  if (a.total() == 1) return;
  const auto log = static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(a.total())));
  c.vmovdqa(c.ymm0, c.at(a.addresses + offsetof(LaneAddresses, bits)));
  c.vptest(c.ymm0, c.constant(offsetof(LaneConstants, low_bits) + 32 * log));
  c.jnz(interpret);
}

void check_shared(LaneCode& c, const LaneAccess& a, const CheckedOffsets& offsets,
                  Label& interpret) {
  c.mov(c.rbp, c.at(a.addresses + offsetof(LaneAddresses, greatest)));
  c.add(c.rbp, offsets.end);
  c.cmp(c.rbp, c.at(offsetof(LaneContext, shared_bytes)));
  c.ja(interpret);
  if (offsets.begin >= 0) return;
  c.mov(c.rbp, c.at(a.addresses + offsetof(LaneAddresses, least)));
  c.add(c.rbp, offsets.begin);
  c.js(interpret);
}

// In the allocation that the instruction accessed last.
void check_global(LaneCode& c, const LaneAccess& a, const CheckedOffsets& offsets,
                  Label& interpret) {
  const int near = static_cast<int>(c.pc() * sizeof(AccessRange));
  c.mov(c.rax, c.at(a.addresses + offsetof(LaneAddresses, first)));
  if (a.total() > 1) {
    c.lea(c.r13, c.ptr[c.rax + a.offset]);
    c.test(c.r13d, a.total() - 1);
    c.jnz(interpret);
  }
  c.mov(c.r14, c.at(offsetof(LaneContext, allocations)));
  c.lea(c.rbp, c.ptr[c.rax + offsets.begin]);
  c.add(c.rbp, c.at(a.addresses + offsetof(LaneAddresses, least)));
  c.cmp(c.rbp, c.ptr[c.r14 + (near + static_cast<int>(offsetof(AccessRange, first)))]);
  c.jb(interpret);
  const auto end = c.ptr[c.r14 + (near + static_cast<int>(offsetof(AccessRange, end)))];
  c.cmp(c.rbp, end);
  c.jae(interpret);
  c.lea(c.r13, c.ptr[c.rax + offsets.end]);
  c.add(c.r13, c.at(a.addresses + offsetof(LaneAddresses, greatest)));
  c.cmp(c.r13, end);
  c.ja(interpret);
  c.add(c.rax, c.ptr[c.r14 + (near + static_cast<int>(offsetof(AccessRange, host)))]);
}

// Where relative address 0 is, into rax. Goes on when all addresses are inside the memory and
// aligned.
void locate(LaneCode& c, LaneAccess& a, CheckedOffsets& checked, Label& interpret) {
  const Xbyak::Address host = c.at(a.addresses + (a.is_load ? offsetof(LaneAddresses, load_host)
                                                            : offsetof(LaneAddresses, store_host)));
  const bool known = checked.covers(a.offset, a.total());
  if (!known) {
    checked = offsets_to_check(c, a);
    check_alignment(c, a, interpret);
    if (a.in_shared)
      check_shared(c, a, checked, interpret);
    else
      check_global(c, a, checked, interpret);
  }
  if (a.in_shared)
    c.mov(c.rax, c.at(offsetof(LaneContext, shared)));
  else if (known)
    c.mov(c.rax, host);
  else if (a.checks_later)
    c.mov(host, c.rax);
}

}  // namespace

void resolve_addresses(LaneCode& c, const RowSource& base, LaneAccess& a, Label& interpret) {
  const bool wide = base.bytes == 8;
  const std::uint32_t row = base.offset + (base.base ? 0x80000000u : 0u);
  KnownAddresses& known = c.known_addresses();
  int place = c.has_guard() ? -1 : known.find(row, wide);
  const bool is_new = place < 0;
  if (is_new) {
    place = known.replace_oldest();
    if (!c.has_guard()) known.keep(place, row, wide);
  }
  a.addresses =
      offsetof(LaneContext, addresses) + static_cast<std::size_t>(place) * sizeof(LaneAddresses);
  if (is_new) {
    c.use_temporaries();
    if (!c.all_lanes()) c.store_source(base);
    if (wide)
      load_pairs(c, base, a, interpret);
    else
      load_words(c, base);
    describe(c, a, wide);
  }
  KnownAddresses::Base& at = known.at(place);
  locate(c, a, a.is_load ? at.loads : at.stores, interpret);
}

}  // namespace heddle::exec
