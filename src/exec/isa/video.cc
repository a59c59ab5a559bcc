// Video instructions: arithmetic on bytes and halves of registers, on one (vadd, vmad, ...) or on
// two and four at once (vadd2, vabsdiff4, ...).
#include <algorithm>
#include <utility>

#include "exec/isa/decode.h"
#include "exec/isa/lanes.h"

namespace heddle::exec {
namespace {

using ptx::AtomicOp;
using ptx::Compare;
using ptx::Type;
using ptx::VideoOp;
__extension__ using S128 = __int128;

// The instruction's payload and the modifiers that video instructions use.
struct Video : ptx::Video {
  U32 lanes;
  bool signed_a, signed_d, sat, clamp;
  Compare compare;
  AtomicOp second;

  explicit Video(const ptx::Instruction& i)
      : ptx::Video(i.as<ptx::Video>()),
        lanes(i.vector),
        signed_a(i.source_type == Type::s32),
        signed_d(i.type == Type::s32),
        sat(i.sat),
        clamp(i.clamp),
        compare(i.compare),
        second(i.atomic) {}
};

S128 extend(U32 v, U32 bits, bool is_signed) {
  if (bits < 32) v &= (U32{1} << bits) - 1;
  if (is_signed && v >> (bits - 1)) return static_cast<S128>(v) - (static_cast<S128>(1) << bits);
  return static_cast<S128>(v);
}
S128 clamped(S128 v, U32 bits, bool is_signed) {
  const S128 one = 1;
  return std::clamp(v, is_signed ? -(one << (bits - 1)) : S128{0},
                    (one << (is_signed ? bits - 1 : bits)) - 1);
}

bool holds(Compare op, S128 a, S128 b) {
  switch (op) {
    case Compare::eq: return a == b;
    case Compare::ne: return a != b;
    case Compare::lt: return a < b;
    case Compare::le: return a <= b;
    case Compare::gt: return a > b;
    default: return a >= b;
  }
}

S128 calculate(const Video& v, S128 a, S128 b) {
  switch (v.op) {
    case VideoOp::add: return a + b;
    case VideoOp::sub: return a - b;
    case VideoOp::absdiff: return a < b ? b - a : a - b;
    case VideoOp::min: return std::min(a, b);
    case VideoOp::max: return std::max(a, b);
    case VideoOp::avrg: return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case VideoOp::shl: return a << static_cast<int>(v.clamp ? std::min<S128>(b, 32) : b & 31);
    case VideoOp::shr: return a >> static_cast<int>(v.clamp ? std::min<S128>(b, 32) : b & 31);
    case VideoOp::mad: return a * b;
    case VideoOp::set: return holds(v.compare, a, b);
  }
  return 0;
}

// The part of a register that a selector names: distance from bit 0, and width.
std::pair<U32, U32> part_of(U32 code) {
  if (code == Video::kAll) return {0, 32};
  if (code < Video::kHalf) return {8 * (code - Video::kByte), 8};
  return {16 * (code - Video::kHalf), 16};
}
S128 select(U32 value, U32 code, bool is_signed) {
  const auto [shift, bits] = part_of(code);
  return extend(value >> shift, bits, is_signed);
}

U32 multiply_add(const Video& v, S128 product, U32 c) {
  const bool is_signed = v.signed_a || v.signed_b;
  S128 sum = product + extend(c, 32, is_signed) + (v.plus_one ? 1 : 0);
  sum >>= v.shift;
  return static_cast<U32>(v.sat ? clamped(sum, 32, is_signed) : sum);
}

U32 scalar(const Video& v, U32 a, U32 b, U32 c, bool has_c) {
  S128 value = calculate(
      v, select(a, v.parts_a, v.signed_a),
      select(b, v.parts_b, v.op == VideoOp::shl || v.op == VideoOp::shr ? false : v.signed_b));
  if (v.op == VideoOp::mad) return multiply_add(v, value, c);
  const auto [shift, bits] = part_of(v.parts_d);
  if (v.sat) value = clamped(value, bits, v.signed_d);
  const U32 word = static_cast<U32>(value);
  switch (v.second) {
    case AtomicOp::add: return word + c;
    case AtomicOp::min:
      return static_cast<U32>(std::min(extend(word, 32, v.signed_d), extend(c, 32, v.signed_d)));
    case AtomicOp::max:
      return static_cast<U32>(std::max(extend(word, 32, v.signed_d), extend(c, 32, v.signed_d)));
    default: break;
  }
  if (!has_c || bits == 32) return word;
  const U32 field = ((U32{1} << bits) - 1) << shift;
  return (c & ~field) | (word << shift & field);
}

U32 several(const Video& v, U32 a, U32 b, U32 c) {
  const U32 bits = 32 / v.lanes, ones = (U32{1} << bits) - 1;
  const U64 both = U64{b} << 32 | a;
  U32 result = c;
  for (U32 e = 0; e < v.lanes; ++e) {
    if (!(U32{v.parts_d} >> e & 1)) continue;
    const auto element = [&](U32 selector, bool is_signed) {
      return extend(static_cast<U32>(both >> (bits * (selector >> (4 * e) & 15))), bits, is_signed);
    };
    S128 value = calculate(v, element(v.parts_a, v.signed_a), element(v.parts_b, v.signed_b));
    if (v.sat) value = clamped(value, bits, v.signed_d);
    if (v.second == AtomicOp::add)
      result += static_cast<U32>(value);
    else
      result = (result & ~(ones << (bits * e))) | (static_cast<U32>(value) & ones) << (bits * e);
  }
  return result;
}

void video(Warp& w, const DecodedInstruction& r, U32 mask) {
  const Video v{ptx_of(r)};
  const bool has_c = r.src[2].present;
  lane_op<U32, U32, U32, U32>(w, r, mask, [&v, has_c](U32 a, U32 b, U32 c) {
    return v.lanes > 1 ? several(v, a, b, c) : scalar(v, a, b, c, has_c);
  });
}

}  // namespace

Handler video_handler(const ptx::Instruction&) { return video; }

}  // namespace heddle::exec
