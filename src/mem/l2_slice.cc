#include "mem/l2_slice.h"

#include <algorithm>
#include <bit>

namespace heddle::mem {

namespace {

std::size_t at_least_one(std::uint32_t n) { return std::max<std::size_t>(n, 1); }

// The access of a part of the transaction.
Request request_for(const Transaction& transaction, Part part) {
  const Packet& packet = transaction.packet;
  Request request;
  request.kind = packet.kind;
  request.client = packet.client;
  request.origin = packet.origin;
  request.tag = part.value;
  if (part.sector() == Part::kWhole) {
    request.address = transaction.local;
    request.bytes = packet.bytes;
    request.mask = packet.mask;
  } else {
    request.address = sector_address(transaction.local, part.sector());
    request.bytes = kSectorBytes;
    if (packet.kind == PacketKind::write) request.mask = packet.mask.of_sector(part.sector());
  }
  return request;
}

}  // namespace

L2Slice::L2Slice(const config::GpuSpec& spec, std::uint32_t index, const AddressMap& map,
                 const FlitCount& flits_of, TransactionPool& pool, const Clocks& clocks)
    : index_(index),
      slice_room_(spec.memory.slice_room),
      period_(clocks.l2),
      map_(map),
      flits_of_(flits_of),
      pool_(pool),
      cache_(spec.memory.l2),
      dram_(at_least_one(spec.memory.partition_queues[1]),
            at_least_one(spec.memory.partition_queues[2])),
      arrivals_(spec.network),
      accesses_(std::max(spec.memory.partition_queues[0], slice_room_)),
      replies_(at_least_one(spec.memory.partition_queues[3])),
      delayed_(spec, index, clocks) {
  begin_window();
}

// The order follows GPGPU-Sim: a stage is emptied before it is filled, so that no request passes
// two stages in one cycle.
std::uint64_t L2Slice::run(std::uint64_t cycle, Time limit, CycleCounter& core,
                           AtomicUnit& atomics) {
  for (now_ = cycle * period_;; ++cycle, now_ += period_) {
    if (!arrivals_.empty()) take_arrival(cycle, core, atomics);
    if (cache_.has_ready() && reply_room_) {
      const Ready ready = cache_.pop_ready();
      if (!ready.forwarded) reply(Part{ready.tag});  // the DRAM acknowledges a forwarded store
    }
    if (!dram_.returns.empty()) take_return(cycle);
    if (cache_.has_miss()) send_miss();
    if (!accesses_.empty()) access(cycle);
    if (delayed_.ready() <= cycle) end_delay();
    if (observer_) [[unlikely]]
      observer_->l2_queues(index_, core.at(now_), accesses_.size(), cache_.mshrs().used());
    const std::uint64_t next = next_cycle(cycle);
    if (next != cycle + 1 || now_ + period_ >= limit || !dram_.requests.empty()) return next;
  }
}

std::uint64_t L2Slice::next_cycle(std::uint64_t cycle) const {
  const bool serves = !waits_for_room() && (!accesses_.empty() || cache_.has_ready());
  if (serves || !dram_.returns.empty() || cache_.has_miss()) return cycle + 1;
  std::uint64_t next = kNever;
  if (!delayed_.empty() && !accesses_.full()) next = delayed_.ready();
  if (!arrivals_.empty() && accesses_.free() >= slice_room_)
    next = std::min(next, arrivals_.visible_at());
  return std::max(next, cycle + 1);
}

void L2Slice::take_arrival(std::uint64_t cycle, CycleCounter& core, AtomicUnit& atomics) {
  if (arrivals_.visible_at() > cycle || accesses_.free() < slice_room_) return;
  const std::uint32_t index = arrivals_.pop();
  if (!arrivals_.empty()) pool_.prefetch(arrivals_.front());
  Transaction& transaction = pool_[index];
  if (transaction.packet.kind == PacketKind::atomic) {
    atomics.perform(transaction.packet);
    ++counts_.atomics;
  }
  transaction.reached_slice = core.at(now_);
  split(index, cycle);
  if (transaction.packet.kind != PacketKind::write)
    counts_.time_down +=
        (transaction.reached_slice - transaction.packet.issued) * transaction.parts_left;
}

// Splits a transaction into its sectors, which a sectored L2 serves separately.
void L2Slice::split(std::uint32_t index, std::uint64_t cycle) {
  Transaction& transaction = pool_[index];
  Packet& packet = transaction.packet;
  if (const std::uint32_t offset = offset_in_line(packet.address);
      packet.kind == PacketKind::write && (packet.mask.words[0] | packet.mask.words[1]) == 0)
    packet.mask.set(offset, std::min(packet.bytes, kLineBytes - offset));
  std::uint8_t parts = 1u << Part::kWhole;
  if (cache_.spec().filling == config::Filling::sectors) {
    if (packet.sectors == 0) packet.sectors = sectors_touched(packet.address, packet.bytes);
    parts = packet.sectors;
  }
  transaction.parts_left = static_cast<std::uint8_t>(std::popcount(parts));
  counts_.parts_in += transaction.parts_left;
  delayed_.push({index, parts, transaction.cluster, transaction.local.value / kLineBytes,
                 packet.kind == PacketKind::read},
                cycle);
}

void L2Slice::reply(Part part) {
  const Transaction& transaction = pool_[part.transaction()];
  const Packet& packet = transaction.packet;
  const bool carries_data = packet.kind != PacketKind::write;
  const std::uint32_t data = !carries_data                   ? 0
                             : part.sector() == Part::kWhole ? packet.bytes
                                                             : kSectorBytes;
  ++counts_.parts_out;
  --reply_room_;
  replies_.emplace(now_, transaction.reached_slice, part,
                   static_cast<std::uint16_t>(flits_of_(kHeaderBytes + data)),
                   static_cast<std::uint8_t>(transaction.cluster), carries_data);
}

void L2Slice::take_return(std::uint64_t cycle) {
  const DramRequest& request = dram_.returns.front();
  if (request.write) {  // the acknowledgement of a forwarded write
    if (!reply_room_) return;
    reply(Part{request.tag});
  } else {
    if (!cache_.ports().fill_free(cycle)) return;
    cache_.fill(request.tag, request.bytes / kSectorBytes, cycle, counted_);
  }
  dram_.returns.pop();
}

void L2Slice::send_miss() {
  if (dram_.requests.full()) return;
  const Miss& miss = cache_.front_miss();
  const DramPlace place = map_.dram_of(index_, miss.address);
  DramRequest request;
  request.row = place.row;
  request.bank = static_cast<std::uint16_t>(place.bank);
  request.slice = static_cast<std::uint16_t>(map_.slice_in_channel(index_));
  request.tag = miss.tag;
  request.origin = miss.origin;
  request.bytes = static_cast<std::uint16_t>(miss.bytes);
  request.write = !miss.reads();
  request.wants_reply = miss.wants_reply();
  if (miss.kind == Miss::Kind::forwarded_write &&
      !pool_[Part{miss.tag}.transaction()].packet.wants_reply) {
    finish_silently(Part{miss.tag});
    request.wants_reply = false;
  }
  dram_.requests.push(request);
  cache_.pop_miss();
}

void L2Slice::access(std::uint64_t cycle) {
  if (dram_.requests.full() || !reply_room_ || !cache_.ports().data_free(cycle)) return;
  const Part part = accesses_.front();
  const Request request = request_for(pool_[part.transaction()], part);
  // The access counts for its kernel; what happens between accesses counts for none.
  const Access access = cache_.access(
      request, cycle, by_kernel_.empty() ? counted_ : by_kernel_[request.origin.kernel]);
  if (access.outcome == Outcome::reservation_fail) return;
  if (observer_) observer_->l2_accessed(index_, request, access);
  if (reuse_) pool_[part.transaction()].reuse[part.place()] = reuse_->judge(request, access);
  accesses_.pop();
  if (access.answer != Answer::now) return;
  if (pool_[part.transaction()].packet.wants_reply)
    reply(part);
  else
    finish_silently(part);
}

CacheStats L2Slice::stats() const {
  CacheStats sum = counted_;
  for (const CacheStats& kernel : by_kernel_) stats::add(sum, kernel);
  return sum;
}

void L2Slice::end_delay() {
  if (accesses_.full()) return;
  accesses_.push(delayed_.front());
  delayed_.pop();
  if (!delayed_.empty()) pool_.prefetch(delayed_.front().transaction());
}

void L2Slice::finish_silently(Part part) {
  ++counts_.parts_silent;
  if (--pool_[part.transaction()].parts_left == 0) ended_.push_back(part.transaction());
}

}  // namespace heddle::mem
