#pragma GCC optimize("O3")
#include "exec/isa/memory_access.h"

#include <algorithm>
#include <utility>

#include "exec/fault.h"
#include "exec/isa/host_calls.h"

namespace heddle::exec {
namespace {

using ptx::Space;

// A contiguous range of an address space: addresses first .. first + bytes are host bytes from
// `base`; per-thread spaces repeat every `stride`.
struct Region {
  std::uint8_t* base = nullptr;
  U64 first = 0, bytes = 0;
  U32 stride = 0;
};

Region near_allocation(const Warp& w) {
  Machine& m = *w.machine;
  m.ranges.forget_stale(m.memory.generation());
  const AccessRange& near = m.ranges.of(w.pc);
  if (!near.host) return {};  // none, or stores are recorded
  return {near.at(near.first), near.first, near.end - near.first, 0};
}

bool remember_allocation(const Warp& w, const DecodedInstruction& r, U64 address) {
  Machine& m = *w.machine;
  const Allocation* a = m.memory.find(Address{address});
  if (a == nullptr) return false;
  AccessRange& near = m.ranges.of(w.pc);
  near = {a->base.value, a->base.value + a->bytes,
          reinterpret_cast<std::uintptr_t>(m.memory.host(Address{0}))};
  if (!m.claims) [[likely]]
    return true;
  const bool writes = r.instruction->is_store();
  m.claims->claim(*a, writes);
  if (writes && m.claims->runs_ahead()) near.host = 0;
  return true;
}

// Of an access to [address, address + bytes) in valid memory of the device.
U8* place_in_memory(const Warp& w, const DecodedInstruction& r, U64 address, U32 bytes) {
  const Machine& m = *w.machine;
  if (m.claims) [[unlikely]] {
    const Allocation* const a = m.memory.find(Address{address});
    if (!a) throw CannotRunAhead{};
    const bool writes = r.instruction->is_store();
    m.claims->claim(*a, writes);
    if (writes && m.claims->runs_ahead()) return m.claims->stores()->add(address, bytes);
  }
  return m.memory.host(Address{address});
}

Region region_of(Warp& w, Space space) {
  Machine& m = *w.machine;
  switch (space) {
    case Space::shared: return {w.cta->shared.data(), 0, m.plain_shared_bytes, 0};
    case Space::local: return {w.local, 0, m.local_bytes, m.local_bytes};
    case Space::frame: return {w.frame, 0, m.decoded->frame_bytes, m.decoded->frame_bytes};
    case Space::param: return {m.launch.parameters.data(), 0, m.launch.parameters.size(), 0};
    default: return near_allocation(w);
  }
}

// The low halves of the eight 64-bit elements, in order.
[[gnu::always_inline]] inline __m256i low_halves(__m256i a, __m256i b) {
  const __m256i mixed =
      _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88));
  return _mm256_permute4x64_epi64(mixed, 0xd8);
}

// What is added to the base register.
U64 displacement_of(const Warp& w, const DecodedInstruction& r) {
  U64 value = static_cast<U64>(r.offset);
  if (r.machine.extra.present) [[unlikely]]
    value += pair_or_word(w, r.machine.extra, 0);
  return value;
}

// Eight 32-bit lanes of the base, and eight 64-bit lanes in two vectors.
[[gnu::always_inline]] inline __m256i words_of_base(const __m256i* base, int i, int shift) {
  return _mm256_sll_epi32(_mm256_load_si256(base + i), _mm_cvtsi32_si128(shift));
}
[[gnu::always_inline]] inline void pairs_of_base(const __m256i* base, int i, __m256i& a,
                                                 __m256i& b) {
  const __m256i low = _mm256_load_si256(base + i), high = _mm256_load_si256(base + 4 + i);
  const __m256i even = _mm256_unpacklo_epi32(low, high), odd = _mm256_unpackhi_epi32(low, high);
  a = _mm256_permute2x128_si256(even, odd, 0x20), b = _mm256_permute2x128_si256(even, odd, 0x31);
}

// The lanes' offsets from the start of the region; false when an offset does not fit 32 bits.
bool offsets_from(const Warp& w, const DecodedInstruction& r, U64 first, U32 mask,
                  __m256i (&offsets)[4]) {
  const U64 displacement = displacement_of(w, r) - first;
  if (r.uniform_pointer) {
    for (auto& o : offsets) o = _mm256_set1_epi32(static_cast<int>(displacement));
    return displacement >> 32 == 0;
  }
  const auto* base = reinterpret_cast<const __m256i*>(row(w, r.src[0]));
  if (r.src[0].bytes == 4 && first == 0) {  // addresses of 32 bits wrap around
    const __m256i add = _mm256_set1_epi32(static_cast<int>(displacement));
    for (int i = 0; i < 4; ++i)
      offsets[i] = _mm256_add_epi32(words_of_base(base, i, r.machine.address_shift), add);
    return true;
  }
  const __m256i add = _mm256_set1_epi64x(static_cast<long long>(displacement));
  __m256i high = _mm256_setzero_si256();
  for (int i = 0; i < 4; ++i) {
    __m256i a, b;
    if (r.src[0].pair) {
      pairs_of_base(base, i, a, b);
    } else if (r.src[0].bytes == 8) {
      a = _mm256_load_si256(base + 2 * i), b = _mm256_load_si256(base + 2 * i + 1);
    } else {
      const __m256i both = _mm256_load_si256(base + i);
      a = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(both)),
      b = _mm256_cvtepu32_epi64(_mm256_extracti128_si256(both, 1));
    }
    a = _mm256_add_epi64(a, add), b = _mm256_add_epi64(b, add);
    offsets[i] = low_halves(a, b);
    if (mask == ~U32{0})
      high = _mm256_or_si256(high, _mm256_or_si256(a, b));
    else
      high =
          _mm256_or_si256(high, _mm256_or_si256(_mm256_and_si256(a, expand<8>(mask, 2 * i)),
                                                _mm256_and_si256(b, expand<8>(mask, 2 * i + 1))));
  }
  return _mm256_testz_si256(high,
                            _mm256_set1_epi64x(static_cast<long long>(0xffffffff00000000ull)));
}

U32 largest(__m256i v) {
  __m128i x = _mm_max_epu32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  x = _mm_max_epu32(x, _mm_shuffle_epi32(x, 0x4e));
  x = _mm_max_epu32(x, _mm_shuffle_epi32(x, 0xb1));
  return static_cast<U32>(_mm_cvtsi128_si32(x));
}

// The regular case: every active lane is inside the region and aligned.
bool locate_in(Warp& w, const DecodedInstruction& r, U32 mask, U32 bytes, const Region& region,
               Located& out) {
  if (region.bytes < bytes || region.bytes >> 32) return false;
  __m256i offsets[4];
  if (!offsets_from(w, r, region.first, mask, offsets)) return false;
  if (mask != ~U32{0}) {
    alignas(32) U32 all[kWarpSize];
    for (int i = 0; i < 4; ++i) _mm256_store_si256(reinterpret_cast<__m256i*>(all) + i, offsets[i]);
    const __m256i one = _mm256_set1_epi32(static_cast<int>(all[std::countr_zero(mask)]));
    for (int i = 0; i < 4; ++i)
      offsets[i] = _mm256_blendv_epi8(one, offsets[i], expand<4>(mask, i));
  }
  const __m256i most = _mm256_max_epu32(_mm256_max_epu32(offsets[0], offsets[1]),
                                        _mm256_max_epu32(offsets[2], offsets[3]));
  if (largest(most) > region.bytes - bytes) return false;
  const __m256i any = _mm256_or_si256(_mm256_or_si256(offsets[0], offsets[1]),
                                      _mm256_or_si256(offsets[2], offsets[3]));
  if (!_mm256_testz_si256(any, _mm256_set1_epi32(static_cast<int>(bytes - 1)))) return false;
  auto* to = reinterpret_cast<__m256i*>(out.offsets.data());
  for (int i = 0; i < 4; ++i) _mm256_store_si256(to + i, offsets[i]);
  out.base = region.base;
  out.regular = true;
  return true;
}

void note(Warp& w, U64 first, bool keep, Located& out) {
  if (w.step) {
    w.step->space = out.space;
    for (std::size_t l = 0; l < kWarpSize; ++l) w.step->addresses[l] = first + out.offsets[l];
  }
  if (keep)
    for (std::size_t l = 0; l < kWarpSize; ++l) w.machine->addresses[l] = first + out.offsets[l];
}

void add_strides(U32 stride, Located& out) {
  if (stride)
    for (U32 l = 0; l < kWarpSize; ++l) out.offsets[l] += l * stride;
}

// True for an out-of-bounds load that a GPU tolerates. It is reported once per SM and launch.
// Without device services to report it to, it is a fault.
bool tolerates_load(Warp& w, const DecodedInstruction& r, int lane, U64 address, U32 bytes) {
  Machine& m = *w.machine;
  const ptx::Opcode opcode = ptx_of(r).opcode;
  if ((opcode != ptx::Opcode::ld && opcode != ptx::Opcode::ldu) || !m.launch.services ||
      !m.memory.in_mapped_page(Address{address}, bytes))
    return false;
  if (m.claims && m.claims->runs_ahead()) throw CannotRunAhead{};
  if (std::exchange(m.tolerated_a_load, true)) return true;
  const std::string load = out_of_bounds(w, r, lane, Space::global, address, bytes, 0);
  m.warnings.push_back(
      {m.launch.kernel, kNoPc,
       "heddle: warning: " + load.substr(std::string_view("heddle: ").size()) +
           "\n  The run continues: a GPU checks whole pages of 2 MiB and reads what lies there. "
           "`heddle check` finds every such access."});
  if (m.direct) serve_host_calls(m);
  return true;
}

// One lane of the irregular case.
struct Place {
  std::uint8_t* pointer;
  Space space;
  U64 address;  // within the space
  bool remote = false;
};

bool may_be_remote(const ptx::Instruction& i) {
  switch (i.opcode) {
    case ptx::Opcode::ld:
    case ptx::Opcode::ldu:
    case ptx::Opcode::st:
    case ptx::Opcode::ld_wide:
    case ptx::Opcode::st_wide:
    case ptx::Opcode::atom:
    case ptx::Opcode::red:
    case ptx::Opcode::atom_wide: return true;
    case ptx::Opcode::mbarrier: {
      const ptx::MbarrierOp op = i.as<ptx::Mbarrier>().op;
      return op != ptx::MbarrierOp::init && op != ptx::MbarrierOp::inval &&
             op != ptx::MbarrierOp::wait;
    }
    default: return false;
  }
}

// Shared memory of another CTA of the cluster.
Place remote_place(Warp& w, const DecodedInstruction& r, int lane, const SharedPlace& at,
                   Located& out) {
  Machine& m = *w.machine;
  if (!may_be_remote(ptx_of(r)))
    throw_trap(w, r, lane, "this instruction cannot access the shared memory of another CTA");
  if (m.direct)
    return {cta_of_cluster(w, r, lane, w.cta->linear, at.rank).shared.data() + at.offset,
            Space::shared, at.offset};
  if (out.remote_lanes == 0) {
    out.remote = m.remote.take();
    RemoteAccess& access = m.remote[out.remote];
    access.decoded = &r;
    access.warp = &w;
    access.lanes = 0;
    access.atomic = false;
    ++w.pending_atomics;
  }
  RemoteAccess& access = m.remote[out.remote];
  out.remote_lanes |= U32{1} << lane;
  access.addresses[static_cast<std::size_t>(lane)] =
      U64{at.rank} << kClusterAddressBits | at.offset;
  return {access.data[static_cast<std::size_t>(lane)].data(), Space::shared, at.offset, true};
}

Place shared_memory_place(Warp& w, const DecodedInstruction& r, int lane, U64 within, U32 bytes,
                          Located& out) {
  const Machine& m = *w.machine;
  const SharedPlace at = shared_place(m, w.cta->rank, within);
  if (m.launch.clusters && at.rank >= m.launch.clusters->shape.ctas())
    throw_trap(w, r, lane,
               "an access to CTA " + std::to_string(at.rank) + " of a cluster of " +
                   std::to_string(m.launch.clusters->shape.ctas()) + " CTAs");
  if (m.shared_bytes < bytes || at.offset > m.shared_bytes - bytes)
    throw_out_of_bounds(w, r, lane, Space::shared, at.offset, bytes, m.shared_bytes);
  if (at.rank != w.cta->rank) return remote_place(w, r, lane, at, out);
  return {w.cta->shared.data() + at.offset, Space::shared, at.offset};
}

Place place_of(Warp& w, const DecodedInstruction& r, int lane, U64 address, U32 bytes,
               Located& out) {
  Machine& m = *w.machine;
  Space space = r.instruction->space;
  U64 within = address;
  if (space == Space::generic) {
    space = Space::global;
    if (in_shared_window(m, address))
      space = Space::shared, within = address - m.map.shared_window;
    else if (address - m.map.local_window < kWindowBytes)
      space = Space::local, within = address - m.map.local_window;
    else if (address - kParamWindow < kWindowBytes)
      space = Space::param, within = address - kParamWindow;
  }
  if (address & (bytes - 1)) throw_misaligned(w, r, lane, address, bytes);
  auto inside = [&](U64 size) {
    if (size < bytes || within > size - bytes)
      throw_out_of_bounds(w, r, lane, space, within, bytes, size);
  };
  switch (space) {
    case Space::shared: return shared_memory_place(w, r, lane, within, bytes, out);
    case Space::local:
      inside(m.local_bytes);
      return {w.local + static_cast<U64>(lane) * m.local_bytes + within, space, within};
    case Space::frame:
      inside(m.decoded->frame_bytes);
      return {w.frame + static_cast<U64>(lane) * m.decoded->frame_bytes + within, space, within};
    case Space::param:
      inside(m.launch.parameters.size());
      return {m.launch.parameters.data() + within, space, within};
    default:
      if (!m.memory.valid(Address{within}, bytes))
        within = m.memory.allocations().on_device(Address{within}).value;
      if (!m.memory.valid(Address{within}, bytes) && !tolerates_load(w, r, lane, within, bytes))
        throw_out_of_bounds(w, r, lane, Space::global, within, bytes, 0);
      return {place_in_memory(w, r, within, bytes), space, within};
  }
}

// A load executes again: its data are here.
void repeat_access(RemoteAccess& access, Located& out) {
  out.space = Space::shared;
  out.remote_lanes = 0;
  for (std::size_t l = 0; l < kWarpSize; ++l) out.pointers[l] = access.data[l].data();
}

// Sectors of 32 bytes that the lanes access.
U32 sectors_of(const RemoteAccess& access) {
  constexpr int kSectorBits = 5;
  std::array<U64, kWarpSize> sectors;
  std::size_t count = 0;
  for (U32 rest = access.lanes; rest; rest &= rest - 1)
    sectors[count++] =
        access.addresses[static_cast<std::size_t>(std::countr_zero(rest))] >> kSectorBits;
  const auto end = sectors.begin() + static_cast<std::ptrdiff_t>(count);
  std::sort(sectors.begin(), end);
  return static_cast<U32>(std::unique(sectors.begin(), end) - sectors.begin());
}

void note_remote(Warp& w, U32 bytes, const Located& out) {
  RemoteAccess& access = w.machine->remote[out.remote];
  access.lanes = out.remote_lanes;
  access.order = ++w.machine->remote_accesses;
  access.bytes = bytes;
  if (!w.step) return;
  w.step->remote = out.remote;
  w.step->remote_lanes = LaneMask{out.remote_lanes};
  w.step->remote_sectors = sectors_of(access);
}

}  // namespace

Cta& cta_of_cluster(const Warp& w, const DecodedInstruction& r, int lane, U64 member, U32 rank) {
  const ClusterCtas::Entry& entry = w.machine->launch.clusters->with_rank(member, rank);
  if (!entry.cta)
    throw_trap(w, r, lane,
               "an access to the shared memory of CTA " + std::to_string(rank) +
                   " of the cluster, which " + (entry.ended ? "has ended" : "has not started"));
  return *entry.cta;
}

void locate_addresses(Warp& w, const DecodedInstruction& r, U32 mask, U32 bytes,
                      const std::array<U64, kWarpSize>& addresses, bool keep, Located& out) {
  const int first = std::countr_zero(mask);
  out.regular = false;
  out.space = Space::none;
  out.global_lanes = out.remote_lanes = 0;
  if (RemoteAccess* const repeated = w.machine->repeated) return repeat_access(*repeated, out);
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    const Place place = place_of(w, r, lane, addresses[l], bytes, out);
    out.pointers[l] = place.pointer;
    if (place.space == Space::global) out.global_lanes |= U32{1} << lane;
    if (out.space == Space::none || place.space == Space::global ||
        (place.space == Space::shared && out.space == Space::local))
      out.space = place.space;
    if (w.step) w.step->addresses[l] = place.address;
    if (keep) w.machine->addresses[l] = place.address;
  }
  for (U32 rest = ~mask; rest; rest &= rest - 1)
    out.pointers[static_cast<std::size_t>(std::countr_zero(rest))] =
        out.pointers[static_cast<std::size_t>(first)];
  if (w.step) w.step->space = out.space;
  if (out.remote_lanes) [[unlikely]]
    note_remote(w, bytes, out);
}

void raw_addresses(const Warp& w, const DecodedInstruction& r, std::array<U64, kWarpSize>& out) {
  const U64 displacement = displacement_of(w, r);
  if (r.uniform_pointer) {
    out.fill(displacement);
  } else if (r.src[0].bytes == 8) {
    for (std::size_t l = 0; l < kWarpSize; ++l)
      out[l] = pair_or_word(w, r.src[0], l) + displacement;
  } else {
    const bool wraps = r.machine.extra.bytes != 8 && r.instruction->space != Space::global &&
                       r.instruction->space != Space::constant;
    const auto* base = source<U32>(w, r, 0);
    for (std::size_t l = 0; l < kWarpSize; ++l) {
      out[l] = (base[l] << r.machine.address_shift) + displacement;
      if (wraps) out[l] &= 0xffffffff;
    }
  }
}

bool read_generic(Warp& w, int lane, U64 address, void* to, U32 bytes) {
  Machine& m = *w.machine;
  const auto copy = [&](const U8* base, U64 size, U64 within) {
    if (size < bytes || within > size - bytes) return false;
    std::memcpy(to, base + within, bytes);
    return true;
  };
  if (in_shared_window(m, address)) {
    const SharedPlace at = shared_place(m, w.cta->rank, address - m.map.shared_window);
    return at.rank == w.cta->rank && copy(w.cta->shared.data(), m.shared_bytes, at.offset);
  }
  if (address - m.map.local_window < kWindowBytes)
    return copy(w.local + static_cast<U64>(lane) * m.local_bytes, m.local_bytes,
                address - m.map.local_window);
  if (address - kParamWindow < kWindowBytes)
    return copy(m.launch.parameters.data(), m.launch.parameters.size(), address - kParamWindow);
  address = m.memory.allocations().on_device(Address{address}).value;
  if (!m.memory.valid(Address{address}, bytes)) return false;
  std::memcpy(to, m.memory.host(Address{address}), bytes);
  if (!m.direct && !m.stores.empty()) m.stores.patch(address, to, bytes);
  return true;
}

bool write_generic(Warp& w, int lane, U64 address, const void* from, U32 bytes) {
  Machine& m = *w.machine;
  const auto copy = [&](U8* base, U64 size, U64 within) {
    if (size < bytes || within > size - bytes) return false;
    std::memcpy(base + within, from, bytes);
    return true;
  };
  if (in_shared_window(m, address)) {
    const SharedPlace at = shared_place(m, w.cta->rank, address - m.map.shared_window);
    return at.rank == w.cta->rank && copy(w.cta->shared.data(), m.shared_bytes, at.offset);
  }
  if (address - m.map.local_window < kWindowBytes)
    return copy(w.local + static_cast<U64>(lane) * m.local_bytes, m.local_bytes,
                address - m.map.local_window);
  address = m.memory.allocations().on_device(Address{address}).value;
  if (!m.memory.valid(Address{address}, bytes)) return false;
  std::memcpy(m.memory.host(Address{address}), from, bytes);
  return true;
}

void locate(Warp& w, const DecodedInstruction& r, U32 mask, U32 bytes, bool keep_addresses,
            Located& out) {
  const Space space = r.instruction->space;
  const bool device = space == Space::global || space == Space::constant || space == Space::generic;
  Region region = region_of(w, space);
  bool regular = locate_in(w, r, mask, bytes, region, out);
  if (!regular && device) {
    // The access is to another allocation, or to another space behind a generic address.
    std::array<U64, kWarpSize> addresses;
    raw_addresses(w, r, addresses);
    if (remember_allocation(w, r, addresses[static_cast<std::size_t>(std::countr_zero(mask))])) {
      region = near_allocation(w);
      regular = locate_in(w, r, mask, bytes, region, out);
    }
  }
  if (!regular || w.machine->repeated) {
    std::array<U64, kWarpSize> addresses;
    raw_addresses(w, r, addresses);
    return locate_addresses(w, r, mask, bytes, addresses, keep_addresses, out);
  }
  out.space = space == Space::generic ? Space::global : space;
  out.global_lanes = out.space == Space::global ? mask : 0;
  note(w, region.first, keep_addresses, out);
  add_strides(region.stride, out);
}

}  // namespace heddle::exec
