// Loads through the constant or the texture cache: one access per cycle of the load/store unit.
#pragma once

#include "sm/lsu/lsu_caches.h"
#include "sm/lsu/lsu_context.h"

namespace heddle::sm {

class ReadOnlyUnit {
 public:
  // perfect: every access hits at once.
  ReadOnlyUnit(LsuCaches::Which which, bool perfect, LsuCaches& caches, LsuContext& context);

  // Sends one access of the instruction. Returns whether it was the last.
  bool dispatch(Op& op, OpId id, SmStats& stats);

 private:
  LsuCaches::Which which_;
  bool perfect_;
  mem::Client client_;
  LsuStall refused_;
  LsuCaches& caches_;
  LsuContext& context_;
};

}  // namespace heddle::sm
