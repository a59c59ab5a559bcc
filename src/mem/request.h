// A request to a cache, the cache's answer, and what the cache asks of the next level.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "mem/cache_stats.h"
#include "mem/line_owners.h"
#include "mem/packet.h"

namespace heddle::mem {

// One access. It must lie within one line and, in a sectored cache, within one 32-byte sector.
struct Request {
  Address address;  // first byte
  std::uint32_t bytes = 0;
  PacketKind kind = PacketKind::read;
  Client client = Client::l1d;  // local decides under local_back_global_through
  Origin origin{};
  std::uint32_t tag = 0;  // the owner's reference; pop_ready() or a forwarded write returns it
  ByteMask mask{};        // writes: bytes written within the 128-byte line
};

enum class Outcome : std::uint8_t { hit, pending_hit, miss, reservation_fail };

// Who answers the requester, and when.
enum class Answer : std::uint8_t {
  now,         // the owner, at once: the data are here, or the write ended here
  on_fill,     // pop_ready() after the fetch
  from_below,  // the next level acknowledges the forwarded write; its Miss carries the request's
               // tag
  none         // reservation failure
};

struct Access {
  Outcome outcome = Outcome::reservation_fail;
  FailCause cause = FailCause::port_busy;  // of a reservation failure
  Answer answer = Answer::none;
  Origin owner{};  // hit and pending hit of a read: what brought the line in
  MissClass miss_class = MissClass::cold;  // of a miss in a cache that remembers owners
};

// A request on its way to the next level. A partial fill reads sectors that were written in part,
// before their write-back; nothing waits for it.
struct Miss {
  enum class Kind : std::uint8_t { fetch, forwarded_write, write_back, partial_fill };
  Kind kind = Kind::fetch;
  Client client = Client::l1d;
  std::uint8_t sectors = 0;  // 32-byte sectors of the 128-byte line
  Address address;           // of the sector or line; forwarded write: of the request
  std::uint32_t bytes = 0;
  std::uint32_t tag = 0;  // fetch: the argument of fill(); forwarded write: the request's tag
  Origin origin{};
  ByteMask mask{};

  bool reads() const { return kind == Kind::fetch || kind == Kind::partial_fill; }
  bool wants_reply() const { return kind == Kind::fetch || kind == Kind::forwarded_write; }
  std::uint32_t network_bytes() const { return kHeaderBytes + (reads() ? 0 : bytes); }
  // The packet that an SM sends for it.
  Packet packet(Cycle now) const {
    Packet p;
    p.address = address;
    p.bytes = bytes;
    p.kind = reads() ? PacketKind::read : PacketKind::write;
    p.client = client;
    p.sectors = sectors;
    p.origin = origin;
    p.tag = kind == Kind::fetch ? tag : 0;
    p.wants_reply = wants_reply();
    p.mask = mask;
    p.issued = now;
    return p;
  }
};

// A request served by a completed fetch.
struct Ready {
  std::uint32_t tag = 0;
  PacketKind kind = PacketKind::read;
  bool forwarded = false;  // a store that the next level acknowledges
};

// A valid line that was replaced.
struct Eviction {
  LineAddress line;
  Origin owner;
};

}  // namespace heddle::mem
