// The hardware of the pipeline's stages and the latches between them. pipeline.cc advances them.
//
//   fetch and decode -> issue -> [issued] -> operand collection -> [collected]
//     -> execution units -> writeback
//     -> load/store unit -> L1 data cache, or memory -> reply -> writeback
#pragma once

#include <memory>
#include <vector>

#include "mem/sm_port.h"
#include "sm/front/fetch.h"
#include "sm/issue/execution_units.h"
#include "sm/issue/guided_back_end.h"
#include "sm/issue/issue.h"
#include "sm/issue/latches.h"
#include "sm/issue/operand_collector.h"
#include "sm/issue/warp_schedulers.h"
#include "sm/lsu/load_store_unit.h"
#include "sm/stages/sm_state.h"

namespace heddle::sm {

// The place of the load/store unit among the unit classes of a LatchSets.
inline constexpr auto kMemoryUnit = static_cast<std::size_t>(index(UnitClass::mem));

struct Stages {
  Stages(SmState& state, mem::SmPort& port, std::vector<std::unique_ptr<WarpScheduler>> schedulers);

  // Events that concern no resident warp count for the kernel from now on.
  void count_for(SmState& state, KernelContext& kernel);

  LatchSets issued;     // from issue to the operand collectors
  LatchSets collected;  // from the operand collectors to the units
  RegisterBanks registers;
  OperandCollector collector;
  ExecutionUnits units;
  std::unique_ptr<GuidedBackEnd> guided;  // in place of both; null: the core has collectors
  LoadStoreUnit lsu;
  FrontEnd front_end;
  WarpSchedulers policies;
  IssueStage issue;
};

}  // namespace heddle::sm
