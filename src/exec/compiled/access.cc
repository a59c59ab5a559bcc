// Loads and stores. The addresses of an access are compared with the bounds once; groups of eight
// lanes that access adjacent words, or one word, move a vector at a time.
#include "exec/compiled/families.h"
#include "ptx/type_info.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using ptx::Space;
using Xbyak::Label;
using Xbyak::Operand;
using Xbyak::Reg64;
using Xbyak::Ymm;

constexpr int kGroups = 4;

struct Access {
  bool in_shared = false;
  int bytes = 4, elements = 1;  // of one element
  int offset = 0;               // added to the base register
  std::size_t addresses = 0;    // in the context
  Pc pc = 0;
  int total() const { return bytes * elements; }
};

std::size_t relative(const Access& a, int vector) {
  return a.addresses + offsetof(LaneAddresses, relative) + static_cast<std::size_t>(32 * vector);
}

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
  for (int i = 0; i < kGroups; ++i) {
    c.vmovdqa(Ymm(i), c.source(base, i));
    select_lanes(c, Ymm(i), c.ymm4, i, c.ymm5);
  }
}

// Addresses of 64 bits, relative to that of the first active lane, which is stored. Not when
// they are 2 GiB apart.
void load_pairs(LaneCode& c, const RowSource& base, const Access& a, Label& interpret) {
  const Reg64 rows = base.base ? c.constants : c.registers;
  if (c.all_lanes()) {
    c.mov(c.rax, c.source(base, 0));
  } else {
    c.tzcnt(c.eax, c.lane_mask());
    c.mov(c.rax, c.ptr[rows + c.rax * 8 + static_cast<int>(base.offset)]);
  }
  c.mov(c.at(a.addresses + offsetof(LaneAddresses, first)), c.rax);
  c.vmovq(c.xmm4, c.rax);
  c.vpbroadcastq(c.ymm4, c.xmm4);
  c.vpxor(c.ymm7, c.ymm7, c.ymm7);
  for (int i = 0; i < kGroups; ++i) {
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
void describe(LaneCode& c, const Access& a, bool is_signed) {
  for (int i = 0; i < kGroups; ++i) c.vmovdqa(c.at(relative(a, i)), Ymm(i));
  reduce(c, false, is_signed);
  c.mov(c.at(a.addresses + offsetof(LaneAddresses, least)), c.rax);
  reduce(c, true, is_signed);
  c.mov(c.at(a.addresses + offsetof(LaneAddresses, greatest)), c.rax);
  c.vpxor(c.ymm5, c.ymm5, c.ymm5);
  c.vpxor(c.ymm6, c.ymm6, c.ymm6);
  c.vpxor(c.ymm7, c.ymm7, c.ymm7);
  for (int i = 0; i < kGroups; ++i) {
    c.vpor(c.ymm7, c.ymm7, Ymm(i));
    c.vpbroadcastd(c.ymm4, c.at(relative(a, i)));
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

// Goes on when all addresses are inside the memory and aligned. rax: where the relative address 0
// is, without Access::offset.
void check(LaneCode& c, const Access& a, Label& interpret) {
  const Xbyak::Address least = c.at(a.addresses + offsetof(LaneAddresses, least)),
                       greatest = c.at(a.addresses + offsetof(LaneAddresses, greatest));
  if (const int low = a.total() - 1; low > 0) {
    const int log = a.total() == 2 ? 1 : a.total() == 4 ? 2 : a.total() == 8 ? 3 : 4;
    c.vmovdqa(c.ymm0, c.at(a.addresses + offsetof(LaneAddresses, bits)));
    c.vptest(c.ymm0,
             c.constant(offsetof(LaneConstants, low_bits) + static_cast<std::size_t>(32 * log)));
    c.jnz(interpret);
  }
  if (a.in_shared) {
    c.mov(c.rbp, greatest);
    c.add(c.rbp, a.offset + a.total());
    c.cmp(c.rbp, c.at(offsetof(LaneContext, shared_bytes)));
    c.ja(interpret);
    if (a.offset < 0) {
      c.mov(c.rbp, least);
      c.add(c.rbp, a.offset);
      c.js(interpret);
    }
    c.mov(c.rax, c.at(offsetof(LaneContext, shared)));
    return;
  }
  const int near = static_cast<int>(a.pc * sizeof(AccessRange));
  c.mov(c.rax, c.at(a.addresses + offsetof(LaneAddresses, first)));
  c.lea(c.r13, c.ptr[c.rax + a.offset]);
  c.test(c.r13d, a.total() - 1);
  c.jnz(interpret);
  c.mov(c.r14, c.at(offsetof(LaneContext, allocations)));
  c.mov(c.rbp, c.r13);
  c.add(c.rbp, least);
  c.cmp(c.rbp, c.ptr[c.r14 + (near + static_cast<int>(offsetof(AccessRange, first)))]);
  c.jb(interpret);
  const auto end = c.ptr[c.r14 + (near + static_cast<int>(offsetof(AccessRange, end)))];
  c.cmp(c.rbp, end);
  c.jae(interpret);
  c.add(c.r13, greatest);
  c.add(c.r13, a.total());
  c.cmp(c.r13, end);
  c.ja(interpret);
  c.add(c.rax, c.ptr[c.r14 + (near + static_cast<int>(offsetof(AccessRange, host)))]);
}

// Words of all lanes into four registers from `first` on.
void load_elements(LaneCode& c, const Access& a, int displacement, int first) {
  Label uniform, adjacent, done;
  c.mov(c.ebp, c.at(a.addresses + offsetof(LaneAddresses, pattern)));
  c.cmp(c.ebp, 1);
  c.je(adjacent);
  c.jb(uniform);
  for (int i = 0; i < kGroups; ++i) {
    c.vmovdqa(c.ymm0, c.at(relative(a, i)));
    c.vpcmpeqd(c.ymm1, c.ymm1, c.ymm1);
    c.vpgatherdd(Ymm(first + i), c.ptr[c.rax + c.ymm0 + displacement], c.ymm1);
  }
  c.jmp(done);
  c.L(adjacent);
  for (int i = 0; i < kGroups; ++i) {
    c.movsxd(c.rbp, c.dword[c.context + static_cast<int>(relative(a, i))]);
    c.vmovdqu(Ymm(first + i), c.ptr[c.rax + c.rbp + displacement]);
  }
  c.jmp(done);
  c.L(uniform);
  for (int i = 0; i < kGroups; ++i) {
    c.movsxd(c.rbp, c.dword[c.context + static_cast<int>(relative(a, i))]);
    c.vpbroadcastd(Ymm(first + i), c.ptr[c.rax + c.rbp + displacement]);
  }
  c.L(done);
}

// Elements of one or two bytes, extended to words, into registers 4 to 7.
void load_narrow_elements(LaneCode& c, const Access& a, int displacement, bool is_signed) {
  Label next;
  const int addresses = static_cast<int>(a.addresses + offsetof(LaneAddresses, relative)),
            loaded = static_cast<int>(offsetof(LaneContext, loaded));
  c.mov(c.r14d, kWarpSize - 1);
  c.L(next);
  c.movsxd(c.rbp, c.dword[c.context + c.r14 * 4 + addresses]);
  const auto from = c.rax + c.rbp + displacement;
  if (a.bytes == 1)
    is_signed ? c.movsx(c.r13d, c.byte[from]) : c.movzx(c.r13d, c.byte[from]);
  else
    is_signed ? c.movsx(c.r13d, c.word[from]) : c.movzx(c.r13d, c.word[from]);
  c.mov(c.ptr[c.context + c.r14 * 4 + loaded], c.r13d);
  c.dec(c.r14d);
  c.jns(next);
  for (int i = 0; i < kGroups; ++i)
    c.vmovdqa(Ymm(4 + i), c.at(offsetof(LaneContext, loaded) + static_cast<std::size_t>(32 * i)));
}

// The words in registers 4 to 7 as a result of 4 or 8 bytes.
void extend_words(LaneCode& c, int first, bool wide, bool is_signed) {
  for (int i = 0; i < kGroups; ++i) {
    const int word = 4 + i;
    if (!wide) {
      c.vmovdqa(Ymm(first + i), Ymm(word));
      continue;
    }
    for (int half = 0; half < 2; ++half) {
      if (half) c.vextracti128(Xbyak::Xmm(word), Ymm(word), 1);
      const Ymm to(first + 2 * i + half);
      is_signed ? c.vpmovsxdq(to, Xbyak::Xmm(word)) : c.vpmovzxdq(to, Xbyak::Xmm(word));
    }
  }
}

void load_wide_elements(LaneCode& c, const Access& a, int displacement, int first) {
  for (int i = 0; i < LaneCode::kWideVectors; ++i) {
    c.vmovdqa(c.xmm0, c.at(a.addresses + offsetof(LaneAddresses, relative) +
                           static_cast<std::size_t>(16 * i)));
    c.vpcmpeqd(c.ymm1, c.ymm1, c.ymm1);
    c.vpgatherdq(Ymm(first + i), c.ptr[c.rax + c.xmm0 + displacement], c.ymm1);
  }
}

// The v-th element of each lane.
void load(LaneCode& c, const DecodedInstruction& r, const Access& a, std::size_t v,
          int displacement) {
  const bool wide = r.dst_bytes[v] == 8, is_signed = ptx::is_signed(ptx_of(r).type);
  const int first = c.begin_result(wide);
  if (a.bytes == 8) {
    load_wide_elements(c, a, displacement, first);
  } else if (a.bytes == 4 && !wide) {
    load_elements(c, a, displacement, first);
  } else {
    if (a.bytes == 4)
      load_elements(c, a, displacement, 4);
    else
      load_narrow_elements(c, a, displacement, is_signed);
    extend_words(c, first, wide, is_signed);
  }
  c.end_result(r, first, wide, v);
}

// One lane after the other, as the interpreter stores them.
void store_lanes_in_order(LaneCode& c, const Access& a, const RowSource& data, int displacement) {
  Label next;
  const Reg64 rows = data.base ? c.constants : c.registers;
  const int row = static_cast<int>(data.offset),
            addresses = static_cast<int>(a.addresses + offsetof(LaneAddresses, relative));
  if (c.all_lanes())
    c.mov(c.r15d, 0xffffffff);
  else
    c.mov(c.r15d, c.lane_mask());
  c.L(next);
  c.tzcnt(c.r14d, c.r15d);
  c.movsxd(c.rbp, c.dword[c.context + c.r14 * 4 + addresses]);
  if (data.bytes == 8)
    c.mov(c.r13, c.ptr[rows + c.r14 * 8 + row]);
  else
    c.mov(c.r13d, c.ptr[rows + c.r14 * 4 + row]);
  const auto to = c.rax + c.rbp + displacement;
  switch (a.bytes) {
    case 1: c.mov(c.ptr[to], c.r13b); break;
    case 2: c.mov(c.ptr[to], c.r13w); break;
    case 4: c.mov(c.ptr[to], c.r13d); break;
    default: c.mov(c.ptr[to], c.r13); break;
  }
  c.blsr(c.r15d, c.r15d);
  c.jnz(next);
}

void store_element(LaneCode& c, const Access& a, const RowSource& data, int displacement) {
  Label done, scattered;
  const bool vectors = c.all_lanes() && a.bytes == 4 && a.elements == 1 && data.bytes == 4;
  if (vectors) {
    c.cmp(c.dword[c.context + static_cast<int>(a.addresses + offsetof(LaneAddresses, pattern))], 1);
    c.jne(scattered);
    for (int i = 0; i < kGroups; ++i) {
      c.movsxd(c.rbp, c.dword[c.context + static_cast<int>(relative(a, i))]);
      c.vmovdqu(c.ptr[c.rax + c.rbp + displacement], c.value(data, i, 0));
    }
    c.jmp(done);
    c.L(scattered);
  }
  store_lanes_in_order(c, a, data, displacement);
  c.L(done);
}

// Begins to record stores (AheadStores): r15 is the place of the next, r14 what the relative
// addresses are relative to.
void begin_record(LaneCode& c, const Access& a, Label& interpret) {
  const int room = offsetof(LaneContext, room);
  c.mov(c.r14, c.at(room));
  c.mov(c.r15, c.ptr[c.r14 + static_cast<int>(offsetof(AheadStores::Room, next))]);
  c.cmp(c.r15, c.ptr[c.r14 + static_cast<int>(offsetof(AheadStores::Room, end))]);
  c.jae(interpret);
  c.mov(c.r14, c.at(a.addresses + offsetof(LaneAddresses, first)));
}

// The head of a store of `bytes` bytes at the relative address rbp; destroys rax and rbp.
void record_head(LaneCode& c, const Access& a, int bytes) {
  c.lea(c.rbp, c.ptr[c.r14 + c.rbp + a.offset]);
  c.mov(c.rax, static_cast<std::uint64_t>(bytes) << AheadStores::kSizeShift);
  c.or_(c.rax, c.rbp);
  c.mov(c.ptr[c.r15], c.rax);
}

// Records what each lane stores, one after the other.
void record_lanes(LaneCode& c, const DecodedInstruction& r, const Access& a) {
  Label next;
  constexpr int kWord = AheadStores::kWord;
  const int addresses = static_cast<int>(a.addresses + offsetof(LaneAddresses, relative));
  if (c.all_lanes())
    c.mov(c.r13d, 0xffffffff);
  else
    c.mov(c.r13d, c.lane_mask());
  c.L(next);
  c.tzcnt(c.ebp, c.r13d);
  c.movsxd(c.rbp, c.dword[c.context + c.rbp * 4 + addresses]);
  record_head(c, a, a.total());
  c.tzcnt(c.ebp, c.r13d);
  for (int v = 0; v < a.elements; ++v) {
    const RowSource& data = r.src[static_cast<std::size_t>(v) + 1];
    const Reg64 rows = data.base ? c.constants : c.registers;
    const int row = static_cast<int>(data.offset);
    if (data.bytes == 8)
      c.mov(c.rax, c.ptr[rows + c.rbp * 8 + row]);
    else
      c.mov(c.eax, c.ptr[rows + c.rbp * 4 + row]);
    const auto to = c.r15 + (kWord + v * a.bytes);
    switch (a.bytes) {
      case 1: c.mov(c.ptr[to], c.al); break;
      case 2: c.mov(c.ptr[to], c.ax); break;
      case 4: c.mov(c.ptr[to], c.eax); break;
      default: c.mov(c.ptr[to], c.rax); break;
    }
  }
  c.add(c.r15, kWord + std::max(kWord, a.total()));
  c.blsr(c.r13d, c.r13d);
  c.jnz(next);
}

// Records the stores of a CTA that runs ahead.
void record(LaneCode& c, const DecodedInstruction& r, const Access& a, Label& interpret) {
  Label done, scattered;
  begin_record(c, a, interpret);
  if (c.all_lanes() && a.total() == 4 && r.src[1].bytes == 4) {
    c.cmp(c.dword[c.context + static_cast<int>(a.addresses + offsetof(LaneAddresses, pattern))], 1);
    c.jne(scattered);
    for (int i = 0; i < kGroups; ++i) {
      c.movsxd(c.rbp, c.dword[c.context + static_cast<int>(relative(a, i))]);
      record_head(c, a, 32);
      c.vmovdqu(c.ptr[c.r15 + static_cast<int>(AheadStores::kWord)], c.value(r.src[1], i, 0));
      c.add(c.r15, 32 + static_cast<int>(AheadStores::kWord));
    }
    c.jmp(done);
    c.L(scattered);
  }
  record_lanes(c, r, a);
  c.L(done);
  c.mov(c.r14, c.at(offsetof(LaneContext, room)));
  c.mov(c.ptr[c.r14 + static_cast<int>(offsetof(AheadStores::Room, next))], c.r15);
}

// The addresses of the instruction, computed unless an earlier one had the same base.
void resolve(LaneCode& c, const RowSource& base, Access& a, Label& interpret) {
  const bool wide = base.bytes == 8;
  const std::uint32_t row = base.offset + (base.base ? 0x80000000u : 0u);
  int slot = c.find_addresses(row, wide);
  const bool known = slot >= 0;
  if (!known) slot = c.keep_addresses(row, wide);
  a.addresses =
      offsetof(LaneContext, addresses) + static_cast<std::size_t>(slot) * sizeof(LaneAddresses);
  if (!known) {
    if (wide)
      load_pairs(c, base, a, interpret);
    else
      load_words(c, base);
    describe(c, a, wide);
  }
  check(c, a, interpret);
}

// A parameter of the kernel: one value for all lanes.
bool load_parameter(LaneCode& c, const DecodedInstruction& r) {
  const isa::Instruction& in = *r.instruction;
  if (!r.uniform_pointer || in.vector != 1 || in.access_bytes < 4 ||
      in.access_bytes != r.dst_bytes[0] || c.has_guard() || r.offset < 0 ||
      r.offset % in.access_bytes != 0 || r.offset + in.access_bytes > c.parameter_bytes())
    return false;
  const bool wide = in.access_bytes == 8;
  c.mov(c.rax, c.at(offsetof(LaneContext, parameters)));
  const auto from = c.ptr[c.rax + static_cast<int>(r.offset)];
  const int first = c.begin_result(wide);
  for (int i = 0; i < (wide ? LaneCode::kWideVectors : LaneCode::kVectors); ++i)
    wide ? c.vpbroadcastq(Ymm(first + i), from) : c.vpbroadcastd(Ymm(first + i), from);
  c.end_result(r, first, wide);
  return true;
}

bool is_compiled(const DecodedInstruction& r, const Access& a) {
  const isa::Instruction& in = *r.instruction;
  const RowSource& base = r.src[0];
  if (r.uniform_pointer || !base.present || base.pair || r.machine.extra.present ||
      r.machine.address_shift != 0)
    return false;
  constexpr std::int64_t kMostOffset = 1 << 28;
  if (r.offset >= kMostOffset || r.offset <= -kMostOffset) return false;
  if (a.total() > 16 || (a.total() & (a.total() - 1)) != 0) return false;
  switch (in.space) {
    case Space::shared: return base.bytes == 4 && (r.offset & (a.total() - 1)) == 0;
    case Space::global:
    case Space::constant:
    case Space::generic: return base.bytes == 8;
    default: return false;
  }
}

}  // namespace

bool compile_access(LaneCode& code, const DecodedInstruction& r, Pc pc, Label& interpret) {
  const ptx::Instruction& in = ptx_of(r);
  const bool is_load = in.opcode == Opcode::ld || in.opcode == Opcode::ldu;
  if (!is_load && in.opcode != Opcode::st) return false;
  if (is_load && in.space == Space::param) return load_parameter(code, r);
  Access a{.in_shared = in.space == Space::shared,
           .bytes = in.access_bytes,
           .elements = in.vector,
           .pc = pc};
  if (!is_compiled(r, a)) return false;
  a.offset = static_cast<int>(r.offset);
  Label skip;
  if (code.has_guard()) {
    code.test(code.guarded, code.guarded);
    code.jz(skip);
    code.expand(code.guarded, offsetof(LaneContext, guarded_lanes));
  }
  resolve(code, r.src[0], a, interpret);
  if (!is_load && !a.in_shared) {
    Label at_once;
    code.mov(code.rbp, code.at(offsetof(LaneContext, room)));
    code.test(code.rbp, code.rbp);
    code.jz(at_once);
    record(code, r, a, interpret);
    code.jmp(skip);
    code.L(at_once);
  }
  for (std::size_t v = 0; v < in.vector; ++v) {
    const int displacement = a.offset + static_cast<int>(v) * a.bytes;
    if (!is_load) {
      store_element(code, a, r.src[v + 1], displacement);
      continue;
    }
    if (r.dst_bytes[v] == 0) continue;
    load(code, r, a, v, displacement);
    if (code.has_guard()) code.forget(r.dst[v], r.dst_bytes[v] == 8);
  }
  code.L(skip);
  return true;
}

}  // namespace heddle::exec
