// Shared by texture and surface instructions: their operands, the image of a handle, and the report
// of their accesses to the timing model.
#pragma once

#include <algorithm>
#include <bit>

#include "exec/fault.h"
#include "exec/isa/lanes.h"
#include "exec/isa/texture_unit.h"
#include "exec/state/machine.h"

namespace heddle::exec {

// sust has more operands than a decoded instruction has sources, so all operands are read from the
// instruction.
inline const std::uint8_t* operand_row(const Warp& w, const ptx::Operand& o) {
  return w.bases[o.kind == ptx::Operand::Kind::constant ? 1 : 0] + std::size_t{o.row} * 128;
}
inline std::uint32_t word_at(const Warp& w, const DecodedInstruction& r, std::size_t operand,
                             int lane) {
  const ptx::Operand& o = ptx_of(r).src[operand];
  std::uint32_t word;
  std::memcpy(&word, operand_row(w, o) + static_cast<std::size_t>(lane) * o.bytes, 4);
  return word;
}

// The texture that each lane names; usually all lanes name the same.
class ImageNames {
 public:
  ImageNames(Warp& w, const DecodedInstruction& r)
      : w_(w),
        r_(r),
        machine_code_(r.machine.extra.present),
        handles_(machine_code_ ? row(w, r.machine.extra)
                               : operand_row(w, ptx_of(r).src[ptx::ImageSource::handle])) {}

  const Texture& of(int lane) {
    std::uint64_t handle = 0;
    // Machine code has the lower half; up to sm_89 its highest bit is set in uniform registers.
    const std::size_t bytes = machine_code_ ? 4 : 8;
    std::memcpy(&handle, handles_ + static_cast<std::size_t>(lane) * bytes, bytes);
    if (machine_code_) handle = (handle & 0x7fff'ffff) + TextureTable::kFirstHandle;
    if (!known_ || handle != handle_) look_up(handle, lane);
    return *known_;
  }
  std::uint8_t* bytes() const { return w_.machine->memory.host(known_->image.base); }

 private:
  void look_up(std::uint64_t handle, int lane) {
    const TextureTable* const table = w_.machine->launch.textures;
    known_ = table ? table->find(handle) : nullptr;
    handle_ = handle;
    if (!known_) throw_bad_texture(w_, r_, lane, "a handle that is no texture or surface");
    if (known_->kind == HandleKind::sampler) return look_up_sampler(lane);
    if (!known_->bound)
      throw_bad_texture(w_, r_, lane, "a texture or surface that nothing is bound to");
    if (!w_.machine->memory.valid(known_->image.base, extent_bytes(known_->image)))
      throw_bad_texture(w_, r_, lane, "a texture or surface whose memory has been freed");
  }

  // A sampler has no image, but some queries accept one.
  void look_up_sampler(int lane) const {
    if (ptx_of(r_).opcode != ptx::Opcode::txq)
      throw_bad_texture(w_, r_, lane, "a sampler where a texture or surface is needed");
    if (!ptx::asks_a_sampler(ptx_of(r_).as<ptx::TextureQuery>()))
      throw_bad_texture(w_, r_, lane, "a sampler where a texture is needed");
  }

  Warp& w_;
  const DecodedInstruction& r_;
  bool machine_code_;
  const std::uint8_t* handles_;
  const Texture* known_ = nullptr;
  std::uint64_t handle_ = 0;
};

// Reports the accessed addresses to the timing model. Lanes that access no memory count as one that
// does; without such a lane there is no access.
inline void report_addresses(Warp& w, ptx::Space space, std::uint32_t accessing,
                             const std::array<std::uint64_t, kWarpSize>& addresses) {
  if (!w.step) return;
  w.step->space = accessing ? space : ptx::Space::none;
  if (!accessing) return;
  w.step->addresses.fill(addresses[static_cast<std::size_t>(std::countr_zero(accessing))]);
  for (std::uint32_t rest = accessing; rest; rest &= rest - 1) {
    const auto l = static_cast<std::size_t>(std::countr_zero(rest));
    w.step->addresses[l] = addresses[l];
  }
}

inline void write_words(Warp& w, const DecodedInstruction& r, std::size_t n,
                        const std::uint32_t* values, std::uint32_t mask) {
  if (r.dst_bytes[n] == 0) return;
  if (r.dst_bytes[n] == 4) return store_lanes<4>(w.bases[0] + r.dst[n], values, mask);
  alignas(64) std::array<std::uint64_t, kWarpSize> wide;
  std::copy(values, values + kWarpSize, wide.begin());
  store_lanes<8>(w.bases[0] + r.dst[n], wide.data(), mask);
}

}  // namespace heddle::exec
