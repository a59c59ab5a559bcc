// Products are exact. Floating-point sums begin with D, and are rounded to nearest after each
// product, in the order of k; a half is rounded to once more at the end. docs/model.md says where a
// GPU differs.
#pragma GCC optimize("O3")
#include "exec/isa/warpgroup_product.h"

#include <bit>
#include <utility>

#include "exec/fault.h"
#include "exec/isa/decode.h"
#include "exec/isa/matrix.h"
#include "exec/isa/matrix_product.h"

namespace heddle::exec {
namespace {

using ptx::Type;

constexpr U32 kRows = 16, kColumns = 256, kChunk = 16 /* bytes */, kDepth = 64;
constexpr U32 kWordsOfBits = 8;

using Chunk = std::array<U32, kChunk / 4>;

struct BitElements {  // 32 of them in a register
  using Register = U32;
  using Sum = std::int64_t;
  static constexpr U32 packed = 1;
};

// A column of B or a row of A: chunks of 16 bytes in shared memory.
class SharedMatrix {
 public:
  SharedMatrix(const Warp& w, const DecodedInstruction& r, U64 descriptor, bool transposed)
      : w_(w), r_(r), descriptor_(descriptor), transposed_(transposed) {
    if (descriptor_.base_offset != 0)
      throw_trap(w, r, 0, "a matrix descriptor with a base offset, which is not supported");
  }
  Chunk chunk(U32 line, U32 number) const {
    const U32 address = descriptor_.address(line, number, transposed_);
    const U32 size = w_.machine->shared_bytes;
    if (address > size || size - address < kChunk)
      throw_out_of_bounds(w_, r_, 0, isa::Space::shared, address, kChunk, size);
    Chunk out;
    std::memcpy(out.data(), w_.cta->shared.data() + address, kChunk);
    return out;
  }
  // Calls f(line, k, value) for the elements of lines first to first + lines - 1.
  template <class E, class F>
  void for_each(U32 first, U32 lines, U32 k, F f) const {
    constexpr U32 kElements = kChunk / 4 * E::packed;
    const U32 outer = transposed_ ? k : lines, inner = transposed_ ? lines : k;
    for (U32 o = 0; o < outer; ++o)
      for (U32 i = 0; i < inner; i += kElements) {
        const Chunk c =
            transposed_ ? chunk(o, (first + i) / kElements) : chunk(first + o, i / kElements);
        for (U32 e = 0; e < kElements; ++e) {
          const auto value = E::decode(c[e / E::packed], e % E::packed);
          transposed_ ? f(i + e, o, value) : f(o, i + e, value);
        }
      }
  }

 private:
  const Warp& w_;
  const DecodedInstruction& r_;
  MatrixDescriptor descriptor_;
  bool transposed_;
};

U32 first_row(const Warp& w) { return w.warp_in_cta % kWarpsInWarpgroup * kRows; }

template <class Sum>
struct Product {
  alignas(32) Sum a[kRows][kDepth];
  alignas(32) Sum b[kDepth][kColumns];
  alignas(32) Sum d[kRows][kColumns];
};

template <class F>
void for_each_sum(const WarpgroupProduct& p, U32 packed, F f) {
  for (U32 reg = 0; reg < p.n / 2 / packed; ++reg)
    for (U32 lane = 0; lane < kWarpSize; ++lane)
      for (U32 e = 0; e < packed; ++e)
        f(place_in_c(kRows, packed, lane, reg, e), p.d[reg][lane], e);
}

void read_d(const WarpgroupProduct& p, Product<float>& x) {
  const bool halves = p.type_d == Type::f16;
  for_each_sum(p, halves ? 2 : 1, [&](MatrixPlace at, U32 word, U32 e) {
    x.d[at.row][at.column] = halves ? decode_half(word >> (16 * e)) : std::bit_cast<float>(word);
  });
}
void read_d(const WarpgroupProduct& p, Product<std::int64_t>& x) {
  for_each_sum(p, 1, [&](MatrixPlace at, U32 word, U32) {
    x.d[at.row][at.column] = static_cast<std::int32_t>(word);
  });
}
void write_d(const WarpgroupProduct& p, const Product<float>& x) {
  const bool halves = p.type_d == Type::f16;
  for_each_sum(p, halves ? 2 : 1, [&](MatrixPlace at, U32& word, U32 e) {
    const float sum = x.d[at.row][at.column];
    if (!halves) {
      word = std::bit_cast<U32>(canonical(sum));
      return;
    }
    const U32 half = encode(kHalf, sum, ptx::Rounding::rn);
    word = e == 0 ? half : word | half << 16;
  });
}
void write_d(const WarpgroupProduct& p, const Product<std::int64_t>& x) {
  using Limits = std::numeric_limits<std::int32_t>;
  for_each_sum(p, 1, [&](MatrixPlace at, U32& word, U32) {
    std::int64_t sum = x.d[at.row][at.column];
    if (p.saturates) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
    word = static_cast<U32>(sum);
  });
}

// column_of(row, element): where an element of A stands in its row.
template <class Sum, class ColumnOf>
void add_product(const WarpgroupProduct& p, Product<Sum>& x, ColumnOf column_of) {
  for (U32 m = 0; m < kRows; ++m)
    for (U32 e = 0; e < p.depth_of_a(); ++e) {
      const Sum(&row_of_b)[kColumns] = x.b[column_of(m, e)];
      for (U32 n = 0; n < p.n; ++n) x.d[m][n] = multiply_add(x.a[m][e], row_of_b[n], x.d[m][n]);
    }
}

template <class A, class B>
void multiply_elements(const Warp& w, const DecodedInstruction& r, const WarpgroupProduct& p) {
  using Sum = typename A::Sum;
  Product<Sum> x;
  const Sum sign_a = p.negate_a ? -1 : 1, sign_b = p.negate_b ? -1 : 1;
  if (p.a_in_shared)
    SharedMatrix(w, r, p.a_descriptor, p.transpose_a)
        .for_each<A>(first_row(w), kRows, p.depth_of_a(),
                     [&](U32 row, U32 k, Sum value) { x.a[row][k] = value * sign_a; });
  else
    for (U32 reg = 0; reg < p.a.size(); ++reg)
      for (U32 lane = 0; lane < kWarpSize; ++lane)
        for (U32 e = 0; e < A::packed; ++e) {
          const MatrixPlace at = place_in_a(kRows, p.depth_of_a(), A::packed, lane, reg, e);
          x.a[at.row][at.column] = A::decode(p.a[reg][lane], e) * sign_a;
        }
  SharedMatrix(w, r, p.b_descriptor, p.transpose_b)
      .for_each<B>(0, p.n, p.k,
                   [&](U32 column, U32 k, Sum value) { x.b[k][column] = value * sign_b; });
  if (p.adds_to_d)
    read_d(p, x);
  else
    for (auto& row : x.d) std::fill_n(row, p.n, Sum{});
  if (p.sparse)
    add_product(p, x,
                [columns = SparseColumns(p.k, A::packed, p.metadata, p.selector)](
                    U32 row, U32 element) { return columns.of(row, element); });
  else
    add_product(p, x, [](U32, U32 element) { return element; });
  write_d(p, x);
}

void multiply_bits_of_group(const Warp& w, const DecodedInstruction& r, const WarpgroupProduct& p) {
  Product<std::int64_t> x;
  std::array<std::array<U32, kWordsOfBits>, kRows> a{};
  constexpr U32 kChunks = 2;
  if (p.a_in_shared) {
    const SharedMatrix shared(w, r, p.a_descriptor, false);
    for (U32 row = 0; row < kRows; ++row)
      for (U32 c = 0; c < kChunks; ++c) {
        const Chunk words = shared.chunk(first_row(w) + row, c);
        std::copy(words.begin(), words.end(), a[row].begin() + 4 * c);
      }
  } else {
    for (U32 reg = 0; reg < p.a.size(); ++reg)
      for (U32 lane = 0; lane < kWarpSize; ++lane) {
        const MatrixPlace at = place_in_a(kRows, kWordsOfBits, 1, lane, reg, 0);
        a[at.row][at.column] = p.a[reg][lane];
      }
  }
  if (p.adds_to_d)
    read_d(p, x);
  else
    for (auto& row : x.d) std::fill_n(row, p.n, 0);
  const SharedMatrix b(w, r, p.b_descriptor, false);
  for (U32 n = 0; n < p.n; ++n)
    for (U32 c = 0; c < kChunks; ++c) {
      const Chunk words = b.chunk(n, c);
      for (U32 m = 0; m < kRows; ++m)
        for (U32 k = 0; k < words.size(); ++k)
          x.d[m][n] += std::popcount(a[m][4 * c + k] & words[k]);
    }
  write_d(p, x);
}

using Multiply = void (*)(const Warp&, const DecodedInstruction&, const WarpgroupProduct&);

Multiply multiply_of(Type a, Type b) {
  using E4m3 = Eighth<decode_e4m3>;
  using E5m2 = Eighth<decode_e5m2>;
  using S8 = Integer8<std::int8_t>;
  using U8 = Integer8<std::uint8_t>;
  switch (a) {
    case Type::f16: return multiply_elements<HalfElements, HalfElements>;
    case Type::bf16: return multiply_elements<BrainElements, BrainElements>;
    case Type::tf32: return multiply_elements<Tensor32Elements, Tensor32Elements>;
    case Type::e4m3:
      return b == Type::e4m3 ? multiply_elements<E4m3, E4m3> : multiply_elements<E4m3, E5m2>;
    case Type::e5m2:
      return b == Type::e4m3 ? multiply_elements<E5m2, E4m3> : multiply_elements<E5m2, E5m2>;
    case Type::s8: return b == Type::s8 ? multiply_elements<S8, S8> : multiply_elements<S8, U8>;
    case Type::u8: return b == Type::s8 ? multiply_elements<U8, S8> : multiply_elements<U8, U8>;
    case Type::b1: return multiply_bits_of_group;
    default: return nullptr;
  }
}

void multiply_warpgroup(Warp& w, const DecodedInstruction& r, U32 mask) {
  need_whole_warp(w, r, mask);
  const ptx::Instruction& i = ptx_of(r);
  WarpgroupProduct p(i);
  p.a_in_shared = r.src[0].present;
  if (p.a_in_shared) p.a_descriptor = source<U64>(w, r, 0)[0];
  p.b_descriptor = source<U64>(w, r, 1)[0];
  p.adds_to_d = predicate(w, r.src_predicate[p.sparse ? 3 : 2]) != 0;
  if (p.sparse) p.metadata = source<U32>(w, r, 2);
  if (!p.a_in_shared)
    for (U32 reg = 0; reg < p.a.size(); ++reg)
      p.a[reg] = fragment_row<U32>(std::as_const(w), fragments(w, r).src[reg]);
  const auto& accumulators = ptx_kernel(*w.machine).accumulators[i.as<ptx::Wgmma>().accumulators];
  for (std::size_t reg = 0; reg < accumulators.size(); ++reg)
    p.d[reg] = fragment_row<U32>(w, accumulators[reg]);
  multiply_by_warpgroup(w, r, p);
}

}  // namespace

WarpgroupProduct::WarpgroupProduct(const ptx::Instruction& i) {
  const auto& wgmma = i.as<ptx::Wgmma>();
  n = wgmma.n, k = wgmma.k;
  type_a = i.source_type, type_b = wgmma.type_b, type_d = i.type;
  transpose_a = wgmma.transpose_a, transpose_b = wgmma.transpose_b;
  negate_a = wgmma.negate_a, negate_b = wgmma.negate_b;
  saturates = i.satfinite;
  sparse = wgmma.sparse, selector = wgmma.selector;
}

MatrixDescriptor::MatrixDescriptor(U64 word) {
  const auto field = [word](int first) { return static_cast<U32>(word >> first & 0x3fff) << 4; };
  start = field(0), leading = field(16), stride = field(32);
  base_offset = word >> 49 & 7;
  constexpr std::array<U32, 4> kRowBytes = {16, 128, 64, 32};
  row_bytes = kRowBytes[word >> 62];
}

U32 MatrixDescriptor::address(U32 line, U32 chunk, bool transposed) const {
  constexpr U32 kCoreRows = 8;
  const bool swizzled = row_bytes > kChunk;
  const U32 in_core = line % kCoreRows, core = line / kCoreRows;
  const U32 width = row_bytes / kChunk;
  U32 at = start + in_core * row_bytes;
  if (!transposed) {
    at += core * stride + chunk % width * kChunk + chunk / width * leading;
  } else {
    at += chunk % width * kChunk + chunk / width * (swizzled ? leading : stride) +
          core * (swizzled ? stride : leading);
  }
  // The chunk's number within the row changes by exclusive or with that of the row.
  return at ^ (at >> 3 & (row_bytes - kChunk));
}

void multiply_by_warpgroup(const Warp& w, const DecodedInstruction& r, const WarpgroupProduct& p) {
  if (w.cta->warps.size() <
      w.warp_in_cta / kWarpsInWarpgroup * kWarpsInWarpgroup + kWarpsInWarpgroup)
    throw_trap(w, r, 0, "a product by a warpgroup that has fewer than four warps");
  multiply_of(p.type_a, p.type_b)(w, r, p);
}

Handler warpgroup_handler(const ptx::Instruction&) { return multiply_warpgroup; }

}  // namespace heddle::exec
