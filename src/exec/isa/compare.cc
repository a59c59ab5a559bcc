// Comparisons and selections: setp, set, selp, slct.
#pragma GCC optimize("O3")
#include <type_traits>

#include "exec/isa/comparison.h"
#include "exec/isa/decode.h"
#include "exec/isa/lanes.h"
#include "exec/isa/small_float.h"
#include "ptx/type_info.h"

namespace heddle::exec {
namespace {

using ptx::BoolOp;
using ptx::Compare;
using ptx::Opcode;
using ptx::Type;

template <class T, Compare kOp, bool kFtz>
U32 compare(const Warp& w, const DecodedInstruction& r) {
  return vector_test<T>(w, r, [](auto x, auto y) {
    if constexpr (kFtz)
      return test<kOp>(flush(x), flush(y));
    else
      return test<kOp>(x, y);
  });
}
// 16-bit integers. The upper halves of their lanes are undefined.
template <bool kSigned, Compare kOp>
U32 compare16(const Warp& w, const DecodedInstruction& r) {
  using T = std::conditional_t<kSigned, std::int32_t, U32>;
  return vector_test<T>(w, r,
                        [](auto x, auto y) { return test<kOp>((x << 16) >> 16, (y << 16) >> 16); });
}
bool holds(Compare op, float x, float y) {
  const bool unordered = x != x || y != y;
  switch (op) {
    case Compare::eq: return x == y;
    case Compare::ne: return !unordered && x != y;
    case Compare::lt: return x < y;
    case Compare::le: return x <= y;
    case Compare::gt: return x > y;
    case Compare::ge: return x >= y;
    case Compare::equ: return unordered || x == y;
    case Compare::neu: return x != y;
    case Compare::ltu: return unordered || x < y;
    case Compare::leu: return unordered || x <= y;
    case Compare::gtu: return unordered || x > y;
    case Compare::geu: return unordered || x >= y;
    case Compare::num: return !unordered;
    default: return unordered;
  }
}
// f16 and bf16, in the lower or the upper half of a lane.
template <class F, int kShift>
U32 compare_small(const Warp& w, const DecodedInstruction& r) {
  const auto *a = source<U32>(w, r, 0), *b = source<U32>(w, r, 1);
  const bool ftz = ptx_of(r).ftz;
  U32 bits = 0;
  for (int l = 0; l < kWarpSize; ++l) {
    const U32 x = a[l] >> kShift & 0xffff, y = b[l] >> kShift & 0xffff;
    bits |= U32{holds(ptx_of(r).compare, F::decode(ftz ? F::flush(x) : x),
                      F::decode(ftz ? F::flush(y) : y))}
            << l;
  }
  return bits;
}
bool is_pair(Type t) { return t == Type::f16x2 || t == Type::bf16x2; }
Type compared_type(const ptx::Instruction& i) {
  return i.opcode == Opcode::set && i.source_type != Type::none ? i.source_type : i.type;
}

// The integer part of the comparisons; lo, ls, hi, hs are the unsigned lt, le, gt, ge.
template <template <Compare> class Family>
CompareFunction ordered(Compare op) {
  switch (op) {
    case Compare::eq: return Family<Compare::eq>::function();
    case Compare::ne: return Family<Compare::neu>::function();
    case Compare::lt:
    case Compare::lo: return Family<Compare::lt>::function();
    case Compare::le:
    case Compare::ls: return Family<Compare::le>::function();
    case Compare::gt:
    case Compare::hi: return Family<Compare::gt>::function();
    case Compare::ge:
    case Compare::hs: return Family<Compare::ge>::function();
    default: return nullptr;
  }
}
template <template <Compare> class Family>
CompareFunction any_order(Compare op) {
  switch (op) {
    case Compare::ne: return Family<Compare::ne>::function();
    case Compare::equ: return Family<Compare::equ>::function();
    case Compare::neu: return Family<Compare::neu>::function();
    case Compare::ltu: return Family<Compare::ltu>::function();
    case Compare::leu: return Family<Compare::leu>::function();
    case Compare::gtu: return Family<Compare::gtu>::function();
    case Compare::geu: return Family<Compare::geu>::function();
    case Compare::num: return Family<Compare::num>::function();
    case Compare::nan: return Family<Compare::nan>::function();
    default: return ordered<Family>(op);
  }
}
template <Compare kOp>
struct U16Family {
  static CompareFunction function() { return compare16<false, kOp>; }
};
template <Compare kOp>
struct S16Family {
  static CompareFunction function() { return compare16<true, kOp>; }
};
template <Compare kOp>
struct U32Family {
  static CompareFunction function() { return compare<U32, kOp, false>; }
};
template <Compare kOp>
struct S32Family {
  static CompareFunction function() { return compare<std::int32_t, kOp, false>; }
};
template <Compare kOp>
struct U64Family {
  static CompareFunction function() { return compare<U64, kOp, false>; }
};
template <Compare kOp>
struct S64Family {
  static CompareFunction function() { return compare<std::int64_t, kOp, false>; }
};
template <Compare kOp>
struct F32Family {
  static CompareFunction function() { return compare<float, kOp, false>; }
};
template <Compare kOp>
struct F32FtzFamily {
  static CompareFunction function() { return compare<float, kOp, true>; }
};
template <Compare kOp>
struct F64Family {
  static CompareFunction function() { return compare<double, kOp, false>; }
};

CompareFunction function_for(Type type, Compare op, bool ftz) {
  const bool is_unsigned =
      op == Compare::lo || op == Compare::ls || op == Compare::hi || op == Compare::hs;
  switch (type) {
    case Type::s16:
      if (!is_unsigned) return ordered<S16Family>(op);
      [[fallthrough]];
    case Type::b16:
    case Type::u16: return ordered<U16Family>(op);
    case Type::s32:
      if (!is_unsigned) return ordered<S32Family>(op);
      [[fallthrough]];
    case Type::b32:
    case Type::u32: return ordered<U32Family>(op);
    case Type::s64:
      if (!is_unsigned) return ordered<S64Family>(op);
      [[fallthrough]];
    case Type::b64:
    case Type::u64: return ordered<U64Family>(op);
    case Type::f16:
    case Type::f16x2: return compare_small<HalfFloat, 0>;
    case Type::bf16:
    case Type::bf16x2: return compare_small<BrainFloat, 0>;
    case Type::f32: return ftz ? any_order<F32FtzFamily>(op) : any_order<F32Family>(op);
    case Type::f64: return any_order<F64Family>(op);
    default: return nullptr;
  }
}

U32 combine(BoolOp op, U32 result, U32 with) {
  switch (op) {
    case BoolOp::and_: return result & with;
    case BoolOp::or_: return result | with;
    case BoolOp::xor_: return result ^ with;
    case BoolOp::none: break;
  }
  return result;
}

// p = (a cmp b) op c, q = !(a cmp b) op c.
void finish_setp(Warp& w, const DecodedInstruction& r, U32 mask, U32 holds) {
  const BoolOp op = ptx_of(r).bool_op;
  if (op == BoolOp::none) {
    set_predicate(w, r.dst_predicate[0], holds, mask);
    set_predicate(w, r.dst_predicate[1], ~holds, mask);
    return;
  }
  const U32 c = predicate(w, r.src_predicate[2]);
  set_predicate(w, r.dst_predicate[0], combine(op, holds, c), mask);
  set_predicate(w, r.dst_predicate[1], combine(op, ~holds, c), mask);
}
void setp(Warp& w, const DecodedInstruction& r, U32 mask) {
  finish_setp(w, r, mask, r.compare(w, r));
}

// Pairs: one result for each half of a register.
U32 compare_upper(const Warp& w, const DecodedInstruction& r) {
  return compared_type(ptx_of(r)) == Type::f16x2 ? compare_small<HalfFloat, 16>(w, r)
                                                 : compare_small<BrainFloat, 16>(w, r);
}
void setp_pair(Warp& w, const DecodedInstruction& r, U32 mask) {
  const BoolOp op = ptx_of(r).bool_op;
  const U32 c = predicate(w, r.src_predicate[2]), low = combine(op, r.compare(w, r), c),
            high = combine(op, compare_upper(w, r), c);
  set_predicate(w, r.dst_predicate[0], low, mask);
  set_predicate(w, r.dst_predicate[1], high, mask);
}
void set_pair(Warp& w, const DecodedInstruction& r, U32 mask) {
  const BoolOp op = ptx_of(r).bool_op;
  const U32 c = predicate(w, r.src_predicate[2]), low = combine(op, r.compare(w, r), c),
            high = combine(op, compare_upper(w, r), c);
  const Type to = ptx_of(r).type;
  const U32 yes = to == Type::f16x2    ? HalfFloat::one
                  : to == Type::bf16x2 ? BrainFloat::one
                                       : 0xffff;
  alignas(64) U32 result[kWarpSize];
  for (int l = 0; l < kWarpSize; ++l)
    result[l] = (low >> l & 1 ? yes : 0) | (high >> l & 1 ? yes << 16 : 0);
  store_result(w, r, result, mask);
}
U32 true_value(Type t) {
  switch (t) {
    case Type::f32: return 0x3f800000;
    case Type::f16: return HalfFloat::one;
    case Type::bf16: return BrainFloat::one;
    case Type::u16:
    case Type::s16: return 0xffff;
    default: return ~U32{0};
  }
}

void set(Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 c = predicate(w, r.src_predicate[2]);
  const U32 holds = combine(ptx_of(r).bool_op, r.compare(w, r), c);
  const U32 yes = true_value(ptx_of(r).type);
  alignas(64) U32 result[kWarpSize];
  for (int l = 0; l < kWarpSize; ++l) result[l] = holds >> l & 1 ? yes : 0;
  store_result(w, r, result, mask);
}

template <int kBytes>
void selp(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto *a = reinterpret_cast<const __m256i*>(row(w, r.src[0])),
             *b = reinterpret_cast<const __m256i*>(row(w, r.src[1]));
  const U32 c = predicate(w, r.src_predicate[2]);
  alignas(64) __m256i result[kBytes];
#pragma GCC unroll 8
  for (int i = 0; i < kBytes; ++i)
    result[i] = _mm256_blendv_epi8(_mm256_load_si256(b + i), _mm256_load_si256(a + i),
                                   expand<kBytes>(c, i));
  store_lanes<kBytes>(w.bases[0] + r.dst[0], result, mask);
}
// c >= 0 selects a; a NaN selects b, -0 selects a.
template <class T, class C>
void slct(Warp& w, const DecodedInstruction& r, U32 m) {
  const bool ftz = ptx_of(r).ftz;
  lane_op<T, T, T, C>(w, r, m, [ftz](T a, T b, C c) {
    if constexpr (std::is_same_v<C, float>)
      if (ftz && c > -0x1p-126f && c < 0) return a;
    return c >= C{0} ? a : b;
  });
}

}  // namespace

CompareFunction compare_function(const ptx::Instruction& i) {
  return function_for(compared_type(i), i.compare, i.ftz);
}

Handler compare_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::setp: return !compare_function(i) ? nullptr : is_pair(i.type) ? setp_pair : setp;
    case Opcode::set:
      return !compare_function(i) ? nullptr : is_pair(i.source_type) ? set_pair : set;
    case Opcode::selp: return ptx::bytes_of(i.type) == 8 ? selp<8> : selp<4>;
    case Opcode::slct:
      if (i.source_type == Type::f32)
        return ptx::bytes_of(i.type) == 8 ? slct<U64, float> : slct<U32, float>;
      return ptx::bytes_of(i.type) == 8 ? slct<U64, std::int32_t> : slct<U32, std::int32_t>;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
