// Loads of texels from linear memory (tex1Dfetch). The texture is named by a handle in constant
// bank 0, or from sm_90 on in a uniform register.
#include "exec/fault.h"
#include "exec/isa/lanes.h"
#include "exec/isa/texture_operands.h"
#include "exec/machine_code/handlers.h"
#include "exec/state/constant_bank.h"
#include "sass/encoding/form.h"

namespace heddle::exec {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr U32 kOneDimension = 0;  // of OperandKind::shape
constexpr U32 kAllComponents = 15;

// The k-th operand that is an immediate.
std::size_t immediate(const sass::Instruction& i, int k) {
  for (std::size_t n = 0; n < i.form->operands.size(); ++n)
    if (i.operands[n].kind == sass::OperandKind::immediate && k-- == 0) return n;
  return 0;
}

const Texture& texture_of(const Warp& w, const DecodedInstruction& r, int lane) {
  const sass::Instruction& i = sass_of(r);
  U64 handle = 0;
  if (r.src[2].present && r.src[2].base == 0)
    handle = source<U32>(w, r, 2)[0];
  else
    read_constant(*w.machine, static_cast<U32>(i.operands[immediate(i, 0)].value),
                  static_cast<U64>(i.operands[immediate(i, 1)].value) * 4, &handle, 4);
  const TextureTable* const table = w.machine->launch.textures;
  const Texture* const known = table ? table->find(TextureTable::kFirstHandle + handle) : nullptr;
  if (!known || known->kind != HandleKind::texture || !known->bound)
    throw_bad_texture(w, r, lane, "a handle that is no texture");
  if (!w.machine->memory.valid(known->image.base, extent_bytes(known->image)))
    throw_bad_texture(w, r, lane, "a texture whose memory has been freed");
  return *known;
}

// r.offset is the mask of components. The first two that are wanted go to dst[1] and its successor,
// the others to dst[0].
void load_texel(Warp& w, const DecodedInstruction& r, U32 mask) {
  const Texture& texture = texture_of(w, r, std::countr_zero(mask));
  alignas(64) U32 results[4][kWarpSize] = {};
  std::array<U64, kWarpSize> addresses{};
  U32 accessing = 0;
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    Coordinates at;
    at.integers = true;
    at.at[0] = source<U32>(w, r, 0)[lane];
    const Fetched got =
        fetch_texel(texture, w.machine->memory.host(texture.image.base), ptx::Geometry::d1, at);
    addresses[l] = texture.image.base.value + got.offset;
    if (got.in_image) accessing |= U32{1} << lane;
    for (std::size_t c = 0; c < 4; ++c) results[c][l] = got.texel[c];
  }
  report_addresses(w, ptx::Space::texture, accessing, addresses);
  int place = 0;
  for (int c = 0; c < 4; ++c) {
    if (!(r.offset >> c & 1)) continue;
    const U32 to = r.dst[place < 2 ? 1 : 0] + static_cast<U32>(place % 2) * 128;
    store_lanes<4>(w.bases[0] + to, results[c], mask);
    ++place;
  }
}

}  // namespace

Handler texture_handler(const sass::Instruction& i, DecodedInstruction& r) {
  if (i.opcode != sass::Opcode::TLD || sass::has_flag(i, "AOFFI") || sass::has_flag(i, "MS") ||
      sass::has_flag(i, "CL") || sass::modifier_of<sass::Level>(i) != sass::Level::LZ ||
      sass::modifier_of<sass::Texel>(i) != sass::Texel::F32_ ||
      r.dst_predicate[0] != kPredicateRows + 2)
    return nullptr;
  for (const sass::Operand& o : i.operands)
    if (o.kind == sass::OperandKind::shape && o.index != kOneDimension) return nullptr;
  const bool in_register = i.form->code == 0x1f66;
  const std::size_t of_mask = immediate(i, in_register ? 1 : 2);
  r.offset = of_mask == 0 ? kAllComponents : i.operands[of_mask].value;
  return load_texel;
}

}  // namespace heddle::exec
