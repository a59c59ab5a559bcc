// Products of matrices by a warpgroup, compared with a multiplication on the host, functionally and
// step by step. The layouts in shared memory follow CUTLASS (mma_traits_sm90_gmma.hpp), those of
// fragments the PTX manual, not src/exec.
#include <gtest/gtest.h>

#include <random>

#include "exec/isa/small_float.h"
#include "tests/conformance/kernels.h"
#include "tests/error_message.h"

namespace heddle::conformance {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr U32 kBytes = 128 * 1024, kPlaceOfB = 64 * 1024, kRows = 64, kGroupThreads = 128;
constexpr int kBytesOfK = 32;

// Where an element is, from the start of its matrix.
struct Layout {
  int row;              // bytes that are swizzled: 16 (none), 32, 64, 128
  int leading, stride;  // bytes
  bool transposed = false;
  int place(int line, int byte_of_k) const {
    const int width = row / 16;
    const bool swizzled = width > 1;
    if (!transposed)
      return line % 8 * row + line / 8 * stride + byte_of_k % 16 +
             byte_of_k / 16 * (swizzled ? 16 : leading);
    const int k = byte_of_k / 2;
    return line % 8 * 2 + byte_of_k % 2 + line / 8 % width * 16 +
           line / 8 / width * (swizzled ? leading : stride) + k % 8 * row +
           k / 8 * (swizzled ? stride : leading);
  }
  int swizzle(int address) const { return address ^ (address >> 3 & (row - 16)); }
  U64 descriptor(U32 address) const {
    const U64 mode = row == 128 ? 1 : row == 64 ? 2 : row == 32 ? 3 : 0;
    return address >> 4 | static_cast<U64>(leading >> 4) << 16 |
           static_cast<U64>(stride >> 4) << 32 | mode << 62;
  }
};
constexpr Layout kPlain{16, 128, 256}, k32{32, 16, 256}, k64{64, 16, 512}, k128{128, 16, 1024};
constexpr Layout kPlainTransposed{16, 4096, 128, true}, k32Transposed{32, 512, 256, true},
    k64Transposed{64, 1024, 512, true}, k128Transposed{128, 2048, 1024, true};

struct Wgmma {
  std::string types = "f32.f16.f16";  // of D, A and B
  int n = 64;
  Layout a = k128, b = k128;
  bool a_in_registers = false;
  int sign_a = 1, sign_b = 1;
  bool adds = true, saturates = false;
  U32 at_a = 0, at_b = kPlaceOfB;
  U32 descriptor_is_off = 0;  // bytes
  bool sparse = false;        // two of four elements of A are stored, of tf32 one of two
  int selector = 0;           // the lanes of a quad that have the metadata
};

std::string type(const std::string& types, int number) {
  std::size_t at = 0;
  for (; number > 0; --number) at = types.find('.', at) + 1;
  return types.substr(at, types.find('.', at) - at);
}
int bits_of(const std::string& t) {
  if (t == "b1") return 1;
  return t == "tf32" ? 32 : t == "f16" || t == "bf16" ? 16 : 8;
}
U32 encoded(const std::string& t, int x) {
  if (t == "f16") return exec::encode(exec::kHalf, x, ptx::Rounding::rn);
  if (t == "bf16") return exec::encode(exec::kBrain, x, ptx::Rounding::rn);
  if (t == "e4m3") return exec::encode(exec::kE4m3, x, ptx::Rounding::rn);
  if (t == "e5m2") return exec::encode(exec::kE5m2, x, ptx::Rounding::rn);
  if (t == "tf32") return std::bit_cast<U32>(static_cast<float>(x));
  return static_cast<std::uint8_t>(x);
}

class Problem {
 public:
  explicit Problem(const Wgmma& w)
      : w_(w),
        type_d_(type(w.types, 0)),
        type_a_(type(w.types, 1)),
        type_b_(type(w.types, 2)),
        k_(kBytesOfK * 8 / bits_of(type_a_) * (w.sparse ? 2 : 1)),
        a_(kRows * static_cast<std::size_t>(k_)),
        b_(static_cast<std::size_t>(w.n * k_)) {
    std::mt19937 random(static_cast<unsigned>(w.n));
    const bool bits = type_a_ == "b1", natural = type_a_ == "u8";
    for (auto* part : {&a_, &b_})
      for (int& x : *part)
        x = bits ? static_cast<int>(random() % 2)
                 : static_cast<int>(random() % 9) - (natural ? 0 : 4);
    if (w.sparse) select_elements(random);
  }

  std::vector<U32> image() const {
    std::vector<std::uint8_t> bytes(kBytes, 0x55);
    const auto put = [&](const std::vector<int>& m, int depth, const std::string& t,
                         const Layout& l, U32 at) {
      const int bits = bits_of(t);
      for (std::size_t i = 0; i < m.size(); ++i) {
        const int line = static_cast<int>(i) / depth, bit = static_cast<int>(i) % depth * bits;
        const U32 code = encoded(t, m[i]);
        for (int byte = 0; byte < std::max(1, bits / 8); ++byte) {
          auto& to = bytes.at(static_cast<std::size_t>(
              l.swizzle(static_cast<int>(at) + l.place(line, bit / 8 + byte))));
          if (bits >= 8)
            to = static_cast<std::uint8_t>(code >> (8 * byte));
          else
            to = static_cast<std::uint8_t>((to & ~(1u << bit % 8)) | code << bit % 8);
        }
      }
    };
    const std::vector<int>& a = w_.sparse ? stored_ : a_;
    const int depth_of_a = static_cast<int>(a.size() / kRows);
    if (!w_.a_in_registers) put(a, depth_of_a, type_a_, w_.a, w_.at_a);
    put(b_, k_, type_b_, w_.b, w_.at_b);
    std::vector<U32> words(kBytes / 4 + 5 * kGroupThreads);
    std::memcpy(words.data(), bytes.data(), kBytes);
    // The registers of A: rows of 16 per warp, pairs of 8 rows, then k.
    const int per = 32 / bits_of(type_a_);
    for (U32 t = 0; t < kGroupThreads && w_.a_in_registers; ++t)
      for (U32 reg = 0; reg < 4; ++reg)
        for (int e = 0; e < per; ++e) {
          const U32 row = t / 32 * 16 + t % 32 / 4 + reg % 2 * 8;
          const int k = static_cast<int>(reg / 2 * 4 + t % 4) * per + e;
          words[kBytes / 4 + reg * kGroupThreads + t] |=
              encoded(type_a_, a[row * static_cast<U32>(depth_of_a) + static_cast<U32>(k)])
              << (e * bits_of(type_a_));
        }
    for (U32 t = 0; t < kGroupThreads; ++t) words[kBytes / 4 + 4 * kGroupThreads + t] = metadata(t);
    return words;
  }

  int registers() const { return w_.n / (type_d_ == "f16" ? 4 : 2); }
  // D holds the register's number before.
  double before(U32 reg) const { return type_d_ == "f16" ? 0 : static_cast<double>(reg); }

  std::string body() const {
    const std::string kind = type_d_ == "f32" ? "f32" : "b32";
    std::string text = ".shared .align 1024 .b8 tile[" + std::to_string(kBytes) + "];\n .reg ." +
                       kind +
                       " %d<128>; .reg .b32 %a<4>, %e; .reg .b64 %da, %db;\n"
                       "mul.wide.u32 %rd3, %i, 4; add.u64 %rd4, %in, %rd3; mov.u32 %r5, tile; "
                       "mad.lo.u32 %r5, %i, 4, %r5; mov.u32 %r6, 0;\n"
                       "COPY: ld.global.u32 %r7, [%rd4]; st.shared.u32 [%r5], %r7; add.u64 %rd4, "
                       "%rd4, 512; add.u32 %r5, %r5, 512; add.u32 %r6, %r6, 512; setp.lt.u32 %p1, "
                       "%r6, " +
                       std::to_string(kBytes) + "; @%p1 bra COPY;\n";
    for (int r = 0; r < 4; ++r)
      text +=
          "ld.global.u32 %a" + std::to_string(r) + ", [%rd4+" + std::to_string(r * 512) + "];\n";
    text += "ld.global.u32 %e, [%rd4+2048];\n";
    for (int r = 0; r < registers(); ++r)
      text += "mov." + kind + " %d" + std::to_string(r) + ", " + initial(r) + ";\n";
    text += "fence.proxy.async; bar.sync 0;\n mov.u64 %da, " +
            std::to_string(w_.a.descriptor(w_.at_a + w_.descriptor_is_off)) + "; mov.u64 %db, " +
            std::to_string(w_.b.descriptor(w_.at_b)) + ";\n setp.eq.u32 %p2, %i, " +
            (w_.adds ? "%i" : "9999") + ";\n wgmma.fence.sync.aligned;\n" + instruction() +
            "\n wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n";
    for (int r = 0; r < registers(); ++r)
      text += "st.global." + kind + " [%x+" + std::to_string(r * 512) + "], %d" +
              std::to_string(r) + ";\n";
    return text;
  }

  double expected(U32 thread, U32 reg, U32 part) const {
    const bool halves = type_d_ == "f16";
    const U32 e = halves ? reg * 2 + part : reg;
    const U32 row = thread / 32 * 16 + thread % 32 / 4 + e / 2 % 2 * 8,
              column = e / 4 * 8 + thread % 4 * 2 + e % 2;
    double sum = w_.adds ? before(reg) : 0;
    for (U32 l = 0; l < static_cast<U32>(k_); ++l)
      sum += w_.sign_a * w_.sign_b * a_[row * static_cast<U32>(k_) + l] *
             b_[column * static_cast<U32>(k_) + l];
    return sum;
  }
  double number(U32 word, U32 part) const {
    if (type_d_ == "f16") return exec::decode_half(word >> (16 * part));
    return type_d_ == "f32" ? std::bit_cast<float>(word) : static_cast<std::int32_t>(word);
  }

 private:
  int group() const { return bits_of(type_a_) == 32 ? 2 : 4; }
  void select_elements(std::mt19937& random) {
    for (std::size_t first = 0; first < a_.size(); first += static_cast<std::size_t>(group())) {
      std::vector<std::size_t> places = {0, 1, 2, 3};
      places.resize(static_cast<std::size_t>(group()));
      std::shuffle(places.begin(), places.end(), random);
      const std::size_t kept = places.size() / 2;
      for (std::size_t n = kept; n < places.size(); ++n) a_[first + places[n]] = 0;
      std::sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(kept));
      for (std::size_t n = 0; n < kept; ++n)
        stored_.push_back(a_[first + places[n]]), places_.push_back(places[n]);
    }
  }
  // Two bits for each stored element of a row, four of tf32 (4 or 14).
  U64 bits_of_row(U32 row) const {
    const auto stored = static_cast<U32>(k_) / 2;
    U64 bits = 0;
    for (U32 n = 0; n < stored; ++n) {
      const U64 place = places_[row * stored + n];
      bits |= group() == 2 ? U64{place ? 14u : 4u} << (4 * n) : place << (2 * n);
    }
    return bits;
  }
  // Halves and tf32: the lower half is of a row, the upper one of the row 8 below, in two lanes.
  // Bytes: words of a row and of the row 8 below, in four lanes.
  U32 metadata(U32 thread) const {
    if (!w_.sparse) return 0;
    const U32 lane = thread % 4, row = thread / 32 * 16 + thread % 32 / 4;
    if (bits_of(type_a_) == 8)
      return static_cast<U32>(bits_of_row(row + lane % 2 * 8) >> (lane / 2 * 32));
    if (lane / 2 != static_cast<U32>(w_.selector)) return ~0u;
    const auto half = [&](U32 r) {
      return static_cast<U32>(bits_of_row(r) >> (lane % 2 * 16) & 0xffff);
    };
    return half(row) | half(row + 8) << 16;
  }
  std::string initial(int r) const {
    if (type_d_ == "f16") return "0";
    if (type_d_ == "s32") return std::to_string(r);
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "0f%08x", std::bit_cast<U32>(static_cast<float>(r)));
    return text.data();
  }
  std::string instruction() const {
    std::string d;
    for (int r = 0; r < registers(); ++r) d += (r ? ", %d" : "%d") + std::to_string(r);
    const std::string shape = "m64n" + std::to_string(w_.n) + "k" + std::to_string(k_) + ".";
    std::string text = std::string("wgmma.mma_async.") + (w_.sparse ? "sp." : "") +
                       "sync.aligned." + shape + (w_.saturates ? "satfinite." : "") + w_.types +
                       (type_a_ == "b1" ? ".and.popc" : "") + " {" + d + "}, " +
                       (w_.a_in_registers ? "{%a0, %a1, %a2, %a3}" : "%da") + ", %db, " +
                       (w_.sparse ? "%e, " + std::to_string(w_.selector) + ", " : "") + "%p2";
    if (type_d_ == "s32") return text + ";";
    text += ", " + std::to_string(w_.sign_a) + ", " + std::to_string(w_.sign_b);
    if (bits_of(type_a_) != 16) return text + ";";
    if (!w_.a_in_registers) text += w_.a.transposed ? ", 1" : ", 0";
    return text + (w_.b.transposed ? ", 1;" : ", 0;");
  }

  Wgmma w_;
  std::string type_d_, type_a_, type_b_;
  int k_;
  std::vector<int> a_, b_;
  // Of a sparse A: the elements that are stored, and their places in their groups.
  std::vector<int> stored_;
  std::vector<std::size_t> places_;
};

class Warpgroups : public testing::TestWithParam<bool> {
 protected:
  std::vector<U32> run(const Wgmma& w) {
    const Problem problem(w);
    return run_kernel(problem.body(), 1, kGroupThreads,
                      static_cast<std::size_t>(problem.registers()) * kGroupThreads,
                      problem.image(), GetParam());
  }
  void check(const Wgmma& w) {
    SCOPED_TRACE(w.types + " n" + std::to_string(w.n) + " swizzles " + std::to_string(w.a.row) +
                 " " + std::to_string(w.b.row) + (w.a_in_registers ? " A in registers" : "") +
                 (w.a.transposed ? " A transposed" : "") + (w.b.transposed ? " B transposed" : ""));
    const Problem problem(w);
    const std::vector<U32> out = run(w);
    const U32 parts = w.types.starts_with("f16") ? 2 : 1;
    for (U32 i = 0; i < out.size(); ++i)
      for (U32 part = 0; part < parts; ++part)
        ASSERT_EQ(problem.number(out[i], part),
                  problem.expected(i % kGroupThreads, i / kGroupThreads, part))
            << "register " << i / kGroupThreads << " of thread " << i % kGroupThreads;
  }
  std::string fault(const Wgmma& w, U32 threads = kGroupThreads) {
    const Problem problem(w);
    return message_of<std::exception>(
        [&] {
          (void)run_kernel(problem.body(), 1, threads, 128 * kGroupThreads, problem.image(),
                           GetParam());
        },
        "none");
  }
};
INSTANTIATE_TEST_SUITE_P(Sources, Warpgroups, testing::Bool(),
                         [](const auto& how) { return how.param ? "steps" : "functional"; });

TEST_P(Warpgroups, ReadMatricesInEveryLayout) {
  for (const Layout& l : {kPlain, k32, k64, k128}) check({.a = l, .b = l});
  check({.a = k128, .b = k32});
  check({.a = {16, 4096, 128}, .b = {128, 16, 2048}});
}

TEST_P(Warpgroups, ReadTransposedMatrices) {
  for (const Layout& l : {kPlainTransposed, k32Transposed, k64Transposed, k128Transposed}) {
    check({.a = l, .b = l});
    check({.a = l, .b = k64});
    check({.types = "f32.bf16.bf16", .b = l, .a_in_registers = true});
  }
}

TEST_P(Warpgroups, ReadASliceOfASwizzledMatrixFromItsStart) {
  for (const U32 k : {32u, 64u, 96u}) check({.at_a = k, .at_b = kPlaceOfB + k});
  check({.a = k64, .b = k32, .at_a = 32, .at_b = kPlaceOfB + 256});
}

TEST_P(Warpgroups, HaveEveryNumberOfColumns) {
  for (const int n : {8, 24, 104, 256}) check({.n = n});
  check({.types = "f16.f16.f16", .n = 16});
  check({.types = "f16.f16.f16", .n = 256, .a_in_registers = true});
}

TEST_P(Warpgroups, MultiplyEveryType) {
  for (const char* types :
       {"f32.bf16.bf16", "f32.tf32.tf32", "f32.e4m3.e4m3", "f32.e4m3.e5m2", "f32.e5m2.e4m3",
        "f32.e5m2.e5m2", "f16.e4m3.e4m3", "s32.s8.s8", "s32.u8.u8", "s32.b1.b1"}) {
    check({.types = types, .n = 16});
    if (bits_of(type(types, 1)) >= 8) check({.types = types, .n = 32, .a_in_registers = true});
  }
  check({.types = "s32.s8.s8", .saturates = true});
}

TEST_P(Warpgroups, MultiplyASparseMatrix) {
  constexpr Layout kPlainDeep{16, 128, 512};
  for (const bool a_in_registers : {false, true}) {
    for (const int selector : {0, 1})
      for (const char* types : {"f32.f16.f16", "f32.bf16.bf16", "f32.tf32.tf32", "f16.f16.f16"})
        check({.types = types,
               .n = 16,
               .a_in_registers = a_in_registers,
               .sparse = true,
               .selector = selector});
    for (const char* types : {"s32.s8.s8", "s32.u8.u8", "f32.e4m3.e5m2"})
      check({.types = types, .n = 32, .a_in_registers = a_in_registers, .sparse = true});
  }
  for (const Layout& l : {kPlainDeep, k64}) check({.a = k64, .b = l, .sparse = true});
  check({.a = kPlainTransposed, .b = {16, 4096, 128, true}, .sparse = true});
  EXPECT_NE(fault({.sparse = true, .selector = 2}).find("from 0 to 1"), std::string::npos);
}

TEST_P(Warpgroups, NegateAndReplace) {
  check({.sign_a = -1});
  check({.types = "f32.tf32.tf32", .sign_b = -1});
  check({.sign_a = -1, .sign_b = -1, .adds = false});
}

TEST_P(Warpgroups, RefuseWhatCannotBeExecuted) {
  EXPECT_NE(fault({.descriptor_is_off = kBytes}).find("out-of-bounds load of 16 bytes"),
            std::string::npos);
  EXPECT_NE(fault({}, 96).find("fewer than four warps"), std::string::npos);
  EXPECT_NE(fault({.types = "f32.f16.f16", .n = 12}).find("not supported"), std::string::npos);
  EXPECT_NE(fault({.types = "s32.s8.s8", .n = 40}).find("not supported"), std::string::npos);
  EXPECT_NE(fault({.sign_a = 2}).find("1 or -1"), std::string::npos);
}

}  // namespace
}  // namespace heddle::conformance
