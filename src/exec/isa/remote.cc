#include "exec/isa/remote.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "exec/isa/mbarrier.h"
#include "exec/isa/memory_access.h"
#include "exec/livelock/livelock_detector.h"

namespace heddle::exec {
namespace {

Cta& target(const RemoteAccess& access, int lane) {
  const U64 address = access.addresses[static_cast<std::size_t>(lane)];
  return cta_of_cluster(*access.warp, *access.decoded, lane, access.warp->cta->linear,
                        static_cast<U32>(address >> kClusterAddressBits));
}

void note_change(const Cta& cta) {
  if (cta.warps.empty()) return;
  if (LivelockDetector* const detector = cta.warps.front()->machine->detector)
    detector->note_change();
}

void act(Machine& m, RemoteAccess& access) {
  const bool stores = access.decoded->instruction->is_store();
  for (U32 rest = access.lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<std::size_t>(lane);
    Cta& cta = target(access, lane);
    std::uint8_t* const place = cta.shared.data() + (access.addresses[l] & (kWindowBytes - 1));
    if (stores) {
      std::memcpy(place, access.data[l].data(), access.bytes);
      note_change(cta);
    } else {
      std::memcpy(access.data[l].data(), place, access.bytes);
    }
  }
  if (stores) return;
  Warp& w = *access.warp;
  m.repeated = &access;
  Step* const step = std::exchange(w.step, nullptr);
  access.decoded->handler(w, *access.decoded, access.lanes);
  w.step = step;
  m.repeated = nullptr;
}

}  // namespace

void perform_remote(Machine& m, U32 handle) {
  RemoteAccess& access = m.remote[handle];
  if (access.atomic) {
    for (U32 rest = access.lanes; rest; rest &= rest - 1)
      note_change(target(access, std::countr_zero(rest)));
    perform_pending(m, access.atomic_handle, access.lanes);
  } else {
    act(m, access);
  }
  --access.warp->pending_atomics;
  access.lanes = 0;
  m.remote.release(handle);
}

void perform_all_remote(Machine& m) {
  std::vector<std::pair<U64, U32>> left;
  for (U32 handle = 0; handle < m.remote.size(); ++handle)
    if (m.remote[handle].lanes) left.emplace_back(m.remote[handle].order, handle);
  std::sort(left.begin(), left.end());
  for (const auto& [order, handle] : left) perform_remote(m, handle);
}

std::vector<RemotePart> remote_parts(Machine& m, U32 handle) {
  constexpr int kSectorBits = 5;
  const RemoteAccess& access = m.remote[handle];
  std::vector<std::pair<U32, U64>> sectors;
  for (U32 rest = access.lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Cta& cta = target(access, lane);
    if (cta.warps.empty()) continue;
    sectors.emplace_back(cta.warps.front()->machine->view.sm,
                         access.addresses[static_cast<std::size_t>(lane)] >> kSectorBits);
  }
  std::sort(sectors.begin(), sectors.end());
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
  std::vector<RemotePart> parts;
  for (const auto& [sm, sector] : sectors) {
    if (parts.empty() || parts.back().sm != sm) parts.push_back({sm, 0});
    ++parts.back().sectors;
  }
  return parts;
}

void deliver_sent_bytes(Machine& m) {
  for (const SentBytes& sent : m.sent_bytes) {
    const auto size = static_cast<U32>(sent.bytes.size());
    if (sent.target == SentBytes::Target::global) {
      put_bytes(m, *sent.decoded, sent.type, m.memory.host(Address{sent.to}), sent.bytes.data(),
                size);
      continue;
    }
    Cta& cta = cta_of_cluster(*sent.warp, *sent.decoded, sent.lane, sent.cta, sent.rank);
    if (sent.target == SentBytes::Target::barrier)
      arrive_later(*sent.warp, *sent.decoded, sent.lane, cta, sent.to, sent.arrived);
    else
      put_bytes(m, *sent.decoded, sent.type, cta.shared.data() + sent.to, sent.bytes.data(), size);
    note_change(cta);
  }
  m.sent_bytes.clear();
}

}  // namespace heddle::exec
