#include "exec/isa/texture_unit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "exec/isa/small_float.h"

namespace heddle::exec {
namespace {

using ptx::Geometry;

std::uint32_t bits_of(float f) { return std::bit_cast<std::uint32_t>(f); }
float float_of(std::uint32_t u) { return std::bit_cast<float>(u); }

bool is_cube(Geometry g) { return g == Geometry::cube || g == Geometry::acube; }

// One image of a texture with its sampling.
struct View {
  const TextureImage& image;
  const Sampling& sampling;
};

bool reads_floats(const View& t) {
  return t.image.format.kind == ChannelKind::floating || t.sampling.normalized_read;
}

// One texel index, or two with the weight of the second. -1: outside, in the border.
struct Axis {
  std::array<std::int64_t, 2> texel{};
  float second = 0;
};

struct AxisRule {
  std::int64_t size = 1;
  AddressMode mode = AddressMode::clamp;
  bool normalized = false, linear = false;
};

std::int64_t place(std::int64_t i, const AxisRule& rule) {
  const std::int64_t n = rule.size;
  switch (rule.mode) {
    case AddressMode::clamp: return std::clamp<std::int64_t>(i, 0, n - 1);
    case AddressMode::border: return i < 0 || i >= n ? -1 : i;
    case AddressMode::halfway:
      return rule.linear && (i < 0 || i >= n) ? -1 : std::clamp<std::int64_t>(i, 0, n - 1);
    case AddressMode::wrap: return (i % n + n) % n;
    case AddressMode::mirror: {
      const std::int64_t in_period = (i % (2 * n) + 2 * n) % (2 * n);
      return in_period < n ? in_period : 2 * n - 1 - in_period;
    }
  }
  return 0;
}

// Texel offsets are small, so a coordinate further outside than this gives the same result.
constexpr float kFarOutside = 18;

Axis axis_of(float x, const AxisRule& rule, std::int32_t offset) {
  if (x != x) x = 0;
  if (rule.normalized) {
    const float whole = std::floor(x);
    if (rule.mode == AddressMode::wrap) x -= whole;
    if (rule.mode == AddressMode::mirror && std::fmod(whole, 2.0f) == 0)
      x -= whole;
    else if (rule.mode == AddressMode::mirror)
      x = 1 - (x - whole), offset = -offset;  // the image is mirrored here
    if (x != x) x = 0;                        // NaN, from an infinity
    x *= static_cast<float>(rule.size);
  }
  const auto size = static_cast<float>(rule.size);
  x = rule.mode == AddressMode::halfway ? std::clamp(x, 0.0f, size)
                                        : std::clamp(x, -kFarOutside, size + kFarOutside);
  Axis axis;
  if (!rule.linear) {
    axis.texel[0] = place(static_cast<std::int64_t>(std::floor(x)) + offset, rule);
    return axis;
  }
  // Weights have 8 bits of fraction and can be 1.
  x -= 0.5f;
  const float lower = std::floor(x);
  axis.second = std::nearbyint((x - lower) * 256) / 256;
  axis.texel[0] = place(static_cast<std::int64_t>(lower) + offset, rule);
  axis.texel[1] = place(static_cast<std::int64_t>(lower) + offset + 1, rule);
  return axis;
}
Axis axis_at(std::int32_t i, AxisRule rule, std::int32_t offset) {
  if (rule.mode != AddressMode::border) rule.mode = AddressMode::clamp;
  Axis axis;
  axis.texel[0] = place(std::int64_t{i} + offset, rule);
  return axis;
}

float from_srgb(float v) {
  return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
}

std::uint32_t channel_at(const std::uint8_t* p, std::uint32_t c, const View& t) {
  const TexelFormat& format = t.image.format;
  std::uint32_t raw = 0;
  std::memcpy(&raw, p + c * format.bits / 8, format.bits / 8);
  if (format.kind == ChannelKind::floating)
    return format.bits == 16 ? bits_of(decode_half(raw)) : raw;
  const bool is_signed = format.kind == ChannelKind::signed_integer;
  const int spare = 32 - format.bits;
  const auto value = static_cast<std::int32_t>(raw << spare) >> spare;
  if (!t.sampling.normalized_read) return is_signed ? static_cast<std::uint32_t>(value) : raw;
  if (is_signed)
    return bits_of(std::max(
        -1.0f, static_cast<float>(value) / static_cast<float>((1u << (format.bits - 1)) - 1)));
  const float fraction =
      static_cast<float>(raw) / static_cast<float>((std::uint64_t{1} << format.bits) - 1);
  return bits_of(t.sampling.srgb && format.bits == 8 && c < 3 ? from_srgb(fraction) : fraction);
}

// Reads texels of one image by their indices.
class Reader {
 public:
  Reader(const View& view, const std::uint8_t* bytes, std::uint64_t layer)
      : t_(view), bytes_(bytes), layer_(layer) {}

  Texel read(std::int64_t x, std::int64_t y, std::int64_t z, Fetched& out) const {
    const bool floats = reads_floats(t_);
    Texel texel{};  // channels that the format lacks are 0, as on an H200
    if (x < 0 || y < 0 || z < 0) {
      for (std::size_t c = 0; c < 4; ++c) {
        const float f = t_.sampling.border[c];
        texel[c] = floats ? bits_of(f) : static_cast<std::uint32_t>(static_cast<std::int64_t>(f));
      }
      return texel;
    }
    const std::uint64_t offset = layer_ * t_.image.layer_bytes +
                                 static_cast<std::uint64_t>(z) * t_.image.slice_bytes +
                                 static_cast<std::uint64_t>(y) * t_.image.pitch_bytes +
                                 static_cast<std::uint64_t>(x) * t_.image.format.bytes();
    for (std::uint32_t c = 0; c < t_.image.format.channels; ++c)
      texel[c] = channel_at(bytes_ + offset, c, t_);
    if (!out.in_image) out.offset = offset;
    out.in_image = true;
    return texel;
  }

  void filter(const std::array<Axis, 3>& axes, Fetched& out) const {
    std::array<double, 4> sum{};
    for (unsigned corner = 0; corner < 8; ++corner) {
      double weight = 1;
      for (std::size_t a = 0; a < 3; ++a)
        weight *= corner >> a & 1 ? axes[a].second : 1 - axes[a].second;
      if (weight == 0) continue;
      const Texel texel = read(axes[0].texel[corner & 1], axes[1].texel[corner >> 1 & 1],
                               axes[2].texel[corner >> 2], out);
      for (std::size_t c = 0; c < 4; ++c) sum[c] += weight * float_of(texel[c]);
    }
    for (std::size_t c = 0; c < 4; ++c) out.texel[c] = bits_of(static_cast<float>(sum[c]));
  }

 private:
  View t_;
  const std::uint8_t* bytes_;
  std::uint64_t layer_;
};

// The face of a cube that a direction points to, and the directions of its axes, after the guide's
// table of cube faces: s and t are the direction's components `s_axis` and `t_axis` times their
// signs, divided by the major component.
struct Face {
  std::uint32_t number = 0;
  std::size_t major = 0, s_axis = 0, t_axis = 0;
  float major_sign = 1, s_sign = 1, t_sign = 1;
};
Face face_of(const std::array<float, 3>& d) {
  const float ax = std::fabs(d[0]), ay = std::fabs(d[1]), az = std::fabs(d[2]);
  if (ax >= ay && ax >= az)
    return d[0] < 0 ? Face{1, 0, 2, 1, -1, 1, -1} : Face{0, 0, 2, 1, 1, -1, -1};
  if (ay >= az) return d[1] < 0 ? Face{3, 1, 0, 2, -1, 1, -1} : Face{2, 1, 0, 2, 1, 1, 1};
  return d[2] < 0 ? Face{5, 2, 0, 1, -1, -1, -1} : Face{4, 2, 0, 1, 1, 1, -1};
}
std::array<float, 3> direction_of(const Coordinates& c) {
  return {float_of(c.at[0]), float_of(c.at[1]), float_of(c.at[2])};
}

Coordinates on_face(const Coordinates& c) {
  const auto d = direction_of(c);
  const Face face = face_of(d);
  const float m = std::fabs(d[face.major]);
  Coordinates out;
  out.at = {bits_of((face.s_sign * d[face.s_axis] / m + 1) / 2),
            bits_of((face.t_sign * d[face.t_axis] / m + 1) / 2), 0};
  out.layer = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(std::uint64_t{c.layer} * 6 + face.number, ~std::uint32_t{0}));
  return out;
}
// The length in texels of a step of the direction on its face, by the quotient rule.
double step_on_face(const Coordinates& c, const std::array<float, 3>& gradient, double size) {
  const auto d = direction_of(c);
  const Face face = face_of(d);
  const double m = std::fabs(d[face.major]), dm = static_cast<double>(gradient[face.major]) *
                                                  static_cast<double>(face.major_sign);
  double sum = 0;
  for (const std::size_t axis : {face.s_axis, face.t_axis}) {
    const double step =
        (static_cast<double>(gradient[axis]) * m - static_cast<double>(d[axis]) * dm) / (m * m) /
        2 * size;
    sum += step * step;
  }
  return std::sqrt(sum);
}

Fetched fetch_linear_memory(const View& t, const std::uint8_t* bytes, const Coordinates& c) {
  const float f = float_of(c.at[0]);
  const std::int64_t size = static_cast<std::int64_t>(t.image.width);
  std::int64_t i = c.integers                               ? static_cast<std::int32_t>(c.at[0])
                   : f >= 0 && f < static_cast<float>(size) ? static_cast<std::int64_t>(f)
                                                            : -1;
  if (c.integers || i >= 0) i += c.offsets[0];
  Fetched out;
  if (i >= 0 && i < size) out.texel = Reader(t, bytes, 0).read(i, 0, 0, out);
  return out;
}

std::array<AxisRule, 3> rules_of(const View& t, std::size_t dimensions, bool linear) {
  const std::array<std::uint64_t, 3> sizes{t.image.width, t.image.height, t.image.depth};
  std::array<AxisRule, 3> rules;
  for (std::size_t a = 0; a < dimensions; ++a) {
    AxisRule& rule = rules[a];
    rule = {static_cast<std::int64_t>(std::max<std::uint64_t>(1, sizes[a])), t.sampling.address[a],
            t.sampling.normalized_coordinates, linear};
    const bool repeats = rule.mode == AddressMode::wrap || rule.mode == AddressMode::mirror;
    if (repeats && !rule.normalized) rule.mode = AddressMode::clamp;
  }
  return rules;
}

std::size_t dimensions_of(Geometry g) {
  switch (g) {
    case Geometry::d1:
    case Geometry::a1d: return 1;
    case Geometry::d3: return 3;
    default: return 2;
  }
}

std::uint64_t layer_of(const TextureImage& image, std::uint64_t layer) {
  return std::min<std::uint64_t>(layer, std::max<std::uint64_t>(1, image.layers) - 1);
}

Fetched fetch_from(const View& view, const std::uint8_t* bytes, Geometry geometry,
                   const Coordinates& c) {
  const bool cube = is_cube(geometry);
  const Coordinates at = cube ? on_face(c) : c;
  const bool linear = view.sampling.linear_filter && reads_floats(view) && !at.integers;
  const std::size_t dimensions = dimensions_of(geometry);
  std::array<AxisRule, 3> rules = rules_of(view, dimensions, linear);
  std::array<Axis, 3> axes;
  for (std::size_t a = 0; a < dimensions; ++a) {
    if (cube) rules[a].normalized = true, rules[a].mode = AddressMode::clamp;
    axes[a] = at.integers ? axis_at(static_cast<std::int32_t>(at.at[a]), rules[a], at.offsets[a])
                          : axis_of(float_of(at.at[a]), rules[a], at.offsets[a]);
  }
  const Reader reader(view, bytes, layer_of(view.image, at.layer));
  Fetched out;
  if (linear)
    reader.filter(axes, out);
  else
    out.texel = reader.read(axes[0].texel[0], axes[1].texel[0], axes[2].texel[0], out);
  return out;
}

// log2 of the longer of the two gradients in texels of level 0.
float level_of_gradients(const View& t, Geometry geometry, const Coordinates& c,
                         const Detail& detail) {
  const std::array<std::uint64_t, 3> sizes{t.image.width, t.image.height, t.image.depth};
  double longest = 0;
  for (const auto& gradient : detail.gradients) {
    double sum = 0;
    for (std::size_t a = 0; a < dimensions_of(geometry); ++a) {
      const double texels = static_cast<double>(gradient[a]) *
                            (t.sampling.normalized_coordinates ? static_cast<double>(sizes[a]) : 1);
      sum += texels * texels;
    }
    longest = std::max(longest, is_cube(geometry)
                                    ? step_on_face(c, gradient, static_cast<double>(t.image.width))
                                    : std::sqrt(sum));
  }
  return static_cast<float>(std::log2(longest));
}

// A texture with mipmap levels and its sampling.
struct Levels {
  const Texture& texture;
  const Sampling& sampling;
  const std::uint8_t* bytes;
  Geometry geometry;
  const Coordinates& at;

  // Offsets remain relative to the base of level 0.
  Fetched fetch(std::size_t level) const {
    const TextureImage& image = level == 0 ? texture.image : texture.smaller[level - 1];
    const std::uint64_t distance = image.base - texture.image.base;
    Fetched out = fetch_from({image, sampling}, bytes + distance, geometry, at);
    out.offset += distance;
    return out;
  }
};

Fetched fetch_detailed(const Levels& levels, const Detail& detail) {
  const Sampling& s = levels.sampling;
  const View whole{levels.texture.image, s};
  float level = detail.mode == ptx::Mipmap::gradient
                    ? level_of_gradients(whole, levels.geometry, levels.at, detail)
                    : detail.level;
  const float last = static_cast<float>(levels.texture.smaller.size());
  level = std::max(std::min(level + s.level_bias, s.most_level), s.least_level);
  level = level > 0 ? std::min(level, last) : 0;  // NaN: 0
  if (!s.blends_levels || !reads_floats(whole))
    return levels.fetch(static_cast<std::size_t>(std::floor(level + 0.5f)));
  const float lower = std::floor(level), weight = std::nearbyint((level - lower) * 256) / 256;
  Fetched out = levels.fetch(static_cast<std::size_t>(lower));
  if (weight == 0) return out;
  const Fetched above = levels.fetch(static_cast<std::size_t>(lower) + 1);
  for (std::size_t i = 0; i < 4; ++i) {
    const double a = float_of(out.texel[i]), b = float_of(above.texel[i]);
    out.texel[i] = bits_of(static_cast<float>(a * (1 - static_cast<double>(weight)) +
                                              b * static_cast<double>(weight)));
  }
  return out;
}

// The sampling with the texture's own fields replaced where a sampler defines them.
Sampling sampled_by(const Sampling& own, const Sampling* sampler) {
  if (!sampler) return own;
  Sampling out = own;
  out.address = sampler->address;
  out.linear_filter = sampler->linear_filter;
  out.normalized_coordinates &= !sampler->force_unnormalized;
  return out;
}

}  // namespace

Fetched fetch_texel(const Texture& texture, const std::uint8_t* bytes, Geometry geometry,
                    const Coordinates& c, const Detail& detail, const Sampling* sampler) {
  const Sampling sampling = sampled_by(texture.sampling, sampler);
  const View view{texture.image, sampling};
  if (texture.image.linear) return fetch_linear_memory(view, bytes, c);
  if (texture.smaller.empty() || detail.mode == ptx::Mipmap::base)
    return fetch_from(view, bytes, geometry, c);
  return fetch_detailed({texture, sampling, bytes, geometry, c}, detail);
}

Fetched gather_texels(const Texture& texture, const std::uint8_t* bytes, Geometry geometry,
                      const Coordinates& c, std::uint32_t channel, const Sampling* sampler) {
  const Sampling sampling = sampled_by(texture.sampling, sampler);
  const View view{texture.image, sampling};
  const Coordinates at = is_cube(geometry) ? on_face(c) : c;
  auto rules = rules_of(view, 2, true);
  for (AxisRule& rule : rules)
    if (is_cube(geometry)) rule.normalized = true, rule.mode = AddressMode::clamp;
  const Axis x = axis_of(float_of(at.at[0]), rules[0], at.offsets[0]),
             y = axis_of(float_of(at.at[1]), rules[1], at.offsets[1]);
  const Reader reader(view, bytes, layer_of(view.image, at.layer));
  Fetched out;
  // Counterclockwise from the lower left texel, as y grows downwards.
  constexpr std::array<std::array<std::size_t, 2>, 4> kOrder{{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  for (std::size_t n = 4; n-- > 0;)
    out.texel[n] = reader.read(x.texel[kOrder[n][0]], y.texel[kOrder[n][1]], 0, out)[channel];
  return out;
}

std::uint64_t extent_bytes(const TextureImage& image) {
  const auto last = [](std::uint64_t count) { return std::max<std::uint64_t>(1, count) - 1; };
  return last(image.layers) * image.layer_bytes + last(image.depth) * image.slice_bytes +
         last(image.height) * image.pitch_bytes +
         std::max<std::uint64_t>(1, image.width) * image.format.bytes();
}

}  // namespace heddle::exec
