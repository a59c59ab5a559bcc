// Loads and stores.
#pragma GCC optimize("O3")
#include "exec/isa/decode.h"
#include "exec/isa/memory_access.h"
#include "ptx/type_info.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using ptx::Space;

// Adds the SM's own stores that are not visible to other SMs yet.
void patch(const StoreLog& log, const Machine& m, U32 lanes, U32 offset, void* elements,
           U32 bytes) {
  for (U32 rest = lanes; rest; rest &= rest - 1) {
    const auto l = static_cast<std::size_t>(std::countr_zero(rest));
    log.patch(m.addresses[l] + offset, static_cast<U8*>(elements) + l * bytes, bytes);
  }
}

// Eight adjacent lanes, or eight lanes at one address, are one vector load.
[[gnu::always_inline]] inline void gather_words(const Located& at, U32 offset, U32* out) {
  const __m256i steps = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
  for (int i = 0; i < 4; ++i) {
    const U32 first = at.offsets[static_cast<std::size_t>(8 * i)];
    const U8* p = at.base + first + offset;
    const __m256i distance =
        _mm256_sub_epi32(_mm256_load_si256(reinterpret_cast<const __m256i*>(at.offsets.data()) + i),
                         _mm256_set1_epi32(static_cast<int>(first)));
    auto* to = reinterpret_cast<__m256i*>(out) + i;
    const __m256i unlike = _mm256_xor_si256(distance, steps);
    if (_mm256_testz_si256(unlike, unlike)) {
      _mm256_store_si256(to, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
    } else if (_mm256_testz_si256(distance, distance)) {
      U32 word;
      std::memcpy(&word, p, 4);
      _mm256_store_si256(to, _mm256_set1_epi32(static_cast<int>(word)));
    } else {
      for (int l = 8 * i; l < 8 * i + 8; ++l)
        std::memcpy(out + l, at.base + at.offsets[static_cast<std::size_t>(l)] + offset, 4);
    }
  }
}

// E is the type of the element in memory, D that of a destination lane. E's signedness decides how
// it is extended.
template <class E, class D>
void load(Warp& w, const DecodedInstruction& r, U32 mask) {
  Machine& m = *w.machine;
  const isa::Instruction& ins = *r.instruction;
  Located at;
  const bool log = !m.direct && !m.stores.empty() && ins.space != Space::param;
  locate(w, r, mask, U32{ins.vector} * sizeof(E), log, at);
  for (U32 v = 0; v < ins.vector; ++v) {
    if (r.dst_bytes[v] == 0) continue;
    const U32 offset = v * sizeof(E);
    alignas(64) E elements[kWarpSize];
    if constexpr (sizeof(E) == 4) {
      if (at.regular)
        gather_words(at, offset, reinterpret_cast<U32*>(elements));
      else
        for (int l = 0; l < kWarpSize; ++l)
          std::memcpy(&elements[l], at.pointers[static_cast<std::size_t>(l)] + offset, 4);
    } else {
      for (int l = 0; l < kWarpSize; ++l) std::memcpy(&elements[l], at.at(l) + offset, sizeof(E));
    }
    if (log && at.global_lanes) patch(m.stores, m, at.global_lanes, offset, elements, sizeof(E));
    if constexpr (sizeof(E) == sizeof(D)) {
      store_lanes<sizeof(D)>(w.bases[0] + r.dst[v], elements, mask);
    } else {
      alignas(64) D result[kWarpSize];
      for (int l = 0; l < kWarpSize; ++l) result[l] = static_cast<D>(elements[l]);
      store_lanes<sizeof(D)>(w.bases[0] + r.dst[v], result, mask);
    }
  }
}

// The most frequent load of tiled kernels: one word per lane from shared memory with all lanes
// active.
void load_shared_word(Warp& w, const DecodedInstruction& r, U32 mask) {
  if (mask != ~U32{0}) return load<U32, U32>(w, r, mask);
  const auto* base = reinterpret_cast<const __m256i*>(row(w, r.src[0]));
  const __m256i add = _mm256_set1_epi32(static_cast<int>(r.offset)),
                limit = _mm256_set1_epi32(static_cast<int>(w.machine->plain_shared_bytes - 4));
  __m256i offsets[4], most = _mm256_setzero_si256(), any = most;
  for (int i = 0; i < 4; ++i) {
    offsets[i] = _mm256_add_epi32(_mm256_load_si256(base + i), add);
    most = _mm256_max_epu32(most, offsets[i]);
    any = _mm256_or_si256(any, offsets[i]);
  }
  const __m256i inside = _mm256_cmpeq_epi32(_mm256_max_epu32(most, limit), limit);
  const bool aligned = _mm256_testz_si256(any, _mm256_set1_epi32(3));
  if (_mm256_movemask_epi8(inside) != -1 || !aligned || w.machine->plain_shared_bytes < 4)
    return load<U32, U32>(w, r, mask);
  if (w.step) {
    w.step->space = Space::shared;
    auto* to = reinterpret_cast<__m256i*>(w.step->addresses.data());
    for (int i = 0; i < 4; ++i) {
      _mm256_storeu_si256(to + 2 * i, _mm256_cvtepu32_epi64(_mm256_castsi256_si128(offsets[i])));
      _mm256_storeu_si256(to + 2 * i + 1,
                          _mm256_cvtepu32_epi64(_mm256_extracti128_si256(offsets[i], 1)));
    }
  }
  const U8* shared = w.cta->shared.data();
  auto* d = reinterpret_cast<__m256i*>(w.bases[0] + r.dst[0]);
  const __m256i steps = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
  for (int i = 0; i < 4; ++i) {
    const __m128i low = _mm256_castsi256_si128(offsets[i]);
    const U8* p = shared + static_cast<U32>(_mm_cvtsi128_si32(low));
    const __m256i distance = _mm256_sub_epi32(offsets[i], _mm256_broadcastd_epi32(low)),
                  unlike = _mm256_xor_si256(distance, steps);
    if (_mm256_testz_si256(distance, distance))
      _mm256_store_si256(d + i, _mm256_set1_epi32(*reinterpret_cast<const Lane<int>*>(p)));
    else if (_mm256_testz_si256(unlike, unlike))
      _mm256_store_si256(d + i, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
    else
      _mm256_store_si256(
          d + i, _mm256_i32gather_epi32(reinterpret_cast<const int*>(shared), offsets[i], 1));
  }
}

// True when the addresses rise by one element from lane 0 to lane 31.
bool contiguous(const Located& at, U32 bytes) {
  U32 unlike = 0;
  for (U32 l = 0; l < kWarpSize; ++l) unlike |= (at.offsets[l] - at.offsets[0]) ^ (l * bytes);
  return unlike == 0;
}

template <class E>
void store(Warp& w, const DecodedInstruction& r, U32 mask) {
  Machine& m = *w.machine;
  const isa::Instruction& ins = *r.instruction;
  Located at;
  locate(w, r, mask, U32{ins.vector} * sizeof(E), !m.direct, at);
  const U32 logged = m.direct ? 0 : at.global_lanes;
  for (U32 v = 0; v < ins.vector; ++v) {
    const U32 offset = v * sizeof(E);
    const RowSource& data = r.src[v + 1];
    const U8* lanes = row(w, data);
    const std::size_t lane_bytes = data.bytes;
    if (mask == ~U32{0} && !logged && lane_bytes == sizeof(E) && ins.vector == 1 && at.regular &&
        contiguous(at, sizeof(E))) {
      std::memcpy(at.base + at.offsets[0], lanes, kWarpSize * sizeof(E));
      continue;
    }
    for (U32 rest = mask; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const auto l = static_cast<std::size_t>(lane);
      if (logged >> lane & 1)
        m.stores.store(m.addresses[l] + offset, lanes + l * lane_bytes, sizeof(E));
      else
        std::memcpy(at.at(lane) + offset, lanes + l * lane_bytes, sizeof(E));
    }
  }
}

// Reports the addresses; reads nothing.
void prefetch(Warp& w, const DecodedInstruction& r, U32) {
  if (!w.step) return;
  w.step->space = r.instruction->space == Space::generic ? Space::global : r.instruction->space;
  raw_addresses(w, r, w.step->addresses);
}

}  // namespace

Handler memory_handler(const ptx::Instruction& i) {
  if (i.opcode == Opcode::prefetch) return prefetch;
  if (i.opcode == Opcode::st) {
    switch (i.access_bytes) {
      case 1: return store<U8>;
      case 2: return store<std::uint16_t>;
      case 4: return store<U32>;
      case 8: return store<U64>;
      default: return nullptr;
    }
  }
  if (i.opcode != Opcode::ld && i.opcode != Opcode::ldu) return nullptr;
  int bytes = 4;
  for (const ptx::Operand& d : i.dst)
    if (d) bytes = d.bytes;
  const bool wide = bytes == 8, s = ptx::is_signed(i.type);
  switch (i.access_bytes) {
    case 1:
      return s ? (wide ? load<std::int8_t, U64> : load<std::int8_t, U32>)
               : (wide ? load<U8, U64> : load<U8, U32>);
    case 2:
      return s ? (wide ? load<std::int16_t, U64> : load<std::int16_t, U32>)
               : (wide ? load<std::uint16_t, U64> : load<std::uint16_t, U32>);
    case 4:
      if (i.space == Space::shared && i.vector == 1 && !wide && i.dst[0] && i.src[0] &&
          i.src[0].bytes == 4)
        return load_shared_word;
      return !wide ? load<U32, U32> : s ? load<std::int32_t, U64> : load<U32, U64>;
    case 8: return load<U64, U64>;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
