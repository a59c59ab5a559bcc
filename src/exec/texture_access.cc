// Texture fetches and queries, surface loads and stores.
#include <algorithm>
#include <bit>

#include "exec/fault.h"
#include "exec/lanes.h"
#include "exec/machine.h"
#include "exec/small_float.h"
#include "exec/texture_unit.h"

namespace heddle::exec {
namespace {

using ptx::Geometry;
using ptx::Opcode;
using ptx::Space;
using ptx::Type;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

// sust has more operands than a record has sources, so all are read where the instruction has them.
const std::uint8_t* operand_row(const Warp& w, const ptx::Operand& o) {
  return w.bases[o.kind == ptx::Operand::Kind::constant ? 1 : 0] + std::size_t{o.row} * 128;
}
U32 word_at(const Warp& w, const Record& r, std::size_t operand, int lane) {
  const ptx::Operand& o = r.instruction->src[operand];
  U32 word;
  std::memcpy(&word, operand_row(w, o) + static_cast<std::size_t>(lane) * o.bytes, 4);
  return word;
}

// The texture that each lane names; mostly all name one.
class Names {
 public:
  Names(Warp& w, const Record& r) : w_(w), r_(r), handles_(operand_row(w, r.instruction->src[0])) {}

  const Texture& of(int lane) {
    U64 handle;
    std::memcpy(&handle, handles_ + static_cast<std::size_t>(lane) * 8, 8);
    if (!known_ || handle != handle_) look_up(handle, lane);
    return *known_;
  }
  std::uint8_t* bytes() const { return w_.machine->memory.host(known_->image.base); }

 private:
  void look_up(U64 handle, int lane) {
    const TextureTable* const table = w_.machine->launch.textures;
    known_ = table ? table->find(handle) : nullptr;
    handle_ = handle;
    if (!known_) throw_bad_texture(w_, r_, lane, "a handle that is no texture or surface");
    if (!known_->bound) throw_bad_texture(w_, r_, lane, "a texture or surface that nothing is bound to");
    if (!w_.machine->memory.valid(known_->image.base, extent_bytes(known_->image)))
      throw_bad_texture(w_, r_, lane, "a texture or surface whose memory has been freed");
  }

  Warp& w_;
  const Record& r_;
  const std::uint8_t* handles_;
  const Texture* known_ = nullptr;
  U64 handle_ = 0;
};

// What the timing model hears: lanes that reach no memory go along with one that does; when none does, there is no access.
void tell(Warp& w, Space space, U32 accessing, const std::array<U64, kWarpSize>& addresses) {
  if (!w.step) return;
  w.step->space = accessing ? space : Space::none;
  if (!accessing) return;
  w.step->addresses.fill(addresses[static_cast<std::size_t>(std::countr_zero(accessing))]);
  for (U32 rest = accessing; rest; rest &= rest - 1) {
    const auto l = static_cast<std::size_t>(std::countr_zero(rest));
    w.step->addresses[l] = addresses[l];
  }
}

void write_words(Warp& w, const Record& r, std::size_t n, const U32* values, U32 mask) {
  if (r.dst_bytes[n] == 0) return;
  if (r.dst_bytes[n] == 4) return store_lanes<4>(w.bases[0] + r.dst[n], values, mask);
  alignas(64) std::array<U64, kWarpSize> wide;
  std::copy(values, values + kWarpSize, wide.begin());
  store_lanes<8>(w.bases[0] + r.dst[n], wide.data(), mask);
}

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

U32 half_of(U32 bits) { return encode(kHalf, std::bit_cast<float>(bits), ptx::Rounding::rn); }

void fetch(Warp& w, const Record& r, U32 mask) {
  const ptx::Instruction& i = *r.instruction;
  const auto geometry = static_cast<Geometry>(i.mode);
  Names names(w, r);
  alignas(64) U32 results[4][kWarpSize] = {};
  std::array<U64, kWarpSize> addresses;
  U32 accessing = 0;
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    const Texture& texture = names.of(lane);
    const Coordinates at = coordinates(w, r, lane);
    Fetched got = i.opcode == Opcode::tld4 ? gather_texels(texture, names.bytes(), at, i.immediate)
                                           : fetch_texel(texture, names.bytes(), geometry, at);
    addresses[l] = texture.image.base.value + got.offset;
    if (got.in_image) accessing |= U32{1} << lane;
    if (i.type == Type::f16 || i.type == Type::f16x2) for (U32& channel : got.texel) channel = half_of(channel);
    if (i.type == Type::f16x2) got.texel = {got.texel[0] | got.texel[1] << 16, got.texel[2] | got.texel[3] << 16, 0, 0};
    for (std::size_t c = 0; c < 4; ++c) results[c][l] = got.texel[c];
  }
  tell(w, Space::texture, accessing, addresses);
  for (std::size_t c = 0; c < i.vector; ++c) write_words(w, r, c, results[c], mask);
}

void query(Warp& w, const Record& r, U32 mask) {
  Names names(w, r);
  alignas(64) U32 results[kWarpSize] = {};
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Texture& texture = names.of(lane);
    const auto ask = [&]() -> U64 {
      switch (static_cast<ptx::TextureQuery>(r.instruction->mode)) {
        case ptx::TextureQuery::width: return texture.image.width;
        case ptx::TextureQuery::height: return texture.image.height;
        case ptx::TextureQuery::depth: return texture.image.depth;
        case ptx::TextureQuery::array_size: return texture.image.layers;
        case ptx::TextureQuery::normalized: return texture.sampling.normalized_coordinates;
        case ptx::TextureQuery::one: return 1;
      }
      return 0;
    };
    results[lane] = static_cast<U32>(ask());
  }
  write_words(w, r, 0, results, mask);
}

// Where a lane's access to a surface is, from the surface's base; false when it is outside and does nothing.
bool surface_offset(const Warp& w, const Record& r, int lane, const TextureImage& image, U32 bytes, U64& offset) {
  const ptx::Instruction& i = *r.instruction;
  const auto geometry = static_cast<Geometry>(i.mode);
  const auto outside = static_cast<ptx::Outside>(i.immediate);
  const auto row_bytes = static_cast<std::int64_t>(image.width * image.format.bytes());
  const auto judge = [&](std::size_t operand, std::int64_t end, std::int64_t& at) {
    at = static_cast<std::int32_t>(word_at(w, r, operand, lane));
    if (at >= 0 && at < end) return true;
    if (outside == ptx::Outside::trap) throw_bad_texture(w, r, lane, "a place outside of the surface");
    at = std::clamp<std::int64_t>(at, 0, std::max<std::int64_t>(1, end) - 1);
    return outside == ptx::Outside::clamp && end > 0;
  };
  const std::size_t first = ptx::has_layers(geometry) ? 2 : 1, axes = ptx::coordinates_of(geometry) - (first - 1);
  std::int64_t layer = 0, x = 0, y = 0, z = 0;
  bool inside = true;
  if (first == 2) inside &= judge(1, static_cast<std::int64_t>(image.layers), layer);
  inside &= judge(first, row_bytes - bytes + 1, x);
  if (axes > 1) inside &= judge(first + 1, static_cast<std::int64_t>(image.height), y);
  if (axes > 2) inside &= judge(first + 2, static_cast<std::int64_t>(image.depth), z);
  if (!inside) return false;
  offset = static_cast<U64>(layer) * image.layer_bytes + static_cast<U64>(z) * image.slice_bytes + static_cast<U64>(y) * image.pitch_bytes +
           static_cast<U64>(x);
  const U64 address = image.base.value + offset;
  if (address % bytes != 0) throw_misaligned(w, r, lane, address, bytes);
  return true;
}

// Finds all lanes' places before anything is read or written. The lanes that have one.
U32 locate_on_surface(Warp& w, const Record& r, U32 mask, std::array<U64, kWarpSize>& addresses) {
  const U32 bytes = U32{r.instruction->vector} * r.instruction->access_bytes;
  Names names(w, r);
  U32 accessing = 0;
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const TextureImage& image = names.of(lane).image;
    U64 offset = 0;
    if (!surface_offset(w, r, lane, image, bytes, offset)) continue;
    addresses[static_cast<std::size_t>(lane)] = image.base.value + offset;
    accessing |= U32{1} << lane;
  }
  tell(w, Space::global, accessing, addresses);
  return accessing;
}

void surface_load(Warp& w, const Record& r, U32 mask) {
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
    std::transform(results[v], results[v] + kWarpSize, narrow.begin(), [](U64 x) { return static_cast<U32>(x); });
    if (r.dst_bytes[v] == 4) store_lanes<4>(w.bases[0] + r.dst[v], narrow.data(), mask);
  }
}

void surface_store(Warp& w, const Record& r, U32 mask) {
  Machine& m = *w.machine;
  const ptx::Instruction& i = *r.instruction;
  const U32 bytes = i.access_bytes;
  const std::size_t first = 1 + ptx::coordinates_of(static_cast<Geometry>(i.mode));
  std::array<U64, kWarpSize> addresses;
  const U32 accessing = locate_on_surface(w, r, mask, addresses);
  for (U32 rest = accessing; rest; rest &= rest - 1) {
    const auto l = static_cast<std::size_t>(std::countr_zero(rest));
    for (std::size_t v = 0; v < i.vector; ++v) {
      const ptx::Operand& data = i.src[first + v];
      const std::uint8_t* const from = operand_row(w, data) + l * data.bytes;
      const U64 address = addresses[l] + v * bytes;
      if (m.direct) std::memcpy(m.memory.host(Address{address}), from, bytes);
      else m.stores.store(address, from, bytes);
    }
  }
}

}  // namespace

Handler texture_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::tex: case Opcode::tld4: return fetch;
    case Opcode::txq: return query;
    case Opcode::suld: return surface_load;
    case Opcode::sust: return surface_store;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
