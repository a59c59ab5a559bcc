// Texture fetches compared with the formulas of the CUDA C++ Programming Guide in double precision,
// and surface accesses compared with plain memory.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "exec/isa/texture_unit.h"
#include "ptx/module.h"
#include "tests/exec/stepping.h"

namespace heddle::exec {
namespace {

using ptx::Geometry;
using ptx::Outside;
using ptx::Type;
using test::Bench;
using test::Builder;

float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t as_bits(float f) { return std::bit_cast<std::uint32_t>(f); }

Texture floats(std::uint64_t width, std::uint64_t height = 1, std::uint64_t depth = 1) {
  Texture t;
  t.bound = true;
  t.image.base = Address{kHeapBase};
  t.image.width = width, t.image.height = height, t.image.depth = depth;
  t.image.pitch_bytes = width * 4, t.image.slice_bytes = t.image.layer_bytes = width * height * 4;
  return t;
}
std::vector<float> ramp(std::size_t n) {
  std::vector<float> values(n);
  std::mt19937 next(7);
  for (float& v : values) v = static_cast<float>(next() % 1000) / 8;
  return values;
}
float at(const Texture& t, const std::vector<float>& image, Geometry g, float x, float y = 0,
         float z = 0, std::uint32_t layer = 0) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(image.data());
  return as_float(
      fetch_texel(t, bytes, g, {{as_bits(x), as_bits(y), as_bits(z)}, layer, false}).texel[0]);
}

// The address modes of the guide, on texel indices.
long expected_place(long i, long n, AddressMode mode) {
  if (mode == AddressMode::clamp) return i < 0 ? 0 : i >= n ? n - 1 : i;
  if (mode == AddressMode::border) return i < 0 || i >= n ? -1 : i;
  while (i < 0) i += 2 * n;
  i %= 2 * n;
  if (mode == AddressMode::wrap) return i % n;
  return i < n ? i : 2 * n - 1 - i;
}

TEST(TextureUnit, PointSamplingTakesTheTexelThatHoldsTheCoordinate) {
  const auto image = ramp(8);
  const Texture t = floats(8);
  EXPECT_EQ(at(t, image, Geometry::d1, 3.0f), image[3]);
  EXPECT_EQ(at(t, image, Geometry::d1, 3.999f), image[3]);
  EXPECT_EQ(at(t, image, Geometry::d1, -5), image[0]);
  EXPECT_EQ(at(t, image, Geometry::d1, 1e30f), image[7]);
  EXPECT_EQ(at(t, image, Geometry::d1, NAN), image[0]);
}

TEST(TextureUnit, AddressModesDefineTexelsOutsideTheImage) {
  const auto image = ramp(8);
  for (const AddressMode mode :
       {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border}) {
    Texture t = floats(8);
    t.sampling.address.fill(mode);
    t.sampling.normalized_coordinates = true;
    t.sampling.border[0] = 77;
    for (int i = -40; i < 40; ++i) {
      const long p = expected_place(i, 8, mode);
      const float expected = p < 0 ? 77 : image[static_cast<std::size_t>(p)];
      EXPECT_EQ(at(t, image, Geometry::d1, (static_cast<float>(i) + 0.5f) / 8), expected)
          << i << " mode " << static_cast<int>(mode);
    }
  }
}

TEST(TextureUnit, WrapAndMirrorClampWithoutNormalizedCoordinates) {
  const auto image = ramp(4);
  Texture t = floats(4);
  t.sampling.address[0] = AddressMode::wrap;
  EXPECT_EQ(at(t, image, Geometry::d1, 5.5f), image[3]);
}

TEST(TextureUnit, LinearFilterWeightsHaveEightBits) {
  const auto image = ramp(4);
  Texture t = floats(4);
  t.sampling.linear_filter = true;
  EXPECT_EQ(at(t, image, Geometry::d1, 1.5f), image[1]);
  EXPECT_EQ(at(t, image, Geometry::d1, 2.0f), (image[1] + image[2]) / 2);
  EXPECT_EQ(at(t, image, Geometry::d1, 1.5f + 1.0f / 1024),
            image[1]);  // a quarter of the smallest weight
  EXPECT_EQ(at(t, image, Geometry::d1, 1.5f + 3.0f / 1024), image[1] + (image[2] - image[1]) / 256);
  EXPECT_EQ(at(t, image, Geometry::d1, 0.25f), image[0]);
}

TEST(TextureUnit, FiltersInThreeDimensionsLikeTheFormula) {
  const long n[3] = {5, 3, 4};
  const auto image = ramp(60);
  std::mt19937 next(11);
  for (const AddressMode mode :
       {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border}) {
    Texture t = floats(5, 3, 4);
    t.sampling.linear_filter = t.sampling.normalized_coordinates = true;
    t.sampling.address.fill(mode);
    for (int sample = 0; sample < 300; ++sample) {
      long first[3];
      double weight[3];
      float c[3];
      for (int a = 0; a < 3; ++a) {  // coordinates whose weights are exact
        const long eighths =
            static_cast<long>(next() % static_cast<unsigned>(24 * n[a])) - 8 * n[a];
        c[a] = static_cast<float>((static_cast<double>(eighths) / 8 + 0.5 + 1.0 / 64) /
                                  static_cast<double>(n[a]));
        first[a] = static_cast<long>(std::floor(static_cast<double>(eighths) / 8));
        weight[a] = static_cast<double>(eighths) / 8 - static_cast<double>(first[a]) + 1.0 / 64;
      }
      double sum = 0;
      for (int corner = 0; corner < 8; ++corner) {
        double w = 1;
        long p[3];
        for (int a = 0; a < 3; ++a) {
          const int upper = corner >> a & 1;
          w *= upper ? weight[a] : 1 - weight[a];
          p[a] = expected_place(first[a] + upper, n[a], mode);
        }
        const bool inside = p[0] >= 0 && p[1] >= 0 && p[2] >= 0;
        if (inside) sum += w * image[static_cast<std::size_t>((p[2] * n[1] + p[1]) * n[0] + p[0])];
      }
      // The rounding of each coordinate may change its weight by one step.
      EXPECT_NEAR(at(t, image, Geometry::d3, c[0], c[1], c[2]), sum, 3 * 125.0 / 256)
          << static_cast<int>(mode);
    }
  }
}

TEST(TextureUnit, SmallIntegersReadAsFractions) {
  Texture t = floats(4);
  t.image.format = {ChannelKind::unsigned_integer, 4, 8};
  t.sampling.normalized_read = true;
  const std::vector<std::uint8_t> bytes{0, 128, 255, 128};
  const auto first = [&](std::uint8_t const* p) {
    return fetch_texel(t, p, Geometry::d1, {{as_bits(0.5f)}, 0, false}).texel;
  };
  EXPECT_EQ(as_float(first(bytes.data())[1]), 128.0f / 255);
  EXPECT_EQ(as_float(first(bytes.data())[2]), 1.0f);
  t.image.format.kind = ChannelKind::signed_integer;
  EXPECT_EQ(as_float(first(bytes.data())[1]), -1.0f);  // -128 and -127 both
  EXPECT_EQ(as_float(first(bytes.data())[2]), -1.0f / 127);
  t.image.format.kind = ChannelKind::unsigned_integer;
  t.sampling.srgb = true;
  EXPECT_NEAR(as_float(first(bytes.data())[1]), std::pow((128.0 / 255 + 0.055) / 1.055, 2.4), 1e-6);
  EXPECT_EQ(as_float(first(bytes.data())[3]), 128.0f / 255);  // alpha stays
}

TEST(TextureUnit, IntegersKeepTheirSignHalvesBecomeFloatsAndMissingChannelsAreZero) {
  Texture t = floats(2);
  t.image.format = {ChannelKind::signed_integer, 2, 16};
  const std::vector<std::uint16_t> values{0xfffe, 3, 0x3c00, 0xc000};
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  EXPECT_EQ(fetch_texel(t, bytes, Geometry::d1, {{0}, 0, true}).texel,
            (Texel{0xfffffffe, 3, 0, 0}));
  t.image.format.kind = ChannelKind::floating;
  EXPECT_EQ(fetch_texel(t, bytes, Geometry::d1, {{1}, 0, true}).texel,
            (Texel{as_bits(1), as_bits(-2), 0, 0}));
}

TEST(TextureUnit, LinearMemoryReadsZeroOutOfRange) {
  const auto image = ramp(4);
  Texture t = floats(4);
  t.image.linear = true;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(image.data());
  const auto read = [&](int i) {
    return fetch_texel(t, bytes, Geometry::d1, {{static_cast<std::uint32_t>(i)}, 0, true});
  };
  EXPECT_EQ(as_float(read(3).texel[0]), image[3]);
  EXPECT_EQ(read(3).offset, 12u);
  EXPECT_EQ(read(4).texel[0], 0u);
  EXPECT_EQ(read(-1).texel[0], 0u);
  EXPECT_FALSE(read(4).in_image);
  // An offset counts in texels, before the range is checked.
  Coordinates c{{1}, 0, true};
  c.offsets[0] = 2;
  EXPECT_EQ(as_float(fetch_texel(t, bytes, Geometry::d1, c).texel[0]), image[3]);
  c.offsets[0] = -2;
  EXPECT_EQ(fetch_texel(t, bytes, Geometry::d1, c).texel[0], 0u);
}

TEST(TextureUnit, LayersAreNeverFilteredAndClamp) {
  const auto image = ramp(12);
  Texture t = floats(4);
  t.image.layers = 3;
  EXPECT_EQ(at(t, image, Geometry::a1d, 1, 0, 0, 2), image[9]);
  EXPECT_EQ(at(t, image, Geometry::a1d, 1, 0, 0, 9), image[9]);
}

TEST(TextureUnit, ADirectionSelectsAFaceOfTheCube) {
  std::vector<float> image(24);
  for (std::size_t i = 0; i < 24; ++i) image[i] = static_cast<float>(i);
  Texture t = floats(2, 2);
  t.image.layers = 6;
  t.image.cube = true;
  const float d[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (int f = 0; f < 6; ++f)
    EXPECT_EQ(std::floor(at(t, image, Geometry::cube, d[f][0], d[f][1], d[f][2]) / 4),
              static_cast<float>(f));
  EXPECT_EQ(at(t, image, Geometry::cube, 1, 0.5f, 0.5f), 0.0f);  // +x: s = -z, t = -y
  EXPECT_EQ(at(t, image, Geometry::cube, 1, -0.5f, -0.5f), 3.0f);
}

TEST(TextureUnit, AGatherReadsOneChannelOfFourTexels) {
  const auto image = ramp(16);
  const Texture t = floats(4, 4);
  const Fetched got = gather_texels(t, reinterpret_cast<const std::uint8_t*>(image.data()),
                                    Geometry::d2, {{as_bits(2), as_bits(2)}, 0, false}, 0);
  EXPECT_EQ(as_float(got.texel[0]), image[9]);
  EXPECT_EQ(as_float(got.texel[1]), image[10]);
  EXPECT_EQ(as_float(got.texel[2]), image[6]);
  EXPECT_EQ(as_float(got.texel[3]), image[5]);
}

// Levels of 8, 4, 2 and 1 texels in sequence; every texel of level n is 10 n.
Texture levelled(std::vector<float>& image) {
  Texture t = floats(8);
  t.sampling.normalized_coordinates = true;
  t.sampling.most_level = 99;
  TextureImage level = t.image;
  for (std::uint64_t width = 8, n = 0; width >= 1; width /= 2, ++n) {
    level.width = width;
    if (n > 0) t.smaller.push_back(level);
    level.base = level.base + width * 4;
    image.insert(image.end(), width, static_cast<float>(10 * n));
  }
  return t;
}
float level_at(const Texture& t, const std::vector<float>& image, const Detail& detail) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(image.data());
  return as_float(
      fetch_texel(t, bytes, Geometry::d1, {{as_bits(0.5f)}, 0, false}, detail).texel[0]);
}

TEST(Mipmaps, TheNearestLevelIsRead) {
  std::vector<float> image;
  const Texture t = levelled(image);
  const auto level = [&](float l) { return level_at(t, image, {ptx::Mipmap::level, l, {}}); };
  EXPECT_EQ(level(0), 0);
  EXPECT_EQ(level(0.49f), 0);
  EXPECT_EQ(level(0.5f), 10);
  EXPECT_EQ(level(2.2f), 20);
  EXPECT_EQ(level(77), 30);
  EXPECT_EQ(level(-3), 0);
  EXPECT_EQ(level(NAN), 0);
  EXPECT_EQ(level_at(t, image, {}), 0);
}

TEST(Mipmaps, BlendWeightsOfLevelsHaveEightBits) {
  std::vector<float> image;
  Texture t = levelled(image);
  t.sampling.blends_levels = true;
  const auto level = [&](float l) { return level_at(t, image, {ptx::Mipmap::level, l, {}}); };
  EXPECT_EQ(level(1.25f), 12.5f);
  EXPECT_EQ(level(1 + 1.0f / 1024), 10);  // a quarter of the smallest weight
  EXPECT_EQ(level(1 + 3.0f / 1024), 10 + 10.0f / 256);
  EXPECT_EQ(level(3), 30);
}

TEST(Mipmaps, BiasAndClampsActOnTheLevel) {
  std::vector<float> image;
  Texture t = levelled(image);
  t.sampling.level_bias = 1;
  EXPECT_EQ(level_at(t, image, {ptx::Mipmap::level, 1, {}}), 20);
  t.sampling.least_level = 1, t.sampling.most_level = 2, t.sampling.level_bias = 0;
  EXPECT_EQ(level_at(t, image, {ptx::Mipmap::level, 0, {}}), 10);
  EXPECT_EQ(level_at(t, image, {ptx::Mipmap::level, 3, {}}), 20);
}

TEST(Mipmaps, TheLevelIsTheLogarithmOfTheLongerGradient) {
  std::vector<float> image;
  Texture t = levelled(image);
  t.sampling.blends_levels = true;
  for (const float texels : {0.25f, 1.0f, 2.0f, 3.0f, 4.0f, 100.0f}) {
    const float expected = std::clamp(std::log2(texels), 0.0f, 3.0f) * 10;
    EXPECT_NEAR(level_at(t, image, {ptx::Mipmap::gradient, 0, {{{texels / 8}, {0.01f}}}}), expected,
                10.0 / 512 + 1e-5)
        << texels;
    EXPECT_NEAR(level_at(t, image, {ptx::Mipmap::gradient, 0, {{{0.01f}, {-texels / 8}}}}),
                expected, 10.0 / 512 + 1e-5)
        << texels;
  }
}

// Instructions.

struct SurfaceBench : Bench {
  TextureTable table;
  std::uint64_t handle = 0;

  // A surface of 8 x 2 unsigned words that is also accessed as memory.
  Address surface() {
    const Address a = array(std::vector<std::uint32_t>(16));
    Texture t = floats(8, 2);
    t.image.base = a;
    t.image.format = {ChannelKind::unsigned_integer, 1, 32};
    handle = table.add(t);
    return a;
  }
  Launch with_textures(const ptx::Kernel& kernel, std::uint32_t threads) {
    Launch l = launch(kernel, {1, 1, 1}, {threads, 1, 1});
    l.textures = &table;
    return l;
  }
};

// Thread i writes 100 + i to (4 * (i - 1), 0) and reads it back into out[i].
ptx::Kernel write_and_read(std::uint64_t handle, Outside outside) {
  Builder b;
  const auto out = b.element_address(1, 4);
  const auto x = b.reg32(), value = b.reg32(), back = b.reg32();
  b.emit(ptx::Opcode::mad, Type::s32, {x}, {b.thread(), b.imm32(4), b.imm32(0xfffffffc)}).part =
      ptx::MulPart::lo;
  b.emit(ptx::Opcode::add, Type::u32, {value}, {b.thread(), b.imm32(100)});
  const auto surface = [&](ptx::Instruction& i, ptx::OpClass c) {
    i.op_class = c, i.space = ptx::Space::global, i.access_bytes = 4;
    i.payload = ptx::SurfaceAccess{Geometry::d2, outside, false};
  };
  surface(b.emit(ptx::Opcode::sust, Type::b32, {}, {b.imm64(handle), x, b.imm32(0), value}),
          ptx::OpClass::store);
  surface(b.emit(ptx::Opcode::suld, Type::b32, {back}, {b.imm64(handle), x, b.imm32(0)}),
          ptx::OpClass::load);
  b.st(ptx::Space::global, Type::u32, out, back);
  b.ret();
  return b.kernel;
}

// Bit k of the result: the handle is of kind k.
std::uint32_t kinds_of(SurfaceBench& bench, std::uint64_t handle) {
  const Address result = bench.array(std::vector<std::uint32_t>(1));
  Builder b;
  const auto out = b.element_address(static_cast<int>(bench.arrays.size()) - 1, 4);
  const auto is = b.pred(), bits = b.reg32(), bit = b.reg32();
  b.emit(ptx::Opcode::mov, Type::b32, {bits}, {b.imm32(0)});
  for (const auto& [space, value] :
       {std::pair{ptx::Space::texture, 1u}, {ptx::Space::surface, 2u}, {ptx::Space::sampler, 4u}}) {
    b.emit(ptx::Opcode::istypep, Type::b64, {is}, {b.imm64(handle)}).space = space;
    b.emit(ptx::Opcode::selp, Type::b32, {bit}, {b.imm32(value), b.imm32(0), is});
    b.emit(ptx::Opcode::or_, Type::b32, {bits}, {bits, bit});
  }
  b.st(ptx::Space::global, Type::u32, out, bits);
  b.ret();
  run_functionally(bench.with_textures(b.kernel, 1), bench.memory, {});
  return bench.read<std::uint32_t>(result, 1)[0];
}

TEST(Istypep, IsTrueForTheKindOfTheHandle) {
  SurfaceBench bench;
  for (const HandleKind kind : {HandleKind::texture, HandleKind::surface, HandleKind::sampler}) {
    Texture image = floats(4);
    image.kind = kind;
    EXPECT_EQ(kinds_of(bench, bench.table.add(image)), 1u << static_cast<int>(kind));
  }
  EXPECT_EQ(kinds_of(bench, 0), 0u) << "no handle";
}

TEST(Surfaces, OutsideZeroStoresNothingAndLoadsZero) {
  for (const bool stepped : {false, true}) {
    SurfaceBench bench;
    const Address surface = bench.surface(), out = bench.array(std::vector<std::uint32_t>(10, 9));
    const auto kernel = write_and_read(bench.handle, Outside::zero);
    const Launch launch = bench.with_textures(kernel, 10);
    if (stepped)
      test::run_by_steps(launch, bench.memory);  // the SM sees its own stores before other SMs do
    else
      run_functionally(launch, bench.memory, {});
    EXPECT_EQ(bench.read<std::uint32_t>(surface, 8),
              (std::vector<std::uint32_t>{101, 102, 103, 104, 105, 106, 107, 108}));
    EXPECT_EQ(bench.read<std::uint32_t>(out, 10),
              (std::vector<std::uint32_t>{0, 101, 102, 103, 104, 105, 106, 107, 108, 0}));
  }
}

TEST(Surfaces, OutsideClampAccessesTheNearestTexel) {
  SurfaceBench bench;
  const Address surface = bench.surface(), out = bench.array(std::vector<std::uint32_t>(1));
  const auto kernel = write_and_read(bench.handle, Outside::clamp);
  run_functionally(bench.with_textures(kernel, 1), bench.memory, {});
  EXPECT_EQ(bench.read<std::uint32_t>(surface, 2), (std::vector<std::uint32_t>{100, 0}));
  EXPECT_EQ(bench.read<std::uint32_t>(out, 1)[0], 100u);
}

TEST(Surfaces, OutsideTrapReportsTheThread) {
  SurfaceBench bench;
  bench.surface();
  bench.array(std::vector<std::uint32_t>(1));
  const auto kernel = write_and_read(bench.handle, Outside::trap);
  try {
    run_functionally(bench.with_textures(kernel, 1), bench.memory, {});
    FAIL() << "no fault";
  } catch (const KernelFault& fault) {
    EXPECT_NE(std::string(fault.what()).find("surface store to a place outside of the surface"),
              std::string::npos);
    EXPECT_NE(std::string(fault.what()).find("thread   (0,0,0)"), std::string::npos);
  }
}

TEST(Surfaces, AnAccessWithoutAFormatIsInsideWhenAllItsBytesAre) {
  // 30 texels of a byte. The last thread's word is bytes 28 to 31.
  SurfaceBench bench;
  const Address a = bench.array(std::vector<std::uint32_t>(8, 9));
  bench.array(std::vector<std::uint32_t>(9));
  Texture t = floats(30);
  t.image.base = a, t.image.format = {ChannelKind::unsigned_integer, 1, 8};
  t.image.pitch_bytes = 32;
  bench.handle = bench.table.add(t);
  const auto kernel = write_and_read(bench.handle, Outside::zero);
  run_functionally(bench.with_textures(kernel, 9), bench.memory, {});
  EXPECT_EQ(bench.read<std::uint32_t>(a, 8),
            (std::vector<std::uint32_t>{101, 102, 103, 104, 105, 106, 107, 9}));
}

// Every thread stores {thread - 2, 1000, -7, 3} to texel (thread, 0).
ptx::Kernel store_formatted(std::uint64_t handle) {
  Builder b;
  b.element_address(0, 4);
  const auto first = b.reg32();
  b.emit(ptx::Opcode::add, Type::s32, {first}, {b.thread(), b.imm32(0xfffffffe)});
  ptx::Instruction& i = b.emit(ptx::Opcode::sust, Type::b32, {},
                               {b.imm64(handle), b.thread(), b.imm32(0), first, b.imm32(1000),
                                b.imm32(0xfffffff9), b.imm32(3)});
  i.op_class = ptx::OpClass::store, i.space = ptx::Space::global, i.access_bytes = 1, i.vector = 4,
  i.payload = ptx::SurfaceAccess{Geometry::d2, Outside::zero, true};
  b.ret();
  return b.kernel;
}

TEST(Surfaces, FormattedStoresConvertToTheFormatOfTheSurface) {
  const auto stored = [](const TexelFormat& format, bool stepped) {
    SurfaceBench bench;
    const Address a = bench.array(std::vector<std::uint32_t>(32, 0x55555555));
    Texture t = floats(8);
    t.image.base = a, t.image.format = format;
    t.image.pitch_bytes = 64;
    bench.handle = bench.table.add(t);
    const auto kernel = store_formatted(bench.handle);
    const Launch launch = bench.with_textures(kernel, 9);  // the ninth is outside
    if (stepped)
      test::run_by_steps(launch, bench.memory);
    else
      run_functionally(launch, bench.memory, {});
    return bench.read<std::uint8_t>(a, 9 * format.bytes());
  };
  for (const bool stepped : {false, true}) {
    const auto bytes = stored({ChannelKind::unsigned_integer, 4, 8}, stepped);
    EXPECT_EQ((std::vector<std::uint8_t>(bytes.begin() + 12, bytes.begin() + 16)),
              (std::vector<std::uint8_t>{1, 255, 255, 3}));
    EXPECT_EQ(bytes[32], 0x55);
    const auto shorts = stored({ChannelKind::signed_integer, 2, 16}, stepped);
    EXPECT_EQ((std::vector<std::uint8_t>(shorts.begin(), shorts.begin() + 4)),
              (std::vector<std::uint8_t>{0xfe, 0xff, 0xe8, 0x03}));
    EXPECT_EQ(stored({ChannelKind::signed_integer, 4, 8}, stepped)[1], 127);
  }
}

// Every thread adds `step` times itself to word (thread % 4, 0).
ptx::Kernel reduce_on_surface(std::uint64_t handle, ptx::AtomicOp op, Type type) {
  Builder b;
  b.element_address(0, 4);
  const auto x = b.reg32(), value = b.reg32();
  b.emit(ptx::Opcode::and_, Type::b32, {x}, {b.thread(), b.imm32(3)});
  b.emit(ptx::Opcode::shl, Type::b32, {x}, {x, b.imm32(2)});
  b.emit(ptx::Opcode::sub, Type::s32, {value}, {b.thread(), b.imm32(5)});
  ptx::Instruction& i =
      b.emit(ptx::Opcode::sured, type, {}, {b.imm64(handle), x, b.imm32(0), value});
  i.op_class = ptx::OpClass::atomic, i.space = ptx::Space::global, i.access_bytes = 4,
  i.atomic = op;
  i.payload = ptx::SurfaceAccess{Geometry::d2, Outside::trap, false};
  b.ret();
  return b.kernel;
}

TEST(Surfaces, ReductionsEqualThoseOnMemory) {
  for (const bool stepped : {false, true}) {
    const auto reduced = [&](ptx::AtomicOp op, Type type) {
      SurfaceBench bench;
      const Address surface = bench.surface();
      const auto kernel = reduce_on_surface(bench.handle, op, type);
      const Launch launch = bench.with_textures(kernel, 64);
      if (stepped)
        test::run_by_steps(launch, bench.memory);
      else
        run_functionally(launch, bench.memory, {});
      return bench.read<std::int32_t>(surface, 4);
    };
    EXPECT_EQ(reduced(ptx::AtomicOp::add, Type::u32),
              (std::vector<std::int32_t>{400, 416, 432, 448}));
    EXPECT_EQ(reduced(ptx::AtomicOp::min, Type::s32), (std::vector<std::int32_t>{-5, -4, -3, -2}));
    EXPECT_EQ(reduced(ptx::AtomicOp::max, Type::s32), (std::vector<std::int32_t>{55, 56, 57, 58}));
    EXPECT_EQ(reduced(ptx::AtomicOp::max, Type::u32)[0], -1);  // 4 - 5
  }
}

TEST(Surfaces, AValueThatIsNoHandleIsAFault) {
  SurfaceBench bench;
  bench.surface();
  bench.array(std::vector<std::uint32_t>(1));
  const auto kernel = write_and_read(12345, Outside::zero);
  EXPECT_THROW(run_functionally(bench.with_textures(kernel, 1), bench.memory, {}), KernelFault);
  const auto unbound = write_and_read(bench.table.add({}), Outside::zero);
  EXPECT_THROW(run_functionally(bench.with_textures(unbound, 1), bench.memory, {}), KernelFault);
}

// Thread 0 stores texel 0 of a linear texture, read through a sampler of its own.
std::uint32_t read_through(std::uint64_t texture, std::uint64_t sampler, SurfaceBench& bench) {
  const ptx::Module module = ptx::Module::parse(R"(
.version 7.3
.target sm_75, texmode_independent
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 texture, .param .u64 sampler) {
.reg .b32 %r<9>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [out];
ld.param.u64 %rd2, [texture];
ld.param.u64 %rd3, [sampler];
mov.u32 %r1, 0;
tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd2, %rd3, {%r1}];
st.global.u32 [%rd1], %r2;
ret;
})",
                                                "sampler.ptx");
  const ptx::Kernel kernel = module.lower("k", {});
  Launch launch = bench.with_textures(kernel, 1);
  const std::uint64_t parameters[] = {bench.arrays.back().value, texture, sampler};
  launch.parameters.resize(sizeof parameters);
  std::memcpy(launch.parameters.data(), parameters, sizeof parameters);
  run_functionally(launch, bench.memory, {});
  return bench.read<std::uint32_t>(bench.arrays.back(), 1)[0];
}

TEST(Samplers, AFetchThroughAHandleThatIsNoSamplerIsAFault) {
  SurfaceBench bench;
  const Address texels = bench.array(std::vector<std::uint32_t>{77, 78, 79, 80});
  bench.array(std::vector<std::uint32_t>(1));
  Texture image = floats(4);
  image.image.base = texels;
  image.image.format = {ChannelKind::unsigned_integer, 1, 32};
  Texture sampling = image;
  sampling.kind = HandleKind::sampler;
  const std::uint64_t texture = bench.table.add(image), sampler = bench.table.add(sampling);
  EXPECT_EQ(read_through(texture, sampler, bench), 77u);
  EXPECT_THROW(read_through(texture, texture, bench), KernelFault);
  EXPECT_THROW(read_through(texture, 12345, bench), KernelFault);
}

}  // namespace
}  // namespace heddle::exec
