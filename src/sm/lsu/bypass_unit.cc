#include "sm/lsu/bypass_unit.h"

namespace heddle::sm {

bool BypassUnit::dispatch(Op& op, OpId id, SmStats& stats) {
  const MemoryAccess& a = op.accesses.back();
  const bool store = op.instruction->is_store(),
             atomic = op.instruction->op_class == isa::OpClass::atomic;
  mem::Packet p;
  p.address = a.address;
  p.bytes = a.bytes;
  p.kind = store    ? mem::PacketKind::write
           : atomic ? mem::PacketKind::atomic
                    : mem::PacketKind::read;
  p.client = op.space == isa::Space::local ? mem::Client::local : mem::Client::l1d;
  p.sectors = a.sector_bits();
  p.origin = context_.origin_of(op);
  p.tag = store ? 0 : id | kTag;
  p.atomic = op.atomic;
  p.lanes = a.lanes;
  p.mask = a.mask;
  p.issued = context_.now;
  if (!port_.can_send(p.network_bytes())) {
    stats.count_stall(LsuStall::network);
    return false;
  }
  port_.send(context_.now, p);
  ++stats.packets_sent;
  ++stats.bypassing_packets;
  if (store)
    context_.send_store(op.warp, a.sectors());
  else
    awaited_ += a.sectors();
  return LsuContext::pop_access(op, stats);
}

bool BypassUnit::take_reply(const mem::Packet& reply) {
  if (has_result()) return false;
  result_ = {reply.tag & ~kTag, reply.sector_count()};
  awaited_ -= result_.sectors;
  return true;
}

}  // namespace heddle::sm
