// Where control can go after each instruction of a kernel, as far as its code says.
#pragma once

#include <algorithm>

#include "isa/kernel.h"

namespace heddle::sm {

class KernelFlow {
 public:
  explicit KernelFlow(const isa::Kernel& kernel) : code_(kernel.instructions) {
    for (const isa::Instruction& i : code_)
      if (i.op_class == isa::OpClass::call)
        first_callee_ = std::min(first_callee_, i.target == kNoPc ? 0 : i.target);
  }

  static bool transfers_control(const isa::Instruction& i) {
    return i.op_class == isa::OpClass::branch || i.op_class == isa::OpClass::call ||
           i.op_class == isa::OpClass::return_ || i.op_class == isa::OpClass::exit_;
  }
  // The place of a direct branch, or kNoPc.
  Pc branch_target(Pc pc) const {
    return code_[pc].op_class == isa::OpClass::branch ? code_[pc].target : kNoPc;
  }
  // Lanes may continue at the next instruction: a transfer that reads nothing is unconditional.
  bool falls_through(Pc pc) const {
    const isa::Instruction& i = code_[pc];
    return pc + 1 < code_.size() &&
           (!transfers_control(i) || i.read_count > 0 || i.op_class == isa::OpClass::call);
  }
  // It continues at a place that it does not name: calls and indirect branches, and returns, but
  // for those of the kernel itself, which end the warp.
  bool continues_elsewhere(Pc pc) const {
    const isa::Instruction& i = code_[pc];
    return i.op_class == isa::OpClass::call ||
           (i.op_class == isa::OpClass::return_ && pc >= first_callee_) ||
           (i.op_class == isa::OpClass::branch && i.target == kNoPc);
  }
  // Lanes of several places meet at it and part again (WARPSYNC.COLLECTIVE): no branch, but it has
  // a target, and it reads which lanes.
  bool gathers_lanes(Pc pc) const {
    const isa::Instruction& i = code_[pc];
    return !transfers_control(i) && i.target != kNoPc && i.read_count > 0;
  }

 private:
  const std::vector<isa::Instruction>& code_;
  Pc first_callee_ = kNoPc;  // functions that the kernel calls follow it
};

}  // namespace heddle::sm
