// The only object that an SM and the memory system share. Both simulate a window of cycles one
// after the other or at the same time, so what one side does must not reach the other before the
// window ends:
// - Requests: the SM appends packets stamped with its core cycle, as long as it has credits from
//   the start of the window. The memory system accepts them at their stamp, in the same or a later
//   window.
// - Replies: the memory system appends packets stamped at least one window ahead. The SM pops them
//   at or after their stamp.
// Credits are exchanged only in begin_window(). When both sides run at the same time, packets too
// are exchanged only between windows, in settle(), which begins the next window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/bounded_queue.h"
#include "base/index_set.h"
#include "base/types.h"
#include "mem/packet.h"

namespace heddle::mem {

struct StampedPacket {
  Cycle at;  // the first core cycle in which the other side may see it
  Packet packet;
};

class alignas(64) SmPort {
 public:
  // Whether the two sides simulate a window one after the other or at the same time.
  enum class Sides { in_turn, at_once };
  // requests: capacity of the injection buffer, in packets, or in flits of flit_bytes;
  // reply_packets: of the ejection buffer, the SM's response queue.
  SmPort(std::size_t requests, std::size_t reply_packets, Sides sides = Sides::in_turn,
         std::uint32_t flit_bytes = 0)
      : at_once_(sides == Sides::at_once),
        flit_bytes_(flit_bytes),
        send_credits_(requests),
        sent_(requests),
        replies_(reply_packets),
        requests_(requests),
        arriving_(reply_packets) {
    begin_window();
  }

  // --- the SM's side ---
  bool can_send(std::uint32_t network_bytes = kHeaderBytes) const {
    return send_credits_ >= size_of(network_bytes);
  }
  void send(Cycle now, const Packet& packet) {
    const std::size_t size = size_of(packet.network_bytes());
    check_invariant(send_credits_ >= size, "an SM sent a request without credit");
    send_credits_ -= size;
    (at_once_ ? sent_ : requests_).emplace(now, packet);
    if (!at_once_) announce_requests();
  }
  bool has_reply(Cycle now) const { return !replies_.empty() && replies_.front().at <= now; }
  const Packet& reply() const { return replies_.front().packet; }
  void pop_reply() { replies_.pop(); }
  // When the next reply can be popped; never() when none waits.
  Cycle next_reply() const { return replies_.empty() ? Cycle::never() : replies_.front().at; }

  // --- the memory system's side ---
  // The port adds its number to the set when it has requests.
  void announce_to(IndexSet& with_requests, std::uint32_t number) {
    with_requests_ = &with_requests;
    number_ = number;
    announce_requests();
  }
  bool has_request(Cycle now) const { return !requests_.empty() && requests_.front().at <= now; }
  const StampedPacket& request() const { return requests_.front(); }
  void pop_request() {
    freed_ += size_of(requests_.front().packet.network_bytes());
    requests_.pop();
  }
  // Pops a request whose credits free_flit() gives back, one by one.
  void take_request() { requests_.pop(); }
  void free_flit() { ++freed_; }
  Cycle next_request() const { return requests_.empty() ? Cycle::never() : requests_.front().at; }
  bool can_reply() const { return reply_credits_ > 0; }
  // Returns the packet in the queue, for what distinguishes the reply from `packet`.
  Packet& send_reply(Cycle visible_at, const Packet& packet) {
    check_invariant(reply_credits_ > 0, "a reply was sent to an SM without credit");
    --reply_credits_;
    return (at_once_ ? arriving_ : replies_).emplace(visible_at, packet).packet;
  }

  // --- between windows, when neither side runs ---
  void begin_window() {
    if (freed_ > 0) send_credits_ += std::exchange(freed_, 0);
    reply_credits_ = replies_.free();
  }
  void settle() {
    hand_over(sent_, requests_);
    hand_over(arriving_, replies_);
    begin_window();
    announce_requests();
  }

  // Prefetch into the host core that will soon read what another has written.
  void prefetch_sent() const { __builtin_prefetch(&sent_); }
  void prefetch_requests() const { prefetch(requests_, 3); }
  void prefetch_replies() const { prefetch(replies_, 5); }

 private:
  using Queue = BoundedQueue<StampedPacket>;
  std::size_t size_of(std::uint32_t network_bytes) const {
    return flit_bytes_ == 0 ? 1 : (network_bytes + flit_bytes_ - 1) / flit_bytes_;
  }
  void announce_requests() {
    if (with_requests_ && !requests_.empty()) with_requests_->set(number_);
  }
  static void hand_over(Queue& from, Queue& to) {
    if (from.empty()) return;
    if (to.empty()) return std::swap(from, to);
    for (; !from.empty(); from.pop()) to.emplace(from.front());
  }

  static void prefetch(const Queue& queue, std::size_t max_packets) {
    for (std::size_t i = 0; i < std::min(max_packets, queue.size()); ++i) {
      __builtin_prefetch(&queue[i]);
      __builtin_prefetch(reinterpret_cast<const char*>(&queue[i]) + sizeof(StampedPacket) - 1);
    }
  }

  // The members that the SM uses, then those that the memory system uses, in separate cache lines.
  const bool at_once_;
  const std::uint32_t flit_bytes_;  // 0: the injection buffer counts packets
  std::size_t send_credits_;
  Queue sent_;
  alignas(64) Queue replies_;
  alignas(64) std::size_t reply_credits_ = 0;
  std::size_t freed_ = 0;  // credits for the SM's side of the next window
  Queue requests_;
  IndexSet* with_requests_ = nullptr;  // of the memory system; null: none listens
  std::uint32_t number_ = 0;
  alignas(64) Queue arriving_;
};

}  // namespace heddle::mem
