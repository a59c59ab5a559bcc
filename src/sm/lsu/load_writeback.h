// How the data of loads reach the register file: one load per cycle of the unit. Shared memory, the
// caches, the bypass and other SMs are served in round robin. On a compiler-guided core a load
// writes its registers once, when its last data arrive; the others wait in the L1.
#pragma once

#include <cstdint>

#include "config/gpu_spec.h"
#include "sm/issue/register_banks.h"
#include "sm/lsu/bypass_unit.h"
#include "sm/lsu/lsu_caches.h"
#include "sm/lsu/lsu_context.h"
#include "sm/lsu/remote_unit.h"
#include "sm/lsu/shared_memory_unit.h"

namespace heddle::sm {

class LoadWriteback {
 public:
  // Who has data of loads.
  struct Sources {
    SharedMemoryUnit& shared;
    LsuCaches& caches;
    BypassUnit& bypass;
    RemoteUnit& remote;
  };
  LoadWriteback(const config::SmSpec& spec, const Sources& sources, RegisterBanks& registers,
                LsuContext& context)
      : writes_once_(spec.core == config::Core::compiler_guided),
        announces_(spec.flow.loose_atomics),
        from_(sources),
        registers_(registers),
        context_(context) {}

  // Whether a load has been chosen, which waits for the bank of its register.
  bool is_waiting() const { return chosen_.op != kNoOp; }
  // Writes the chosen load, and chooses the next.
  void cycle();

 private:
  enum class Source : std::uint8_t { shared, constant, bypass, l1d, texture, remote };
  static constexpr int kSources = 6;
  struct Data {
    OpId op = kNoOp;
    std::uint32_t accesses = 1;
    bool is_shared = false;
  };

  void deliver();
  bool choose_next();
  std::uint32_t sources_with_data() const;
  Data take_from(Source source);
  Data take_cached(LsuCaches::Which which);

  const bool writes_once_, announces_;
  const Sources from_;
  RegisterBanks& registers_;
  LsuContext& context_;
  Data chosen_;
  int next_source_ = 0;
};

}  // namespace heddle::sm
