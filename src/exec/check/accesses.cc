// Checks of loads, stores and atomics: bounds, races, uninitialised bytes.
#include <cstring>

#include "exec/check/cta_check.h"
#include "exec/isa/call_frame.h"
#include "exec/isa/matrix.h"
#include "exec/isa/memory_access.h"
#include "exec/isa/tensor_copy.h"

namespace heddle::exec {
namespace {

using ptx::Opcode;
using ptx::Ordering;
using ptx::Space;

const char* act_name(bool atomic, bool writes) {
  return atomic ? "atomically updates" : writes ? "writes" : "reads";
}

std::string memory_name(Space space) {
  return space == Space::shared  ? "shared memory"
         : space == Space::local ? "local memory"
                                 : "global memory";
}

bool rises(const std::array<U64, kWarpSize>& addresses, U32 mask) {
  U64 last = 0;
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const U64 address = addresses[static_cast<std::size_t>(std::countr_zero(rest))];
    if (address <= last) return false;
    last = address;
  }
  return true;
}

bool is_plain_store(const DecodedInstruction& r) {
  return ptx_of(r).opcode == Opcode::st || ptx_of(r).opcode == Opcode::st_wide;
}

// The bytes that a lane stores.
using StoredBytes = std::array<std::uint8_t, 32>;
StoredBytes stored_bytes(const Warp& w, const DecodedInstruction& r, int lane) {
  StoredBytes stored{};
  const std::size_t bytes = r.instruction->access_bytes;
  for (std::size_t v = 0; v < r.instruction->vector; ++v) {
    const std::uint8_t* from = nullptr;
    if (ptx_of(r).opcode == Opcode::st_wide) {
      from = reinterpret_cast<const std::uint8_t*>(
                 fragment_row<std::uint8_t>(w, fragments(w, r).src[v])) +
             static_cast<std::size_t>(lane) * bytes;
    } else {
      const RowSource& data = r.src[v + 1];
      from = row(w, data) + static_cast<std::size_t>(lane) * data.bytes;
    }
    std::memcpy(stored.data() + v * bytes, from, bytes);
  }
  return stored;
}

bool initializes(const ptx::Instruction& i) {
  return i.opcode == Opcode::mbarrier && i.as<ptx::Mbarrier>().op == ptx::MbarrierOp::init;
}

}  // namespace

CtaCheck::Spot CtaCheck::spot_of(Space space, U64 address) {
  const MemoryMap& map = machine_.map;
  if (space == Space::generic && in_shared_window(machine_, address))
    space = Space::shared, address -= map.shared_window;
  if (space == Space::shared) {
    const SharedPlace at = shared_place(machine_, state_->rank, address);
    if (at.rank == state_->rank) return {space, at.offset, this};
    const ClusterCtas& clusters = *machine_.launch.clusters;
    const ClusterShape::Place place{clusters.shape.place_of(cta_).cluster, at.rank};
    if (at.rank >= clusters.shape.ctas()) return {space, at.offset, nullptr};
    const U64 other = clusters.shape.cta_at(place);
    return {space, at.offset, clusters.entries[other].cta ? checker_.in_cluster(other) : nullptr};
  }
  if (space == Space::global || space == Space::constant)
    return {Space::global, checker_.memory().allocations().on_device(Address{address}).value};
  if (space != Space::generic) return {space, address};
  if (address - map.local_window < kWindowBytes) return {Space::local, address - map.local_window};
  if (address - kParamWindow < kWindowBytes) return {Space::param, address - kParamWindow};
  return {Space::global, checker_.memory().allocations().on_device(Address{address}).value};
}

U32 CtaCheck::access(Warp& w, const DecodedInstruction& r, U32 mask) {
  const ptx::Instruction& i = ptx_of(r);
  if (i.space == Space::param || i.space == Space::frame) return mask;
  Act act;
  act.atomic = i.opcode == Opcode::atom || i.opcode == Opcode::red ||
               i.opcode == Opcode::mbarrier || i.opcode == Opcode::atom_wide;
  act.writes = act.atomic || i.opcode == Opcode::st || i.opcode == Opcode::st_wide;
  act.reads = act.atomic ? !initializes(i) : !act.writes;
  act.synchronising =
      act.atomic || i.ordering != Ordering::weak || i.cache == ptx::CacheOperator::cv;
  act.bytes = U32{i.vector} * i.access_bytes;
  act.name = act.atomic ? "atomic access" : act.writes ? "store" : "load";
  std::array<U64, kWarpSize> addresses;
  raw_addresses(w, r, addresses);
  announce(
      w, mask, act,
      machine_.launch.clusters != nullptr ||
          spot_of(i.space, addresses[static_cast<std::size_t>(std::countr_zero(mask))]).space ==
              Space::global);
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (!check_lane(w, r, lane, i.space, addresses[static_cast<std::size_t>(lane)], act))
      mask &= ~(U32{1} << lane);
  }
  if (spec_.races && is_plain_store(r) && i.space != Space::local && !rises(addresses, mask))
    check_one_store(w, r, mask);
  return mask;
}

// What the device runtime writes at its first argument counts as written.
void CtaCheck::device_call(const Warp& w, const DecodedInstruction& r, U32 mask) {
  const U32 bytes = site_of(w, r).runtime.result_bytes;
  for (U32 rest = bytes ? mask : 0; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Spot spot = spot_of(Space::generic, argument(w, r, lane, 0));
    U64 at = spot.address;
    unwritten_in(w, spot, lane, at).clear(at, bytes);
  }
}

U32 CtaCheck::async_copy(Warp& w, const DecodedInstruction& r, U32 mask) {
  std::array<U64, kWarpSize> addresses;
  async_copy_sources(w, r, addresses);
  Act load, store;
  load.reads = store.writes = true;
  load.bytes = store.bytes = r.instruction->access_bytes;
  load.name = store.name = "asynchronous copy";
  load.tick = store.tick = checker_.order().tick();
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const bool copies = async_copy_bytes(w, r, lane) > 0;
    const bool goes_on =
        (!copies ||
         check_lane(w, r, lane, Space::global, addresses[static_cast<std::size_t>(lane)], load)) &&
        check_lane(w, r, lane, Space::shared, async_copy_target(w, r, lane), store);
    if (!goes_on) mask &= ~(U32{1} << lane);
  }
  return mask;
}

// Checks a bulk copy in pieces. A load is a release for the threads that wait for its mbarrier.
U32 CtaCheck::bulk(Warp& w, const DecodedInstruction& r, U32 mask) {
  if (r.instruction->on_uniform_datapath) mask &= -mask;  // one copy of the warp
  constexpr U32 kPiece = 16;
  const bool loads = ptx_of(r).opcode == Opcode::bulk_load;
  Act global, shared;
  global.reads = shared.writes = loads;
  global.writes = shared.reads = !loads;
  if (ptx_of(r).atomic != ptx::AtomicOp::none) {  // of what it writes
    Act& combined = loads ? shared : global;
    combined.atomic = combined.reads = true;
  }
  global.bytes = shared.bytes = kPiece;
  global.name = shared.name = "bulk copy";
  global.tick = shared.tick = checker_.order().tick();
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const LaneBulkCopy copy = bulk_copy(w, r, lane);
    if (ptx_of(r).as<ptx::BulkCopy>().dimensions > 0) {
      bool goes_on = true;
      for_each_piece(tensor_copy(w, r, lane), copy.shared, [&](const TensorPiece& piece) {
        const bool whole = piece.end - piece.first == kPiece && piece.global % kPiece == 0;
        goes_on = goes_on &&
                  (!whole || check_lane(w, r, lane, Space::global, piece.global, global)) &&
                  check_copies(w, r, lane, copy, piece.shared, shared);
      });
      if (!goes_on) mask &= ~(U32{1} << lane);
      continue;
    }
    const auto& bulk = ptx_of(r).as<ptx::BulkCopy>();
    if (bulk.from_registers) {
      shared.bytes = copy.bytes;
      if (!check_lane(w, r, lane, Space::shared, copy.shared, shared)) mask &= ~(U32{1} << lane);
      continue;
    }
    const Space other = bulk.from_shared ? Space::shared : Space::global;
    for (U32 n = 0; n < copy.bytes; n += kPiece) {
      if (check_lane(w, r, lane, other, copy.global + n, global) &&
          check_copies(w, r, lane, copy, copy.shared + n, shared))
        continue;
      mask &= ~(U32{1} << lane);
      break;
    }
  }
  if (loads)
    order_.release(w.warp_in_cta, ordered_lanes(mask), machine_.launch.clusters != nullptr);
  return mask;
}

// The piece of a bulk copy in shared memory, in all CTAs that get it.
bool CtaCheck::check_copies(Warp& w, const DecodedInstruction& r, int lane,
                            const LaneBulkCopy& copy, U64 address, const Act& act) {
  if (!copy.ranks || !machine_.launch.clusters)
    return check_lane(w, r, lane, Space::shared, address, act);
  const U64 offset = shared_place(machine_, state_->rank, address).offset;
  bool goes_on = true;
  for (U32 rest = *copy.ranks; rest; rest &= rest - 1)
    goes_on &= check_lane(w, r, lane, Space::shared,
                          machine_.map.cluster_base + offset +
                              (static_cast<U64>(std::countr_zero(rest)) << kClusterAddressBits),
                          act);
  return goes_on;
}

// The access has a tick before the release, so that the release covers it.
void CtaCheck::announce(const Warp& w, U32 mask, Act& act, bool global) {
  act.tick = checker_.order().tick();
  if (!act.synchronising) return;
  if (act.writes) order_.release(w.warp_in_cta, ordered_lanes(mask), global);
  if (act.reads) order_.acquire(w.warp_in_cta, ordered_lanes(mask), global);
}

bool CtaCheck::permitted(const Warp& w, int lane, const Spot& spot, U64 address, const Act& act) {
  const char* kind = nullptr;
  std::string what = "out-of-bounds ", note;
  const auto inside = [&](U64 size, const char* owner) {
    if (act.bytes <= size && spot.address <= size - act.bytes) return;
    kind = "bounds";
    note = std::string(owner) + " has " + std::to_string(size) + " bytes";
  };
  if (address & (act.bytes - 1)) {
    kind = "misaligned", what = "misaligned ",
    note = "the address is not a multiple of " + std::to_string(act.bytes);
  } else if (spot.space == Space::shared) {
    inside(machine_.declared_shared_bytes, "the CTA");
    if (!spot.owner)
      kind = "cluster", what = "access to a CTA that its cluster does not have or that has ended: ";
  } else if (spot.space == Space::local) {
    inside(machine_.local_bytes, "the thread");
  } else if (!checker_.memory().valid(Address{spot.address}, act.bytes)) {
    kind = "bounds";
    if (checker_.memory().was_freed(Address{spot.address}))
      kind = "freed", what = "use of freed memory: ";
  }
  if (kind == nullptr) return true;
  if (spec_.memory)
    checker_.add({Tool::memory, kind,
                  what + act.name + " of " + std::to_string(act.bytes) + " bytes", note, w.pc,
                  id(w, lane), spot.space, spot.address});
  return false;
}

// Without the memory check the instruction itself reports the fault.
bool CtaCheck::check_lane(Warp& w, const DecodedInstruction& r, int lane, Space space, U64 address,
                          const Act& act) {
  const Spot spot = spot_of(space, address);
  if (spot.space == Space::param || spot.space == Space::frame) return true;
  if (!permitted(w, lane, spot, address, act)) return !spec_.memory;
  if (space == Space::constant || checker_.blind()) return true;
  U64 at = spot.address;
  UnwrittenBytes& unwritten = unwritten_in(w, spot, lane, at);
  const U32 changed = changed_bytes(w, r, lane, spot, act.bytes, unwritten, at);
  if (act.reads && spec_.init && unwritten.any(at, act.bytes)) {
    checker_.add({Tool::init, "unwritten",
                  std::string(act.name) + " of " + std::to_string(act.bytes) + " bytes of " +
                      memory_name(spot.space) + " that nothing has written",
                  "", w.pc, id(w, lane), spot.space, spot.address});
  }
  if (act.writes) unwritten.clear(at, act.bytes);
  if (spec_.races && spot.space != Space::local) check_race(w, lane, spot, act, changed);
  return true;
}

UnwrittenBytes& CtaCheck::unwritten_in(const Warp& w, const Spot& spot, int lane, U64& address) {
  if (spot.space == Space::shared) return spot.owner->shared_unwritten_;
  if (spot.space != Space::local) return checker_.unwritten();
  address += (U64{w.warp_in_cta} * kWarpSize + static_cast<U64>(lane)) * machine_.local_bytes;
  return local_unwritten_;
}

// A bit for each byte that the access changes. Only stores are known not to change what they write.
U32 CtaCheck::changed_bytes(const Warp& w, const DecodedInstruction& r, int lane, const Spot& spot,
                            U32 bytes, const UnwrittenBytes& unwritten, U64 at) const {
  const U32 all = ~U32{0};
  if (spec_.strict || !is_plain_store(r) || spot.space == Space::local) return all;
  const std::uint8_t* place = spot.space == Space::shared
                                  ? spot.owner->state_->shared.data() + spot.address
                                  : checker_.memory().host(Address{spot.address});
  const StoredBytes stored = stored_bytes(w, r, lane);
  const bool some_unwritten = unwritten.any(at, bytes);
  U32 changed = 0;
  for (U32 n = 0; n < bytes; ++n)
    if (stored[n] != place[n] || (some_unwritten && unwritten.any(at + n, 1)))
      changed |= U32{1} << n;
  return changed;
}

void CtaCheck::check_race(const Warp& w, int lane, const Spot& spot, const Act& act, U32 changed) {
  const bool shared = spot.space == Space::shared;
  const U32 stamp = shared ? spot.owner->starts_ : checker_.stamp();
  ShadowAccess now;
  now.cta = cta_;
  now.tick = act.tick;
  now.pc = w.pc;
  now.thread = static_cast<std::uint16_t>(w.warp_in_cta * kWarpSize + static_cast<U32>(lane));
  now.valid = true;
  now.atomic = act.atomic;
  now.synchronising = act.synchronising;
  bool reported = false;
  const AccessMap::Range cells =
      (shared ? spot.owner->shared_accesses_ : checker_.accesses()).cells(spot.address, act.bytes);
  const std::size_t cell_bytes = act.bytes / cells.count;
  for (std::size_t n = 0; n < cells.count; ++n, changed >>= cell_bytes) {
    Cell& cell = cells.first[n];
    now.changed = (changed & ((U32{1} << cell_bytes) - 1)) != 0;
    if (cell.stamp != stamp) cell = {}, cell.stamp = stamp;
    const auto compare = [&](const ShadowAccess& before, bool before_wrote) {
      if (reported || !before.valid ||
          !conflicts(before, before_wrote, now, act.writes, spot.space))
        return;
      reported = true;
      report_race(w, lane, spot, act, before, before_wrote);
    };
    for (const ShadowAccess& write : cell.writes) compare(write, true);
    if (act.writes)
      for (const ShadowAccess& read : cell.reads) compare(read, false);
    if (act.writes)
      cell.note_write(now);
    else
      cell.note_read(now);
  }
}

bool CtaCheck::conflicts(const ShadowAccess& before, bool before_wrote, const ShadowAccess& now,
                         bool now_writes, Space space) const {
  if (before.cta == now.cta && before.thread == now.thread) return false;
  // Bulk reductions are atomic and synchronise nothing.
  if ((before.synchronising && now.synchronising) || (before.atomic && now.atomic)) return false;
  // Threads store the same value, or one stores what another reads anyway: they set the same flag.
  if (!before.atomic && !now.atomic && !(now_writes ? now.changed : before.changed)) return false;
  if ((before.synchronising || now.synchronising) && space != Space::shared && !spec_.strict) {
    // A plain read before an atomic is customary. After a fence, a plain store is a release.
    const bool plain_writes = before.synchronising ? now_writes : before_wrote;
    if (!plain_writes || checker_.fences()) return false;
  }
  return !order_.ordered(before, now.thread, spec_.strict);
}

void CtaCheck::report_race(const Warp& w, int lane, const Spot& spot, const Act& act,
                           const ShadowAccess& before, bool before_wrote) {
  std::string note = spot.space == Space::shared ? "no barrier of the cluster between them"
                                                 : "the order of CTAs of a launch is undefined";
  if (before.cta == cta_)
    note = before.thread / kWarpSize == static_cast<int>(w.warp_in_cta)
               ? "no bar.warp.sync between them"
               : "no barrier between them";
  const char* order = !act.writes    ? "read after write"
                      : before_wrote ? "write after write"
                                     : "write after read";
  checker_.add({Tool::races, "race", "race in " + memory_name(spot.space) + ": " + order, note,
                w.pc, id(w, lane), spot.space, spot.address, before.pc,
                act_name(before.atomic, before_wrote),
                checker_.thread_id(before.cta, before.thread)});
}

void CtaCheck::check_one_store(const Warp& w, const DecodedInstruction& r, U32 mask) {
  std::array<U64, kWarpSize> addresses;
  raw_addresses(w, r, addresses);
  for (U32 rest = mask; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const U64 address = addresses[static_cast<std::size_t>(lane)];
    const Spot spot = spot_of(r.instruction->space, address);
    if (spot.space == Space::local || spot.space == Space::param) continue;
    for (U32 others = rest & (rest - 1); others; others &= others - 1) {
      const int other = std::countr_zero(others);
      if (addresses[static_cast<std::size_t>(other)] != address ||
          stored_bytes(w, r, lane) == stored_bytes(w, r, other))
        continue;
      checker_.add({Tool::races, "one store",
                    "race in " + memory_name(spot.space) +
                        ": threads of one warp write different values to one place",
                    "it is undefined which value remains", w.pc, id(w, lane), spot.space,
                    spot.address, w.pc, "writes", id(w, other)});
      break;
    }
  }
}

}  // namespace heddle::exec
