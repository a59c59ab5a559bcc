// Packets between SMs and the memory system.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/types.h"
#include "mem/line.h"

namespace heddle::mem {

enum class PacketKind : std::uint8_t { read, write, atomic };
// The requesting part of the SM: decides which cache receives the reply and which statistics count
// it.
enum class Client : std::uint8_t { l1d, local, constant, instruction, texture };

// Reuse that a read found in the L2, where a policy subscribed to it: of a line that its own warp,
// or another SM, brought in; own_lost, others_lost: that the L2 had evicted. See reuse_watch.h.
enum class Reuse : std::uint8_t { none, own, others, own_lost, others_lost };

inline constexpr std::uint32_t kHeaderBytes = 8;

// A warp of an SM, and the number of its kernel on the GPU.
struct Requester {
  std::uint16_t sm = 0;
  WarpSlot warp;
  std::uint8_t kernel = 0;
  friend bool operator==(const Requester& a, const Requester& b) {  // of all members at once
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  }
};

// Who caused a request: a warp and its instruction. Part of the request on its whole way, and of
// the line that it brings in. The warp is none for instruction fetches.
struct Origin : Requester {
  Pc pc = kNoPc;
};

// A set of bytes of a 128-byte line, one bit each.
struct ByteMask {
  std::array<std::uint64_t, 2> words{};
  void set(unsigned first, unsigned count) {
    const unsigned end = first + count;
    if (first < 64) words[0] |= below(end) & ~below(first);
    if (end > 64) words[1] |= below(end - 64) & ~below(first > 64 ? first - 64 : 0);
  }
  ByteMask& operator|=(const ByteMask& o) {
    words[0] |= o.words[0];
    words[1] |= o.words[1];
    return *this;
  }
  // Without the bytes of other sectors.
  ByteMask of_sector(unsigned s) const {
    ByteMask part;
    part.words[s >> 1] = words[s >> 1] & std::uint64_t{0xFFFFFFFF} << ((s & 1) * 32);
    return part;
  }
  std::uint32_t sector(unsigned s) const {
    return static_cast<std::uint32_t>(words[s >> 1] >> ((s & 1) * 32));
  }

 private:
  static std::uint64_t below(unsigned n) {
    return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  }
};

// A request or its reply.
struct Packet {
  Address address;          // first byte of the data
  std::uint32_t bytes = 0;  // 32..128; a multiple of 32 for reads that fill a cache
  PacketKind kind = PacketKind::read;
  Client client = Client::l1d;
  bool reply = false;
  Reuse reuse = Reuse::none;  // of a reply
  std::uint8_t sectors = 0;   // bit i: sector i of the 128-byte line (for 32-byte-sectored caches)
  bool wants_reply = true;    // also true for reductions without result and for writes
  Origin origin;
  // Returned with the reply: the requester's reference (an MSHR, or an instruction of the
  // load/store unit).
  std::uint32_t tag = 0;
  std::uint32_t atomic = 0;  // atomic: the handle of InstructionSource::perform_atomic
  LaneMask lanes;            // atomic: lanes served by this packet
  ByteMask mask;             // writes: bytes written within the 128-byte line
  Cycle issued;              // core cycle in which the SM sent it, for access-time statistics

  std::uint32_t sector_count() const {
    return static_cast<std::uint32_t>(
        std::popcount(std::uint8_t{sectors ? sectors : sectors_touched(address, bytes)}));
  }

  // Bytes on the network. Requests carry the data of writes, replies the data of reads.
  std::uint32_t network_bytes() const {
    const bool carries = reply ? kind != PacketKind::write : kind != PacketKind::read;
    return kHeaderBytes + (carries ? bytes : 0);
  }
};
static_assert(sizeof(Packet) == 64, "a packet fills one cache line of the host");

}  // namespace heddle::mem
