// Matrix instructions compared with a multiplication on the host, functionally and step by step.
// The layout of fragments follows the PTX manual ("Matrix Fragments for mma.m16n8k16 ..."), not
// src/exec.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "exec/isa/small_float.h"
#include "tests/conformance/kernels.h"
#include "tests/error_message.h"

namespace heddle::conformance {
namespace {

using U32 = std::uint32_t;
using Words = std::vector<U32>;

class Matrices : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Sources, Matrices, testing::Bool(),
                         [](const auto& how) { return how.param ? "steps" : "functional"; });

// Memory with numbers of a type.
struct Memory {
  Words words;
  explicit Memory(std::size_t bytes) : words(bytes / 4) {}
  template <class T>
  void put(std::size_t byte, T value) {
    std::memcpy(reinterpret_cast<char*>(words.data()) + byte, &value, sizeof value);
  }
  template <class T>
  T get(std::size_t byte) const {
    T value;
    std::memcpy(&value, reinterpret_cast<const char*>(words.data()) + byte, sizeof value);
    return value;
  }
  void put_number(const std::string& type, std::size_t byte, double x) {
    if (type == "f16")
      put(byte, static_cast<std::uint16_t>(exec::encode(exec::kHalf, x, ptx::Rounding::rn)));
    else if (type == "bf16")
      put(byte, static_cast<std::uint16_t>(exec::encode(exec::kBrain, x, ptx::Rounding::rn)));
    else if (type == "u8" || type == "s8")
      put(byte, static_cast<std::uint8_t>(static_cast<int>(x)));
    else if (type == "s32")
      put(byte, static_cast<std::int32_t>(x));
    else if (type == "f64")
      put(byte, x);
    else
      put(byte, static_cast<float>(x));
  }
  double number(const std::string& type, std::size_t byte) const {
    if (type == "f16") return exec::decode_half(get<std::uint16_t>(byte));
    if (type == "s32") return get<std::int32_t>(byte);
    if (type == "f64") return get<double>(byte);
    return get<float>(byte);
  }
};
std::size_t bytes_of(const std::string& t) {
  return t == "u8" || t == "s8" ? 1 : t == "f16" || t == "bf16" ? 2 : t == "f64" ? 8 : 4;
}

std::string registers(const std::string& name, std::size_t count) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) text += (i ? ", %" : "%") + name + std::to_string(i);
  return text + "}";
}
std::string declared(const std::string& name, const std::string& type) {
  return ".reg ." + (type == "f64" || type == "f32" ? type : std::string("b32")) + " %" + name +
         "<8>; ";
}

// Integers, so that every sum is exact in every type.
struct Operands {
  std::vector<double> a, b, c, d;
  Operands(std::size_t m, std::size_t n, std::size_t k, bool negative, unsigned seed)
      : a(m * k), b(k * n), c(m * n), d(m * n) {
    std::mt19937 random(seed);
    for (auto* part : {&a, &b, &c})
      for (double& x : *part) x = static_cast<int>(random() % 9) - (negative || part == &c ? 4 : 0);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        d[i * n + j] = c[i * n + j];
        for (std::size_t l = 0; l < k; ++l) d[i * n + j] += a[i * k + l] * b[l * n + j];
      }
  }
};

struct Wmma {
  std::size_t m, n, k;
  std::string ab, c, d;
};

void check_wmma(const Wmma& w, bool a_col, bool b_col, bool c_col, bool steps) {
  const std::string shape =
      "m" + std::to_string(w.m) + "n" + std::to_string(w.n) + "k" + std::to_string(w.k);
  SCOPED_TRACE(shape + " " + w.ab + " " + w.c + " " + w.d + (a_col ? " col" : " row") +
               (b_col ? " col" : " row") + (c_col ? " col" : " row"));
  const Operands x(w.m, w.n, w.k, w.ab != "u8", static_cast<unsigned>(w.m + w.k + a_col));
  constexpr std::size_t kStride = 48, kPart = 48 * 32 * 8;  // wider than any matrix
  Memory in(3 * kPart);
  const auto place = [&](std::size_t part, std::size_t row, std::size_t column, bool by_columns,
                         const std::string& type) {
    return part * kPart +
           (by_columns ? column * kStride + row : row * kStride + column) * bytes_of(type);
  };
  for (std::size_t i = 0; i < w.m; ++i)
    for (std::size_t l = 0; l < w.k; ++l)
      in.put_number(w.ab, place(0, i, l, a_col, w.ab), x.a[i * w.k + l]);
  for (std::size_t l = 0; l < w.k; ++l)
    for (std::size_t j = 0; j < w.n; ++j)
      in.put_number(w.ab, place(1, l, j, b_col, w.ab), x.b[l * w.n + j]);
  for (std::size_t i = 0; i < w.m; ++i)
    for (std::size_t j = 0; j < w.n; ++j)
      in.put_number(w.c, place(2, i, j, c_col, w.c), x.c[i * w.n + j]);
  const auto sums = [&](const std::string& t) { return w.m * w.n / 32 / (t == "f16" ? 2 : 1); };
  const std::size_t per = w.ab == "u8" || w.ab == "s8" ? 4 : w.ab == "bf16" ? 2 : 1;
  const std::size_t na = w.ab == "f16" ? 8 : w.m * w.k / 32 / per,
                    nb = w.ab == "f16" ? 8 : w.n * w.k / 32 / per;
  const auto layout = [](bool col) { return std::string(col ? "col." : "row."); };
  const std::string types =
      w.ab == "f16" ? w.d + "." + w.c : w.d + "." + w.ab + "." + w.ab + "." + w.c;
  const std::string body =
      declared("a", w.ab == "f64" ? "f64" : "b32") + declared("b", w.ab == "f64" ? "f64" : "b32") +
      declared("c", w.c) + declared("d", w.d) + "\n mov.u32 %r3, 48;\n wmma.load.a.sync.aligned." +
      layout(a_col) + shape + "." + w.ab + " " + registers("a", na) + ", [%in], %r3;" +
      "\n wmma.load.b.sync.aligned." + layout(b_col) + shape + ".global." + w.ab + " " +
      registers("b", nb) + ", [%in+" + std::to_string(kPart) + "], 48;" +
      "\n wmma.load.c.sync.aligned." + layout(c_col) + shape + ".global." + w.c + " " +
      registers("c", sums(w.c)) + ", [%in+" + std::to_string(2 * kPart) + "], %r3;" +
      "\n wmma.mma.sync.aligned." + layout(a_col) + layout(b_col) + shape + "." + types + " " +
      registers("d", sums(w.d)) + ", " + registers("a", na) + ", " + registers("b", nb) + ", " +
      registers("c", sums(w.c)) + ";\n wmma.store.d.sync.aligned." + layout(c_col) + shape +
      ".global." + w.d + " [%rd1], " + registers("d", sums(w.d)) + ", 48;";
  Memory out(kPart);
  out.words = run_kernel(body, 1, 32, kPart / 4, in.words, steps);
  for (std::size_t i = 0; i < w.m; ++i)
    for (std::size_t j = 0; j < w.n; ++j)
      ASSERT_EQ(out.number(w.d, place(0, i, j, c_col, w.d)), x.d[i * w.n + j]) << i << ", " << j;
}

TEST_P(Matrices, WmmaOfEveryShapeTypeAndLayout) {
  std::vector<Wmma> all = {{16, 16, 8, "tf32", "f32", "f32"}, {8, 8, 4, "f64", "f64", "f64"}};
  for (const auto& [m, n] : {std::pair{16, 16}, {32, 8}, {8, 32}}) {
    const auto rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(n);
    for (const char* c : {"f16", "f32"})
      for (const char* d : {"f16", "f32"}) all.push_back({rows, columns, 16, "f16", c, d});
    all.push_back({rows, columns, 16, "bf16", "f32", "f32"});
    for (const char* t : {"u8", "s8"}) all.push_back({rows, columns, 16, t, "s32", "s32"});
  }
  for (const Wmma& w : all)
    for (unsigned how = 0; how < 8; ++how) check_wmma(w, how & 1, how & 2, how & 4, GetParam());
}

// The place of a fragment's i-th element after the manual.
struct Place {
  std::size_t row, column;
};
struct Mma {
  std::size_t m, k;
  std::string ab, c, d;
};
Place place_a(const Mma& w, std::size_t lane, std::size_t i) {
  const std::size_t g = lane >> 2, t = lane % 4;
  if (w.m == 8) return w.ab == "f64" ? Place{g, t} : Place{g, t * 4 + i};
  if (w.ab == "f64" || w.ab == "tf32") return {i % 2 == 0 ? g : g + 8, t + 4 * (i / 2)};
  if (bytes_of(w.ab) == 2) {
    if (w.k == 8) return {i < 2 ? g : g + 8, t * 2 + (i & 1)};
    return {i < 2 || (i >= 4 && i < 6) ? g : g + 8, i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8};
  }
  if (w.k == 16) return {i < 4 ? g : g + 8, t * 4 + (i & 3)};
  return {i < 4 || (i >= 8 && i < 12) ? g : g + 8, i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16};
}
Place place_b(const Mma& w, std::size_t lane, std::size_t i) {
  const std::size_t g = lane >> 2, t = lane % 4;
  if (w.ab == "f64" || w.ab == "tf32") return {t + 4 * i, g};
  if (bytes_of(w.ab) == 2) return {i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8, g};
  return {i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, g};
}
Place place_c(const Mma& w, std::size_t lane, std::size_t i) {
  const std::size_t g = lane >> 2, t = lane % 4;
  return {w.m == 8 || i < 2 ? g : g + 8, t * 2 + (i & 1)};
}

// Loads each register of a fragment from [in] + `part`, where the registers of a lane are adjacent.
std::string load_registers(const std::string& name, const std::string& type, std::size_t count,
                           std::size_t part) {
  const bool wide = type == "f64";
  std::string text = " mul.wide.u32 %rd5, %l, " + std::to_string(count * (wide ? 8 : 4)) +
                     "; add.u64 %rd5, %rd5, %in;\n";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string own = wide ? "f64" : type == "f32" ? "f32" : "b32";
    text += " ld.global." + own + " %" + name + std::to_string(i) + ", [%rd5+" +
            std::to_string(part + i * (wide ? 8 : 4)) + "];\n";
  }
  return text;
}

void check_mma(const Mma& w, bool steps) {
  const std::string shape = "m" + std::to_string(w.m) + "n8k" + std::to_string(w.k);
  SCOPED_TRACE(shape + " " + w.ab + " " + w.c + " " + w.d);
  const Operands x(w.m, 8, w.k, w.ab != "u8", static_cast<unsigned>(w.m * 3 + w.k));
  constexpr std::size_t kPart = 4096;
  Memory in(3 * kPart);
  const std::size_t ea = w.m * w.k / 32, eb = w.k * 8 / 32, ec = w.m * 8 / 32;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    for (std::size_t i = 0; i < ea; ++i) {
      const Place p = place_a(w, lane, i);
      in.put_number(w.ab, (lane * ea + i) * bytes_of(w.ab), x.a[p.row * w.k + p.column]);
    }
    for (std::size_t i = 0; i < eb; ++i) {
      const Place p = place_b(w, lane, i);
      in.put_number(w.ab, kPart + (lane * eb + i) * bytes_of(w.ab), x.b[p.row * 8 + p.column]);
    }
    for (std::size_t i = 0; i < ec; ++i) {
      const Place p = place_c(w, lane, i);
      in.put_number(w.c, 2 * kPart + (lane * ec + i) * bytes_of(w.c), x.c[p.row * 8 + p.column]);
    }
  }
  const auto count = [](std::size_t elements, const std::string& t) {
    return t == "f64" ? elements : elements * bytes_of(t) / 4;
  };
  const std::size_t na = count(ea, w.ab), nb = count(eb, w.ab), nc = count(ec, w.c),
                    nd = count(ec, w.d);
  const std::string ab = w.ab == "f64" ? "f64" : "b32";
  std::string body =
      declared("a", ab) + declared("b", ab) + declared("c", w.c) + declared("d", w.d) + "\n" +
      load_registers("a", ab, na, 0) + load_registers("b", ab, nb, kPart) +
      load_registers("c", w.c, nc, 2 * kPart) + " mma.sync.aligned." + shape + ".row.col." + w.d +
      "." + w.ab + "." + w.ab + "." + w.c + " " + registers("d", nd) + ", " + registers("a", na) +
      ", " + registers("b", nb) + ", " + registers("c", nc) + ";\n mul.wide.u32 %rd6, %l, " +
      std::to_string(ec * bytes_of(w.d)) + "; add.u64 %rd6, %rd6, %rd1;\n";
  for (std::size_t i = 0; i < nd; ++i)
    body += " st.global." +
            std::string(w.d == "f64"   ? "f64"
                        : w.d == "f32" ? "f32"
                                       : "b32") +
            " [%rd6+" + std::to_string(i * (w.d == "f64" ? 8 : 4)) + "], %d" + std::to_string(i) +
            ";\n";
  Memory out(kPart);
  out.words = run_kernel(body, 1, 32, kPart / 4, in.words, steps);
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t i = 0; i < ec; ++i) {
      const Place p = place_c(w, lane, i);
      ASSERT_EQ(out.number(w.d, (lane * ec + i) * bytes_of(w.d)), x.d[p.row * 8 + p.column])
          << "lane " << lane << ", element " << i;
    }
}

TEST_P(Matrices, MmaUsesTheFragmentLayoutOfTheManual) {
  for (std::size_t k : {8, 16}) {
    check_mma({16, k, "f16", "f16", "f16"}, GetParam());
    check_mma({16, k, "f16", "f32", "f32"}, GetParam());
    check_mma({16, k, "bf16", "f32", "f32"}, GetParam());
  }
  for (std::size_t k : {4, 8}) check_mma({16, k, "tf32", "f32", "f32"}, GetParam());
  for (const char* t : {"s8", "u8"}) {
    check_mma({8, 16, t, "s32", "s32"}, GetParam());
    for (std::size_t k : {16, 32}) check_mma({16, k, t, "s32", "s32"}, GetParam());
  }
  check_mma({8, 4, "f64", "f64", "f64"}, GetParam());
  for (std::size_t k : {4, 8, 16}) check_mma({16, k, "f64", "f64", "f64"}, GetParam());
}

TEST_P(Matrices, IntegerSumsWrapOrSaturate) {
  const auto sum = [&](const std::string& saturate, U32 c, U32 b) {
    return run_kernel(
        ".reg .b32 %c<2>;\n mov.b32 %r3, 0x7f7f7f7f; mov.b32 %r4, " + std::to_string(b) +
            "; mov.b32 %c0, " + std::to_string(c) + ";\n mma.sync.aligned.m8n8k16.row.col" +
            saturate +
            ".s32.s8.s8.s32 {%r9, %r10}, {%r3}, {%r4}, {%c0, %c0};\n st.global.u32 [%x], %r9;",
        1, 32, 32, {0}, GetParam())[11];
  };
  EXPECT_EQ(sum("", 0x7fffffff, 0x7f7f7f7f), 0x7fffffffu + 127 * 127 * 16);
  EXPECT_EQ(sum(".satfinite", 0x7fffffff, 0x7f7f7f7f), 0x7fffffffu);
  EXPECT_EQ(sum(".satfinite", 0x80000005, 0x80808080), 0x80000000u);
  EXPECT_EQ(sum(".satfinite", 7, 0x80808080), static_cast<U32>(7 - 127 * 128 * 16));
}

// 1 + 2^-24, eight times: each sum is rounded to nearest even; a NaN is the one that PTX defines.
TEST_P(Matrices, EachSumIsRounded) {
  const auto d = [&](const std::string& a, const std::string& b, const std::string& c) {
    return run_kernel("mov.b32 %r3, " + a + "; mov.b32 %r4, " + b + "; mov.b32 %f1, " + c +
                          ";\n mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, "
                          "%f5}, {%r3, %r3}, {%r4}, "
                          "{%f1, %f1, %f1, %f1};\n st.global.f32 [%x], %f2;",
                      1, 32, 32, {0}, GetParam())[0];
  };
  EXPECT_EQ(d("0x0c000c00", "0x0c000c00", "0f3f800000"), 0x3f800000u);  // 2^-12 twice multiplied
  EXPECT_EQ(d("0x00010001", "0x3c003c00", "0f00000000"),
            0x35000000u);  // 8 x 2^-24, which is subnormal in halves
  EXPECT_EQ(d("0x7c007c00", "0x00000000", "0f00000000"), 0x7fffffffu);
}

TEST_P(Matrices, RowsOfSharedMemoryBecomeFragments) {
  // Row i of the q-th matrix: halves 100 * (8q + i) + column.
  const std::string fill =
      ".shared .align 16 .b8 tile[512]; .shared .align 16 .b8 back[512];\n cvta.to.global.u64 %in, "
      "%in; mov.u32 %r3, tile; shl.b32 %r4, %l, 4; add.u32 %r3, %r3, %r4;\n"
      " mul.wide.u32 %rd5, %l, 16; add.u64 %rd5, %rd5, %in; ld.global.v4.u32 {%r5, %r6, %r7, %r8}, "
      "[%rd5]; st.shared.v4.u32 [%r3], {%r5, %r6, %r7, %r8};\n bar.warp.sync -1;\n";
  Words in(128);
  for (U32 row = 0; row < 32; ++row)
    for (U32 c = 0; c < 4; ++c)
      in[row * 4 + c] = (100 * row + 2 * c) | (100 * row + 2 * c + 1) << 16;
  const auto load = [&](const std::string& form, const std::string& to, const std::string& kept) {
    return run_kernel(fill + " ldmatrix.sync.aligned.m8n8." + form + ".shared.b16 " + to +
                          ", [%r3];\n st.global.u32 [%x], " + kept + ";",
                      1, 32, 32, in, GetParam());
  };
  const auto last = load("x4", "{%r9, %r10, %r11, %r12}", "%r12"),
             turned = load("x2.trans", "{%r9, %r10}", "%r10"), one = load("x1", "{%r9}", "%r9");
  const auto moved =
      run_kernel(fill +
                     " ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r9}, [%r3]; "
                     "movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r9; st.global.u32 [%x], %r10;",
                 1, 32, 32, in, GetParam());
  const auto stored = run_kernel(
      fill +
          " ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 {%r9, %r10, %r11, %r12}, [%r3]; mov.u32 "
          "%r13, back; add.u32 %r13, %r13, %r4;\n"
          " stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r13], {%r9, %r10, %r11, %r12}; "
          "bar.warp.sync -1; ld.shared.u32 %r14, [%r13+4]; st.global.u32 [%x], %r14;",
      1, 32, 32, in, GetParam());
  for (U32 l = 0; l < 32; ++l) {
    const U32 g = l / 4, t = l % 4;
    EXPECT_EQ(last[l], in[(24 + g) * 4 + t]);
    EXPECT_EQ(one[l], in[g * 4 + t]);
    EXPECT_EQ(turned[l], (100 * (8 + 2 * t) + g) | (100 * (8 + 2 * t + 1) + g) << 16);
    EXPECT_EQ(moved[l], (100 * 2 * t + g) | (100 * (2 * t + 1) + g) << 16);
    const U32 q = l / 8, row = l % 8;  // row `row` of the q-th matrix, transposed: columns 2 and 3
    EXPECT_EQ(stored[l], (100 * (8 * q + 2) + row) | (100 * (8 * q + 3) + row) << 16);
  }
}

std::string refusal(const std::string& instruction) {
  return message_of([&] { (void)ptx::Module::parse(kernel_of(instruction), "kernel.ptx"); },
                    "accepted");
}

TEST(MatrixRefusals, StateTheReasonAndThePlace) {
  const auto refused = [](const std::string& instruction, const std::string& why) {
    const std::string message = refusal(instruction);
    EXPECT_NE(message.find(why), std::string::npos) << message;
    EXPECT_NE(message.find("kernel.ptx:9"), std::string::npos) << message;
  };
  refused(
      "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f2}, %r3, 0;",
      "needs 4 registers here");
  refused(
      "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e2m1.e2m1.f32 {%f1}, {%r1}, {%r2}, "
      "{%f2};",
      "'.kind::f8f6f4' is not supported with mma");
  refused("tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd1], 32;",
          "tensor memory instructions are not supported");
  refused(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3}, {%r3, %r3}, {%r4}, {%f1, "
      "%f1, %f1, %f1};",
      "needs 4 registers here");
  refused(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 %f1, {%r3, %r3}, {%r4}, {%f1, %f1, %f1, "
      "%f1};",
      "needs 4 registers {...} here");
}

TEST_P(Matrices, NeedAllLanesOfTheWarp) {
  const std::string body =
      "setp.lt.u32 %p1, %l, 9; @%p1 movmatrix.sync.aligned.m8n8.trans.b16 %r9, %l;";
  EXPECT_THROW((void)run_kernel(body, 1, 32, 32, {0}, GetParam()), exec::KernelFault);
}

}  // namespace
}  // namespace heddle::conformance
