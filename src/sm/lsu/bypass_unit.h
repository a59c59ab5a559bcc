// Accesses that bypass the L1 data cache: one packet per cycle of the load/store unit, and their
// replies, which wait for the way to the registers one at a time.
#pragma once

#include <cstdint>
#include <utility>

#include "mem/sm_port.h"
#include "sm/lsu/lsu_context.h"

namespace heddle::sm {

class BypassUnit {
 public:
  BypassUnit(mem::SmPort& port, LsuContext& context) : port_(port), context_(context) {}

  // Sends one access of the instruction. Returns whether it was the last.
  bool dispatch(Op& op, OpId id, SmStats& stats);
  // Whether the packet answers a load or an atomic of this unit.
  static bool owns(const mem::Packet& reply) { return reply.tag & kTag; }
  // Returns whether there was room for it.
  bool take_reply(const mem::Packet& reply);

  struct Result {
    OpId op = kNoOp;
    std::uint32_t sectors = 0;
  };
  bool has_result() const { return result_.op != kNoOp; }
  Result pop_result() { return std::exchange(result_, {}); }
  bool idle() const { return awaited_ == 0 && !has_result(); }

 private:
  static constexpr std::uint32_t kTag = 1u << 31;

  mem::SmPort& port_;
  LsuContext& context_;
  Result result_;
  std::uint32_t awaited_ = 0;  // sectors
};

}  // namespace heddle::sm
