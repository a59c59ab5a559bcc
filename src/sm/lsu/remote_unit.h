// Accesses to the shared memory of other CTAs of a cluster: they are sent through the SM's port to
// the network of its GPC, sector by sector; between windows the network says when each is answered.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "config/gpu_spec.h"
#include "sm/lsu/lsu_context.h"

namespace heddle::sm {

// What was sent, and its answer.
struct RemoteRequest {
  Cycle at;
  OpId op = kNoOp;  // kNoOp: a store
  WarpSlot warp;
  std::uint8_t kernel = 0;
  std::uint32_t access = 0;  // handle of the execution
  std::uint32_t sectors = 0;
};

class RemoteUnit {
 public:
  RemoteUnit(std::uint32_t cycles_per_sector, LsuContext& context)
      : cycles_per_sector_(cycles_per_sector), context_(context) {}

  // One cycle of the instruction in the port. Returns whether it was the last.
  bool dispatch(Op& op, OpId id, SmStats& stats);
  std::vector<RemoteRequest> take_requests() { return std::exchange(requests_, {}); }
  // Between windows, in the order of the answers: it arrives in cycle `at`.
  void answer(const RemoteRequest& request, Cycle at) { answers_.push_back({at, request}); }
  // Acknowledges the stores whose answers have come.
  void end_stores();
  // When the next answer comes; never() without one.
  Cycle next_answer() const { return answers_.empty() ? Cycle::never() : answers_.front().at; }
  bool answers_load() const { return answers_.front().request.op != kNoOp; }
  OpId pop_result();
  bool idle() const { return awaited_ == 0; }

 private:
  struct Answer {
    Cycle at;
    RemoteRequest request;
  };
  std::uint32_t cycles_per_sector_;
  LsuContext& context_;
  std::vector<RemoteRequest> requests_;
  std::deque<Answer> answers_;
  std::uint64_t awaited_ = 0;
};

}  // namespace heddle::sm
