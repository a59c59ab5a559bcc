// Texture fetches and queries.
#include <bit>

#include "exec/small_float.h"
#include "exec/texture_operands.h"

namespace heddle::exec {
namespace {

using ptx::Geometry;
using ptx::Opcode;
using ptx::Space;
using ptx::Type;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

Coordinates coordinates(const Warp& w, const Record& r, int lane) {
  const ptx::Instruction& i = *r.instruction;
  const auto geometry = static_cast<Geometry>(i.mode);
  Coordinates c;
  c.integers = i.source_type != Type::f32;
  std::size_t operand = 1;
  if (ptx::has_layers(geometry)) c.layer = word_at(w, r, operand++, lane);
  for (std::size_t a = 0; operand <= ptx::coordinates_of(geometry); ++a) c.at[a] = word_at(w, r, operand++, lane);
  return c;
}

Detail detail_of(const Warp& w, const Record& r, int lane) {
  const ptx::Instruction& i = *r.instruction;
  const auto geometry = static_cast<Geometry>(i.mode);
  Detail detail;
  detail.mode = static_cast<ptx::Mipmap>(i.immediate);
  std::size_t operand = 1 + ptx::coordinates_of(geometry);
  if (detail.mode == ptx::Mipmap::level) {
    const U32 word = word_at(w, r, operand, lane);
    detail.level = i.source_type == Type::f32 ? std::bit_cast<float>(word) : static_cast<float>(static_cast<std::int32_t>(word));
  }
  if (detail.mode == ptx::Mipmap::gradient) {
    for (auto& gradient : detail.gradients) {
      for (U32 a = 0; a < ptx::axes_of(geometry); ++a) gradient[a] = std::bit_cast<float>(word_at(w, r, operand++, lane));
    }
  }
  return detail;
}

U32 half_of(U32 bits) { return encode(kHalf, std::bit_cast<float>(bits), ptx::Rounding::rn); }

void fetch(Warp& w, const Record& r, U32 mask) {
  const ptx::Instruction& i = *r.instruction;
  const auto geometry = static_cast<Geometry>(i.mode);
  ImageNames names(w, r);
  alignas(64) U32 results[4][kWarpSize] = {};
  std::array<U64, kWarpSize> addresses;
  U32 accessing = 0;
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    const Texture& texture = names.of(lane);
    const Coordinates at = coordinates(w, r, lane);
    Fetched got = i.opcode == Opcode::tld4 ? gather_texels(texture, names.bytes(), at, i.immediate)
                                           : fetch_texel(texture, names.bytes(), geometry, at, detail_of(w, r, lane));
    addresses[l] = texture.image.base.value + got.offset;
    if (got.in_image) accessing |= U32{1} << lane;
    if (i.type == Type::f16 || i.type == Type::f16x2) for (U32& channel : got.texel) channel = half_of(channel);
    if (i.type == Type::f16x2) got.texel = {got.texel[0] | got.texel[1] << 16, got.texel[2] | got.texel[3] << 16, 0, 0};
    for (std::size_t c = 0; c < 4; ++c) results[c][l] = got.texel[c];
  }
  tell_places(w, Space::texture, accessing, addresses);
  for (std::size_t c = 0; c < i.vector; ++c) write_words(w, r, c, results[c], mask);
}

void query(Warp& w, const Record& r, U32 mask) {
  ImageNames names(w, r);
  alignas(64) U32 results[kWarpSize] = {};
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Texture& texture = names.of(lane);
    const U32 level = r.instruction->src[1] ? word_at(w, r, 1, lane) : 0;
    const TextureImage& image = level > 0 && level <= texture.smaller.size() ? texture.smaller[level - 1] : texture.image;
    const auto ask = [&]() -> U64 {
      switch (static_cast<ptx::TextureQuery>(r.instruction->mode)) {
        case ptx::TextureQuery::width: return image.width;
        case ptx::TextureQuery::height: return image.height;
        case ptx::TextureQuery::depth: return image.depth;
        case ptx::TextureQuery::array_size: return texture.image.layers;
        case ptx::TextureQuery::normalized: return texture.sampling.normalized_coordinates;
        case ptx::TextureQuery::levels: return 1 + texture.smaller.size();
        case ptx::TextureQuery::one: return 1;
      }
      return 0;
    };
    results[lane] = static_cast<U32>(ask());
  }
  write_words(w, r, 0, results, mask);
}

}  // namespace

Handler texture_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::tex: case Opcode::tld4: return fetch;
    case Opcode::txq: return query;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
