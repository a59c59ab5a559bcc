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

// The address of the first lane that executes the access, into the context and rax.
void load_first(LaneCode& c, const RowSource& base, const LaneAccess& a, bool wide) {
  const int bytes = wide ? 8 : 4;
  const auto load = [&](const Xbyak::RegExp& from) {
    wide ? c.mov(c.rax, c.ptr[from]) : c.mov(c.eax, c.ptr[from]);
  };
  const Reg64 rows = base.base ? c.constants : c.registers;
  const int row = static_cast<int>(base.offset);
  if (c.all_lanes()) {
    c.with(
        base, 0,
        [&](const Operand& s) {
          const Xbyak::Xmm x(s.getIdx());
          s.isMEM() ? load(rows + row) : wide ? c.vmovq(c.rax, x) : c.vmovd(c.eax, x);
        },
        wide);
  } else {
    c.tzcnt(c.eax, c.lane_mask());
    load(rows + c.rax * bytes + row);
  }
  c.mov(c.at(a.addresses + offsetof(LaneAddresses, first)), c.rax);
}

void broadcast_first(LaneCode& c, const Ymm& to, const RowSource& base, const LaneAccess& a,
                     bool wide) {
  const auto broadcast = [&](const Operand& from) {
    wide ? c.vpbroadcastq(to, from) : c.vpbroadcastd(to, from);
  };
  if (!c.all_lanes()) return broadcast(c.at(a.addresses + offsetof(LaneAddresses, first)));
  c.with(
      base, 0,
      [&](const Operand& s) {
        s.isMEM() ? broadcast(c.source(base, 0)) : broadcast(Xbyak::Xmm(s.getIdx()));
      },
      wide);
}

// Other lanes have the address of the first.
void select_lanes(LaneCode& c, const Ymm& x, int group) {
  if (!c.all_lanes()) c.vpand(x, x, c.at(c.lane_vectors() + static_cast<std::size_t>(32 * group)));
}

// Addresses of 32 bits, relative to the first, into registers 0 to 3.
void load_words(LaneCode& c, const RowSource& base, const LaneAccess& a) {
  broadcast_first(c, c.ymm4, base, a, false);
  for (int i = 0; i < kLaneGroups; ++i) {
    const Ymm x = c.value(base, i, i);
    c.vpsubd(Ymm(i), x, c.ymm4);
    select_lanes(c, Ymm(i), i);
  }
}

// Addresses of 64 bits likewise, modulo 2^32. Not when their high words differ.
void load_pairs(LaneCode& c, const RowSource& base, const LaneAccess& a, Label& interpret) {
  const auto in_order = [&](const Ymm& x) { c.vpermq(x, x, 0xd8); };
  broadcast_first(c, c.ymm6, base, a, true);
  c.vpshufd(c.ymm4, c.ymm6, 0xa0);  // low words
  c.vpshufd(c.ymm6, c.ymm6, 0xf5);
  for (int i = 0; i < kLaneGroups; ++i) {
    const Ymm x = c.value(base, 2 * i, i, true), high = i == 0 ? c.ymm7 : c.ymm5;
    c.with(
        base, 2 * i + 1,
        [&](const Operand& y) {
          c.vshufps(high, x, y, 0xdd);
          c.vshufps(Ymm(i), x, y, 0x88);
        },
        true);
    in_order(Ymm(i));
    c.vpsubd(Ymm(i), Ymm(i), c.ymm4);
    c.vpxor(high, high, c.ymm6);
    if (!c.all_lanes()) in_order(high);
    select_lanes(c, Ymm(i), i);
    select_lanes(c, high, i);
    if (i > 0) c.vpor(c.ymm7, c.ymm7, high);
  }
  c.vptest(c.ymm7, c.ymm7);
  c.jnz(interpret);
}

// Describes the relative addresses in registers 0 to 3, unless they are those of the last time.
void describe(LaneCode& c, const LaneAccess& a) {
  Label same;
  for (int i = 0; i < kLaneGroups; ++i) {
    const Ymm x = i == 0 ? c.ymm4 : c.ymm5;
    c.vpxor(x, Ymm(i), c.at(relative_addresses(a, i)));
    if (i > 0) c.vpor(c.ymm4, c.ymm4, x);
  }
  c.vptest(c.ymm4, c.ymm4);
  c.jz(same);
  c.lea(c.rbp, c.at(a.addresses));
  c.call(c.address_description());
  c.L(same);
}

// The least or greatest element of registers 0 to 3 into rax; destroys register 4 and 5.
void reduce(LaneCode& c, bool greatest) {
  const auto step = [&](const auto& d, const auto& x, const auto& y) {
    greatest ? c.vpmaxsd(d, x, y) : c.vpminsd(d, x, y);
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
  c.vmovd(c.eax, c.xmm4);
  c.movsxd(c.rax, c.eax);
}

// The offsets of the access, and of those behind it in the block that have the same base and can
// be checked at once with it.
CheckedOffsets offsets_to_check(LaneCode& c, LaneAccess& a) {
  CheckedOffsets all{
      .start = a.offset, .bytes = a.total(), .begin = a.offset, .end = a.offset + a.total()};
  const std::uint32_t row = c.instruction(c.pc()).src[0].offset;
  Pc next = c.has_guard() ? kReadInOtherBlock : c.uses().after(c.pc()).src[0];
  while (next < kReadInOtherBlock) {
    const DecodedInstruction& r = c.instruction(next);
    const LaneAccess later = access_of(r);
    const auto same = std::find_if(r.src.begin(), r.src.end(), [&](const RowSource& s) {
      return s.present && s.base == 0 && s.offset == row;
    });
    if (same == r.src.end()) break;
    if (later.bytes != 0 && same == r.src.begin() && !c.is_guarded(r)) {
      a.is_needed_later = true;
      if (later.is_load == a.is_load && all.aligns(later.offset, later.total())) {
        all.begin = std::min(all.begin, later.offset);
        all.end = std::max(all.end, later.offset + later.total());
      }
    }
    next = c.uses().after(next).src[static_cast<std::size_t>(same - r.src.begin())];
  }
  return all;
}

void check_alignment(LaneCode& c, const LaneAccess& a, Label& interpret) {
  if (a.total() == 1) return;
  const int low_bits = a.total() - 1;
  c.test(c.dword[c.context + static_cast<int>(a.addresses + offsetof(LaneAddresses, bits))],
         low_bits);
  c.jnz(interpret);
  c.lea(c.ebp, c.ptr[c.rax + a.offset]);
  c.test(c.ebp, low_bits);
  c.jnz(interpret);
}

// Are the addresses from rbp to before r13 inside the memory? rax is the first lane's.
void check_shared(LaneCode& c, Label& interpret) {
  c.test(c.rbp, c.rbp);
  c.js(interpret);
  c.cmp(c.r13, c.at(offsetof(LaneContext, shared_bytes)));
  c.jg(interpret);
  c.add(c.rax, c.at(offsetof(LaneContext, shared)));
}
// In the allocation that the instruction accessed last.
void check_global(LaneCode& c, Label& interpret) {
  const auto part = [&](std::size_t offset) {
    return c.ptr[c.r14 + static_cast<int>(c.pc() * sizeof(AccessRange) + offset)];
  };
  c.mov(c.r14, c.at(offsetof(LaneContext, allocations)));
  c.cmp(c.rbp, part(offsetof(AccessRange, first)));
  c.jb(interpret);
  c.cmp(c.rbp, part(offsetof(AccessRange, end)));
  c.jae(interpret);
  c.cmp(c.r13, part(offsetof(AccessRange, end)));
  c.ja(interpret);
  c.add(c.rax, part(offsetof(AccessRange, host)));
}

// Where relative address 0 is, into rax. Goes on when all addresses are inside the memory and
// aligned.
void locate(LaneCode& c, LaneAccess& a, CheckedOffsets& checked, Label& interpret) {
  const Xbyak::Address host = c.at(a.addresses + (a.is_load ? offsetof(LaneAddresses, load_host)
                                                            : offsetof(LaneAddresses, store_host)));
  if (checked.covers(a.offset, a.total())) return c.mov(c.rax, host);
  checked = offsets_to_check(c, a);
  c.mov(c.rax, c.at(a.addresses + offsetof(LaneAddresses, first)));
  check_alignment(c, a, interpret);
  c.mov(c.rbp, c.at(a.addresses + offsetof(LaneAddresses, least)));
  c.mov(c.r13, c.at(a.addresses + offsetof(LaneAddresses, greatest)));
  c.add(c.rbp, c.rax);
  c.add(c.r13, c.rax);
  if (!a.in_shared) {  // relative addresses are modulo 2^32
    c.mov(c.r14, c.rbp);
    c.xor_(c.r14, c.r13);
    c.shr(c.r14, 32);
    c.jnz(interpret);
  }
  c.add(c.rbp, checked.begin);
  c.add(c.r13, checked.end);
  a.in_shared ? check_shared(c, interpret) : check_global(c, interpret);
  if (a.is_needed_later) c.mov(host, c.rax);
}

// The LanePattern of registers 0 to 3, which are at rbp, too.
void find_pattern(LaneCode& c) {
  Label found;
  const auto found_if_zero = [&](const Ymm& differences, LanePattern pattern) {
    c.mov(c.eax, pattern);
    c.vptest(differences, differences);
    c.jz(found);
  };
  const auto steps = [&](int group) {
    return c.constant(offsetof(LaneConstants, word_steps) + static_cast<std::size_t>(32 * group));
  };
  c.vpor(c.ymm4, c.ymm0, c.ymm1);
  c.vpor(c.ymm5, c.ymm2, c.ymm3);
  c.vpor(c.ymm4, c.ymm4, c.ymm5);
  found_if_zero(c.ymm4, kOne);
  // Differences to adjacent words, and within the groups to words and to one address.
  for (const int sum : {5, 6, 7}) c.vpxor(Ymm(sum), Ymm(sum), Ymm(sum));
  for (int i = 0; i < kLaneGroups; ++i) {
    c.vpxor(c.ymm4, Ymm(i), steps(i));
    c.vpor(c.ymm5, c.ymm5, c.ymm4);
    c.vpbroadcastd(c.ymm4, c.ptr[c.rbp + 32 * i]);
    c.vpsubd(c.ymm4, Ymm(i), c.ymm4);
    c.vpor(c.ymm7, c.ymm7, c.ymm4);
    c.vpxor(c.ymm4, c.ymm4, steps(0));
    c.vpor(c.ymm6, c.ymm6, c.ymm4);
  }
  found_if_zero(c.ymm5, kAdjacent);
  found_if_zero(c.ymm6, kAdjacentInGroups);
  found_if_zero(c.ymm7, kOneInGroups);
  c.mov(c.eax, kScattered);
  c.L(found);
  c.mov(c.ptr[c.rbp + static_cast<int>(offsetof(LaneAddresses, pattern))], c.eax);
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
    load_first(c, base, a, wide);
    if (wide)
      load_pairs(c, base, a, interpret);
    else
      load_words(c, base, a);
    describe(c, a);
  }
  KnownAddresses::Base& at = known.at(place);
  locate(c, a, a.is_load ? at.loads : at.stores, interpret);
}

void emit_address_description(LaneCode& c) {
  const auto part = [&](std::size_t offset) { return c.ptr[c.rbp + static_cast<int>(offset)]; };
  c.L(c.address_description());
  for (int i = 0; i < kLaneGroups; ++i) c.vmovdqa(c.ptr[c.rbp + 32 * i], Ymm(i));
  reduce(c, false);
  c.mov(part(offsetof(LaneAddresses, least)), c.rax);
  reduce(c, true);
  c.mov(part(offsetof(LaneAddresses, greatest)), c.rax);
  find_pattern(c);
  c.vpor(c.ymm7, c.ymm0, c.ymm1);
  c.vpor(c.ymm6, c.ymm2, c.ymm3);
  c.vpor(c.ymm7, c.ymm7, c.ymm6);
  c.vextracti128(c.xmm4, c.ymm7, 1);
  c.vpor(c.xmm7, c.xmm7, c.xmm4);
  c.vpshufd(c.xmm4, c.xmm7, 0x4e);
  c.vpor(c.xmm7, c.xmm7, c.xmm4);
  c.vpshufd(c.xmm4, c.xmm7, 0xb1);
  c.vpor(c.xmm7, c.xmm7, c.xmm4);
  c.vmovd(c.eax, c.xmm7);
  c.mov(part(offsetof(LaneAddresses, bits)), c.eax);
  c.ret();
}

}  // namespace heddle::exec
