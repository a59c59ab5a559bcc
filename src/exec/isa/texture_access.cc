// Texture fetches and queries.
#include <bit>

#include "exec/isa/decode.h"
#include "exec/isa/small_float.h"
#include "exec/isa/texture_operands.h"

namespace heddle::exec {
namespace {

using ptx::Geometry;
using ptx::Opcode;
using ptx::Space;
using ptx::Type;

// The first source after coordinates, level and gradients: the offsets, then the sampler.
std::size_t first_extra(const ptx::Instruction& i) {
  const auto& fetch = i.as<ptx::TextureFetch>();
  return ptx::ImageSource::first_coordinate + ptx::coordinates_of(fetch.geometry) +
         (fetch.mipmap == ptx::Mipmap::level      ? 1
          : fetch.mipmap == ptx::Mipmap::gradient ? 2 * ptx::axes_of(fetch.geometry)
                                                  : 0);
}

// Null: the sampling of the texture itself.
const Sampling* sampler_of(Warp& w, const DecodedInstruction& r, int lane) {
  const ptx::Instruction& i = ptx_of(r);
  const auto& fetch = i.as<ptx::TextureFetch>();
  if (!fetch.has_sampler) return nullptr;
  const std::size_t operand =
      first_extra(i) + (fetch.has_offsets ? ptx::axes_of(fetch.geometry) : 0);
  U64 handle = 0;
  std::memcpy(&handle, operand_row(w, i.src[operand]) + static_cast<std::size_t>(lane) * 8, 8);
  const TextureTable* const table = w.machine->launch.textures;
  const Texture* const known = table ? table->find(handle) : nullptr;
  if (!known || known->kind != HandleKind::sampler)
    throw_bad_texture(w, r, lane, "a handle that is no sampler");
  return &known->sampling;
}

Coordinates coordinates(const Warp& w, const DecodedInstruction& r, int lane) {
  const ptx::Instruction& i = ptx_of(r);
  const auto& fetch = i.as<ptx::TextureFetch>();
  const Geometry geometry = fetch.geometry;
  Coordinates c;
  c.integers = i.source_type != Type::f32;
  std::size_t operand = ptx::ImageSource::first_coordinate;
  if (ptx::has_layers(geometry)) c.layer = word_at(w, r, operand++, lane);
  for (std::size_t a = 0; operand <= ptx::coordinates_of(geometry); ++a)
    c.at[a] = word_at(w, r, operand++, lane);
  if (fetch.has_offsets) {
    operand = first_extra(i);
    for (std::size_t a = 0; a < ptx::axes_of(geometry); ++a)
      c.offsets[a] = static_cast<std::int32_t>(word_at(w, r, operand++, lane));
  }
  return c;
}

Detail detail_of(const Warp& w, const DecodedInstruction& r, int lane) {
  const ptx::Instruction& i = ptx_of(r);
  const auto& fetch = i.as<ptx::TextureFetch>();
  const Geometry geometry = fetch.geometry;
  Detail detail;
  detail.mode = fetch.mipmap;
  std::size_t operand = ptx::ImageSource::first_coordinate + ptx::coordinates_of(geometry);
  if (detail.mode == ptx::Mipmap::level) {
    const U32 word = word_at(w, r, operand, lane);
    detail.level = i.source_type == Type::f32 ? std::bit_cast<float>(word)
                                              : static_cast<float>(static_cast<std::int32_t>(word));
  }
  // TEX.NDV: the differences of the coordinates in a quad of lanes, as pair_result says.
  if (detail.mode == ptx::Mipmap::gradient && r.machine.pair_result) {
    const int first = lane & ~3;
    const auto axis = [&](int of, U32 a) {
      return std::bit_cast<float>(coordinates(w, r, of).at[a]);
    };
    for (U32 a = 0; a < ptx::axes_of(geometry); ++a) {
      detail.gradients[0][a] = axis(first + 1, a) - axis(first, a);
      detail.gradients[1][a] = axis(first + 2, a) - axis(first, a);
    }
  } else if (detail.mode == ptx::Mipmap::gradient) {
    for (auto& gradient : detail.gradients) {
      for (U32 a = 0; a < ptx::axes_of(geometry); ++a)
        gradient[a] = std::bit_cast<float>(word_at(w, r, operand++, lane));
    }
  }
  return detail;
}

U32 half_of(U32 bits) { return encode(kHalf, std::bit_cast<float>(bits), ptx::Rounding::rn); }

void fetch(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  const auto& payload = i.as<ptx::TextureFetch>();
  const Geometry geometry = payload.geometry;
  ImageNames names(w, r);
  alignas(64) U32 results[4][kWarpSize] = {};
  std::array<U64, kWarpSize> addresses;
  U32 accessing = 0;
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    const Texture& texture = names.of(lane);
    const Coordinates at = coordinates(w, r, lane);
    const Sampling* const sampler = sampler_of(w, r, lane);
    Fetched got =
        i.opcode == Opcode::tld4
            ? gather_texels(texture, names.bytes(), geometry, at, payload.channel, sampler)
            : fetch_texel(texture, names.bytes(), geometry, at, detail_of(w, r, lane), sampler);
    addresses[l] = texture.image.base.value + got.offset;
    if (got.in_image) accessing |= U32{1} << lane;
    if (i.type == Type::f16 || i.type == Type::f16x2)
      for (U32& channel : got.texel) channel = half_of(channel);
    if (i.type == Type::f16x2)
      got.texel = {got.texel[0] | got.texel[1] << 16, got.texel[2] | got.texel[3] << 16, 0, 0};
    for (std::size_t c = 0; c < 4; ++c) results[c][l] = got.texel[c];
  }
  report_addresses(w, Space::texture, accessing, addresses);
  for (std::size_t c = 0; c < i.vector; ++c) write_words(w, r, c, results[c], mask);
}

// OpenCL's numbers, to which the PTX manual refers.
U32 data_type_of(const TextureImage& image, bool normalized) {
  const U32 size = image.format.bits == 8 ? 0 : image.format.bits == 16 ? 1 : 2;
  switch (image.format.kind) {
    case ChannelKind::floating: return image.format.bits == 16 ? 0x10dd : 0x10de;
    case ChannelKind::signed_integer: return (normalized ? 0x10d0 : 0x10d7) + size;
    case ChannelKind::unsigned_integer: return (normalized ? 0x10d2 : 0x10da) + size;
  }
  return 0;
}
U32 order_of(const TexelFormat& format) {
  return format.channels == 1 ? 0x10b0 : format.channels == 2 ? 0x10b2 : 0x10b5;
}
// wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border.
U32 number_of(AddressMode mode) {
  switch (mode) {
    case AddressMode::wrap: return 0;
    case AddressMode::mirror: return 1;
    case AddressMode::halfway: return 2;
    case AddressMode::clamp: return 3;
    case AddressMode::border: return 4;
  }
  return 0;
}

U64 answer(ptx::TextureQuery question, const Texture& texture, const TextureImage& image) {
  using Query = ptx::TextureQuery;
  switch (question) {
    case Query::width: return image.width;
    case Query::height: return image.height;
    case Query::depth: return image.depth;
    case Query::array_size: return texture.image.layers;
    case Query::normalized: return texture.sampling.normalized_coordinates;
    case Query::levels: return 1 + texture.smaller.size();
    case Query::one: return 1;
    case Query::data_type:
      return data_type_of(image,
                          texture.kind == HandleKind::texture && texture.sampling.normalized_read);
    case Query::order: return order_of(image.format);
    case Query::layout: return image.linear;
    case Query::filter: return texture.sampling.linear_filter;
    case Query::address_x:
    case Query::address_y:
    case Query::address_z:
      return number_of(texture.sampling.address[static_cast<std::size_t>(question) -
                                                static_cast<std::size_t>(Query::address_x)]);
    case Query::force_unnormalized: return texture.sampling.force_unnormalized;
  }
  return 0;
}

void query(Warp& w, const DecodedInstruction& r, U32 mask) {
  ImageNames names(w, r);
  alignas(64) U32 results[kWarpSize] = {};
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Texture& texture = names.of(lane);
    const U32 level = ptx_of(r).src[1] ? word_at(w, r, 1, lane) : 0;
    const TextureImage& image =
        level > 0 && level <= texture.smaller.size() ? texture.smaller[level - 1] : texture.image;
    results[lane] = static_cast<U32>(answer(ptx_of(r).as<ptx::TextureQuery>(), texture, image));
  }
  write_words(w, r, 0, results, mask);
}

// istypep. A value that is not a handle is of no type.
void is_type(Warp& w, const DecodedInstruction& r, U32 mask) {
  const TextureTable* const table = w.machine->launch.textures;
  const HandleKind wanted = r.instruction->space == Space::texture   ? HandleKind::texture
                            : r.instruction->space == Space::surface ? HandleKind::surface
                                                                     : HandleKind::sampler;
  U32 holds = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    U64 handle = 0;
    std::memcpy(&handle, operand_row(w, ptx_of(r).src[0]) + static_cast<std::size_t>(lane) * 8, 8);
    const Texture* const known = table ? table->find(handle) : nullptr;
    holds |= U32{known && known->kind == wanted} << lane;
  }
  set_predicate(w, r.dst_predicate[0], holds, mask);
}

}  // namespace

Handler texture_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::tex:
    case Opcode::tld4: return fetch;
    case Opcode::txq: return query;
    case Opcode::istypep: return is_type;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
