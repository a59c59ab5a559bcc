// Textures and surfaces, by the handlers of PTX. The image's handle is in machine.extra.
#include "exec/isa/decode.h"
#include "exec/machine_code/handlers.h"
#include "sass/encoding/form.h"
#include "sass/image_fields.h"

namespace heddle::exec {
namespace {

constexpr std::uint32_t kRow = 128;

// The first two components that are wanted go to the result and its successor, the others to the
// second result.
void place_components(const sass::Instruction& i, DecodedInstruction& r) {
  const std::uint32_t second = r.dst[0], first = r.dst[1],
                      wanted = static_cast<std::uint32_t>(sass::components_of(i));
  std::uint32_t place = 0;
  for (std::size_t c = 0; c < r.dst.size(); ++c) {
    const bool is_wanted = (wanted >> c & 1) != 0;
    r.dst_bytes[c] = is_wanted ? 4 : 0;
    if (!is_wanted) continue;
    r.dst[c] = (place < 2 ? first : second) + place % 2 * kRow;
    ++place;
  }
}

}  // namespace

Handler texture_handler(const sass::Instruction& i, DecodedInstruction& r) {
  if (!sass::is_of_image(i.opcode)) return nullptr;
  const ptx::Instruction& like = ptx_of(r);
  switch (like.opcode) {
    case ptx::Opcode::tex: r.machine.pair_result = sass::has_flag(i, "NDV"); [[fallthrough]];
    case ptx::Opcode::tld4: place_components(i, r); return texture_handler(like);
    case ptx::Opcode::txq:
      r.dst[0] = r.dst[1], r.dst_bytes[0] = r.dst_bytes[1];
      return texture_handler(like);
    case ptx::Opcode::suld:
      for (std::size_t v = 1; v < like.vector; ++v) {
        r.dst[v] = r.dst[0] + static_cast<std::uint32_t>(v) * kRow;
        r.dst_bytes[v] = r.dst_bytes[0];
      }
      return surface_handler(like);
    case ptx::Opcode::sust:
    case ptx::Opcode::sured: return surface_handler(like);
    default: return nullptr;
  }
}

}  // namespace heddle::exec
