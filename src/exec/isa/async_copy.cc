// cp.async: copies from global to shared memory without a register. The bytes are copied when the
// instruction issues; PTX allows them to arrive at any time before the wait.
#include <algorithm>

#include "exec/fault.h"
#include "exec/isa/decode.h"
#include "exec/isa/memory_access.h"

namespace heddle::exec {
namespace {

using ptx::Space;

// LDGSTS.ZFILL: the last bits of the source address are the number of bytes that are 0 instead, as
// ptxas computes them from src-size.
bool fills(const DecodedInstruction& r) { return r.machine.pair_result; }

void copy(Warp& w, const DecodedInstruction& r, U32 mask) {
  Machine& m = *w.machine;
  const U32 bytes = r.instruction->access_bytes;
  const bool log = !m.direct && !m.stores.empty();
  // A lane that copies nothing may have any source address.
  U32 reading = 0;
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    reading |= U32{async_copy_bytes(w, r, lane) > 0} << lane;
  }
  Located at;
  if (reading && fills(r)) {
    std::array<U64, kWarpSize> sources;
    async_copy_sources(w, r, sources);
    locate_addresses(w, r, reading, bytes, sources, log, at);
  } else if (reading) {
    locate(w, r, reading, bytes, log, at);
  }
  if (w.step) w.step->space = Space::global, w.step->executed = LaneMask{reading};
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    const U64 to = async_copy_target(w, r, lane);
    if (to % bytes) throw_misaligned(w, r, lane, to, bytes);
    if (to > m.shared_bytes || m.shared_bytes - to < bytes)
      throw_out_of_bounds(w, r, lane, Space::shared, to, bytes, m.shared_bytes);
    std::array<std::uint8_t, 16> value{};
    if (reading >> lane & 1) {
      std::memcpy(value.data(), at.at(lane), bytes);
      if (log && (at.global_lanes >> lane & 1)) m.stores.patch(m.addresses[l], value.data(), bytes);
      std::fill(value.begin() + async_copy_bytes(w, r, lane), value.end(), std::uint8_t{0});
    }
    std::memcpy(w.cta->shared.data() + to, value.data(), bytes);
  }
}

}  // namespace

U64 async_copy_target(const Warp& w, const DecodedInstruction& r, int lane) {
  U64 address = ptx_of(r).as<ptx::AsyncCopy>().shared_offset;
  for (const std::size_t part : {ptx::CopySource::shared, kSharedUniform}) {
    const RowSource& source = r.src[part];
    if (!source.present) continue;
    U64 value = 0;
    std::memcpy(&value, row(w, source) + static_cast<std::size_t>(lane) * source.bytes,
                source.bytes);
    address += value;
  }
  if (w.machine->decoded->machine_code) address = static_cast<U32>(address);  // it wraps around
  return shared_place(*w.machine, w.cta->rank, address).offset;
}

U32 async_copy_bytes(const Warp& w, const DecodedInstruction& r, int lane) {
  constexpr std::size_t kBytes = ptx::CopySource::bytes;
  const U32 all = r.instruction->access_bytes;
  // LDGSTS: a lane whose predicate does not hold writes zeros.
  if (w.machine->decoded->machine_code) {
    if (!(predicate(w, r.src_predicate[0]) >> lane & 1)) return 0;
    if (!fills(r)) return all;
    std::array<U64, kWarpSize> addresses;
    raw_addresses(w, r, addresses);
    return all - static_cast<U32>(addresses[static_cast<std::size_t>(lane)] % all);
  }
  if (ptx_of(r).src[kBytes].kind == ptx::Operand::Kind::pred)
    return predicate(w, r.src_predicate[kBytes]) >> lane & 1 ? 0 : all;
  return r.src[kBytes].present ? std::min(all, source<U32>(w, r, kBytes)[lane]) : all;
}

void async_copy_sources(const Warp& w, const DecodedInstruction& r,
                        std::array<U64, kWarpSize>& out) {
  raw_addresses(w, r, out);
  if (!fills(r)) return;
  for (U64& address : out) address -= address % r.instruction->access_bytes;
}

Handler async_copy_handler(const ptx::Instruction&) { return copy; }

}  // namespace heddle::exec
