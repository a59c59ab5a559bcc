// Loads: groups of eight lanes that read adjacent words, or one word, read a vector at a time.
#include "exec/compiled/access.h"
#include "ptx/type_info.h"

namespace heddle::exec {
namespace {

using Xbyak::Label;
using Xbyak::Ymm;

Xbyak::Address pattern_of(LaneCode& c, const LaneAccess& a) {
  return c.dword[c.context + static_cast<int>(a.addresses + offsetof(LaneAddresses, pattern))];
}

// Words of all lanes into four registers from `first` on.
void load_elements(LaneCode& c, const LaneAccess& a, int displacement, int first) {
  Label regular, other, one, scattered, done;
  const auto in_groups = [&](auto load) {
    for (int i = 0; i < kLaneGroups; ++i) {
      c.movsxd(c.rbp, c.dword[c.context + static_cast<int>(relative_addresses(a, i))]);
      load(Ymm(first + i), c.ptr[c.rax + c.rbp + displacement]);
    }
    c.jmp(done);
  };
  static_assert(kAdjacentInGroups == 2 && kOneInGroups == 3);
  c.cmp(pattern_of(c, a), kAdjacentInGroups);
  c.jb(regular);
  c.ja(other);
  in_groups([&](const Ymm& to, const auto& from) { c.vmovdqu(to, from); });
  c.L(other);
  c.cmp(pattern_of(c, a), kOneInGroups);
  c.ja(scattered);
  in_groups([&](const Ymm& to, const auto& from) { c.vpbroadcastd(to, from); });
  c.L(regular);
  c.cmp(pattern_of(c, a), kOne);
  c.je(one);
  for (int i = 0; i < kLaneGroups; ++i)
    c.vmovdqu(Ymm(first + i), c.ptr[c.rax + (displacement + 32 * i)]);
  c.jmp(done);
  c.L(one);
  c.vpbroadcastd(Ymm(first), c.ptr[c.rax + displacement]);
  for (int i = 1; i < kLaneGroups; ++i) c.vmovdqa(Ymm(first + i), Ymm(first));
  c.jmp(done);
  c.L(scattered);
  for (int i = 0; i < kLaneGroups; ++i) {
    c.vmovdqa(c.ymm0, c.at(relative_addresses(a, i)));
    c.vpcmpeqd(c.ymm1, c.ymm1, c.ymm1);
    c.vpgatherdd(Ymm(first + i), c.ptr[c.rax + c.ymm0 + displacement], c.ymm1);
  }
  c.L(done);
}

// Elements of one or two bytes, extended to words, into registers 4 to 7.
void load_narrow_elements(LaneCode& c, const LaneAccess& a, int displacement, bool is_signed) {
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
  for (int i = 0; i < kLaneGroups; ++i)
    c.vmovdqa(Ymm(4 + i), c.at(offsetof(LaneContext, loaded) + static_cast<std::size_t>(32 * i)));
}

// The words in registers 4 to 7 as a result of 4 or 8 bytes.
void extend_words(LaneCode& c, int first, bool wide, bool is_signed) {
  for (int i = 0; i < kLaneGroups; ++i) {
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

void load_wide_elements(LaneCode& c, const LaneAccess& a, int displacement, int first) {
  for (int i = 0; i < LaneCode::kWideVectors; ++i) {
    c.vmovdqa(c.xmm0, c.at(a.addresses + offsetof(LaneAddresses, relative) +
                           static_cast<std::size_t>(16 * i)));
    c.vpcmpeqd(c.ymm1, c.ymm1, c.ymm1);
    c.vpgatherdq(Ymm(first + i), c.ptr[c.rax + c.xmm0 + displacement], c.ymm1);
  }
}

}  // namespace

void load_element(LaneCode& c, const DecodedInstruction& r, const LaneAccess& a, std::size_t v) {
  const int displacement = a.offset + static_cast<int>(v) * a.bytes;
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

}  // namespace heddle::exec
