// Reference results of texture and surface instructions, after the formulas of the appendix
// "Texture Fetching" of the CUDA C++ Programming Guide, in long double. Shares no code with the
// simulator.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "tests/conformance/images.h"

namespace heddle::conformance {
namespace {

using Real = long double;
using Channels = std::array<Real, 4>;

float as_float(std::uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

Real half_value(std::uint32_t bits) {
  const Real sign = bits & 0x8000 ? -1 : 1;
  const int exponent = bits >> 10 & 31;
  return sign * (exponent ? std::ldexp(static_cast<Real>(1024 + (bits & 1023)), exponent - 25)
                          : std::ldexp(static_cast<Real>(bits & 1023), -24));
}

// One channel of the result.
Real channel_value(const ImageCase& c, const std::uint8_t* at) {
  std::uint32_t raw = 0;
  std::memcpy(&raw, at, c.bits / 8);
  if (c.kind == "f") return c.bits == 16 ? half_value(raw) : static_cast<Real>(as_float(raw));
  const int spare = 32 - static_cast<int>(c.bits);
  const Real value = c.kind == "s"
                         ? static_cast<Real>(static_cast<std::int32_t>(raw << spare) >> spare)
                         : static_cast<Real>(raw);
  if (!c.fraction) return value;
  const Real most = std::ldexp(1.0L, static_cast<int>(c.bits) - (c.kind == "s" ? 1 : 0)) - 1;
  return std::max<Real>(-1, value / most);
}

struct Level {
  std::vector<std::uint8_t> bytes;
  Extent extent;
};
struct Image {
  const ImageCase& c;
  std::vector<Level> levels;

  explicit Image(const ImageCase& of) : c(of) {
    for (unsigned l = 0; l < c.levels; ++l) levels.push_back({image_bytes(c, l), extent_of(c, l)});
  }
  // Coordinates outside: the border, which is 0 in all channels.
  Channels texel(unsigned level, long x, long y, long z, long layer) const {
    const Extent& e = levels[level].extent;
    if (x < 0 || y < 0 || z < 0) return {0, 0, 0, 0};
    Channels out{};  // channels that the format lacks are 0, as on an H200
    const std::size_t at =
        (((static_cast<std::size_t>(layer) * e.depth + static_cast<std::size_t>(z)) * e.height +
          static_cast<std::size_t>(y)) *
             e.width +
         static_cast<std::size_t>(x)) *
        c.texel_bytes();
    for (unsigned n = 0; n < c.channels; ++n)
      out[n] = channel_value(c, &levels[level].bytes[at + n * c.bits / 8]);
    return out;
  }
};

long inside(long i, long n, const std::string& mode) {
  if (mode == "border") return i < 0 || i >= n ? -1 : i;
  if (mode == "wrap") return ((i % n) + n) % n;
  if (mode == "mirror") {
    const long p = ((i % (2 * n)) + 2 * n) % (2 * n);
    return p < n ? p : 2 * n - 1 - p;
  }
  return std::min(std::max(i, 0l), n - 1);
}

// The texels of one coordinate: one, or two and the weight of the second.
struct Axis {
  long first = 0, second = 0;
  Real weight = 0;
};

Axis axis_of(Real x, long n, const std::string& mode, bool normalized, bool linear, long offset,
             Real nudge) {
  if (normalized) {
    const Real whole = std::floor(x), part = x - whole;
    if (mode == "wrap") x = part;
    if (mode == "mirror") {
      const bool odd = std::fmod(whole, 2.0L) != 0;
      x = odd ? 1 - part : part;
      if (odd) offset = -offset;
    }
    x *= static_cast<Real>(n);
  }
  x = std::min(std::max(x + nudge, -20.0L), static_cast<Real>(n) + 20);
  if (!linear) return {inside(static_cast<long>(std::floor(x)) + offset, n, mode), 0, 0};
  x -= 0.5L;
  const long i = static_cast<long>(std::floor(x));
  return {inside(i + offset, n, mode), inside(i + offset + 1, n, mode),
          std::nearbyint((x - std::floor(x)) * 256) / 256};
}

// Appendix "Cubemap Textures": the major axis chooses the face; (s/m + 1)/2 and (t/m + 1)/2 are the
// coordinates on it.
void on_face(const Real d[3], long& face, Real& x, Real& y, long keep = -1) {
  const Real ax = std::fabs(d[0]), ay = std::fabs(d[1]), az = std::fabs(d[2]);
  face = keep >= 0              ? keep
         : ax >= ay && ax >= az ? (d[0] < 0)
         : ay >= az             ? 2 + (d[1] < 0)
                                : 4 + (d[2] < 0);
  const Real m = std::fabs(d[face / 2]);
  const Real s[] = {-d[2], d[2], d[0], d[0], d[0], -d[0]},
             t[] = {-d[1], -d[1], d[2], -d[2], -d[1], -d[1]};
  x = (s[face] / m + 1) / 2;
  y = (t[face] / m + 1) / 2;
}

struct Place {
  Real x[3] = {0, 0, 0};
  long layer = 0;
  bool normalized = false, cube = false;
};

Place place_of(const ImageCase& c, const ImageOperands& o) {
  Place p;
  const Extent e = extent_of(c, 0);
  p.normalized = c.normalized || c.cube();
  const long layers = c.cube() ? static_cast<long>(e.layers) / 6 : static_cast<long>(e.layers);
  const long layer = c.layered() ? static_cast<long>(o[3]) : 0;
  for (unsigned a = 0; a < 3; ++a) p.x[a] = static_cast<Real>(as_float(o[a]));
  p.layer = std::min(layer, layers - 1);
  if (!c.cube()) return p;
  const Real d[3] = {p.x[0], p.x[1], p.x[2]};
  long face = 0;
  on_face(d, face, p.x[0], p.x[1]);
  p.layer = std::min(layer * 6 + face,
                     static_cast<long>(e.layers) - 1);  // counts faces as layers
  return p;
}

Real finest(Real level, const ImageCase& c) {
  return std::min(std::max(level, 0.0L), static_cast<Real>(c.levels - 1));
}

Real level_of(const ImageCase& c, const ImageOperands& o) {
  if (c.begins("tex.level")) return finest(static_cast<Real>(as_float(o[4])), c);
  if (!c.begins("tex.grad")) return 0;
  const Extent e = extent_of(c, 0);
  const Real sizes[] = {static_cast<Real>(e.width), static_cast<Real>(e.height),
                        static_cast<Real>(e.depth)};
  Real longest = 0;
  for (unsigned g = 5; g <= 8; g += 3) {
    Real step[3] = {0, 0, 0};
    for (unsigned a = 0; a < (c.cube() ? 3 : c.dimensions()); ++a)
      step[a] = static_cast<Real>(as_float(o[g + a]));
    if (c.cube()) {  // numerically, with a small step of the direction
      const Real h = 1e-9L,
                 d[3] = {static_cast<Real>(as_float(o[0])), static_cast<Real>(as_float(o[1])),
                         static_cast<Real>(as_float(o[2]))};
      const Real moved[3] = {d[0] + h * step[0], d[1] + h * step[1], d[2] + h * step[2]};
      long face = 0;
      Real x0, y0, x1, y1;
      on_face(d, face, x0, y0);
      on_face(moved, face, x1, y1, face);
      step[0] = (x1 - x0) / h, step[1] = (y1 - y0) / h, step[2] = 0;
    }
    Real sum = 0;
    for (unsigned a = 0; a < 3; ++a) sum += step[a] * sizes[a] * step[a] * sizes[a];
    longest = std::max(longest, std::sqrt(sum));
  }
  return finest(std::log2(longest), c);
}

// Small changes of values that are rounded: coordinates in texels, the level.
struct Nudge {
  Real x[3] = {0, 0, 0}, level = 0;
};

struct Fetch {
  const Image& image;
  const ImageOperands& o;
  Nudge nudge;

  Axis axis(unsigned a, const Place& p, unsigned level, bool linear) const {
    const ImageCase& c = image.c;
    const Extent& e = image.levels[level].extent;
    const long sizes[] = {e.width, e.height, e.depth};
    if (a >= c.dimensions()) return {};
    const long offset = c.instruction.find("%e") != std::string::npos ? kOffsets[a] : 0;
    if (c.instruction.find("%n") != std::string::npos) {
      return {inside(static_cast<std::int32_t>(o[a]) + offset, sizes[a],
                     c.address == "border" ? "border" : "clamp"),
              0, 0};
    }
    return axis_of(p.x[a], sizes[a], c.cube() ? "clamp" : c.address, p.normalized, linear, offset,
                   nudge.x[a]);
  }
  Channels at_level(unsigned level) const {
    const Place p = place_of(image.c, o);
    Axis axes[3];
    for (unsigned a = 0; a < 3; ++a) axes[a] = axis(a, p, level, image.c.linear);
    Channels sum{};
    for (unsigned corner = 0; corner < 8; ++corner) {
      Real weight = 1;
      long at[3];
      for (unsigned a = 0; a < 3; ++a) {
        weight *= corner >> a & 1 ? axes[a].weight : 1 - axes[a].weight;
        at[a] = corner >> a & 1 ? axes[a].second : axes[a].first;
      }
      if (weight == 0) continue;
      const Channels texel = image.texel(level, at[0], at[1], at[2], p.layer);
      for (unsigned n = 0; n < 4; ++n) sum[n] += weight * texel[n];
    }
    return sum;
  }
  Channels all() const {
    const Real level = finest(level_of(image.c, o) + nudge.level, image.c);
    if (!image.c.blends) return at_level(static_cast<unsigned>(level + 0.5L));
    const auto lower = static_cast<unsigned>(level);
    const Real weight = std::nearbyint((level - std::floor(level)) * 256) / 256;
    Channels out = at_level(lower);
    if (weight == 0) return out;
    const Channels above = at_level(lower + 1);
    for (unsigned n = 0; n < 4; ++n) out[n] = out[n] * (1 - weight) + above[n] * weight;
    return out;
  }
  // Of the four texels that a linear filter would weigh, counterclockwise from the lower left.
  Channels gathered() const {
    const Place p = place_of(image.c, o);
    const Axis x = axis(0, p, 0, true), y = axis(1, p, 0, true);
    const std::size_t n = std::string("rgba").find(image.c.instruction[5]);
    return {image.texel(0, x.first, y.second, 0, p.layer)[n],
            image.texel(0, x.second, y.second, 0, p.layer)[n],
            image.texel(0, x.second, y.first, 0, p.layer)[n],
            image.texel(0, x.first, y.first, 0, p.layer)[n]};
  }
};

bool same(const ImageCase& c, const ImageResult& got, const Channels& want) {
  for (unsigned n = 0; n < 4; ++n) {
    if (!c.reads_floats()) {
      const Real value = c.kind == "s" ? static_cast<Real>(static_cast<std::int32_t>(got[n]))
                                       : static_cast<Real>(got[n]);
      if (value != want[n]) return false;
    } else if (!(std::fabs(static_cast<Real>(as_float(got[n])) - want[n]) <=
                 1e-6L * (std::fabs(want[n]) + (c.kind == "f" ? 125 : 1)))) {
      return false;
    }
  }
  return true;
}

// The guide does not define NaN coordinates, infinite coordinates in a repeated image, and
// directions with two equal axes of a cube.
bool open(const ImageCase& c, const ImageOperands& o) {
  if (c.is_surface() || c.instruction.find("%n") != std::string::npos) return false;
  for (unsigned a = 0; a < (c.cube() ? 3 : c.dimensions()); ++a) {
    const float x = as_float(o[a]);
    if (x != x || (std::isinf(x) && c.normalized)) return true;
  }
  const float x = std::fabs(as_float(o[0])), y = std::fabs(as_float(o[1])),
              z = std::fabs(as_float(o[2]));
  return c.cube() && (x == y || y == z || x == z || (c.layered() && o[3] > 1));
}

bool fetched_right(const Image& image, const ImageOperands& o, const ImageResult& got,
                   bool lenient) {
  if (open(image.c, o)) return true;
  const Real sizes[] = {1e-5L, 1.0L / 256};
  for (int strength = 0; strength < (lenient ? 2 : 1); ++strength) {
    for (unsigned which = 0; which < 81; ++which) {
      Nudge nudge;
      const unsigned digits[] = {which % 3, which / 3 % 3, which / 9 % 3, which / 27};
      for (unsigned a = 0; a < 3; ++a)
        nudge.x[a] = (digits[a] == 2 ? -1 : static_cast<Real>(digits[a])) * sizes[strength];
      nudge.level = (digits[3] == 2 ? -1 : static_cast<Real>(digits[3])) * sizes[strength];
      const Fetch fetch{image, o, nudge};
      if (same(image.c, got, image.c.begins("tld4") ? fetch.gathered() : fetch.all())) return true;
    }
  }
  return false;
}

std::uint32_t answer(const ImageCase& c) {
  const Extent e = extent_of(c, c.begins("txq.level") ? 1 : 0);
  const auto asks = [&](const char* what) { return c.instruction.find(what) != std::string::npos; };
  const std::uint32_t size = c.bits == 8 ? 0 : c.bits == 16 ? 1 : 2;
  if (asks("width")) return e.width;
  if (asks("height")) return e.height;
  if (asks("depth")) return e.depth;
  if (asks("array_size")) return c.layered() ? e.layers : 1;
  if (asks("normalized_coords")) return c.normalized;
  if (asks("num_mipmap_levels")) return c.levels;
  if (asks("num_samples")) return 1;
  if (asks("memory_layout")) return 0;
  if (asks("filter_mode")) return c.linear;
  if (asks("addr_mode"))
    return c.address == "wrap" ? 0 : c.address == "mirror" ? 1 : c.address == "clamp" ? 3 : 4;
  if (asks("channel_order")) return c.channels == 1 ? 0x10b0 : c.channels == 2 ? 0x10b2 : 0x10b5;
  if (c.kind == "f") return c.bits == 16 ? 0x10dd : 0x10de;
  return (c.kind == "s" ? (c.fraction ? 0x10d0 : 0x10d7) : (c.fraction ? 0x10d2 : 0x10da)) + size;
}

// --- Surfaces

std::uint16_t half_bits(float f) {
  const Real x = std::fabs(static_cast<Real>(f));
  const std::uint16_t sign = std::signbit(f) ? 0x8000 : 0;
  if (x == 0) return sign;
  const int exponent = std::max(std::ilogb(x), -14);
  const Real steps = std::nearbyint(std::ldexp(x, 10 - exponent));
  return static_cast<std::uint16_t>(sign + static_cast<int>(steps) + (exponent + 14) * 1024);
}

std::uint32_t stored_channel(const ImageCase& c, std::uint32_t word) {
  if (c.kind == "f") return c.bits == 16 ? half_bits(as_float(word)) : word;
  if (c.bits == 32) return word;
  const Real most = std::ldexp(1.0L, static_cast<int>(c.bits) - (c.kind == "s" ? 1 : 0)) - 1,
             least = c.kind == "s" ? -most - 1 : 0;
  const Real value =
      c.kind == "s" ? static_cast<Real>(static_cast<std::int32_t>(word)) : static_cast<Real>(word);
  return static_cast<std::uint32_t>(
      static_cast<std::int64_t>(std::min(std::max(value, least), most)));
}

std::uint32_t reduced(const ImageCase& c, std::uint32_t old, std::uint32_t word) {
  const bool is_signed = c.kind == "s";
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    return is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  };
  const std::string op = c.instruction.substr(8, 3);
  if (op == "add") return old + word;
  if (op == "min") return less(old, word) ? old : word;
  if (op == "max") return less(old, word) ? word : old;
  return op == "and" ? old & word : old | word;
}

void surface_after(const ImageCase& c, const std::vector<ImageOperands>& all,
                   std::vector<std::uint8_t>& bytes) {
  const bool clamps = c.instruction.find(".clamp") != std::string::npos;
  for (const ImageOperands& o : all) {
    const long texel = surface_place(c, o, clamps);
    if (texel < 0) continue;
    std::uint8_t* const at = &bytes[static_cast<std::size_t>(texel) * c.texel_bytes()];
    if (c.begins("sust.b")) std::memcpy(at, &o[12], c.texel_bytes());
    for (unsigned n = 0; c.begins("sust.p") && n < c.channels; ++n) {
      const std::uint32_t word = stored_channel(c, o[12 + n]);
      std::memcpy(at + n * c.bits / 8, &word, c.bits / 8);
    }
    if (!c.begins("sured")) continue;
    std::uint32_t old;
    std::memcpy(&old, at, 4);
    old = reduced(c, old, o[12]);
    std::memcpy(at, &old, 4);
  }
}

ImageResult loaded(const ImageCase& c, const ImageOperands& o,
                   const std::vector<std::uint8_t>& bytes) {
  ImageResult out{};
  const long texel = surface_place(c, o, c.instruction.find(".clamp") != std::string::npos);
  if (texel >= 0)
    std::memcpy(out.data(), &bytes[static_cast<std::size_t>(texel) * c.texel_bytes()],
                c.texel_bytes());
  return out;
}

}  // namespace

std::string image_differences(const ImageCase& c, const std::vector<ImageResult>& results,
                              const std::vector<std::uint8_t>& after, bool lenient) {
  const Image image(c);
  const auto operands = image_operands(c);
  std::vector<std::uint8_t> bytes = image.levels[0].bytes;
  if (c.is_surface() && !c.begins("suld") && !c.begins("suq")) surface_after(c, operands, bytes);
  if (after != bytes) return c.place + ": " + c.instruction + ": the image is another afterwards\n";
  std::size_t wrong = 0, first = 0;
  for (std::size_t t = 0; t < results.size(); ++t) {
    bool right = true;
    if (c.begins("txq") || c.begins("suq"))
      right = results[t][0] == answer(c);
    else if (c.begins("suld"))
      right = results[t] == loaded(c, operands[t], bytes);
    else if (!c.is_surface())
      right = fetched_right(image, operands[t], results[t], lenient);
    if (!right && wrong++ == 0) first = t;
  }
  if (wrong == 0) return "";
  std::ostringstream out;
  out << c.place << ": " << c.geometry << " " << c.kind << c.bits << "x" << c.channels
      << (c.linear ? " linear " : " point ") << c.address << " " << c.instruction << ": " << wrong
      << " of " << results.size() << " differ, first thread " << first << std::hex << ", operands";
  for (unsigned w = 0; w < 5; ++w) out << " " << operands[first][w];
  out << ", result";
  for (const std::uint32_t word : results[first]) out << " " << word;
  out << "\n";
  return out.str();
}

}  // namespace heddle::conformance
