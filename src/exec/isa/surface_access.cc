// Surface loads, stores and reductions.

#include "exec/isa/decode.h"
#include "exec/isa/small_float.h"
#include "exec/isa/texture_operands.h"
#include "exec/state/pending_atomic.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using ptx::Space;

// The first source after the coordinates.
std::size_t first_data(const ptx::Instruction& i) {
  return ptx::ImageSource::first_coordinate +
         ptx::coordinates_of(i.as<ptx::SurfaceAccess>().geometry);
}

// The offset of a lane's access from the base of the surface; false when it is outside and does
// nothing. Formatted accesses count x in texels, others in bytes.
bool surface_offset(const Warp& w, const DecodedInstruction& r, int lane, const TextureImage& image,
                    U64& offset) {
  const ptx::Instruction& i = ptx_of(r);
  const auto [geometry, outside, formatted] = i.as<ptx::SurfaceAccess>();
  const U32 texel = image.format.bytes(),
            bytes = formatted && i.opcode == Opcode::sust ? texel : U32{i.vector} * i.access_bytes;
  if (formatted && i.opcode == Opcode::sured &&
      (image.format.kind == ChannelKind::floating || texel != bytes))
    throw_bad_texture(w, r, lane,
                      "a surface whose texels are not integers of the reduction's size");
  const auto row =
      static_cast<std::int64_t>(formatted ? image.width : image.width * texel - bytes + 1);
  const auto judge = [&](std::size_t operand, std::int64_t end, std::int64_t& at) {
    at = static_cast<std::int32_t>(word_at(w, r, operand, lane));
    if (at >= 0 && at < end) return true;
    if (outside == ptx::Outside::trap)
      throw_bad_texture(w, r, lane, "a place outside of the surface");
    at = std::clamp<std::int64_t>(at, 0, std::max<std::int64_t>(1, end) - 1);
    return outside == ptx::Outside::clamp && end > 0;
  };
  const std::size_t first = ptx::has_layers(geometry) ? 2 : 1,
                    axes = ptx::coordinates_of(geometry) - (first - 1);
  std::int64_t layer = 0, x = 0, y = 0, z = 0;
  bool inside = true;
  if (first == 2) inside &= judge(1, static_cast<std::int64_t>(image.layers), layer);
  inside &= judge(first, row, x);
  if (formatted) x *= texel;
  if (axes > 1) inside &= judge(first + 1, static_cast<std::int64_t>(image.height), y);
  if (axes > 2) inside &= judge(first + 2, static_cast<std::int64_t>(image.depth), z);
  if (!inside) return false;
  offset = static_cast<U64>(layer) * image.layer_bytes + static_cast<U64>(z) * image.slice_bytes +
           static_cast<U64>(y) * image.pitch_bytes + static_cast<U64>(x);
  const U64 address = image.base.value + offset;
  if (address % bytes != 0) throw_misaligned(w, r, lane, address, bytes);
  return true;
}

// Resolves the positions of all lanes before anything is read or written. Returns the lanes inside
// the surface.
U32 locate_on_surface(Warp& w, const DecodedInstruction& r, U32 mask,
                      std::array<U64, kWarpSize>& addresses) {
  ImageNames names(w, r);
  U32 accessing = 0;
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const TextureImage& image = names.of(lane).image;
    U64 offset = 0;
    if (!surface_offset(w, r, lane, image, offset)) continue;
    addresses[static_cast<std::size_t>(lane)] = image.base.value + offset;
    accessing |= U32{1} << lane;
  }
  report_addresses(w, Space::global, accessing, addresses);
  return accessing;
}

void surface_load(Warp& w, const DecodedInstruction& r, U32 mask) {
  Machine& m = *w.machine;
  const U32 bytes = r.instruction->access_bytes;
  std::array<U64, kWarpSize> addresses;
  const U32 accessing = locate_on_surface(w, r, mask, addresses);
  alignas(64) U64 results[4][kWarpSize] = {};
  for (U32 rest = accessing; rest; rest &= rest - 1) {
    const auto l = static_cast<std::size_t>(std::countr_zero(rest));
    for (U32 v = 0; v < r.instruction->vector; ++v) {
      const U64 address = addresses[l] + U64{v} * bytes;
      std::memcpy(&results[v][l], m.memory.host(Address{address}), bytes);
      if (!m.direct) m.stores.patch(address, &results[v][l], bytes);
    }
  }
  for (U32 v = 0; v < r.instruction->vector; ++v) {
    if (r.dst_bytes[v] == 8) store_lanes<8>(w.bases[0] + r.dst[v], results[v], mask);
    alignas(64) std::array<U32, kWarpSize> narrow;
    std::transform(results[v], results[v] + kWarpSize, narrow.begin(),
                   [](U64 x) { return static_cast<U32>(x); });
    if (r.dst_bytes[v] == 4) store_lanes<4>(w.bases[0] + r.dst[v], narrow.data(), mask);
  }
}

void surface_store(Warp& w, const DecodedInstruction& r, U32 mask) {
  Machine& m = *w.machine;
  const ptx::Instruction& i = ptx_of(r);
  const U32 bytes = i.access_bytes;
  const std::size_t first = first_data(i);
  std::array<U64, kWarpSize> addresses;
  const U32 accessing = locate_on_surface(w, r, mask, addresses);
  for (U32 rest = accessing; rest; rest &= rest - 1) {
    const auto l = static_cast<std::size_t>(std::countr_zero(rest));
    for (std::size_t v = 0; v < i.vector; ++v) {
      const ptx::Operand& data = i.src[first + v];
      const std::uint8_t* const from = operand_row(w, data) + l * data.bytes;
      const U64 address = addresses[l] + v * bytes;
      if (m.direct)
        std::memcpy(m.memory.host(Address{address}), from, bytes);
      else
        m.stores.store(address, from, bytes);
    }
  }
}

// A 32-bit register as a channel of the surface: integers saturate, halves round to nearest even.
U32 channel_of(U32 word, const TexelFormat& format) {
  if (format.kind == ChannelKind::floating)
    return format.bits == 16 ? encode(kHalf, std::bit_cast<float>(word), ptx::Rounding::rn) : word;
  if (format.bits == 32) return word;
  if (format.kind == ChannelKind::unsigned_integer)
    return std::min(word, (U32{1} << format.bits) - 1);
  const std::int32_t most = (std::int32_t{1} << (format.bits - 1)) - 1;
  return static_cast<U32>(std::clamp(static_cast<std::int32_t>(word), -most - 1, most));
}

// sust.p: registers become channels in the format of the surface. Channels without a register keep
// their value; registers without a channel are not stored.
void formatted_store(Warp& w, const DecodedInstruction& r, U32 mask) {
  Machine& m = *w.machine;
  const ptx::Instruction& i = ptx_of(r);
  const std::size_t first = first_data(i);
  std::array<U64, kWarpSize> addresses;
  const U32 accessing = locate_on_surface(w, r, mask, addresses);
  ImageNames names(w, r);
  for (U32 rest = accessing; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const TexelFormat& format = names.of(lane).image.format;
    const U32 bytes = format.bits / 8u;
    for (U32 v = 0; v < std::min<U32>(i.vector, format.channels); ++v) {
      const U32 channel = channel_of(word_at(w, r, first + v, lane), format);
      const U64 address = addresses[static_cast<std::size_t>(lane)] + v * bytes;
      if (m.direct)
        std::memcpy(m.memory.host(Address{address}), &channel, bytes);
      else
        m.stores.store(address, reinterpret_cast<const std::uint8_t*>(&channel), bytes);
    }
  }
}

void surface_reduction(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Operand& data = ptx_of(r).src[first_data(ptx_of(r))];
  std::array<U64, kWarpSize> addresses{}, operands{};
  const U32 accessing = locate_on_surface(w, r, mask, addresses);
  for (std::size_t l = 0; l < kWarpSize; ++l)
    std::memcpy(&operands[l], operand_row(w, data) + l * data.bytes, data.bytes);
  U32 signed_lanes = 0;
  if (ptx_of(r).as<ptx::SurfaceAccess>().formatted) {
    ImageNames names(w, r);
    for (U32 rest = accessing; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (names.of(lane).image.format.kind == ChannelKind::signed_integer)
        signed_lanes |= U32{1} << lane;
    }
  }
  reduce_global(w, r, accessing, addresses, operands, signed_lanes);
}

}  // namespace

Handler surface_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::suld: return surface_load;
    case Opcode::sust:
      return i.as<ptx::SurfaceAccess>().formatted ? formatted_store : surface_store;
    case Opcode::sured: return surface_reduction;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
