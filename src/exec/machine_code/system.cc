// Special registers, convergence barriers as registers, and what has no effect here.
#include <algorithm>

#include "exec/isa/lanes.h"
#include "exec/machine_code/handlers.h"
#include "exec/machine_code/layout.h"
#include "exec/state/machine.h"
#include "sass/encoding/form.h"
#include "sass/special_registers.h"

namespace heddle::exec {
namespace {

using sass::Opcode;

void nothing(Warp&, const DecodedInstruction&, U32) {}

// --- Special registers ---

enum class Special : std::uint8_t {
  laneid,
  warpid,
  smid,
  tid_x,
  tid_y,
  tid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  eqmask,
  ltmask,
  lemask,
  gtmask,
  gemask,
  clock,
  globaltimer,
  shared_window,
  cluster_rank,
  zero
};

U64 clock_of(const Warp& w, bool nanoseconds) {
  if (!nanoseconds) return w.now;
  return static_cast<U64>(static_cast<double>(w.now) * 1000.0 / w.machine->view.core_mhz);
}

template <Special kSpecial>
U64 value_of(const Warp& w, U32 lane) {
  const Dim3& block = w.machine->launch.block;
  const U32 thread = w.warp_in_cta * kWarpSize + lane, bit = U32{1} << lane;
  switch (kSpecial) {
    case Special::laneid: return lane;
    case Special::warpid: return w.warp_in_cta;
    case Special::smid: return w.machine->view.sm;
    case Special::tid_x: return thread % block.x;
    case Special::tid_y: return thread / block.x % block.y;
    case Special::tid_z: return thread / block.x / block.y;
    case Special::ctaid_x: return w.cta->x;
    case Special::ctaid_y: return w.cta->y;
    case Special::ctaid_z: return w.cta->z;
    case Special::eqmask: return bit;
    case Special::ltmask: return bit - 1;
    case Special::lemask: return bit | (bit - 1);
    case Special::gtmask: return ~(bit | (bit - 1));
    case Special::gemask: return ~(bit - 1);
    case Special::clock: return clock_of(w, false);
    case Special::globaltimer: return clock_of(w, true);
    case Special::shared_window: return w.machine->map.shared_window >> 32;
    case Special::cluster_rank: return w.cta->rank;
    case Special::zero: return 0;
  }
  return 0;
}

constexpr bool is_of_lane(Special s) {
  return (s >= Special::tid_x && s <= Special::tid_z) || s == Special::laneid ||
         (s >= Special::eqmask && s <= Special::gemask);
}

// kFirst: the first of the two words that are read, 0 or 1. The number of words is r.offset.
template <Special kSpecial, int kFirst, bool kUniform>
void read(Warp& w, const DecodedInstruction& r, U32 mask) {
  alignas(64) U32 words[2][kWarpSize];
  U64 value = value_of<kSpecial>(w, 0);
  for (U32 l = 0; l < kWarpSize; ++l) {
    if constexpr (is_of_lane(kSpecial)) value = value_of<kSpecial>(w, l);
    words[0][l] = static_cast<U32>(value), words[1][l] = static_cast<U32>(value >> 32);
  }
  if (kUniform) mask = ~U32{0};
  for (int n = 0; n < static_cast<int>(r.offset); ++n)
    store_lanes<4>(w.bases[0] + r.dst[0] + static_cast<U32>(n) * kRowBytesOfLanes,
                   words[kFirst + n], mask);
}

template <Special kSpecial, int kFirst = 0>
Handler reader(bool uniform) {
  return uniform ? read<kSpecial, kFirst, true> : read<kSpecial, kFirst, false>;
}

Handler special_handler(std::string_view name, bool uniform) {
  using S = Special;
  if (name == "SR_LANEID") return reader<S::laneid>(uniform);
  if (name == "SR_VIRTID") return reader<S::warpid>(uniform);
  if (name == "SR_VIRTUALSMID") return reader<S::smid>(uniform);
  if (name == "SR_TID.X") return reader<S::tid_x>(uniform);
  if (name == "SR_TID.Y") return reader<S::tid_y>(uniform);
  if (name == "SR_TID.Z") return reader<S::tid_z>(uniform);
  if (name == "SR_CTAID.X") return reader<S::ctaid_x>(uniform);
  if (name == "SR_CTAID.Y") return reader<S::ctaid_y>(uniform);
  if (name == "SR_CTAID.Z") return reader<S::ctaid_z>(uniform);
  if (name == "SR_EQMASK") return reader<S::eqmask>(uniform);
  if (name == "SR_LTMASK") return reader<S::ltmask>(uniform);
  if (name == "SR_LEMASK") return reader<S::lemask>(uniform);
  if (name == "SR_GTMASK") return reader<S::gtmask>(uniform);
  if (name == "SR_GEMASK") return reader<S::gemask>(uniform);
  if (name == "SR_CLOCKLO") return reader<S::clock>(uniform);
  if (name == "SR_CLOCKHI") return reader<S::clock, 1>(uniform);
  if (name == "SR_GLOBALTIMERLO") return reader<S::globaltimer>(uniform);
  if (name == "SR_GLOBALTIMERHI") return reader<S::globaltimer, 1>(uniform);
  if (name == "SR_SWINHI") return reader<S::shared_window>(uniform);
  if (name == "SR_CgaCtaId") return reader<S::cluster_rank>(uniform);
  if (name == "SRZ") return reader<S::zero>(uniform);
  return nullptr;
}

bool is_clock(std::string_view name) {
  return name.starts_with("SR_CLOCK") || name.starts_with("SR_GLOBALTIMER");
}

Handler read_special(const sass::Instruction& i, DecodedInstruction& r) {
  std::string_view name;
  for (const sass::Operand& o : i.operands)
    if (o.kind == sass::OperandKind::special) name = sass::special_register_name(o.index);
  const bool two = i.opcode == Opcode::CS2R &&
                   sass::modifier_of<sass::RegisterWidth>(i) != sass::RegisterWidth::n32;
  if (two && name.ends_with("HI")) return nullptr;
  r.offset = two ? 2 : 1;
  if (is_clock(name)) r.flow = Flow::clock;
  return special_handler(name, i.opcode == Opcode::S2UR);
}

void arrive_at_cluster(Warp& w, const DecodedInstruction&, U32) {
  if (w.machine->launch.clusters) w.cluster_arrived |= w.stack.active();
}

// LEPC: its own address; from sm_90 on the address of another place.
void read_pc(Warp& w, const DecodedInstruction& r, U32 mask) {
  const auto& kernel = static_cast<const sass::Kernel&>(w.machine->kernel());
  const U64 address = r.offset == 0 ? kernel.address_of(w.pc)
                                    : kernel.segment_of(w.pc).address + static_cast<U64>(r.offset);
  alignas(64) U32 words[2][kWarpSize];
  for (U32 l = 0; l < kWarpSize; ++l)
    words[0][l] = static_cast<U32>(address), words[1][l] = static_cast<U32>(address >> 32);
  for (U32 n = 0; n < 2; ++n)
    store_lanes<4>(w.bases[0] + r.dst[0] + n * kRowBytesOfLanes, words[n], mask);
}
Handler pc_handler(const sass::Instruction& i, DecodedInstruction& r) {
  for (const sass::Operand& o : i.operands)
    if (o.kind == sass::OperandKind::label) r.offset = o.value;
  return read_pc;
}

// --- Convergence barriers ---

U32* barrier_row(Warp& w, const DecodedInstruction& r) {
  return reinterpret_cast<U32*>(w.bases[0] + r.machine.extra.offset);
}

void start_sync(Warp& w, const DecodedInstruction& r, U32 mask) {
  alignas(64) U32 lanes[kWarpSize];
  std::fill(std::begin(lanes), std::end(lanes), mask);
  store_lanes<4>(barrier_row(w, r), lanes, mask);
}

// The others do not wait for these lanes any more.
void end_membership(Warp& w, const DecodedInstruction& r, U32 mask) {
  mask &= predicate(w, r.src_predicate[0]);
  if (mask == 0) return;
  auto* const lanes = reinterpret_cast<Lane<U32>*>(barrier_row(w, r));
  const U32 meeting = lanes[std::countr_zero(mask)];
  for (U32 rest = meeting; rest; rest &= rest - 1) lanes[std::countr_zero(rest)] &= ~mask;
}

template <bool kClear>
void read_barrier(Warp& w, const DecodedInstruction& r, U32 mask) {
  store_lanes<4>(w.bases[0] + r.dst[0], barrier_row(w, r), mask);
  if (!kClear) return;
  alignas(64) constexpr U32 zeros[kWarpSize] = {};
  store_lanes<4>(barrier_row(w, r), zeros, mask);
}
void write_barrier(Warp& w, const DecodedInstruction& r, U32 mask) {
  store_lanes<4>(barrier_row(w, r), row(w, r.src[0]), mask);
}

void read_running_lanes(Warp& w, const DecodedInstruction& r, U32 mask) {
  alignas(32) std::array<U32, kWarpSize> lanes;
  lanes.fill(mask);
  store_lanes<4>(barrier_row(w, r), reinterpret_cast<const std::uint8_t*>(lanes.data()), mask);
}

void read_barrier_result(Warp& w, const DecodedInstruction& r, U32 mask) {
  store_lanes<4>(w.bases[0] + r.dst[0], row(w, r.src[0]), mask);
  set_predicate(w, r.dst_predicate[0], predicate(w, r.src_predicate[0]), mask);
}

void move_word(Warp& w, const DecodedInstruction& r, U32 mask) {
  store_lanes<4>(w.bases[0] + r.dst[0], row(w, r.src[0]), mask);
}
// USETMAXREG.TRY_ALLOC: a warp has all registers of the kernel.
void grant(Warp& w, const DecodedInstruction& r, U32) {
  set_predicate(w, r.dst_predicate[0], ~U32{0}, ~U32{0});
}

}  // namespace

Handler system_handler(const sass::Instruction& i, DecodedInstruction& r) {
  switch (i.opcode) {
    case Opcode::S2R:
    case Opcode::S2UR:
    case Opcode::CS2R: return read_special(i, r);
    case Opcode::LEPC: return pc_handler(i, r);
    case Opcode::BSSY: return start_sync;
    case Opcode::BREAK: return end_membership;
    case Opcode::BMOV:
      if (i.form->operands[0].text == "MACTIVE") return nothing;  // as in_quads of the decoder says
      if (i.form->operands[1].text == "MACTIVE") return read_running_lanes;
      if (i.form->operands[0].kind == sass::OperandKind::barrier)
        return sass::has_flag(i, "PQUAD") ? nullptr : write_barrier;
      return sass::has_flag(i, "CLEAR") ? read_barrier<true> : read_barrier<false>;
    case Opcode::B2R: return read_barrier_result;
    case Opcode::RPCMOV: return move_word;
    case Opcode::USETMAXREG: return i.form->name.find("TRY") == std::string::npos ? nothing : grant;
    case Opcode::UCGABAR_ARV: return arrive_at_cluster;
    case Opcode::FENCE:
    case Opcode::ACQBULK:
    case Opcode::PREEXIT:
    case Opcode::UBLKPF:
    case Opcode::UTMAPF:
    case Opcode::UTMACCTL:
    case Opcode::UTMACMDFLUSH:
    case Opcode::NOP:
    case Opcode::PMTRIG:
    case Opcode::MEMBAR:
    case Opcode::ERRBAR:
    case Opcode::CGAERRBAR:
    case Opcode::CCTL:
    case Opcode::DEPBAR:
    case Opcode::LDGDEPBAR: return nothing;
    default: return nullptr;
  }
}

}  // namespace heddle::exec
